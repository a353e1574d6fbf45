/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a cache holds of a range of lines. Only sets that can hold one of them
 * are looked at. Text for every FZ_ISA, as cache_lanes.h.
 */
#ifndef FZ_CACHE_RANGE_H
#define FZ_CACHE_RANGE_H

#include "cache_lanes.h"

/* A bit for each way that holds one of `nr` lines from `lowest` on. */
static inline FZ_ISA uint64_t set_find_range(const struct fz_cache_sets *level,
					     const uint32_t *set,
					     uint32_t lowest, uint32_t nr)
{
	/* Unsigned order is the signed one with the sign bit turned. */
	const uint32_t sign = 1u << 31;
	const lanes origin = LANES_OF(fz_way(lowest) + sign);
	const int32_t limit = (int32_t)(4 * nr - 2 + sign);
	uint64_t places = 0;

	for (unsigned int i = 0; i < level->padded_ways; i += FZ_LANES) {
		const lanes from = *(const lanes *)(set + i) - origin;

		places |= (uint64_t)lane_bits((lane_masks)from < limit) << i;
	}
	return places;
}

static FZ_ISA bool level_holds_any(const struct fz_cache_sets *level,
				   uint32_t lowest, uint32_t nr)
{
	uint32_t set = fz_level_set_of(level, lowest);
	uint32_t left = nr < level->nr_sets ? nr : level->nr_sets;

	for (; left; left--) {
		const uint32_t *const ways = fz_level_set(level, set);

		set_fetch_later(level, ways);
		if (set_find_range(level, ways, lowest, nr))
			return true;
		set = set + 1 == level->nr_sets ? 0 : set + 1;
	}
	return false;
}

static FZ_ISA bool cache_holds_any(const struct fz_cache *cache,
				   uint32_t lowest, uint32_t nr)
{
	for (unsigned int i = 0; i < cache->nr_levels; i++)
		if (level_holds_any(&cache->level[i], lowest, nr))
			return true;
	return false;
}

static FZ_ISA void level_remove(const struct fz_cache_sets *level,
				uint32_t lowest, uint32_t nr)
{
	uint32_t set = fz_level_set_of(level, lowest);
	uint32_t left = nr < level->nr_sets ? nr : level->nr_sets;

	for (; left; left--) {
		uint32_t *const ways = fz_level_set(level, set);
		uint64_t places = set_find_range(level, ways, lowest, nr);

		/* From the last on, so that the others stay where they are. */
		for (; places;
		     places &= ~(1ull << 63 >> __builtin_clzll(places)))
			set_remove(level, ways,
				   63 - (unsigned int)__builtin_clzll(places));
		set = set + 1 == level->nr_sets ? 0 : set + 1;
	}
}

static FZ_ISA void remove_lines(struct fz_cache *cache, uint32_t lowest,
				uint32_t nr)
{
	for (unsigned int i = 0; i < cache->nr_levels; i++)
		level_remove(&cache->level[i], lowest, nr);
}

#endif
