// SPDX-License-Identifier: GPL-2.0-or-later
/* Which areas of 2 MiB were touched, and which of their pages first. */
#include "trace_regions.h"

#include <stdlib.h>

#include "hash.h"

/* Packed, so that there is no padding to compare. */
struct region_key {
	uint64_t number;
	uint32_t pid;
} __attribute__((packed, aligned(4)));

struct fz_trace_region {
	struct region_key key;
	UT_hash_handle hh;
};

/* What is not used of it takes no memory. */
static struct fz_trace_region *new_region(struct fz_trace_regions *regions)
{
	if (!regions->region)
		regions->region =
			calloc(FZ_TRACE_MAX_REGIONS, sizeof(*regions->region));
	if (!regions->region || regions->nr == FZ_TRACE_MAX_REGIONS)
		return NULL;
	return &regions->region[regions->nr];
}

void fz_trace_regions_add(struct fz_trace_regions *regions, uint32_t pid,
			  uint64_t addr)
{
	const struct region_key key = { addr >> FZ_REGION_SHIFT, pid };
	const uint64_t page = (addr >> 12) % FZ_REGION_PAGES;
	struct fz_trace_region *region;

	HASH_FIND(hh, regions->table, &key, sizeof(key), region);
	if (region)
		return;
	region = new_region(regions);
	if (region) {
		region->key = key;
		HASH_ADD(hh, regions->table, key, sizeof(key), region);
	}
	if (!region || !region->hh.tbl) {
		regions->left_out++;
		return;
	}
	regions->nr++;
	regions->bins[page / FZ_TOUCH_BIN_PAGES]++;
	regions->at_page_0 += page == 0;
}

void fz_trace_regions_fini(struct fz_trace_regions *regions)
{
	HASH_CLEAR(hh, regions->table);
	free(regions->region);
	regions->region = NULL;
}

static int compare(const void *a, const void *b)
{
	const struct region_key x = ((const struct fz_trace_region *)a)->key,
				y = ((const struct fz_trace_region *)b)->key;

	if (x.pid != y.pid)
		return x.pid < y.pid ? -1 : 1;
	return x.number < y.number ? -1 : x.number > y.number;
}

struct fz_trace_pieces fz_trace_regions_pieces(struct fz_trace_regions *regions)
{
	struct fz_trace_pieces pieces = { .nr = 0 };
	uint64_t length = 0;

	HASH_CLEAR(hh, regions->table);
	if (regions->nr)
		qsort(regions->region, regions->nr, sizeof(*regions->region),
		      compare);
	for (size_t i = 0; i < regions->nr; i++) {
		const struct region_key key = regions->region[i].key;
		const struct region_key before =
			regions->region[i ? i - 1 : 0].key;

		if (i && key.pid == before.pid &&
		    key.number == before.number + 1) {
			length++;
		} else {
			length = 1;
			pieces.nr++;
		}
		if (length <= pieces.nr_regions)
			continue;
		pieces.nr_regions = length;
		pieces.pid = key.pid;
		pieces.addr = (key.number - length + 1) << FZ_REGION_SHIFT;
	}
	return pieces;
}
