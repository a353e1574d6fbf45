// SPDX-License-Identifier: GPL-2.0-or-later
/* The modelled cache: cases worked out by hand, and runs against single lines.
 * All with each kind of instructions that sets are worked on with. */
#include <errno.h>
#include <fz_test.h>
#include <stdio.h>
#include <string.h>

#include <fz/cache.h>
#include <fz/random.h>

#include "cache_state.h"

#define NR(array) (sizeof(array) / sizeof((array)[0]))

#define LINE 64u

enum {
	PORTABLE,
	BEST,
	NR_PATHS
};

/* Of so many sets and ways. */
#define LEVEL(sets, nr_ways, what)                                             \
	{                                                                      \
		.bytes = (uint64_t)(sets) * (nr_ways)*LINE, .ways = (nr_ways), \
		.relation = FZ_CACHE_##what,                                   \
	}

#define CACHE(line, nr, ...)                             \
	{                                                \
		.line_bytes = (line), .nr_levels = (nr), \
		.level = { __VA_ARGS__ },                \
	}

static struct fz_cache *opened(const struct fz_cache_geometry *geometry,
			       int path)
{
	struct fz_err err = { "" };
	struct fz_cache *cache = NULL;

	ck_assert_msg(fz_cache_open(&cache, geometry, &err) == 0, "%s",
		      err.msg);
	if (path == PORTABLE)
		cache->path = &fz_cache_path_portable;
	return cache;
}

static void load(struct fz_cache *cache, uint64_t line)
{
	fz_cache_run(cache, FZ_CACHE_LOAD, line, 1, false);
}

static void store(struct fz_cache *cache, uint64_t line)
{
	fz_cache_run(cache, FZ_CACHE_STORE, line, 1, false);
}

/* "3 1*": what the set holds, most recently used first, * = dirty. */
static void check_set(const struct fz_cache *cache, unsigned int level,
		      uint64_t set, const char *expected)
{
	struct fz_cached_line lines[64];
	const size_t nr = fz_cache_set(cache, level, set, lines);
	char text[2048] = "";
	size_t used = 0;

	for (size_t i = 0; i < nr; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "%s%llu%s", i ? " " : "",
					 (unsigned long long)lines[i].line,
					 lines[i].dirty ? "*" : "");
	ck_assert_str_eq(text, expected);
}

static void check_counts(const struct fz_cache *cache,
			 struct fz_cache_counts expected)
{
	const struct fz_cache_counts *const counts = fz_cache_counts(cache);

	ck_assert_uint_eq(counts->memory_reads, expected.memory_reads);
	ck_assert_uint_eq(counts->memory_writes, expected.memory_writes);
	ck_assert_mem_eq(counts, &expected, sizeof(expected));
}

START_TEST(least_recently_used_leaves)
{
	static const struct fz_cache_geometry geometry =
		CACHE(LINE, 1, LEVEL(1, 2, PLAIN));
	struct fz_cache *cache = opened(&geometry, _i);

	load(cache, 1);
	store(cache, 2);
	load(cache, 1);
	check_set(cache, 1, 0, "1 2*");
	load(cache, 3);
	check_set(cache, 1, 0, "3 1");
	fz_cache_run(cache, FZ_CACHE_ZERO, 3, 1, false);
	check_set(cache, 1, 0, "3* 1");
	check_counts(cache, (struct fz_cache_counts){
				    .loads = 3,
				    .load_misses = 2,
				    .stores = 1,
				    .store_misses = 1,
				    .zeroed = 1,
				    .hits = { 2 },
				    .misses = { 3 },
				    .fills = { 3 },
				    .evictions = { 1 },
				    .memory_reads = 3,
				    .memory_writes = 1,
			    });
	fz_cache_close(cache);
}
END_TEST

START_TEST(dirty_bits_go_outward)
{
	static const struct fz_cache_geometry geometry =
		CACHE(LINE, 2, LEVEL(1, 1, PLAIN), LEVEL(1, 2, PLAIN));
	struct fz_cache *cache = opened(&geometry, _i);

	store(cache, 1);
	check_set(cache, 1, 0, "1*");
	check_set(cache, 2, 0, "1");
	load(cache, 2);
	check_set(cache, 2, 0, "2 1*");
	load(cache, 3);
	check_set(cache, 1, 0, "3");
	check_set(cache, 2, 0, "3 2");
	load(cache, 2);
	check_set(cache, 2, 0, "2 3");
	check_counts(cache, (struct fz_cache_counts){
				    .loads = 3,
				    .load_misses = 3,
				    .stores = 1,
				    .store_misses = 1,
				    .hits = { 0, 1 },
				    .misses = { 4, 3 },
				    .fills = { 4, 3 },
				    .evictions = { 3, 1 },
				    .memory_reads = 3,
				    .memory_writes = 1,
			    });
	fz_cache_close(cache);
}
END_TEST

/* Level 2 lost line 1 before level 1 did. */
START_TEST(dirty_line_goes_past_a_level)
{
	static const struct fz_cache_geometry geometry =
		CACHE(LINE, 3, LEVEL(1, 2, PLAIN), LEVEL(1, 1, PLAIN),
		      LEVEL(1, 3, PLAIN));
	struct fz_cache *cache = opened(&geometry, _i);

	store(cache, 1);
	load(cache, 2);
	check_set(cache, 2, 0, "2");
	load(cache, 3);
	check_set(cache, 1, 0, "3 2");
	check_set(cache, 3, 0, "3 2 1*");
	ck_assert_uint_eq(fz_cache_level_of(cache, 1), 3);
	ck_assert_uint_eq(fz_cache_counts(cache)->memory_writes, 0);
	fz_cache_close(cache);
}
END_TEST

/* A line that level 1 uses all the time, so that level 2 does not see it. */
START_TEST(inclusive_level_removes)
{
	static const struct fz_cache_geometry geometry =
		CACHE(LINE, 2, LEVEL(1, 2, PLAIN), LEVEL(1, 2, INCLUSIVE));
	struct fz_cache *cache = opened(&geometry, _i);

	store(cache, 1);
	load(cache, 2);
	load(cache, 1);
	check_set(cache, 1, 0, "1* 2");
	check_set(cache, 2, 0, "2 1");
	load(cache, 3);
	check_set(cache, 1, 0, "3 2");
	check_set(cache, 2, 0, "3 2");
	ck_assert_uint_eq(fz_cache_level_of(cache, 1), 0);
	check_counts(cache, (struct fz_cache_counts){
				    .loads = 3,
				    .load_misses = 2,
				    .stores = 1,
				    .store_misses = 1,
				    .hits = { 1 },
				    .misses = { 3, 3 },
				    .fills = { 3, 3 },
				    .evictions = { 0, 1 },
				    .memory_reads = 3,
				    .memory_writes = 1,
			    });
	fz_cache_close(cache);
}
END_TEST

START_TEST(victim_level_gives_away)
{
	static const struct fz_cache_geometry geometry =
		CACHE(LINE, 2, LEVEL(1, 1, PLAIN), LEVEL(1, 2, VICTIM));
	struct fz_cache *cache = opened(&geometry, _i);

	store(cache, 1);
	check_set(cache, 2, 0, "");
	load(cache, 2);
	check_set(cache, 2, 0, "1*");
	load(cache, 3);
	check_set(cache, 2, 0, "2 1*");
	load(cache, 1);
	check_set(cache, 1, 0, "1*");
	check_set(cache, 2, 0, "3 2");
	load(cache, 4);
	load(cache, 5);
	load(cache, 6);
	check_set(cache, 2, 0, "5 4");
	check_counts(cache, (struct fz_cache_counts){
				    .loads = 6,
				    .load_misses = 6,
				    .stores = 1,
				    .store_misses = 1,
				    .hits = { 0, 1 },
				    .misses = { 7, 6 },
				    .fills = { 7, 6 },
				    .evictions = { 6, 3 },
				    .memory_reads = 6,
				    .memory_writes = 1,
			    });
	fz_cache_close(cache);
}
END_TEST

/* The dirty bit goes to level 2, the outermost that takes the line in. */
START_TEST(dirty_bit_of_a_victim)
{
	static const struct fz_cache_geometry geometry =
		CACHE(LINE, 3, LEVEL(1, 1, PLAIN), LEVEL(1, 1, PLAIN),
		      LEVEL(1, 2, VICTIM));
	struct fz_cache *cache = opened(&geometry, _i);

	store(cache, 1);
	load(cache, 2);
	check_set(cache, 3, 0, "1*");
	load(cache, 1);
	check_set(cache, 1, 0, "1");
	check_set(cache, 2, 0, "1*");
	check_set(cache, 3, 0, "2");
	fz_cache_close(cache);
}
END_TEST

/* Line 1 leaves level 2 clean, and level 1 dirty when a victim level has it. */
START_TEST(victim_level_merges)
{
	static const struct fz_cache_geometry geometry =
		CACHE(LINE, 3, LEVEL(1, 2, PLAIN), LEVEL(1, 1, PLAIN),
		      LEVEL(1, 2, VICTIM));
	struct fz_cache *cache = opened(&geometry, _i);

	store(cache, 1);
	load(cache, 2);
	check_set(cache, 3, 0, "1");
	load(cache, 3);
	check_set(cache, 1, 0, "3 2");
	check_set(cache, 2, 0, "3");
	check_set(cache, 3, 0, "1* 2");
	ck_assert_uint_eq(fz_cache_counts(cache)->fills[2], 2);
	ck_assert_uint_eq(fz_cache_counts(cache)->evictions[2], 0);
	fz_cache_close(cache);
}
END_TEST

START_TEST(streaming_removes)
{
	static const struct fz_cache_geometry geometry =
		CACHE(LINE, 2, LEVEL(3, 2, PLAIN), LEVEL(5, 3, INCLUSIVE));
	struct fz_cache *cache = opened(&geometry, _i);

	fz_cache_run(cache, FZ_CACHE_ZERO, 0, 15, false);
	check_set(cache, 1, 0, "12* 9*");
	check_set(cache, 2, 4, "14 9 4*");
	fz_cache_reset_counts(cache);
	fz_cache_run(cache, FZ_CACHE_STREAM, 7, 6, true);
	check_set(cache, 1, 0, "");
	check_set(cache, 1, 1, "13*");
	check_set(cache, 1, 2, "14*");
	check_set(cache, 2, 4, "14 4*");
	check_set(cache, 2, 2, "2*");
	check_counts(cache, (struct fz_cache_counts){ .streamed = 6,
						      .memory_writes = 6 });
	fz_cache_close(cache);
}
END_TEST

START_TEST(any_number_of_sets)
{
	static const struct fz_cache_geometry geometry =
		CACHE(LINE, 1, LEVEL(7, 3, PLAIN));
	struct fz_cache *cache = opened(&geometry, _i);
	const uint64_t last = FZ_CACHE_NR_LINES - 1; /* 0 modulo 7 */

	load(cache, 0);
	load(cache, last);
	store(cache, last - 7);
	fz_cache_run(cache, FZ_CACHE_LOAD, 20, 10, true);
	check_set(cache, 1, 0, "21 28 1073741816*");
	check_set(cache, 1, 1, "22 29");
	check_set(cache, 1, 6, "20 27");
	ck_assert_uint_eq(fz_cache_level_of(cache, last), 0);
	ck_assert_uint_eq(fz_cache_level_of(cache, last - 7), 1);
	fz_cache_close(cache);
}
END_TEST

static const struct fz_cache_geometry prefetching = {
	.line_bytes = LINE,
	.nr_levels = 3,
	.level = { LEVEL(1, 1, PLAIN), LEVEL(1, 16, PLAIN),
		   LEVEL(1, 64, VICTIM) },
	.prefetcher = { .streams = 2, .degree = 2, .distance = 1 },
};

START_TEST(prefetcher_runs_ahead)
{
	struct fz_cache *cache = opened(&prefetching, _i);

	load(cache, 0);
	check_set(cache, 2, 0, "0");
	load(cache, 1);
	check_set(cache, 2, 0, "3 2 1 0");
	load(cache, 2);
	check_set(cache, 2, 0, "4 2 3 1 0");
	check_set(cache, 1, 0, "2");
	check_counts(cache, (struct fz_cache_counts){
				    .loads = 3,
				    .load_misses = 3,
				    .hits = { 0, 1 },
				    .misses = { 3, 2, 2 },
				    .fills = { 3, 5 },
				    .evictions = { 2 },
				    .pf_hit_l2 = 1,
				    .pf_miss = 3,
				    .memory_reads = 5,
			    });
	fz_cache_close(cache);
}
END_TEST

START_TEST(prefetcher_stays_in_the_page)
{
	struct fz_cache *cache = opened(&prefetching, _i);

	load(cache, 126);
	load(cache, 127); /* 128 is in the next page */
	check_set(cache, 2, 0, "127 126");
	load(cache, 66);
	load(cache, 65); /* 64, and not 63 */
	check_set(cache, 2, 0, "64 65 66 127 126");
	load(cache, 66); /* turns back: no direction any more */
	load(cache, 67);
	check_set(cache, 2, 0, "69 68 67 66 64 65 127 126");
	fz_cache_close(cache);
}
END_TEST

/* Two streams: a third page takes the place of the one used longest ago. */
START_TEST(prefetcher_forgets)
{
	struct fz_cache *cache = opened(&prefetching, _i);

	load(cache, 0);
	load(cache, 100);
	load(cache, 200);
	load(cache, 1); /* of page 0, which is forgotten */
	load(cache, 201);
	check_set(cache, 2, 0, "203 202 201 1 200 100 0");
	fz_cache_close(cache);
}
END_TEST

/* Line 2, dirty in the victim level, comes back to level 2 and stays dirty. */
START_TEST(prefetcher_fetches_from_a_victim_level)
{
	struct fz_cache *cache = opened(&prefetching, _i);

	store(cache, 2);
	for (uint64_t page = 1; page <= 16; page++)
		load(cache, page * 64);
	check_set(cache, 3, 0, "2*");
	load(cache, 0);
	load(cache, 1);
	check_set(cache, 1, 0, "1");
	ck_assert_uint_eq(fz_cache_level_of(cache, 2), 2);
	ck_assert_uint_eq(fz_cache_counts(cache)->pf_hit_outer, 1);
	ck_assert_uint_eq(fz_cache_counts(cache)->pf_miss, 1);
	fz_cache_run(cache, FZ_CACHE_STREAM, 3, 1, false);
	check_set(cache, 2, 0,
		  "2* 1 0 1024 960 896 832 768 704 640 576 512 448 384 320");
	fz_cache_close(cache);
}
END_TEST

START_TEST(counting_from_0_keeps_the_lines)
{
	static const struct fz_cache_geometry geometry =
		CACHE(LINE, 1, LEVEL(4, 1, PLAIN));
	struct fz_cache *cache = opened(&geometry, _i);

	fz_cache_run(cache, FZ_CACHE_STORE, 4, 4, false);
	fz_cache_run(cache, FZ_CACHE_STORE, 4, 0, true);
	fz_cache_reset_counts(cache);
	check_counts(cache, (struct fz_cache_counts){ .loads = 0 });
	load(cache, 7);
	check_set(cache, 1, 3, "7*");
	check_counts(cache,
		     (struct fz_cache_counts){ .loads = 1, .hits = { 1 } });
	fz_cache_close(cache);
	fz_cache_close(NULL);
}
END_TEST

/* The second access of a run evicts line 1 from level 2, and then from level 1,
 * where it is dirty as well: two writes. */
START_TEST(evictions_at_once)
{
	static const struct fz_cache_geometry geometry =
		CACHE(LINE, 2, LEVEL(1, 2, PLAIN), LEVEL(1, 3, PLAIN));
	static const uint64_t lengths[] = { 2, 5000 };

	for (size_t k = 0; k < NR(lengths); k++) {
		struct fz_cache *cache = opened(&geometry, _i);

		store(cache, 1);
		load(cache, 2);
		load(cache, 3);
		store(cache, 1);
		load(cache, 4);
		load(cache, 1);
		check_set(cache, 1, 0, "1* 4");
		check_set(cache, 2, 0, "4 1* 3");
		fz_cache_run(cache, FZ_CACHE_LOAD, 100, lengths[k], false);
		ck_assert_uint_eq(fz_cache_counts(cache)->memory_writes, 2);
		fz_cache_close(cache);
	}
}
END_TEST

/* Every line that there is, once. */
START_TEST(longest_run)
{
	static const struct fz_cache_geometry geometry =
		CACHE(LINE, 3, LEVEL(2, 3, PLAIN), LEVEL(3, 3, INCLUSIVE),
		      LEVEL(5, 3, VICTIM));
	struct fz_cache *cache = opened(&geometry, _i);

	load(cache, 12);
	fz_cache_run(cache, FZ_CACHE_STREAM, 0, FZ_CACHE_NR_LINES, false);
	fz_cache_reset_counts(cache);
	fz_cache_run(cache, FZ_CACHE_STORE, 0, FZ_CACHE_NR_LINES, true);
	check_set(cache, 1, 0, "0* 2* 4*");
	check_set(cache, 2, 0, "0 3 6*");
	check_set(cache, 3, 0, "10* 15* 20*");
	check_counts(cache,
		     (struct fz_cache_counts){
			     .stores = FZ_CACHE_NR_LINES,
			     .store_misses = FZ_CACHE_NR_LINES,
			     .misses = { FZ_CACHE_NR_LINES, FZ_CACHE_NR_LINES,
					 FZ_CACHE_NR_LINES },
			     .fills = { FZ_CACHE_NR_LINES, FZ_CACHE_NR_LINES,
					FZ_CACHE_NR_LINES - 9 },
			     .evictions = { FZ_CACHE_NR_LINES - 6,
					    FZ_CACHE_NR_LINES - 9,
					    FZ_CACHE_NR_LINES - 24 },
			     .memory_reads = FZ_CACHE_NR_LINES,
			     .memory_writes = FZ_CACHE_NR_LINES - 24,
		     });
	fz_cache_close(cache);
}
END_TEST

/* A level behind one of so many sets and ways: often with as many sets, where
 * evictions from both fall together, and at times of the same size. */
static struct fz_cache_level random_level(struct fz_random *random,
					  unsigned int i, bool is_last,
					  uint64_t *sets, uint64_t *ways)
{
	static const enum fz_cache_relation relations[] = { FZ_CACHE_PLAIN,
							    FZ_CACHE_INCLUSIVE,
							    FZ_CACHE_VICTIM };
	const uint64_t kinds = i == 0 ? 1 : is_last ? 3 : 2;

	if (i == 0 || fz_random_below(random, 2))
		*sets = 1 + fz_random_below(random, 8 << i);
	if (i == 0 || fz_random_below(random, 8))
		*ways = 1 + fz_random_below(random, 20);
	return (struct fz_cache_level){
		.bytes = *ways * *sets * LINE,
		.ways = (unsigned int)*ways,
		.relation = relations[fz_random_below(random, kinds)],
	};
}

static struct fz_cache_geometry random_geometry(struct fz_random *random)
{
	struct fz_cache_geometry g = { .line_bytes = LINE };
	uint64_t sets = 0, ways = 0;

	do {
		g.nr_levels = 1 + (unsigned int)fz_random_below(random, 4);
		for (unsigned int i = 0; i < g.nr_levels; i++)
			g.level[i] = random_level(
				random, i, i + 1 == g.nr_levels, &sets, &ways);
	} while (fz_cache_geometry_check(&g, NULL));
	return g;
}

static uint64_t nr_sets(const struct fz_cache_geometry *geometry,
			unsigned int i)
{
	return geometry->level[i].bytes / LINE / geometry->level[i].ways;
}

static bool is_same(const struct fz_cache_geometry *geometry,
		    const struct fz_cache *a, const struct fz_cache *b)
{
	struct fz_cached_line in_a[64], in_b[64];

	if (memcmp(fz_cache_counts(a), fz_cache_counts(b),
		   sizeof(struct fz_cache_counts)))
		return false;
	for (unsigned int i = 0; i < geometry->nr_levels; i++)
		for (uint64_t set = 0; set < nr_sets(geometry, i); set++) {
			const size_t nr = fz_cache_set(a, i + 1, set, in_a);

			if (fz_cache_set(b, i + 1, set, in_b) != nr)
				return false;
			for (size_t k = 0; k < nr; k++)
				if (in_a[k].line != in_b[k].line ||
				    in_a[k].dirty != in_b[k].dirty)
					return false;
		}
	return true;
}

static void run_singly(struct fz_cache *cache, enum fz_cache_access access,
		       uint64_t first, uint64_t nr, bool descending)
{
	for (uint64_t k = 0; k < nr; k++)
		fz_cache_run(cache, access,
			     descending ? first + nr - 1 - k : first + k, 1,
			     false);
}

/* A run does what its lines do one by one, in the other kind of instructions
 * too. Long ones are worked out set by set. */
START_TEST(runs_are_single_lines)
{
	struct fz_random random = fz_random_begin(1, (uint64_t)_i);
	const struct fz_cache_geometry g = random_geometry(&random);
	struct fz_cache *const runs = opened(&g, _i % NR_PATHS);
	struct fz_cache *const lines = opened(&g, (_i + 1) % NR_PATHS);
	int first_wrong = -1;

	for (int k = 0; k < 40 && first_wrong < 0; k++) {
		/* Short ones among few lines, and long ones anywhere. */
		const bool is_long = fz_random_below(&random, 4) == 0;
		const uint64_t from =
			fz_random_below(&random, is_long ? 30000 : 300);
		const uint64_t nr =
			fz_random_below(&random, is_long ? 6000 : 20);
		const bool descending = fz_random_below(&random, 2);
		const enum fz_cache_access access =
			(enum fz_cache_access)fz_random_below(&random, 4);

		fz_cache_run(runs, access, from, nr, descending);
		run_singly(lines, access, from, nr, descending);
		if (!is_same(&g, runs, lines))
			first_wrong = k;
	}
	ck_assert_int_eq(first_wrong, -1);
	fz_cache_close(runs);
	fz_cache_close(lines);
}
END_TEST

#define L1 LEVEL(64, 8, PLAIN)
#define PREFETCHER(nr, nr_streams, lines, ahead)                            \
	{                                                                   \
		.line_bytes = LINE, .nr_levels = (nr), .level = { L1, L1 }, \
		.prefetcher = { .streams = (nr_streams),                    \
				.degree = (lines),                          \
				.distance = (ahead) },                      \
	}

#define MANY (FZ_CACHE_NR_LINES / 8)

static const struct {
	struct fz_cache_geometry geometry;
	const char *word; /* of the message, NULL = there can be such a cache */
} geometries[] = {
	{ CACHE(LINE, 1, L1), NULL },
	{ CACHE(16, 1, L1), NULL },
	{ CACHE(4096, 1, LEVEL(64, 64, PLAIN)), NULL },
	{ CACHE(LINE, 4, L1, L1, LEVEL(64, 8, INCLUSIVE), LEVEL(1, 1, VICTIM)),
	  NULL },
	{ CACHE(LINE, 1, LEVEL(MANY, 8, PLAIN)), NULL },
	{ CACHE(0, 1, L1), "'0' bytes" },
	{ CACHE(8, 1, L1), "'8' bytes" },
	{ CACHE(48, 1, L1), "'48' bytes" },
	{ CACHE(8192, 1, L1), "'8192' bytes" },
	{ CACHE(LINE, 0, L1), "'0' levels" },
	{ CACHE(LINE, 5, L1, L1, L1, L1), "'5' levels" },
	{ CACHE(LINE, 1, { .bytes = 4096 }), "'0' ways" },
	{ CACHE(LINE, 1, LEVEL(1, 65, PLAIN)), "'65' ways" },
	{ CACHE(LINE, 2, L1, { .bytes = 4096, .ways = 3 }), "level 2" },
	{ CACHE(LINE, 1, { .bytes = 0, .ways = 3 }), "'0' bytes" },
	{ CACHE(LINE, 1, LEVEL(MANY + 1, 8, PLAIN)), "at most 68719476736" },
	{ CACHE(LINE, 1, LEVEL(64, 8, INCLUSIVE)), "inclusive" },
	{ CACHE(LINE, 1, LEVEL(64, 8, VICTIM)), "victim" },
	{ CACHE(LINE, 2, L1, LEVEL(63, 8, INCLUSIVE)), "include level 1" },
	{ CACHE(LINE, 3, L1, LEVEL(64, 8, VICTIM), L1), "not the last" },
	{ PREFETCHER(1, 1, 1, 1), "'1' cache level" },
	{ .geometry = { .line_bytes = LINE,
			.nr_levels = 2,
			.level = { L1, LEVEL(64, 8, VICTIM) },
			.prefetcher = { 1, 1, 1 } },
	  .word = "taking victims" },
	{ PREFETCHER(2, 64, 16, 1), NULL },
	{ PREFETCHER(2, 65, 16, 1), "'65' streams" },
	{ PREFETCHER(2, 1, 17, 1), "'17' lines" },
	{ PREFETCHER(2, 1, 1, 0), "'0' lines ahead" },
	{ PREFETCHER(2, 0, 17, 0), NULL },
};

START_TEST(what_can_be_modelled)
{
	const char *const word = geometries[_i].word;
	struct fz_err err = { "" };
	struct fz_cache *cache = NULL;
	const int rc = fz_cache_geometry_check(&geometries[_i].geometry, &err);

	ck_assert_int_eq(rc, word ? -EINVAL : 0);
	ck_assert_msg(!word || strstr(err.msg, word), "%s", err.msg);
	ck_assert_int_eq(
		fz_cache_geometry_check(&geometries[_i].geometry, NULL), rc);
	if (word) {
		ck_assert_int_eq(
			fz_cache_open(&cache, &geometries[_i].geometry, &err),
			-EINVAL);
		ck_assert_ptr_null(cache);
	}
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("cache");
	TCase *tc = tcase_create("cache");

	tcase_add_loop_test(tc, least_recently_used_leaves, 0, NR_PATHS);
	tcase_add_loop_test(tc, dirty_bits_go_outward, 0, NR_PATHS);
	tcase_add_loop_test(tc, dirty_line_goes_past_a_level, 0, NR_PATHS);
	tcase_add_loop_test(tc, inclusive_level_removes, 0, NR_PATHS);
	tcase_add_loop_test(tc, victim_level_gives_away, 0, NR_PATHS);
	tcase_add_loop_test(tc, dirty_bit_of_a_victim, 0, NR_PATHS);
	tcase_add_loop_test(tc, victim_level_merges, 0, NR_PATHS);
	tcase_add_loop_test(tc, streaming_removes, 0, NR_PATHS);
	tcase_add_loop_test(tc, any_number_of_sets, 0, NR_PATHS);
	tcase_add_loop_test(tc, prefetcher_runs_ahead, 0, NR_PATHS);
	tcase_add_loop_test(tc, prefetcher_stays_in_the_page, 0, NR_PATHS);
	tcase_add_loop_test(tc, prefetcher_forgets, 0, NR_PATHS);
	tcase_add_loop_test(tc, prefetcher_fetches_from_a_victim_level, 0,
			    NR_PATHS);
	tcase_add_loop_test(tc, counting_from_0_keeps_the_lines, 0, NR_PATHS);
	tcase_add_loop_test(tc, evictions_at_once, 0, NR_PATHS);
	tcase_add_loop_test(tc, longest_run, 0, NR_PATHS);
	tcase_add_loop_test(tc, runs_are_single_lines, 0, 200);
	tcase_add_loop_test(tc, what_can_be_modelled, 0, NR(geometries));
	suite_add_tcase(suite, tc);
	return suite;
}
