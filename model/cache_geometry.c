// SPDX-License-Identifier: GPL-2.0-or-later
/* Which caches there can be. */
#include <fz/cache.h>

#include <errno.h>
#include <inttypes.h>

static int check_line(const struct fz_cache_geometry *geometry,
		      struct fz_err *err)
{
	const unsigned int bytes = geometry->line_bytes;

	if (bytes < 16 || bytes > 4096 || (bytes & (bytes - 1)))
		return fz_err_set(err, -EINVAL,
				  "no cache with lines of '%u' bytes: give a "
				  "power of two from 16 to 4096",
				  bytes);
	if (!geometry->nr_levels || geometry->nr_levels > FZ_CACHE_MAX_LEVELS)
		return fz_err_set(err, -EINVAL,
				  "no cache with '%u' levels: give 1 to %d",
				  geometry->nr_levels, FZ_CACHE_MAX_LEVELS);
	return 0;
}

static int check_size(const struct fz_cache_geometry *geometry, unsigned int i,
		      struct fz_err *err)
{
	const struct fz_cache_level *level = &geometry->level[i];
	const uint64_t set_bytes = (uint64_t)level->ways * geometry->line_bytes;

	if (!level->ways || level->ways > FZ_CACHE_MAX_WAYS)
		return fz_err_set(err, -EINVAL,
				  "no cache level %u with '%u' ways: give 1 to "
				  "%d",
				  i + 1, level->ways, FZ_CACHE_MAX_WAYS);
	if (!level->bytes || level->bytes % set_bytes)
		return fz_err_set(err, -EINVAL,
				  "no cache level %u of '%" PRIu64
				  "' bytes: give a multiple of %" PRIu64
				  ", which is %u ways of %u bytes",
				  i + 1, level->bytes, set_bytes, level->ways,
				  geometry->line_bytes);
	if (level->bytes / geometry->line_bytes > FZ_CACHE_NR_LINES)
		return fz_err_set(err, -EINVAL,
				  "no cache level %u of '%" PRIu64
				  "' bytes: give at most %" PRIu64,
				  i + 1, level->bytes,
				  FZ_CACHE_NR_LINES * geometry->line_bytes);
	return 0;
}

static int check_inclusive(const struct fz_cache_geometry *geometry,
			   unsigned int i, struct fz_err *err)
{
	for (unsigned int inner = 0; inner < i; inner++)
		if (geometry->level[inner].bytes > geometry->level[i].bytes)
			return fz_err_set(
				err, -EINVAL,
				"cache level %u of '%" PRIu64
				"' bytes cannot include level %u of "
				"%" PRIu64 ": make it larger or plain",
				i + 1, geometry->level[i].bytes, inner + 1,
				geometry->level[inner].bytes);
	return 0;
}

static int check_relation(const struct fz_cache_geometry *geometry,
			  unsigned int i, struct fz_err *err)
{
	const enum fz_cache_relation relation = geometry->level[i].relation;

	if (relation == FZ_CACHE_PLAIN)
		return 0;
	if (i == 0)
		return fz_err_set(err, -EINVAL,
				  "cache level '1' cannot be %s: no level is "
				  "further in; make it plain",
				  relation == FZ_CACHE_VICTIM ? "victim"
							      : "inclusive");
	if (relation == FZ_CACHE_INCLUSIVE)
		return check_inclusive(geometry, i, err);
	if (i + 1 == geometry->nr_levels)
		return 0;
	return fz_err_set(err, -EINVAL,
			  "cache level '%u' takes victims, but is not the "
			  "last: make it plain",
			  i + 1);
}

static int check_prefetcher(const struct fz_cache_geometry *geometry,
			    struct fz_err *err)
{
	const struct fz_cache_prefetcher *prefetcher = &geometry->prefetcher;

	if (!prefetcher->streams)
		return 0;
	if (geometry->nr_levels < 2)
		return fz_err_set(
			err, -EINVAL,
			"no prefetcher with '1' cache level: it fills "
			"level 2");
	if (geometry->level[1].relation == FZ_CACHE_VICTIM)
		return fz_err_set(err, -EINVAL,
				  "no prefetcher with cache level '2' taking "
				  "victims: it fills level 2");
	if (prefetcher->streams > FZ_CACHE_MAX_STREAMS)
		return fz_err_set(err, -EINVAL,
				  "no prefetcher of '%u' streams: give at most "
				  "%d",
				  prefetcher->streams, FZ_CACHE_MAX_STREAMS);
	if (prefetcher->degree > FZ_CACHE_MAX_DEGREE)
		return fz_err_set(err, -EINVAL,
				  "no prefetcher of '%u' lines at a time: give "
				  "at most %d",
				  prefetcher->degree, FZ_CACHE_MAX_DEGREE);
	if (!prefetcher->distance)
		return fz_err_set(
			err, -EINVAL,
			"no prefetcher '0' lines ahead: give at least "
			"1");
	return 0;
}

int fz_cache_geometry_check(const struct fz_cache_geometry *geometry,
			    struct fz_err *err)
{
	int rc = check_line(geometry, err);

	for (unsigned int i = 0; !rc && i < geometry->nr_levels; i++) {
		rc = check_size(geometry, i, err);
		if (!rc)
			rc = check_relation(geometry, i, err);
	}
	return rc ? rc : check_prefetcher(geometry, err);
}
