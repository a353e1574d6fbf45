/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What really stands behind a range of addresses of this process. */
#ifndef FZ_SIM_BACKING_H
#define FZ_SIM_BACKING_H

#include <stdbool.h>
#include <stdint.h>

#include <fz/buffer.h>
#include <fz/hooks.h>

/**
 * struct fz_smaps - what /proc/self/smaps says about a range, fed line by line
 * @first: first address of the range
 * @end: address behind it
 * @overlap_bytes: how much of the range the entry being read covers, 0 = none
 * @entry: figures of the entry being read, in bytes
 * @covered_bytes: of the range, over all entries so far, as the rest
 * @page_bytes: KernelPageSize; 0 = no entry yet, the smallest where they differ
 * @hugetlb_bytes: backed by hugetlb pages
 * @thp_bytes: backed by transparent huge pages of the PMD size
 * @base_bytes: backed by base pages, multi-size THP included
 *
 * Initialise with @first and @end, the rest 0. A line that is not understood
 * is skipped; an entry that reaches beyond the range counts for at most what
 * it has of the range.
 */
struct fz_smaps {
	uint64_t first;
	uint64_t end;
	uint64_t overlap_bytes;
	struct {
		uint64_t page_bytes;
		uint64_t rss_bytes;
		uint64_t hugetlb_bytes;
		uint64_t thp_bytes;
	} entry;
	uint64_t covered_bytes;
	uint64_t page_bytes;
	uint64_t hugetlb_bytes;
	uint64_t thp_bytes;
	uint64_t base_bytes;
};

/**
 * fz_smaps_line() - the next line
 * @smaps: the sums
 * @line: without its newline
 */
void fz_smaps_line(struct fz_smaps *smaps, const char *line);

/**
 * fz_smaps_end() - the text is over: count the last entry
 * @smaps: the sums
 */
void fz_smaps_end(struct fz_smaps *smaps);

/**
 * fz_pagemap_check() - are huge pages physically contiguous and aligned?
 * @hooks: the world
 * @first: first address, aligned to @page_bytes
 * @page_bytes: size of a huge page
 * @nr_pages: huge pages to look at
 * @nr_bad: written on success: how many of @nr_pages are not, an estimate that
 *	is rounded up where not all were looked at
 *
 * All pages are looked at up to 4096, a spread beyond that; of a page larger
 * than 2 MiB eight parts of it.
 *
 * Return: false where /proc/self/pagemap cannot be read or hides the page
 * frame numbers, as it does without CAP_SYS_ADMIN.
 */
bool fz_pagemap_check(const struct fz_hooks *hooks, uint64_t first,
		      uint64_t page_bytes, uint64_t nr_pages, uint64_t *nr_bad);

/**
 * fz_smaps_pmd_mapped() - how much of a range is THP of the PMD size
 * @hooks: the world
 * @first: first address
 * @bytes: size of the range
 * @pmd_bytes: written on success, at most @bytes
 *
 * Return: false where /proc/self/smaps cannot be read or does not have it all.
 */
bool fz_smaps_pmd_mapped(const struct fz_hooks *hooks, uint64_t first,
			 uint64_t bytes, uint64_t *pmd_bytes);

/**
 * fz_backing_read() - what backs a range
 * @hooks: the world
 * @base: first byte, aligned to the page size
 * @bytes: a multiple of the page size
 * @page: the pages asked for, not mTHP
 *
 * Return: the findings; nothing is believed because it was asked for.
 */
struct fz_backing fz_backing_read(const struct fz_hooks *hooks,
				  const void *base, uint64_t bytes,
				  struct fz_page_size page);

#endif
