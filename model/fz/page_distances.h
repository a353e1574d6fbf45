/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Distances from a faulting page at which a folio is looked at. */
#ifndef FZ_PAGE_DISTANCES_H
#define FZ_PAGE_DISTANCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Enough for a folio of 2^52 pages. */
#define FZ_MAX_PAGE_DISTANCES 128u

/**
 * struct fz_page_room - the pages around a faulting page
 * @below: pages before it
 * @above: pages behind it
 * @ends: the farthest page on each side is looked at, whatever its distance
 */
struct fz_page_room {
	uint64_t below;
	uint64_t above;
	bool ends;
};

/**
 * fz_page_distances() - where to look
 * @room: the pages there are
 * @distance: [FZ_MAX_PAGE_DISTANCES], written, ascending, negative before the
 *	faulting page
 *
 * 0, 1, 2, 3, 4, 8, 16 and so on in both directions as far as there are pages:
 * what is near is different from page to page, what is far is not.
 *
 * Return: how many.
 */
size_t fz_page_distances(const struct fz_page_room *room, int64_t *distance);

#endif
