/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A plan carried out on a modelled cache. */
#ifndef FZ_CACHE_PLAN_H
#define FZ_CACHE_PLAN_H

#include <stdint.h>

#include <fz/cache.h>
#include <fz/plan.h>

/**
 * DOC: plans on the cache
 *
 * A clear with hint streaming goes around the cache. One with hint cached
 * zeroes line after line through it, unless the string store is told to clear
 * so much at once that the CPU gives that up: on AMD's Zen 3 and 4 from the
 * size of the last-level cache on. Such a call allocates its first part (the
 * ramp) and streams the rest; that it does is not documented anywhere, it is
 * what published counters look like (tests/bench/published_counters.c).
 *
 * Resched calls touch no line here.
 */

/**
 * struct fz_string_store - what string stores of zeroes do to the caches
 * @threshold_bytes: a clear call of at least so much goes around the cache
 *	behind its ramp; 0 = none does
 * @ramp_bytes: what such a call allocates at its beginning
 * @loads_per_line: how many loads of level 1 a PMU counts for a line that is
 *	zeroed through the cache; 0 = not known
 */
struct fz_string_store {
	uint64_t threshold_bytes;
	uint64_t ramp_bytes;
	double loads_per_line;
};

/**
 * struct fz_cache_spec - a core's caches, and what its string stores do to them
 * @geometry: the caches
 * @store: the string stores
 */
struct fz_cache_spec {
	struct fz_cache_geometry geometry;
	struct fz_string_store store;
};

/**
 * fz_cache_clear_folio() - carry a plan out
 * @cache: a cache of @spec's geometry
 * @spec: the geometry's line size, and the string stores
 * @plan: the plan
 * @first_line: where the folio begins, at a page boundary
 */
void fz_cache_clear_folio(struct fz_cache *cache,
			  const struct fz_cache_spec *spec,
			  const struct fz_plan *plan, uint64_t first_line);

/**
 * fz_cache_page_lines() - lines in a page
 * @geometry: the caches
 *
 * Return: their number.
 */
uint64_t fz_cache_page_lines(const struct fz_cache_geometry *geometry);

/**
 * struct fz_cache_event - what a PMU would call a figure of the model
 * @name: as perf or libpfm4 name it
 * @value: the figure, from the counts and the caches; NaN where these do not
 *say what it depends on: loads counted for a line, the prefetcher
 */
struct fz_cache_event {
	const char *name;
	double (*value)(const struct fz_cache_counts *counts,
			const struct fz_cache_spec *spec);
};

/* All of them; the last has no name. */
extern const struct fz_cache_event fz_cache_events[];

/**
 * fz_cache_event_find() - the event of that name
 * @name: exact name
 *
 * Return: the event, NULL if there is none.
 */
const struct fz_cache_event *fz_cache_event_find(const char *name);

#endif
