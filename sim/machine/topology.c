// SPDX-License-Identifier: GPL-2.0-or-later
/* CPUs and caches, as hwloc finds them. */
#include <fz/topology.h>

#include <stdio.h>
#include <string.h>

#include "hw.h"

static unsigned int count(hwloc_topology_t hw, hwloc_obj_type_t type)
{
	const int nr = hwloc_get_nbobjs_by_type(hw, type);

	return nr > 0 ? (unsigned int)nr : 0;
}

static void cache_read(hwloc_topology_t hw, hwloc_obj_t obj,
		       struct fz_cpu_cache *cache)
{
	const struct hwloc_cache_attr_s *attr = &obj->attr->cache;
	const int ways = attr->associativity; /* -1 = fully associative */

	snprintf(cache->name, sizeof(cache->name), "L%u%s", attr->depth,
		 attr->type == HWLOC_OBJ_CACHE_DATA ? "d" : "");
	cache->bytes = attr->size;
	cache->line_bytes = attr->linesize;
	cache->ways = ways > 0 ? (unsigned int)ways : 0;
	cache->nr_cpus = (unsigned int)hwloc_bitmap_weight(obj->cpuset);
	cache->nr = count(hw, obj->type);
}

/* From the first CPU outward. */
static void caches_read(hwloc_topology_t hw, struct fz_topology *topology)
{
	hwloc_obj_t obj = hwloc_get_obj_by_type(hw, HWLOC_OBJ_PU, 0);

	for (; obj && topology->nr_caches < FZ_MAX_CACHES; obj = obj->parent) {
		if (!hwloc_obj_type_is_dcache(obj->type))
			continue;
		cache_read(hw, obj, &topology->caches[topology->nr_caches++]);
	}
	if (topology->nr_caches)
		topology->llc_bytes =
			topology->caches[topology->nr_caches - 1].bytes;
}

int fz_topology_read(struct fz_topology *topology, struct fz_err *err)
{
	hwloc_bitmap_t allowed;
	hwloc_topology_t hw;
	const int code = fz_hw_load(&hw, 0, err);

	if (code)
		return code;
	memset(topology, 0, sizeof(*topology));
	topology->nr_cpus = count(hw, HWLOC_OBJ_PU);
	topology->nr_cores = count(hw, HWLOC_OBJ_CORE);
	topology->nr_packages = count(hw, HWLOC_OBJ_PACKAGE);
	topology->nr_nodes = count(hw, HWLOC_OBJ_NUMANODE);
	caches_read(hw, topology);
	allowed = fz_hw_allowed(hw);
	if (allowed)
		fz_hw_text(allowed, topology->allowed_cpus,
			   sizeof(topology->allowed_cpus));
	hwloc_bitmap_free(allowed);
	hwloc_topology_destroy(hw);
	return 0;
}
