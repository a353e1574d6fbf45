// SPDX-License-Identifier: GPL-2.0-or-later
/* The modelled cache against a naive one: the same counts, the same contents.
 */
#include <inttypes.h>
#include <string.h>

#include <fz/cache.h>
#include <fz/random.h>

#include "cache_state.h"
#include "fz_test.h"
#include "naive_cache.h"
#include "sanitized.h"

#define NR(a) (sizeof(a) / sizeof((a)[0]))

/* Line accesses of each geometry. */
#define NR_LINES (FZ_SANITIZED || FZ_EMULATED ? 30000u : 200000u)

/* Long enough to be worked out set by set, whatever the cache. */
#define LONG_RUN 3000

#define P FZ_CACHE_PLAIN
#define I FZ_CACHE_INCLUSIVE
#define V FZ_CACHE_VICTIM

/* LEVEL(sets, ways, relation) of lines of 64 bytes. */
#define LEVEL(sets, nr_ways, is)                                             \
	{                                                                    \
		.bytes = (sets) * (nr_ways)*UINT64_C(64), .ways = (nr_ways), \
		.relation = (is),                                            \
	}

/* clang-format off */
#define GEOMETRY(streams, degree, distance, ...)                           \
	{                                                                   \
		.line_bytes = 64,                                           \
		.nr_levels = NR(((struct fz_cache_level[]){ __VA_ARGS__ })), \
		.level = { __VA_ARGS__ },                                   \
		.prefetcher = { streams, degree, distance },                \
	}

static const struct fz_cache_geometry geometries[] = {
	/* one level */
	GEOMETRY(0, 0, 0, LEVEL(1, 1, P)),
	GEOMETRY(0, 0, 0, LEVEL(1, 64, P)),
	GEOMETRY(0, 0, 0, LEVEL(37, 3, P)),
	GEOMETRY(0, 0, 0, LEVEL(512, 1, P)),
	/* two */
	GEOMETRY(0, 0, 0, LEVEL(4, 2, P), LEVEL(8, 4, P)),
	GEOMETRY(0, 0, 0, LEVEL(4, 2, P), LEVEL(8, 4, I)),
	GEOMETRY(0, 0, 0, LEVEL(4, 2, P), LEVEL(8, 4, V)),
	GEOMETRY(0, 0, 0, LEVEL(16, 8, P), LEVEL(3, 1, V)),
	GEOMETRY(0, 0, 0, LEVEL(8, 4, P), LEVEL(4, 2, P)),
	GEOMETRY(0, 0, 0, LEVEL(7, 8, P), LEVEL(7, 8, I)),
	GEOMETRY(16, 2, 1, LEVEL(8, 2, P), LEVEL(16, 4, P)),
	GEOMETRY(1, 16, 1, LEVEL(8, 2, P), LEVEL(9, 64, I)),
	GEOMETRY(4, 1, 3, LEVEL(8, 8, P), LEVEL(64, 4, P)),
	/* three */
	GEOMETRY(0, 0, 0, LEVEL(4, 2, P), LEVEL(8, 4, P), LEVEL(16, 4, P)),
	GEOMETRY(0, 0, 0, LEVEL(4, 2, P), LEVEL(8, 4, P), LEVEL(16, 4, I)),
	GEOMETRY(0, 0, 0, LEVEL(4, 2, P), LEVEL(8, 4, I), LEVEL(16, 4, I)),
	GEOMETRY(0, 0, 0, LEVEL(4, 2, P), LEVEL(8, 4, I), LEVEL(16, 4, V)),
	GEOMETRY(0, 0, 0, LEVEL(4, 2, P), LEVEL(8, 4, P), LEVEL(16, 4, V)),
	GEOMETRY(0, 0, 0, LEVEL(5, 3, P), LEVEL(11, 5, P), LEVEL(13, 7, V)),
	GEOMETRY(0, 0, 0, LEVEL(5, 1, P), LEVEL(3, 2, P), LEVEL(2, 2, V)),
	GEOMETRY(16, 2, 1, LEVEL(64, 8, P), LEVEL(128, 8, I), LEVEL(512, 16, V)),
	GEOMETRY(64, 4, 8, LEVEL(8, 4, P), LEVEL(32, 8, P), LEVEL(64, 16, V)),
	GEOMETRY(2, 16, 40, LEVEL(8, 4, P), LEVEL(32, 8, P), LEVEL(63, 15, I)),
	/* Like real ones, smaller: 4K, 64K, 1M. */
	GEOMETRY(0, 0, 0, LEVEL(8, 8, P), LEVEL(128, 8, I), LEVEL(1024, 16, V)),
	GEOMETRY(0, 0, 0, LEVEL(6, 12, P), LEVEL(64, 16, P), LEVEL(1092, 15, P)),
	GEOMETRY(32, 2, 2, LEVEL(8, 8, P), LEVEL(128, 8, P), LEVEL(1024, 16, I)),
	/* four */
	GEOMETRY(0, 0, 0, LEVEL(2, 2, P), LEVEL(4, 2, P), LEVEL(8, 3, P), LEVEL(10, 6, P)),
	GEOMETRY(0, 0, 0, LEVEL(2, 2, P), LEVEL(4, 2, I), LEVEL(8, 3, I), LEVEL(10, 6, I)),
	GEOMETRY(0, 0, 0, LEVEL(2, 2, P), LEVEL(4, 2, P), LEVEL(8, 3, I), LEVEL(10, 6, V)),
	GEOMETRY(0, 0, 0, LEVEL(9, 1, P), LEVEL(4, 2, P), LEVEL(8, 3, P), LEVEL(17, 33, V)),
	GEOMETRY(3, 5, 1, LEVEL(4, 4, P), LEVEL(9, 4, P), LEVEL(16, 6, P), LEVEL(33, 8, V)),
	GEOMETRY(8, 2, 1, LEVEL(4, 4, P), LEVEL(8, 4, I), LEVEL(16, 6, P), LEVEL(33, 8, I)),
};
/* clang-format on */

/* The two, and how accesses are drawn. */
struct pair {
	struct fz_cache_geometry geometry;
	struct fz_cache *fast;
	struct naive_cache *naive;
	struct fz_random random;
	uint64_t base;     /* first line that is accessed */
	uint64_t nr_lines; /* how many may be */
	uint64_t capacity; /* lines of all levels */
	uint64_t longest;  /* lines of a run */
};

struct operation {
	enum fz_cache_access access;
	uint64_t first;
	uint64_t nr;
	bool descending;
};

/* Every geometry is run on both kinds of code for sets. */
#define NR_CASES (2 * (int)NR(geometries))

static const struct fz_cache_geometry *case_geometry(int i)
{
	return &geometries[i / 2];
}

/* The other kind is the best one here, which is compared too. */
static bool case_is_portable(int i)
{
	return i % 2;
}

static void pair_begin(struct pair *pair, const struct fz_cache_geometry *from,
		       bool is_portable, uint64_t seed)
{
	struct fz_err err = { "" };

	*pair = (struct pair){
		.geometry = *from,
		.random = fz_random_begin(seed, 0),
	};
	for (unsigned int i = 0; i < from->nr_levels; i++)
		pair->capacity += from->level[i].bytes / from->line_bytes;
	pair->longest = 3 * pair->capacity + LONG_RUN;
	pair->nr_lines = pair->longest + pair->capacity;
	ck_assert_msg(fz_cache_open(&pair->fast, from, &err) == 0, "%s",
		      err.msg);
	if (is_portable)
		pair->fast->path = &fz_cache_path_portable;
	pair->naive = naive_cache_open(from);
	ck_assert_ptr_nonnull(pair->naive);
}

static void pair_end(struct pair *pair)
{
	fz_cache_close(pair->fast);
	naive_cache_close(pair->naive);
}

/* At the bottom, at the top, or anywhere in what can be numbered. */
static void move_base(struct pair *pair)
{
	const uint64_t last = FZ_CACHE_NR_LINES - pair->nr_lines;

	switch (fz_random_below(&pair->random, 3)) {
	case 0:
		pair->base = 0;
		break;
	case 1:
		pair->base = last;
		break;
	default:
		pair->base = fz_random_below(&pair->random, last);
		break;
	}
}

static enum fz_cache_access draw_access(struct fz_random *random)
{
	static const enum fz_cache_access accesses[] = {
		FZ_CACHE_LOAD,  FZ_CACHE_LOAD, FZ_CACHE_LOAD, FZ_CACHE_STORE,
		FZ_CACHE_STORE, FZ_CACHE_ZERO, FZ_CACHE_ZERO, FZ_CACHE_STREAM,
	};

	return accesses[fz_random_below(random, NR(accesses))];
}

/* Mostly single lines, of a few that are used again and again; some runs; now
 * and then one of more than the caches hold. */
static uint64_t draw_length(struct pair *pair)
{
	const uint64_t kind = fz_random_below(&pair->random, 10000);

	if (kind < 7000)
		return 1;
	if (kind < 9800)
		return 1 + fz_random_below(&pair->random, 12);
	if (kind < 9995)
		return 1 + fz_random_below(&pair->random, 130);
	return 1 + fz_random_below(&pair->random, pair->longest);
}

static struct operation draw(struct pair *pair)
{
	struct operation operation = {
		.access = draw_access(&pair->random),
		.nr = draw_length(pair),
		.descending = fz_random_below(&pair->random, 2),
	};
	uint64_t span = pair->nr_lines - operation.nr;

	if (fz_random_below(&pair->random, 4) && span > pair->capacity / 4)
		span = pair->capacity / 4 + 1;
	operation.first = pair->base + fz_random_below(&pair->random, span + 1);
	return operation;
}

static bool same_counts(const struct pair *pair)
{
	return memcmp(fz_cache_counts(pair->fast),
		      naive_cache_counts(pair->naive),
		      sizeof(struct fz_cache_counts)) == 0;
}

static bool same_set(const struct pair *pair, unsigned int level, uint64_t set)
{
	struct fz_cached_line fast[64], naive[64];
	const size_t nr = fz_cache_set(pair->fast, level, set, fast);

	if (nr != naive_cache_set(pair->naive, level, set, naive))
		return false;
	for (size_t i = 0; i < nr; i++)
		if (fast[i].line != naive[i].line ||
		    fast[i].dirty != naive[i].dirty)
			return false;
	return true;
}

/* 0, or the level of a set that differs. */
static unsigned int differing_level(const struct pair *pair)
{
	for (unsigned int i = 1; i <= pair->geometry.nr_levels; i++) {
		const struct fz_cache_level *level =
			&pair->geometry.level[i - 1];
		const uint64_t nr_sets =
			level->bytes / level->ways / pair->geometry.line_bytes;

		for (uint64_t set = 0; set < nr_sets; set++)
			if (!same_set(pair, i, set))
				return i;
	}
	return 0;
}

static bool same_places(struct pair *pair)
{
	for (unsigned int i = 0; i < 200; i++) {
		const uint64_t line =
			pair->base +
			fz_random_below(&pair->random, pair->nr_lines);

		if (fz_cache_level_of(pair->fast, line) !=
		    naive_cache_level_of(pair->naive, line))
			return false;
	}
	return true;
}

static void carry_out(struct pair *pair, const struct operation *operation)
{
	fz_cache_run(pair->fast, operation->access, operation->first,
		     operation->nr, operation->descending);
	naive_cache_run(pair->naive, operation->access, operation->first,
			operation->nr, operation->descending);
}

/* Operations until they differ in a count, or lines are used up. */
static unsigned int run_until_different(struct pair *pair, uint64_t nr_lines,
					struct operation *operation)
{
	unsigned int nr = 0;

	for (uint64_t done = 0; done < nr_lines; done += operation->nr) {
		if (fz_random_below(&pair->random, 4000) == 0)
			move_base(pair);
		*operation = draw(pair);
		carry_out(pair, operation);
		nr++;
		if (!same_counts(pair))
			break;
	}
	return nr;
}

static void compare(const struct fz_cache_geometry *geometry, bool is_portable,
		    uint64_t seed, uint64_t nr_lines)
{
	struct operation last = { .nr = 0 };
	struct pair pair;
	unsigned int nr;

	pair_begin(&pair, geometry, is_portable, seed);
	nr = run_until_different(&pair, nr_lines, &last);
	ck_assert_msg(same_counts(&pair),
		      "counts differ after %u operations, the last: access %d "
		      "of %" PRIu64 "+%" PRIu64 "%s",
		      nr, last.access, last.first, last.nr,
		      last.descending ? ", descending" : "");
	ck_assert_msg(!differing_level(&pair), "sets of level %u differ",
		      differing_level(&pair));
	ck_assert_msg(same_places(&pair), "a line is in different levels");
	pair_end(&pair);
}

START_TEST(like_the_naive_one)
{
	compare(case_geometry(_i), case_is_portable(_i), 1, NR_LINES);
}
END_TEST

/* Short sequences, whose contents are compared often. */
START_TEST(like_it_at_every_stage)
{
	for (uint64_t seed = 2; seed < 40; seed++)
		compare(case_geometry(_i), case_is_portable(_i), seed,
			seed * seed);
}
END_TEST

/* Nothing but long runs, from an empty cache and from a full one. */
START_TEST(long_runs)
{
	struct pair pair;
	uint64_t nr;

	pair_begin(&pair, case_geometry(_i), case_is_portable(_i), 3);
	nr = 2 * pair.capacity + LONG_RUN;
	for (unsigned int i = 0; i < 24; i++) {
		const struct operation operation = {
			.access = (enum fz_cache_access)(i % 4),
			.first = fz_random_below(&pair.random, 3) * nr / 2,
			.nr = nr - fz_random_below(&pair.random, nr / 2),
			.descending = fz_random_below(&pair.random, 2),
		};

		carry_out(&pair, &operation);
		ck_assert_msg(same_counts(&pair), "counts of run %u", i);
		ck_assert_msg(!differing_level(&pair),
			      "level %u differs after run %u",
			      differing_level(&pair), i);
	}
	pair_end(&pair);
}
END_TEST

/* Lines of other sizes have other pages to prefetch in. */
START_TEST(other_line_sizes)
{
	static const unsigned int line_bytes[] = { 16, 32, 128, 2048, 4096 };

	for (size_t i = 0; i < 2 * NR(line_bytes); i++) {
		struct fz_cache_geometry geometry = {
			.line_bytes = line_bytes[i / 2],
			.nr_levels = 2,
			.prefetcher = { 4, 3, 2 },
		};

		geometry.level[0].ways = geometry.level[1].ways = 4;
		geometry.level[0].bytes = 8ull * 4 * geometry.line_bytes;
		geometry.level[1].bytes = 32ull * 4 * geometry.line_bytes;
		compare(&geometry, i % 2, 4, NR_LINES / 4);
	}
}
END_TEST

START_TEST(counts_from_0_again)
{
	struct pair pair;
	const struct operation operation = { FZ_CACHE_STORE, 5, 500, false };

	pair_begin(&pair, &geometries[NR(geometries) - 1], false, 5);
	carry_out(&pair, &operation);
	fz_cache_reset_counts(pair.fast);
	naive_cache_reset_counts(pair.naive);
	ck_assert_uint_eq(fz_cache_counts(pair.fast)->stores, 0);
	carry_out(&pair, &operation);
	ck_assert(same_counts(&pair));
	ck_assert(!differing_level(&pair));
	pair_end(&pair);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("model.cache_reference");
	TCase *tcase = tcase_create("cache_reference");

	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, like_the_naive_one, 0, NR_CASES);
	tcase_add_loop_test(tcase, like_it_at_every_stage, 0, NR_CASES);
	tcase_add_loop_test(tcase, long_runs, 0, NR_CASES);
	tcase_add_test(tcase, other_line_sizes);
	tcase_add_test(tcase, counts_from_0_again);
	suite_add_tcase(suite, tcase);
	return suite;
}
