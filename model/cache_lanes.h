/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Operations on one set, several ways at a time. Who includes this says how
 * many with FZ_LANES, 4 or 8, and for which instructions with FZ_ISA, so that
 * the same text serves every kind of them.
 */
#ifndef FZ_CACHE_LANES_H
#define FZ_CACHE_LANES_H

#include "cache_state.h"

typedef uint32_t lanes __attribute__((vector_size(4 * FZ_LANES), may_alias));
typedef uint32_t unaligned_lanes
	__attribute__((vector_size(4 * FZ_LANES), may_alias, aligned(4)));
typedef int32_t lane_masks __attribute__((vector_size(4 * FZ_LANES)));

#if FZ_LANES == 8
#define LANE_NUMBERS ((lane_masks){ 0, 1, 2, 3, 4, 5, 6, 7 })
#define ONE_ON(here, first) \
	__builtin_shufflevector(here, LANES_OF(first), 8, 0, 1, 2, 3, 4, 5, 6)
#else
#define LANE_NUMBERS ((lane_masks){ 0, 1, 2, 3 })
#define ONE_ON(here, first) \
	__builtin_shufflevector(here, LANES_OF(first), 4, 0, 1, 2)
#endif

#define LANES_OF(way) ((lanes){ 0 } + (way))

/*
 * Lines mostly come one after the other, and their sets with them. In the large
 * arrays of the outer levels those to come are fetched beforehand: the CPU's
 * own prefetchers do not do it in time.
 */
static inline void set_fetch_later(const struct fz_cache_sets *level,
				   const uint32_t *set)
{
	const uintptr_t ahead = 8 * sizeof(*set) * level->padded_ways;

	__builtin_prefetch((const void *)((uintptr_t)set + ahead), 1);
}

/* A bit for each lane that is all ones. */
static inline FZ_ISA unsigned int lane_bits(lane_masks masks)
{
#if FZ_LANES == 8
	typedef float floats __attribute__((vector_size(32)));

	return (unsigned int)__builtin_ia32_movmskps256((floats)masks);
#elif defined(__SSE__)
	typedef float floats __attribute__((vector_size(16)));

	return (unsigned int)__builtin_ia32_movmskps((floats)masks);
#else
	typedef uint64_t halves __attribute__((vector_size(16)));
	const lane_masks bits = masks & (lane_masks){ 1, 2, 4, 8 };
	const uint64_t both = ((halves)bits)[0] | ((halves)bits)[1];

	return (unsigned int)((both | both >> 32) & 15);
#endif
}

/* Shifted, ways are the same whether clean or dirty. */
static inline FZ_ISA uint64_t lanes_find(const uint32_t *at, lanes shifted)
{
	return lane_bits(*(const lanes *)at >> 1 == shifted);
}

/* A bit for the place of the line, at most one; `way` may be clean or dirty. */
static inline FZ_ISA uint64_t set_find(const struct fz_cache_sets *level,
				       const uint32_t *set, uint32_t way)
{
	const lanes shifted = LANES_OF(way >> 1);
	uint64_t places = lanes_find(set, shifted);

	for (unsigned int i = FZ_LANES; i < level->padded_ways; i += FZ_LANES)
		places |= lanes_find(set + i, shifted) << i;
	return places;
}

static inline unsigned int set_place(uint64_t places)
{
	return (unsigned int)__builtin_ctzll(places);
}

/* What comes to the places from i on when all move on by one. */
static inline FZ_ISA lanes moved_on(const uint32_t *set, unsigned int i,
				    uint32_t first)
{
	if (i)
		return *(const unaligned_lanes *)(set + i - 1);
	return ONE_ON(*(const lanes *)set, first);
}

/* Ways 0 to `place` - 1 move on by one, over the last of them; `way` is first.
 */
static inline FZ_ISA void set_put_first(uint32_t *set, unsigned int place,
					uint32_t way)
{
	unsigned int i = place / FZ_LANES * FZ_LANES;
	const lanes moves = (lanes)(LANE_NUMBERS <= (int32_t)(place - i));
	const lanes stays = *(lanes *)(set + i) & ~moves;

	*(lanes *)(set + i) = (moved_on(set, i, way) & moves) | stays;
	while (i) {
		i -= FZ_LANES;
		*(lanes *)(set + i) = moved_on(set, i, way);
	}
}

/* Puts a line first that is not there, and returns what leaves: 0 = nothing. */
static inline FZ_ISA uint32_t set_insert(const struct fz_cache_sets *level,
					 uint32_t *set, uint32_t way)
{
	const uint32_t evicted = set[level->nr_ways - 1];

	for (unsigned int i = level->padded_ways - FZ_LANES; i; i -= FZ_LANES)
		*(lanes *)(set + i) = moved_on(set, i, way);
	*(lanes *)set = moved_on(set, 0, way);
	if (level->nr_ways < level->padded_ways)
		set[level->nr_ways] = 0;
	return evicted;
}

/* Those behind close up. */
static inline FZ_ISA void set_remove(const struct fz_cache_sets *level,
				     uint32_t *set, unsigned int place)
{
	for (; place + 1 < level->nr_ways; place++)
		set[place] = set[place + 1];
	set[place] = 0;
}

#endif
