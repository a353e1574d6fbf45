/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a modelled cache is made of; not installed. */
#ifndef FZ_CACHE_STATE_H
#define FZ_CACHE_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include <fz/cache.h>

/*
 * A way is 32 bits: line * 4 + 2, plus 1 if dirty; 0 = free. A set is an
 * array of ways, the most recently used first and the free ones last, padded
 * with zeroes to a multiple of FZ_WAYS_PADDED, so that a few vector
 * instructions search it or move it on.
 */
#define FZ_WAYS_PADDED 8u
#define FZ_WAY_DIRTY   1u

static inline uint32_t fz_way(uint32_t line)
{
	return line << 2 | 2;
}

static inline uint32_t fz_way_line(uint32_t way)
{
	return way >> 2;
}

struct fz_cache_sets {
	uint32_t *ways;      /* [words], within memory */
	uint64_t reciprocal; /* 2^64 / nr_sets, rounded up */
	uint32_t nr_sets;
	uint32_t nr_lines; /* that it holds */
	unsigned int nr_ways;
	unsigned int padded_ways;
	bool inclusive;
	bool victim;
	bool feeds_victim; /* the level behind is one */
	void *memory;
};

/*
 * line % nr_sets: line / nr_sets with 64 bits behind the point, of which those
 * before it are lost, times nr_sets. The reciprocal is too large by less than
 * 1, so that for lines and sets up to 2^30 the result is by less than 2^-4.
 */
static inline uint32_t fz_level_set_of(const struct fz_cache_sets *level,
				       uint32_t line)
{
#ifdef __SIZEOF_INT128__
	const uint64_t fraction = line * level->reciprocal;

	return (uint32_t)((unsigned __int128)fraction * level->nr_sets >> 64);
#else
	return line % level->nr_sets;
#endif
}

static inline uint32_t *fz_level_set(const struct fz_cache_sets *level,
				     uint32_t set)
{
	return level->ways + (size_t)set * level->padded_ways;
}

static inline uint32_t *fz_level_set_with(const struct fz_cache_sets *level,
					  uint32_t line)
{
	return fz_level_set(level, fz_level_set_of(level, line));
}

/* A stream that the prefetcher follows. A run of 2 or more is the same as
 * having a direction, so that nobody counts it. */
struct fz_stream {
	uint32_t page; /* UINT32_MAX = not used yet */
	uint32_t last;
	int32_t direction; /* -1, 1, or 0 = none */
};

struct fz_prefetch {
	unsigned int nr_streams; /* 0 = no prefetcher */
	unsigned int degree;
	unsigned int distance;
	unsigned int page_shift;                       /* from lines to pages */
	struct fz_stream stream[FZ_CACHE_MAX_STREAMS]; /* last used first */
};

/* Accesses to lines first, first + step... in this order. */
struct fz_line_run {
	uint32_t first;
	uint32_t nr;
	uint32_t step;  /* 1 or, modulo 2^32, -1 */
	uint32_t dirty; /* what they leave in level 1: 0 or FZ_WAY_DIRTY */
};

static inline uint32_t fz_line_at(const struct fz_line_run *run, uint32_t x)
{
	return run->first + run->step * x;
}

/* The code that works on sets, once for each kind of vector instruction. */
struct fz_cache_path {
	/* A load, or a store if `dirty` is FZ_WAY_DIRTY and not 0. */
	void (*access)(struct fz_cache *cache, uint32_t line, uint32_t dirty);
	void (*access_run)(struct fz_cache *cache,
			   const struct fz_line_run *run);
	/* Takes lines out of every level. */
	void (*remove)(struct fz_cache *cache, uint32_t lowest, uint32_t nr);
};

struct fz_cache {
	const struct fz_cache_path *path;
	unsigned int nr_levels;
	unsigned int
		nr_inserted; /* levels that a load fills: no victim level */
	/* Runs of this length or more are worked out set by set, those lines
	 * first that empty the levels to be emptied before. */
	uint32_t bulk_from;
	uint32_t bulk_lead;
	struct fz_cache_sets level[FZ_CACHE_MAX_LEVELS];
	struct fz_prefetch prefetch;
	struct fz_cache_counts counts;
};

extern const struct fz_cache_path fz_cache_path_portable;
#ifdef __x86_64__
extern const struct fz_cache_path fz_cache_path_avx2;
#endif

/* The fastest one here. */
const struct fz_cache_path *fz_cache_best_path(void);

void fz_prefetch_init(struct fz_prefetch *prefetch,
		      const struct fz_cache_geometry *geometry);

/*
 * Level 1 missed this line: which are requested, in this order? Writes up to
 * FZ_CACHE_MAX_DEGREE lines and returns their number.
 */
unsigned int fz_prefetch_requests(struct fz_prefetch *prefetch, uint32_t line,
				  uint32_t *lines);

#endif
