/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A modelled cache, one line at a time and without any cleverness. */
#ifndef NAIVE_CACHE_H
#define NAIVE_CACHE_H

#include <fz/cache.h>

/*
 * Written from the words of fz/cache.h alone, to be compared with the library:
 * each function is what its namesake there says. The geometry must be one that
 * fz_cache_geometry_check() takes.
 */
struct naive_cache;

/* NULL without memory. */
struct naive_cache *naive_cache_open(const struct fz_cache_geometry *geometry);
void naive_cache_close(struct naive_cache *cache);

void naive_cache_run(struct naive_cache *cache, enum fz_cache_access access,
		     uint64_t first, uint64_t nr, bool descending);
unsigned int naive_cache_level_of(const struct naive_cache *cache,
				  uint64_t line);
const struct fz_cache_counts *
naive_cache_counts(const struct naive_cache *cache);
void naive_cache_reset_counts(struct naive_cache *cache);
size_t naive_cache_set(const struct naive_cache *cache, unsigned int level,
		       uint64_t set, struct fz_cached_line *lines);

#endif
