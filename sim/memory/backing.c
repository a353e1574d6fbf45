// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads back from smaps and pagemap what stands behind a buffer. */
#include "backing.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file_lines.h"
#include "thp_files.h"

#define SMAPS   "/proc/self/smaps"
#define PAGEMAP "/proc/self/pagemap"

/* Huge pages looked at: 4096 reads of the page map take about 50 ms. */
#define MAX_SAMPLES 4096u

/* Base pages whose map is read at once: one 2 MiB page on x86. */
#define BLOCK_PAGES 512u

/* Blocks looked at in a page that is larger than one block. */
#define NR_BLOCKS 8u

/* A page map entry: bit 63 present, bits 0-54 the page frame number. */
#define ENTRY_PRESENT (1ull << 63)
#define ENTRY_PFN     ((1ull << 55) - 1)

static uint64_t min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

void fz_smaps_end(struct fz_smaps *smaps)
{
	const uint64_t overlap = smaps->overlap_bytes;
	const uint64_t thp = min_u64(smaps->entry.thp_bytes, overlap);
	const uint64_t rss = min_u64(smaps->entry.rss_bytes, overlap);

	if (overlap == 0)
		return;
	smaps->overlap_bytes = 0;
	smaps->covered_bytes += overlap;
	if (smaps->page_bytes == 0 ||
	    smaps->entry.page_bytes < smaps->page_bytes)
		smaps->page_bytes = smaps->entry.page_bytes;
	smaps->hugetlb_bytes += min_u64(smaps->entry.hugetlb_bytes, overlap);
	smaps->thp_bytes += thp;
	smaps->base_bytes += rss > thp ? rss - thp : 0;
}

/* Up to 16 digits; NULL where there are none. */
static const char *hex_parse(const char *at, uint64_t *value)
{
	static const char digits[] = "0123456789abcdef";
	const char *const first = at;
	const char *digit;

	*value = 0;
	while (at - first < 16 && *at && (digit = strchr(digits, *at))) {
		*value = *value << 4 | (uint64_t)(digit - digits);
		at++;
	}
	return at == first ? NULL : at;
}

/* "55d0c0a00000-55d0c0c00000 rw-p ...": an entry begins. */
static bool header_parse(const char *line, uint64_t *first, uint64_t *end)
{
	line = hex_parse(line, first);
	if (!line || *line != '-')
		return false;
	line = hex_parse(line + 1, end);
	return line && *line == ' ';
}

static void entry_begin(struct fz_smaps *smaps, uint64_t first, uint64_t end)
{
	fz_smaps_end(smaps);
	memset(&smaps->entry, 0, sizeof(smaps->entry));
	if (first < smaps->first)
		first = smaps->first;
	if (end > smaps->end)
		end = smaps->end;
	smaps->overlap_bytes = first < end ? end - first : 0;
}

/* "AnonHugePages:      2048 kB" */
static bool field_parse(const char *line, const char *name, uint64_t *bytes)
{
	const size_t skip = strlen(name);
	char *rest;
	uint64_t kib;

	if (strncmp(line, name, skip) != 0 || line[skip] != ':')
		return false;
	for (line += skip + 1; *line == ' ' || *line == '\t'; line++)
		;
	if (*line < '0' || *line > '9')
		return false;
	kib = strtoull(line, &rest, 10);
	if (strcmp(rest, " kB") != 0 || kib > UINT64_MAX / 1024)
		return false;
	*bytes = kib * 1024;
	return true;
}

void fz_smaps_line(struct fz_smaps *smaps, const char *line)
{
	uint64_t first, end, bytes;

	if (header_parse(line, &first, &end)) {
		entry_begin(smaps, first, end);
		return;
	}
	if (smaps->overlap_bytes == 0)
		return;
	/* After a fork private hugetlb pages are counted as shared. */
	if (field_parse(line, "KernelPageSize", &bytes))
		smaps->entry.page_bytes = bytes;
	else if (field_parse(line, "Rss", &bytes))
		smaps->entry.rss_bytes = bytes;
	else if (field_parse(line, "AnonHugePages", &bytes))
		smaps->entry.thp_bytes = bytes;
	else if (field_parse(line, "Private_Hugetlb", &bytes) ||
		 field_parse(line, "Shared_Hugetlb", &bytes))
		smaps->entry.hugetlb_bytes += bytes;
}

static bool smaps_take(void *arg, char *line)
{
	fz_smaps_line(arg, line);
	return true;
}

/* 1 contiguous, 0 not, -1 unknown: not readable, or frame numbers hidden. */
static int block_check(const struct fz_hooks *hooks, uint64_t page,
		       uint64_t nr_pages, uint64_t *pfn)
{
	char buf[BLOCK_PAGES * sizeof(uint64_t) + 1];
	const size_t bytes = nr_pages * sizeof(uint64_t);
	int contiguous = 1;

	if (hooks->read_file(hooks->state, hooks->root, PAGEMAP,
			     page * sizeof(uint64_t), buf,
			     bytes + 1) != (ssize_t)bytes)
		return -1;
	for (uint64_t i = 0; i < nr_pages; i++) {
		uint64_t entry;

		memcpy(&entry, buf + i * sizeof(entry), sizeof(entry));
		if (!(entry & ENTRY_PRESENT))
			return 0;
		if (!(entry & ENTRY_PFN))
			return -1;
		if (*pfn == 0)
			*pfn = entry & ENTRY_PFN;
		if ((entry & ENTRY_PFN) != *pfn + i)
			contiguous = 0;
	}
	return contiguous;
}

/* One huge page of @nr_pages base pages; the result as in block_check(). */
static int page_check(const struct fz_hooks *hooks, uint64_t page,
		      uint64_t nr_pages)
{
	const uint64_t block = min_u64(nr_pages, BLOCK_PAGES);
	const uint64_t nr_blocks = nr_pages > block ? NR_BLOCKS : 1;
	uint64_t base_pfn = 0;

	for (uint64_t i = 0; i < nr_blocks; i++) {
		const uint64_t skip =
			i ? (nr_pages - block) * i / (nr_blocks - 1) : 0;
		uint64_t pfn = i ? base_pfn + skip : 0;
		const int found = block_check(hooks, page + skip, block, &pfn);

		if (found <= 0)
			return found;
		if (i == 0)
			base_pfn = pfn;
	}
	return base_pfn % nr_pages == 0;
}

bool fz_pagemap_check(const struct fz_hooks *hooks, uint64_t first,
		      uint64_t page_bytes, uint64_t nr_pages, uint64_t *nr_bad)
{
	const uint64_t base_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
	const uint64_t nr_samples = min_u64(nr_pages, MAX_SAMPLES);
	uint64_t bad = 0;

	for (uint64_t i = 0; i < nr_samples; i++) {
		/* Fits: the product is below 2^12 times 2^52 pages. */
		const uint64_t at = nr_pages * i / nr_samples;
		const int found = page_check(
			hooks, (first + at * page_bytes) / base_bytes,
			page_bytes / base_bytes);

		if (found < 0)
			return false;
		bad += found == 0;
	}
	/* What a sample stands for, rounded up: a promise must not be high. */
	*nr_bad =
		nr_samples ? (bad * nr_pages + nr_samples - 1) / nr_samples : 0;
	return true;
}

static void backing_found(struct fz_backing *backing, const char *kind,
			  uint64_t page_bytes, uint64_t bytes_ok)
{
	backing->kind = kind;
	backing->page_bytes = page_bytes;
	backing->bytes_ok = bytes_ok;
}

static uint64_t thp_bytes(const struct fz_hooks *hooks)
{
	uint64_t bytes = 0;

	fz_read_u64(hooks, FZ_THP_DIR "/hpage_pmd_size", &bytes);
	return bytes;
}

/* false: not readable, or not all of the range is in it. */
static bool smaps_read(const struct fz_hooks *hooks, struct fz_smaps *smaps)
{
	if (fz_file_lines(hooks, SMAPS, smaps_take, smaps))
		return false;
	fz_smaps_end(smaps);
	return smaps->covered_bytes == smaps->end - smaps->first;
}

bool fz_smaps_pmd_mapped(const struct fz_hooks *hooks, uint64_t first,
			 uint64_t bytes, uint64_t *pmd_bytes)
{
	struct fz_smaps smaps = { .first = first, .end = first + bytes };

	if (!smaps_read(hooks, &smaps))
		return false;
	*pmd_bytes = smaps.thp_bytes;
	return true;
}

/* Each kind is recognised by what only it has. */
static void smaps_judge(const struct fz_hooks *hooks,
			const struct fz_smaps *smaps, struct fz_page_size page,
			struct fz_backing *backing)
{
	if (page.kind == FZ_PAGES_HUGETLB && smaps->hugetlb_bytes > 0)
		backing_found(backing, "hugetlb", smaps->page_bytes,
			      smaps->page_bytes == page.bytes
				      ? smaps->hugetlb_bytes
				      : 0);
	else if (page.kind == FZ_PAGES_THP && smaps->thp_bytes > 0)
		backing_found(backing, "thp", page.bytes, smaps->thp_bytes);
	else if (page.kind == FZ_PAGES_BASE && smaps->thp_bytes > 0 &&
		 smaps->base_bytes == 0)
		backing_found(backing, "thp", thp_bytes(hooks), 0);
	else
		backing_found(backing, "base", smaps->page_bytes,
			      page.kind == FZ_PAGES_BASE &&
					      smaps->page_bytes == page.bytes
				      ? smaps->base_bytes
				      : 0);
	backing->verified_by = "smaps";
}

struct fz_backing fz_backing_read(const struct fz_hooks *hooks,
				  const void *base, uint64_t bytes,
				  struct fz_page_size page)
{
	static const char *const kinds[] = {
		[FZ_PAGES_BASE] = "base",
		[FZ_PAGES_THP] = "thp",
		[FZ_PAGES_HUGETLB] = "hugetlb",
	};
	struct fz_backing backing = {
		.kind = kinds[page.kind],
		.page_bytes = page.bytes,
		.verified_by = "",
	};
	struct fz_smaps smaps = {
		.first = (uintptr_t)base,
		.end = (uintptr_t)base + bytes,
	};
	uint64_t nr_bad;

	assert(page.kind != FZ_PAGES_MTHP);
	if (!smaps_read(hooks, &smaps))
		return backing;
	smaps_judge(hooks, &smaps, page, &backing);
	if (page.kind != FZ_PAGES_BASE && backing.bytes_ok > 0 &&
	    fz_pagemap_check(hooks, smaps.first, page.bytes, bytes / page.bytes,
			     &nr_bad)) {
		backing.verified_by = "smaps+pagemap";
		backing.bytes_ok =
			min_u64(backing.bytes_ok, bytes - nr_bad * page.bytes);
	}
	return backing;
}
