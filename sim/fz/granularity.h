/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much memory each recorded fault made, told from where the others are. */
#ifndef FZ_GRANULARITY_H
#define FZ_GRANULARITY_H

#include <stddef.h>
#include <stdint.h>

/**
 * DOC: granularity
 *
 * A fault that was served with a folio of 2 MiB is the only one in its 2 MiB,
 * for no other page of it can be missing. So where memory was touched all over
 * and yet each 2 MiB has one fault, it was recorded with such folios, and what
 * smaller ones would have done is not in the recording.
 *
 * Counted are faults that stand alone in their block of a size, in rows of at
 * least FZ_GRANULARITY_ROW such blocks side by side. Pages scattered at random
 * do not make such rows: at best 37 in 100 blocks have exactly one of them. A
 * program that touches one page in each 2 MiB does make them, and cannot be
 * told from a recording with huge pages.
 */

#define FZ_GRANULARITY_ROW 8u
/* The rows must hold one in so many of the faults. */
#define FZ_GRANULARITY_SHARE 8u

/**
 * struct fz_fault_place - where a process faulted
 * @page: address in pages
 * @pid: process
 */
struct fz_fault_place {
	uint64_t page;
	uint32_t pid;
};

/**
 * struct fz_granularity - what the faults tell
 * @bytes: size of the largest folios that they were recorded with, a power of
 *	two; a page if nothing says more
 * @nr_alone: faults that say so
 * @nr: faults that were looked at, without repetitions
 */
struct fz_granularity {
	uint64_t bytes;
	uint64_t nr_alone;
	uint64_t nr;
};

/**
 * fz_granularity_of() - detect it
 * @places: [@nr], sorted afterwards
 * @nr: their number
 *
 * Return: the granularity, from 4K to 1G.
 */
struct fz_granularity fz_granularity_of(struct fz_fault_place *places,
					size_t nr);

#endif
