/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rules of fz/cache.h for single lines. Text for every FZ_ISA, as
 * cache_lanes.h.
 */
#ifndef FZ_CACHE_RULES_H
#define FZ_CACHE_RULES_H

#include "cache_lanes.h"

/*
 * All is inlined into access_line(), and loops over levels are unrolled: with
 * constant levels it takes two thirds of the instructions.
 */
#define HOT static inline FZ_ISA __attribute__((always_inline))
#ifdef __clang__
#define UNROLL_LEVELS /* what it can unroll it does by itself */
#else
#define UNROLL_LEVELS _Pragma("GCC unroll 4")
#endif
_Static_assert(FZ_CACHE_MAX_LEVELS == 4, "as many as are unrolled");

HOT uint32_t *set_of(const struct fz_cache_sets *level, uint32_t way)
{
	return fz_level_set_with(level, fz_way_line(way));
}

/*
 * The victim level takes in what the level before evicted. It is not there: a
 * line that comes to the level before has been looked for in the victim level,
 * which gave it away, and one that an inner level sends to the victim level has
 * not been found in the level before.
 */
HOT void take_victim(struct fz_cache *cache, unsigned int last, uint32_t way)
{
	const struct fz_cache_sets *const level = &cache->level[last];
	const uint32_t evicted = set_insert(level, set_of(level, way), way);

	cache->counts.fills[last]++;
	cache->counts.evictions[last] += evicted != 0;
	cache->counts.memory_writes += evicted & FZ_WAY_DIRTY;
}

/* The same from levels further in, whose lines may be there. */
static FZ_ISA void take_write_back(struct fz_cache *cache, uint32_t way)
{
	const unsigned int last = cache->nr_levels - 1;
	const struct fz_cache_sets *const level = &cache->level[last];
	uint32_t *const set = set_of(level, way);
	const uint64_t places = set_find(level, set, way);

	if (places)
		set_put_first(set, set_place(places),
			      set[set_place(places)] | way);
	else
		take_victim(cache, last, way);
}

/* A dirty line that a level evicted goes outward, from level `begin` on. */
HOT void write_back(struct fz_cache *cache, unsigned int begin, uint32_t way)
{
	UNROLL_LEVELS
	for (unsigned int i = begin; i < FZ_CACHE_MAX_LEVELS; i++) {
		const struct fz_cache_sets *const level = &cache->level[i];
		uint32_t *set;
		uint64_t places;

		if (i == cache->nr_inserted)
			break;
		set = set_of(level, way);
		if (i >= 2)
			set_fetch_later(level, set);
		places = set_find(level, set, way);
		if (places) {
			set[set_place(places)] |= FZ_WAY_DIRTY;
			return;
		}
	}
	if (cache->nr_inserted < cache->nr_levels)
		take_write_back(cache, way);
	else
		cache->counts.memory_writes++;
}

/* Out of the levels below `end`; returns whether one of the copies was dirty.
 */
HOT uint32_t remove_below(struct fz_cache *cache, unsigned int end,
			  uint32_t way)
{
	uint32_t dirty = 0;

	UNROLL_LEVELS
	for (unsigned int i = 0; i < end; i++) {
		const struct fz_cache_sets *const level = &cache->level[i];
		uint32_t *const set = set_of(level, way);
		const uint64_t places = set_find(level, set, way);

		if (places) {
			dirty |= set[set_place(places)] & FZ_WAY_DIRTY;
			set_remove(level, set, set_place(places));
		}
	}
	return dirty;
}

HOT void evict(struct fz_cache *cache, unsigned int i, uint32_t way)
{
	cache->counts.evictions[i]++;
	if (cache->level[i].inclusive)
		way |= remove_below(cache, i, way);
	if (i + 1 < FZ_CACHE_MAX_LEVELS && cache->level[i].feeds_victim)
		take_victim(cache, i + 1, way);
	else if (way & FZ_WAY_DIRTY)
		write_back(cache, i + 1, way);
}

/* Of a line that is not there. */
HOT void insert(struct fz_cache *cache, unsigned int i, uint32_t *set,
		uint32_t way)
{
	const uint32_t evicted = set_insert(&cache->level[i], set, way);

	cache->counts.fills[i]++;
	if (evicted)
		evict(cache, i, evicted);
}

/* A line on its way inward. */
struct passage {
	uint32_t way;
	unsigned int found; /* this level had it; nr_levels = memory did */
	uint32_t *set[FZ_CACHE_MAX_LEVELS]; /* its sets in those that missed */
};

/* A victim level gives the line away, and its dirty bit with it. */
HOT void use(const struct fz_cache_sets *level, uint32_t *set,
	     unsigned int place, struct passage *passage)
{
	if (level->victim) {
		passage->way = set[place];
		set_remove(level, set, place);
	} else {
		set_put_first(set, place, set[place]);
	}
}

/* Uses the line in the first level from `begin` outward that has it. Misses are
 * counted for accesses, and not for the prefetcher. */
HOT void look_up(struct fz_cache *cache, unsigned int begin,
		 struct passage *passage, bool is_access)
{
	UNROLL_LEVELS
	for (unsigned int i = begin; i < FZ_CACHE_MAX_LEVELS; i++) {
		const struct fz_cache_sets *const level = &cache->level[i];
		uint64_t places;

		if (i == cache->nr_levels)
			break;
		passage->set[i] = set_of(level, passage->way);
		if (i >= 2)
			set_fetch_later(level, passage->set[i]);
		places = set_find(level, passage->set[i], passage->way);
		if (places) {
			cache->counts.hits[i] += is_access;
			passage->found = i;
			use(level, passage->set[i], set_place(places), passage);
			return;
		}
		cache->counts.misses[i] += is_access;
	}
	passage->found = cache->nr_levels;
	cache->counts.memory_reads++;
}

/* Inserts the line into the levels before the one that had it, down to `end`.
 */
HOT void bring_in(struct fz_cache *cache, unsigned int end,
		  const struct passage *passage, uint32_t dirty_in_first)
{
	uint32_t way = passage->way;

	UNROLL_LEVELS
	for (unsigned int i = FZ_CACHE_MAX_LEVELS; i-- > end;) {
		if (i >= passage->found || i >= cache->nr_inserted)
			continue;
		insert(cache, i, passage->set[i],
		       i ? way : way | dirty_in_first);
		way &= ~FZ_WAY_DIRTY;
	}
}

/* The line is in level 2 already, or comes there as if it were loaded. */
static FZ_ISA void request(struct fz_cache *cache, uint32_t way)
{
	const struct fz_cache_sets *const level = &cache->level[1];
	struct passage passage = { .way = way, .set[1] = set_of(level, way) };

	if (set_find(level, passage.set[1], way)) {
		cache->counts.pf_hit_l2++;
		return;
	}
	look_up(cache, 2, &passage, false);
	bring_in(cache, 1, &passage, 0);
	if (passage.found < cache->nr_levels)
		cache->counts.pf_hit_outer++;
	else
		cache->counts.pf_miss++;
}

static FZ_ISA void prefetch_after(struct fz_cache *cache, uint32_t line)
{
	uint32_t lines[FZ_CACHE_MAX_DEGREE];
	const unsigned int nr =
		fz_prefetch_requests(&cache->prefetch, line, lines);

	for (unsigned int i = 0; i < nr; i++)
		request(cache, fz_way(lines[i]));
}

/* `set` is the one of level 1, which has not the line. */
HOT void miss(struct fz_cache *cache, uint32_t *set, uint32_t line,
	      uint32_t dirty)
{
	struct passage passage = { .way = fz_way(line), .set[0] = set };

	cache->counts.misses[0]++;
	look_up(cache, 1, &passage, true);
	bring_in(cache, 0, &passage, dirty);
	if (cache->prefetch.nr_streams)
		prefetch_after(cache, line);
}

HOT void access_line(struct fz_cache *cache, uint32_t line, uint32_t dirty)
{
	const struct fz_cache_sets *const level = &cache->level[0];
	uint32_t *const set = fz_level_set_with(level, line);
	const uint64_t places = set_find(level, set, fz_way(line));

	if (places) {
		const unsigned int place = set_place(places);

		set_put_first(set, place, set[place] | dirty);
		cache->counts.hits[0]++;
		return;
	}
	miss(cache, set, line, dirty);
}

#endif
