/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Using a folio after its fault: what clearing left in the caches. */
#ifndef FZ_USE_H
#define FZ_USE_H

#include <stdint.h>

#include <fz/hooks.h>
#include <fz/recorder.h>

/**
 * enum fz_use - how much of a folio is read after the fault
 * @FZ_USE_NONE: nothing
 * @FZ_USE_LINE: the first line of the faulting page
 * @FZ_USE_NEAR: then every line of the pages around it
 * @FZ_USE_FOLIO: then every line of the folio
 * @FZ_USE_PHASE: nothing; the buffer is read from end to end when all folios
 *	of the round are zeroed, by all threads at the same time
 * @FZ_NR_USES: how many choices there are
 */
enum fz_use {
	FZ_USE_NONE,
	FZ_USE_LINE,
	FZ_USE_NEAR,
	FZ_USE_FOLIO,
	FZ_USE_PHASE,
	FZ_NR_USES,
};

/**
 * fz_use_name() - its name on the command line
 * @use: the choice
 *
 * Return: a string constant.
 */
const char *fz_use_name(enum fz_use use);

/**
 * fz_use_folio() - read a folio and time it
 * @hooks: the clock
 * @base: the folio
 * @nr_pages: its pages
 * @fault_page: the faulting page
 * @use: how much
 *
 * Near is always FZ_RADIUS_PAGES on each side, whatever radius a policy was
 * given, so that rows compare. One load a 64-byte line, ascending.
 *
 * Return: ticks of each part; parts that were not asked for are 0.
 */
struct fz_use_ticks fz_use_folio(const struct fz_hooks *hooks, const char *base,
				 uint64_t nr_pages, uint64_t fault_page,
				 enum fz_use use);

/**
 * fz_use_all() - read memory from its first to its last byte
 * @base: first byte, aligned to a page
 * @nr_pages: how much
 *
 * One load a 64-byte line, ascending.
 */
void fz_use_all(const char *base, uint64_t nr_pages);

#endif
