// SPDX-License-Identifier: GPL-2.0-or-later
/* A modelled cache: its making, and what it is asked. */
#include "cache_state.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#define SET_ALIGN 64

/* Runs shorter than this are not worth looking for. */
#define BULK_LINES 1024u

const struct fz_cache_path *fz_cache_best_path(void)
{
#ifdef __x86_64__
	if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
	    __builtin_cpu_supports("bmi2"))
		return &fz_cache_path_avx2;
#endif
	return &fz_cache_path_portable;
}

static int init_level(struct fz_cache_sets *level,
		      const struct fz_cache_level *config,
		      unsigned int line_bytes)
{
	uint64_t words;

	level->nr_lines = (uint32_t)(config->bytes / line_bytes);
	level->nr_ways = config->ways;
	level->nr_sets = level->nr_lines / config->ways;
	level->padded_ways = (config->ways + FZ_WAYS_PADDED - 1) /
			     FZ_WAYS_PADDED * FZ_WAYS_PADDED;
	level->inclusive = config->relation == FZ_CACHE_INCLUSIVE;
	level->victim = config->relation == FZ_CACHE_VICTIM;
	level->reciprocal = UINT64_MAX / level->nr_sets + 1;
	words = (uint64_t)level->nr_sets * level->padded_ways;
	if (words > SIZE_MAX / sizeof(*level->ways) - SET_ALIGN)
		return -ENOMEM;
	/* Zeroes that are not touched before they are needed. */
	level->memory = calloc(words + SET_ALIGN / sizeof(*level->ways),
			       sizeof(*level->ways));
	if (!level->memory)
		return -ENOMEM;
	level->ways = (uint32_t *)(((uintptr_t)level->memory + SET_ALIGN - 1) &
				   ~(uintptr_t)(SET_ALIGN - 1));
	return 0;
}

static bool grows_outward(const struct fz_cache *cache)
{
	for (unsigned int i = 1; i < cache->nr_inserted; i++)
		if (cache->level[i - 1].nr_lines >= cache->level[i].nr_lines)
			return false;
	return true;
}

/* See cache_bulk.h for the conditions. */
static void set_bulk(struct fz_cache *cache)
{
	unsigned int end = 0; /* of the levels to be emptied first */

	for (unsigned int i = 0; i < cache->nr_inserted; i++)
		if (cache->level[i].inclusive)
			end = i;
	if (cache->nr_inserted < cache->nr_levels)
		end = cache->nr_inserted - 1;
	cache->bulk_lead = end ? cache->level[end - 1].nr_lines : 0;
	cache->bulk_from = 2 * cache->bulk_lead + BULK_LINES;
	if (!grows_outward(cache) || cache->prefetch.nr_streams)
		cache->bulk_from = UINT32_MAX;
}

int fz_cache_open(struct fz_cache **out,
		  const struct fz_cache_geometry *geometry, struct fz_err *err)
{
	struct fz_cache *cache;
	int rc = fz_cache_geometry_check(geometry, err);

	if (rc)
		return rc;
	cache = calloc(1, sizeof(*cache));
	if (!cache)
		return fz_err_set(err, -ENOMEM, "no memory for a cache");
	cache->path = fz_cache_best_path();
	cache->nr_levels = geometry->nr_levels;
	for (unsigned int i = 0; !rc && i < geometry->nr_levels; i++) {
		rc = init_level(&cache->level[i], &geometry->level[i],
				geometry->line_bytes);
		cache->nr_inserted += !cache->level[i].victim;
	}
	if (rc) {
		fz_cache_close(cache);
		return fz_err_set(err, rc,
				  "no memory for the lines of a "
				  "cache: make it smaller");
	}
	if (cache->nr_inserted < cache->nr_levels)
		cache->level[cache->nr_inserted - 1].feeds_victim = true;
	fz_prefetch_init(&cache->prefetch, geometry);
	set_bulk(cache);
	*out = cache;
	return 0;
}

void fz_cache_close(struct fz_cache *cache)
{
	if (!cache)
		return;
	for (unsigned int i = 0; i < cache->nr_levels; i++)
		free(cache->level[i].memory);
	free(cache);
}

/* Adds accesses, and those of them that level 1 missed. */
static void count_access(struct fz_cache_counts *counts,
			 enum fz_cache_access access, uint64_t nr,
			 uint64_t nr_missed)
{
	switch (access) {
	case FZ_CACHE_LOAD:
		counts->loads += nr;
		counts->load_misses += nr_missed;
		break;
	case FZ_CACHE_STORE:
		counts->stores += nr;
		counts->store_misses += nr_missed;
		break;
	case FZ_CACHE_ZERO:
		counts->zeroed += nr;
		counts->zero_misses += nr_missed;
		break;
	case FZ_CACHE_STREAM:
		counts->streamed += nr;
		counts->memory_writes += nr;
		break;
	}
}

void fz_cache_run(struct fz_cache *cache, enum fz_cache_access access,
		  uint64_t first, uint64_t nr, bool descending)
{
	const uint64_t missed = cache->counts.misses[0];
	const uint32_t dirty = access == FZ_CACHE_LOAD ? 0 : FZ_WAY_DIRTY;

	assert(nr <= FZ_CACHE_NR_LINES && first <= FZ_CACHE_NR_LINES - nr);
	if (access == FZ_CACHE_STREAM)
		cache->path->remove(cache, (uint32_t)first, (uint32_t)nr);
	else if (nr == 1)
		cache->path->access(cache, (uint32_t)first, dirty);
	else if (nr)
		cache->path->access_run(
			cache,
			&(struct fz_line_run){
				.first = (uint32_t)(descending ? first + nr - 1
							       : first),
				.nr = (uint32_t)nr,
				.step = descending ? -1u : 1,
				.dirty = dirty,
			});
	count_access(&cache->counts, access, nr,
		     cache->counts.misses[0] - missed);
}

unsigned int fz_cache_level_of(const struct fz_cache *cache, uint64_t line)
{
	const uint32_t way = fz_way((uint32_t)line);

	assert(line < FZ_CACHE_NR_LINES);
	for (unsigned int i = 0; i < cache->nr_levels; i++) {
		const struct fz_cache_sets *const level = &cache->level[i];
		const uint32_t *const set = fz_level_set(
			level, fz_level_set_of(level, (uint32_t)line));

		for (unsigned int place = 0; place < level->nr_ways; place++)
			if ((set[place] & ~FZ_WAY_DIRTY) == way)
				return i + 1;
	}
	return 0;
}

const struct fz_cache_counts *fz_cache_counts(const struct fz_cache *cache)
{
	return &cache->counts;
}

void fz_cache_reset_counts(struct fz_cache *cache)
{
	cache->counts = (struct fz_cache_counts){ 0 };
}

size_t fz_cache_set(const struct fz_cache *cache, unsigned int level,
		    uint64_t set, struct fz_cached_line *lines)
{
	const struct fz_cache_sets *const here = &cache->level[level - 1];
	const uint32_t *ways;
	size_t nr = 0;

	assert(level >= 1 && level <= cache->nr_levels && set < here->nr_sets);
	ways = fz_level_set(here, (uint32_t)set);
	while (nr < here->nr_ways && ways[nr]) {
		lines[nr] = (struct fz_cached_line){
			.line = fz_way_line(ways[nr]),
			.dirty = ways[nr] & FZ_WAY_DIRTY,
		};
		nr++;
	}
	return nr;
}
