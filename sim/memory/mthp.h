/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Multi-size THP: exactly one size, and how that is seen. */
#ifndef FZ_SIM_MTHP_H
#define FZ_SIM_MTHP_H

#include <stddef.h>
#include <stdint.h>

#include <fz/buffer.h>
#include <fz/err.h>
#include <fz/hooks.h>

/**
 * DOC: exactly one size
 *
 * A fault gets the largest size that is switched on and whose aligned place
 * around the address lies within one mapping. Larger sizes, that of the PMD to
 * begin with, are usually on; so every page of a buffer is made a mapping of
 * its own. Mappings that touch stay apart as long as their flags differ:
 * every second one is left out of core dumps.
 */

#define FZ_MTHP_LIST_BYTES 160

/**
 * fz_mthp_list() - "16K, 64K", the sizes below that of the PMD
 * @hooks: the world
 * @text: written; empty where there are none
 */
void fz_mthp_list(const struct fz_hooks *hooks, char text[FZ_MTHP_LIST_BYTES]);

/**
 * fz_mthp_size_check() - has the kernel such a size, below that of the PMD?
 * @hooks: the world
 * @page_bytes: the size
 * @err: the message
 *
 * Return: 0 or -ENOTSUP.
 */
int fz_mthp_size_check(const struct fz_hooks *hooks, uint64_t page_bytes,
		       struct fz_err *err);

/**
 * fz_mthp_room_check() - may the process have a mapping for every page?
 * @hooks: the world
 * @page_bytes: size of a page
 * @bytes: a multiple of it
 * @err: the message names the file that limits and the size that works
 *
 * Return: 0, also where that cannot be read, or -ENOMEM.
 */
int fz_mthp_room_check(const struct fz_hooks *hooks, uint64_t page_bytes,
		       uint64_t bytes, struct fz_err *err);

/**
 * fz_mthp_advise() - ask for that size, a mapping for every page
 * @hooks: the world
 * @base: first byte of one new mapping, aligned to @page_bytes
 * @bytes: its size, a multiple of @page_bytes
 * @page_bytes: size of a page
 *
 * Nothing is there afterwards, as before.
 *
 * Return: 0 or what madvise() returned: -ENOMEM at the limit of mappings.
 */
int fz_mthp_advise(const struct fz_hooks *hooks, char *base, uint64_t bytes,
		   uint64_t page_bytes);

/**
 * fz_mthp_faults() - page faults that were served with such a page, ever
 * @hooks: the world
 * @page_bytes: the size
 *
 * The whole machine's, so a difference that is too small proves that pages are
 * missing, and one that is large enough is only good to hear.
 *
 * Return: anon_fault_alloc of that size; UINT64_MAX = unknown.
 */
uint64_t fz_mthp_faults(const struct fz_hooks *hooks, uint64_t page_bytes);

/**
 * fz_mthp_backing_read() - is a range on pages of that size?
 * @hooks: the world
 * @base: first byte, aligned to the page size
 * @bytes: a multiple of the page size
 * @page_bytes: size of a page
 * @faults_before: fz_mthp_faults() when the range was empty
 *
 * Physically contiguous and aligned, by the page map, with base pages now and
 * then too; so the counter of faults is asked as well, and the lower of the
 * two is believed. What smaps shows as mapped by a PMD does not count.
 *
 * Return: the findings, verified_by "pagemap", "anon_fault_alloc", both with a
 * plus between them, or "" where neither can be read.
 */
struct fz_backing fz_mthp_backing_read(const struct fz_hooks *hooks,
				       const void *base, uint64_t bytes,
				       uint64_t page_bytes,
				       uint64_t faults_before);

#endif
