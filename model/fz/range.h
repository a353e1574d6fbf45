/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A half-open range of pages, [first, first + nr). */
#ifndef FZ_RANGE_H
#define FZ_RANGE_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct fz_range - pages [first, first + nr)
 * @first: index of the first page
 * @nr: number of pages; 0 makes the range empty
 */
struct fz_range {
	uint64_t first;
	uint64_t nr;
};

/**
 * fz_range_is_empty() - does the range hold no page?
 * @r: the range
 *
 * Return: true if it holds none.
 */
static inline bool fz_range_is_empty(struct fz_range r)
{
	return r.nr == 0;
}

#endif
