// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads in ascending order through a working set of each level. */
#include "cache_read.h"

#include <errno.h>
#include <math.h>

#include <fz/folio.h>
#include <fz/statistics.h>
#include <fz/use.h>

#include "chase.h"
#include "stop_flag.h"
#include "ticks.h"

/* As much as is read around a fault, so that the wait for the first line is as
 * large a part of it. */
#define PASS_PAGES (2 * FZ_RADIUS_PAGES + 1)
/* Between passes, so that each begins anew for the prefetchers. */
#define STRIDE_PAGES (2 * PASS_PAGES)
#define MAX_PASSES   64u

/* A small set has room for one pass, and filling in a large one takes long. */
#define MANY_FILLS  31u
#define FEW_FILLS   3u
#define LARGE_BYTES ((uint64_t)4 << 20)

/* Less is no number of a profile. */
#define MIN_CYCLES 0.01

/* Ascending, as a folio is zeroed, and twice: the first time leaves lines of
 * before in it. */
static void write_set(char *base, uint64_t bytes)
{
	for (unsigned int i = 0; i < 2; i++)
		for (uint64_t at = 0; at < bytes; at += CHASE_LINE_BYTES)
			*(volatile uint64_t *)(void *)(base + at) = i;
}

/*
 * Passes of a set that was just written: lines that come in push dirty ones
 * out, as after zeroing. They do so until as much was read as the cache further
 * in holds. Return: how many passes.
 */
static size_t read_passes(const struct fz_level *level, uint64_t inner_bytes,
			  char *base, double clock_ticks,
			  const struct fz_hooks *hooks, double *ticks)
{
	const uint64_t nr_pages = level->set_bytes >> FZ_PAGE_SHIFT;
	const uint64_t pass = nr_pages < PASS_PAGES ? nr_pages : PASS_PAGES;
	const double lines = (double)(pass * FZ_PAGE_BYTES / CHASE_LINE_BYTES);
	size_t nr = 0;

	write_set(base, level->set_bytes);
	for (uint64_t page = 0;
	     nr < MAX_PASSES && page + pass <= nr_pages &&
	     (nr == 0 || (nr + 1) * pass * FZ_PAGE_BYTES <= inner_bytes);
	     page += STRIDE_PAGES) {
		const uint64_t begin = ticks_after_loads(hooks);

		fz_use_all(base + (page << FZ_PAGE_SHIFT), pass);
		ticks[nr++] =
			chase_without_clock(ticks_after_loads(hooks) - begin,
					    clock_ticks, 0.0) /
			lines;
	}
	return nr;
}

static double line_ticks(const struct fz_level *level, uint64_t inner_bytes,
			 char *base, double clock_ticks,
			 const struct fz_hooks *hooks, const atomic_int *stop)
{
	const size_t fills =
		level->set_bytes > LARGE_BYTES ? FEW_FILLS : MANY_FILLS;
	double ticks[MANY_FILLS * MAX_PASSES];
	size_t nr = 0;

	for (size_t i = 0; i < fills && !stop_flag_is_set(stop); i++)
		nr += read_passes(level, inner_bytes, base, clock_ticks, hooks,
				  ticks + nr);
	return nr ? fz_median(ticks, nr) : NAN;
}

int cache_read_measure(double *ticks, const struct fz_levels *levels,
		       char *base, double clock_ticks,
		       const struct fz_hooks *hooks, const atomic_int *stop)
{
	uint64_t inner_bytes = 0;

	for (size_t i = 0; i < levels->nr; i++) {
		ticks[i] = line_ticks(&levels->level[i], inner_bytes, base,
				      clock_ticks, hooks, stop);
		inner_bytes = levels->level[i].cache_bytes;
		if (stop_flag_is_set(stop))
			return -EINTR;
	}
	return 0;
}

static double known(double ticks)
{
	return isnan(ticks) ? 0 : fmax(ticks, MIN_CYCLES);
}

void cache_read_keep(struct calibration *c, const struct fz_levels *levels,
		     const double *ticks)
{
	struct fz_cache_geometry *cache = &c->out->profile.cache;

	for (size_t i = 0; i < cache->nr_levels; i++)
		cache->level[i].read_cycles = known(ticks[i]);
	calibration_note(c, "read_cycles",
			 "a line of %u pages that were just written, read in "
			 "ascending order, in the same ticks",
			 (unsigned int)PASS_PAGES);
	/* Why not is said of memory_cycles. */
	if (levels->exceeds_llc)
		cache->memory_read_cycles = known(ticks[levels->nr - 1]);
}
