/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The obvious loop over extents, to compare the engines' speed with. */
#ifndef PLAIN_CLEAR_H
#define PLAIN_CLEAR_H

#include <stddef.h>
#include <stdint.h>

/**
 * plain_clear_extents() - clear extents of 4 KiB pages, one call each, in order
 * @base: first byte of page 0
 * @nr: how many extents
 * @first_page: [nr], index of each extent's first page
 * @nr_pages: [nr], pages in each extent
 * @clear: zeroes that many bytes from that address
 *
 * Shares no code with the project.
 */
void plain_clear_extents(char *base, uint64_t nr, const uint64_t *first_page,
			 const uint64_t *nr_pages,
			 void (*clear)(void *dst, size_t len_bytes));

#endif
