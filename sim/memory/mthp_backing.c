// SPDX-License-Identifier: GPL-2.0-or-later
/* Looks whether memory is on multi-size THP of the size asked for. */
#include "mthp.h"

#include "backing.h"
#include "thp_files.h"

uint64_t fz_mthp_faults(const struct fz_hooks *hooks, uint64_t page_bytes)
{
	char path[FZ_THP_PATH_BYTES];
	uint64_t nr;

	fz_thp_size_path(path, page_bytes, "stats/anon_fault_alloc");
	return fz_read_u64(hooks, path, &nr) ? UINT64_MAX : nr;
}

static uint64_t min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

struct fz_backing fz_mthp_backing_read(const struct fz_hooks *hooks,
				       const void *base, uint64_t bytes,
				       uint64_t page_bytes,
				       uint64_t faults_before)
{
	static const char *const verified_by[2][2] = {
		{ "", "anon_fault_alloc" },
		{ "pagemap", "pagemap+anon_fault_alloc" },
	};
	const uint64_t first = (uintptr_t)base, nr_pages = bytes / page_bytes;
	const uint64_t faults = fz_mthp_faults(hooks, page_bytes);
	const bool counted = faults_before != UINT64_MAX &&
			     faults != UINT64_MAX && faults >= faults_before;
	struct fz_backing backing = { .kind = "mthp",
				      .page_bytes = page_bytes };
	uint64_t nr_bad = 0, pmd_bytes = 0;
	const bool mapped =
		fz_pagemap_check(hooks, first, page_bytes, nr_pages, &nr_bad);

	backing.verified_by = verified_by[mapped][counted];
	if (!mapped && !counted)
		return backing;
	if (counted)
		nr_bad = nr_pages -
			 min_u64(nr_pages - nr_bad, faults - faults_before);
	/* The page map alone would take a larger page for small ones. */
	if (!fz_smaps_pmd_mapped(hooks, first, bytes, &pmd_bytes) && !counted) {
		backing.verified_by = "";
		return backing;
	}
	backing.bytes_ok =
		min_u64(bytes - nr_bad * page_bytes, bytes - pmd_bytes);
	if (backing.bytes_ok == 0) { /* on what else, nobody told */
		backing.kind = "";
		backing.page_bytes = 0;
	}
	return backing;
}
