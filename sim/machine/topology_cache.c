// SPDX-License-Identifier: GPL-2.0-or-later
/* This machine's caches, to be modelled. */
#include <fz/topology_cache.h>

#include <errno.h>

static bool can_be_modelled(const struct fz_topology *topology, size_t i)
{
	const struct fz_cpu_cache *cache = &topology->caches[i];

	return cache->bytes && cache->ways && cache->line_bytes &&
	       cache->line_bytes == topology->caches[0].line_bytes &&
	       i < FZ_CACHE_MAX_LEVELS;
}

int fz_topology_cache_spec(const struct fz_topology *topology,
			   struct fz_cache_spec *spec, struct fz_err *err)
{
	struct fz_cache_spec is = { 0 };
	struct fz_cache_geometry *geometry = &is.geometry;

	for (size_t i = 0; i < topology->nr_caches; i++) {
		if (!can_be_modelled(topology, i))
			break;
		geometry->level[i].bytes = topology->caches[i].bytes;
		geometry->level[i].ways = topology->caches[i].ways;
		geometry->nr_levels++;
	}
	if (!geometry->nr_levels || geometry->nr_levels < topology->nr_caches)
		return fz_err_set(err, -ENOTSUP,
				  "size, line or associativity of this "
				  "machine's caches is not known");
	geometry->line_bytes = topology->caches[0].line_bytes;
	*spec = is;
	return 0;
}
