/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which areas of 2 MiB were touched, and which of their pages first. */
#ifndef FZ_TRACE_REGIONS_H
#define FZ_TRACE_REGIONS_H

#include <stddef.h>
#include <stdint.h>

#define FZ_REGION_SHIFT 21
#define FZ_REGION_PAGES 512u

/* Regions that are told apart; faults in others are counted: 24 MiB. */
#define FZ_TRACE_MAX_REGIONS ((size_t)1 << 18)

#define FZ_TOUCH_BINS      16u
#define FZ_TOUCH_BIN_PAGES (FZ_REGION_PAGES / FZ_TOUCH_BINS)

struct fz_trace_region;

/**
 * struct fz_trace_regions - zero it at the start
 * @table: by process and address
 * @region: [FZ_TRACE_MAX_REGIONS] where they are
 * @nr: regions touched, the first touches of which are counted below
 * @left_out: faults in regions beyond those
 * @bins: first touches by sixteenths of a region
 * @at_page_0: first touches at the first page
 */
struct fz_trace_regions {
	struct fz_trace_region *table;
	struct fz_trace_region *region;
	size_t nr;
	uint64_t left_out;
	uint64_t bins[FZ_TOUCH_BINS];
	uint64_t at_page_0;
};

/**
 * struct fz_trace_pieces - regions side by side, taken together
 * @nr: pieces
 * @pid: process of the largest one
 * @addr: its first address
 * @nr_regions: its length
 */
struct fz_trace_pieces {
	uint64_t nr;
	uint32_t pid;
	uint64_t addr;
	uint64_t nr_regions;
};

/* A fault; without memory it is left out. */
void fz_trace_regions_add(struct fz_trace_regions *regions, uint32_t pid,
			  uint64_t addr);
void fz_trace_regions_fini(struct fz_trace_regions *regions);

/* Put the regions together; none can be added afterwards. */
struct fz_trace_pieces
fz_trace_regions_pieces(struct fz_trace_regions *regions);

#endif
