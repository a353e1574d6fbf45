// SPDX-License-Identifier: GPL-2.0-or-later
/* Touches unmapped pages: the running kernel's own fault path. */
#include <fz/engine.h>
#include <fz/folio.h>

/*
 * One store to the faulting page; the kernel does the rest. Not to its first
 * line, nor near it: that one is read afterwards to see what is in the cache.
 */
static size_t zero(const struct fz_zero_job *job)
{
	volatile char *fault = job->base + (job->fault_page << FZ_PAGE_SHIFT) +
			       FZ_PAGE_BYTES / 2;

	*fault = 1;
	return 0;
}

/*
 * All pages go back and the same size is mapped again, so that each folio
 * faults once. hugetlb pools are last in, first out, and munmap() frees
 * ascending: the first fault gets the page at the buffer's end. Dirtying from
 * the end makes that the page dirtied first, the coldest.
 */
const struct fz_engine fz_engine_kernel = {
	.name = "kernel",
	.summary = "touch unmapped pages: the running kernel zeroes them",
	.descending_dirty = true,
	.prepare = fz_buffer_remap,
	.zero = zero,
};
