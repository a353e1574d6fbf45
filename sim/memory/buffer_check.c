// SPDX-License-Identifier: GPL-2.0-or-later
/* Does the kernel have the pages that a buffer asks for? */
#include "buffer_error.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <fz/pools.h>

#include "cgroup_limits.h"
#include "memory_available.h"
#include "mthp.h"
#include "size_text.h"
#include "thp_files.h"

static int hugetlb_check(const struct fz_hooks *hooks, uint64_t page_bytes,
			 struct fz_err *err)
{
	char known[256] = "", mthp[FZ_MTHP_LIST_BYTES];
	struct fz_pools pools;
	size_t used = 0;

	fz_pools_read(hooks, &pools);
	if (fz_pools_find(&pools, page_bytes) &&
	    (page_bytes & (page_bytes - 1)) == 0)
		return 0;
	for (size_t i = 0; i < pools.nr && used < sizeof(known); i++)
		used += (size_t)snprintf(
			known + used, sizeof(known) - used, "%s%s",
			i ? ", " : "",
			fz_size_text(pools.pool[i].page_bytes).text);
	fz_mthp_list(hooks, mthp);
	if (pools.nr == 0)
		return fz_err_set(err, -ENOTSUP,
				  "the kernel has no hugetlb pages: "
				  "'/sys/kernel/mm/hugepages' is missing or "
				  "empty%s%s",
				  mthp[0] ? "; it has mTHP of " : "", mthp);
	return fz_err_set(err, -ENOTSUP,
			  "the kernel has no huge pages of %s; it has %s%s%s",
			  fz_size_text(page_bytes).text, known,
			  mthp[0] ? ", and mTHP of " : "", mthp);
}

static int thp_switch_check(const struct fz_hooks *hooks,
			    struct fz_page_size page, struct fz_err *err)
{
	struct fz_thp_switches switches;

	if (fz_thp_switches_read(hooks, page, &switches))
		return fz_err_set(err, -ENOTSUP,
				  "the kernel has no transparent huge pages: "
				  "'%s' is missing",
				  switches.deciding);
	if (strcmp(switches.word, "never") != 0)
		return 0;
	return fz_err_set(err, -ENOTSUP,
			  "transparent huge pages of %s are off: '%s' is "
			  "[never]; switch them on with: echo madvise > %s, or "
			  "run with --reserve",
			  fz_size_text(page.bytes).text, switches.deciding,
			  switches.own);
}

static int thp_check(const struct fz_hooks *hooks, struct fz_page_size page,
		     struct fz_err *err)
{
	uint64_t pmd_bytes;

	if (fz_read_u64(hooks, FZ_THP_DIR "/hpage_pmd_size", &pmd_bytes) == 0 &&
	    pmd_bytes != page.bytes)
		return fz_err_set(err, -ENOTSUP,
				  "transparent huge pages are of %s here, not "
				  "of %s",
				  fz_size_text(pmd_bytes).text,
				  fz_size_text(page.bytes).text);
	return thp_switch_check(hooks, page, err);
}

static int mthp_check(const struct fz_hooks *hooks, struct fz_page_size page,
		      struct fz_err *err)
{
	const int code = fz_mthp_size_check(hooks, page.bytes, err);

	return code ? code : thp_switch_check(hooks, page, err);
}

static int base_check(uint64_t page_bytes, struct fz_err *err)
{
	const uint64_t real_bytes = (uint64_t)sysconf(_SC_PAGESIZE);

	if (page_bytes == real_bytes)
		return 0;
	return fz_err_set(err, -ENOTSUP, "base pages are of %s here, not of %s",
			  fz_size_text(real_bytes).text,
			  fz_size_text(page_bytes).text);
}

/*
 * What a run takes beside its buffer: page tables, 8 bytes a base page (those
 * of a transparent huge page are set aside), and what it allocates for its
 * plans and results, where 22 MiB were measured.
 */
static uint64_t beside_bytes(uint64_t bytes)
{
	const uint64_t mib = 1 << 20;

	return (bytes / 512 + mib - 1) / mib * mib + 32 * mib;
}

/* Without this the first touch would end in the out-of-memory killer. */
static int memory_check(const struct fz_hooks *hooks, uint64_t bytes,
			struct fz_err *err)
{
	const uint64_t beside = beside_bytes(bytes);
	const uint64_t need =
		bytes < UINT64_MAX - beside ? bytes + beside : UINT64_MAX;
	const uint64_t available = fz_memory_available(hooks);
	struct fz_cgroup_limit limit;
	char what[128];

	snprintf(what, sizeof(what),
		 "%s of memory (%s with page tables and results)",
		 fz_size_text(bytes).text, fz_size_text(need).text);
	if (need > available)
		return fz_err_set(err, -ENOMEM,
				  "cannot map %s: '/proc/meminfo' shows "
				  "%" PRIu64 "M available; ask for less",
				  what, available >> 20);
	if (fz_memory_limit_find(hooks, need, &limit))
		return fz_cgroup_limit_error(&limit, what, need, err);
	return 0;
}

int fz_buffer_check(const struct fz_hooks *hooks, struct fz_page_size page,
		    uint64_t bytes, struct fz_err *err)
{
	int code = 0;

	switch (page.kind) {
	case FZ_PAGES_HUGETLB:
		code = hugetlb_check(hooks, page.bytes, err);
		break;
	case FZ_PAGES_THP:
		code = thp_check(hooks, page, err);
		break;
	case FZ_PAGES_MTHP:
		code = mthp_check(hooks, page, err);
		break;
	case FZ_PAGES_BASE:
		code = base_check(page.bytes, err);
		break;
	}
	if (code)
		return code;
	if (bytes == 0 || bytes % page.bytes)
		return fz_err_set(err, -EINVAL,
				  "a size of %s is not a multiple of the page "
				  "size %s",
				  fz_size_text(bytes).text,
				  fz_size_text(page.bytes).text);
	if (page.kind == FZ_PAGES_HUGETLB)
		return 0;
	if (page.kind == FZ_PAGES_MTHP)
		code = fz_mthp_room_check(hooks, page.bytes, bytes, err);
	return code ? code : memory_check(hooks, bytes, err);
}
