// SPDX-License-Identifier: GPL-2.0-or-later
/* Distances from a faulting page at which a folio is looked at. */
#include <fz/page_distances.h>

/* 0, 1, 2, 3, 4, 8, 16... */
static uint64_t next_magnitude(uint64_t magnitude)
{
	return magnitude < 4 ? magnitude + 1 : 2 * magnitude;
}

/* From the fault outward. */
static size_t add_side(int64_t *distance, uint64_t pages, bool ends, int sign)
{
	size_t nr = 0;

	for (uint64_t m = 1; m <= pages; m = next_magnitude(m))
		distance[nr++] = sign * (int64_t)m;
	if (ends && nr && distance[nr - 1] != sign * (int64_t)pages)
		distance[nr++] = sign * (int64_t)pages;
	return nr;
}

static void reverse(int64_t *distance, size_t nr)
{
	for (size_t i = 0; i < nr / 2; i++) {
		const int64_t other = distance[i];

		distance[i] = distance[nr - 1 - i];
		distance[nr - 1 - i] = other;
	}
}

size_t fz_page_distances(const struct fz_page_room *room, int64_t *distance)
{
	size_t nr = add_side(distance, room->below, room->ends, -1);

	reverse(distance, nr);
	distance[nr++] = 0;
	return nr + add_side(distance + nr, room->above, room->ends, 1);
}
