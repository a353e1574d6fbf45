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

#include "file_lines.h"
#include "size_text.h"

#define THP_DIR "/sys/kernel/mm/transparent_hugepage"

static int hugetlb_check(const struct fz_hooks *hooks, uint64_t page_bytes,
			 struct fz_err *err)
{
	char known[256] = "";
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
	if (pools.nr == 0)
		return fz_err_set(err, -ENOTSUP,
				  "the kernel has no hugetlb pages: "
				  "'/sys/kernel/mm/hugepages' is missing or "
				  "empty");
	return fz_err_set(err, -ENOTSUP,
			  "the kernel has no huge pages of %s; it has %s",
			  fz_size_text(page_bytes).text, known);
}

/* The switch of the PMD size, where there is one, may defer to the global. */
static int thp_switch_check(const struct fz_hooks *hooks, uint64_t page_bytes,
			    struct fz_err *err)
{
	char path[128], text[128];

	snprintf(path, sizeof(path), THP_DIR "/hugepages-%" PRIu64 "kB/enabled",
		 page_bytes / 1024);
	if (fz_read_text(hooks, path, text, sizeof(text)) < 0 ||
	    strstr(text, "[inherit]")) {
		snprintf(path, sizeof(path), THP_DIR "/enabled");
		if (fz_read_text(hooks, path, text, sizeof(text)) < 0)
			return fz_err_set(err, -ENOTSUP,
					  "the kernel has no transparent huge "
					  "pages: '%s' is missing",
					  path);
	}
	if (!strstr(text, "[never]"))
		return 0;
	return fz_err_set(err, -ENOTSUP,
			  "transparent huge pages are off: '%s' is '%s'; "
			  "switch them on with: echo madvise > %s",
			  path, text, path);
}

static int thp_check(const struct fz_hooks *hooks, uint64_t page_bytes,
		     struct fz_err *err)
{
	uint64_t pmd_bytes;

	if (fz_read_u64(hooks, THP_DIR "/hpage_pmd_size", &pmd_bytes) == 0 &&
	    pmd_bytes != page_bytes)
		return fz_err_set(err, -ENOTSUP,
				  "transparent huge pages are of %s here, not "
				  "of %s",
				  fz_size_text(pmd_bytes).text,
				  fz_size_text(page_bytes).text);
	return thp_switch_check(hooks, page_bytes, err);
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

static bool available_take(void *arg, char *line)
{
	uint64_t *available_bytes = arg;
	uint64_t kib;

	if (sscanf(line, "MemAvailable: %" SCNu64 " kB", &kib) != 1)
		return true;
	*available_bytes = kib * 1024;
	return false;
}

/* Without this the first touch would end in the out-of-memory killer. */
static int available_check(const struct fz_hooks *hooks, uint64_t bytes,
			   struct fz_err *err)
{
	uint64_t available_bytes = UINT64_MAX;

	fz_file_lines(hooks, "/proc/meminfo", available_take, &available_bytes);
	if (bytes <= available_bytes)
		return 0;
	return fz_err_set(err, -ENOMEM,
			  "cannot map %s of memory: '/proc/meminfo' shows "
			  "%" PRIu64 "M available",
			  fz_size_text(bytes).text, available_bytes >> 20);
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
		code = thp_check(hooks, page.bytes, err);
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
	return available_check(hooks, bytes, err);
}
