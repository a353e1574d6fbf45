// SPDX-License-Identifier: GPL-2.0-or-later
/* A sorted array of mappings. */
#include "areas.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A new area may split one in two. */
#define MOST_MORE 2

void fz_areas_fini(struct fz_areas *areas)
{
	free(areas->area);
	*areas = (struct fz_areas){ .nr = 0 };
}

static int make_room(struct fz_areas *areas)
{
	const size_t max = 2 * areas->max + 16;
	struct fz_area *area;

	if (areas->nr + MOST_MORE <= areas->max)
		return 0;
	area = realloc(areas->area, max * sizeof(*area));
	if (!area)
		return -ENOMEM;
	areas->area = area;
	areas->max = max;
	return 0;
}

/* Index of the first area that ends behind an address. */
static size_t first_behind(const struct fz_areas *areas, uint64_t addr)
{
	size_t lo = 0, hi = areas->nr;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (areas->area[mid].end > addr)
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

/* Put @nr areas in the place of those in [first, last). */
static void replace(struct fz_areas *areas, size_t first, size_t last,
		    const struct fz_area *with, size_t nr)
{
	memmove(areas->area + first + nr, areas->area + last,
		(areas->nr - last) * sizeof(*areas->area));
	if (nr)
		memcpy(areas->area + first, with, nr * sizeof(*with));
	areas->nr = areas->nr - (last - first) + nr;
}

static bool joins(const struct fz_area *left, const struct fz_area *right)
{
	return left->backing == FZ_BACKING_ANON &&
	       right->backing == FZ_BACKING_ANON && left->end == right->start;
}

/* Join the area at @i with the one behind it, if they are of a kind. */
static void join_at(struct fz_areas *areas, size_t i)
{
	if (i + 1 >= areas->nr || !joins(&areas->area[i], &areas->area[i + 1]))
		return;
	areas->area[i].end = areas->area[i + 1].end;
	replace(areas, i + 1, i + 2, NULL, 0);
}

int fz_areas_set(struct fz_areas *areas, struct fz_area area)
{
	struct fz_area with[1 + MOST_MORE];
	size_t first, last, nr = 0, at;

	if (area.start >= area.end)
		return 0;
	if (make_room(areas))
		return -ENOMEM;
	first = last = first_behind(areas, area.start);
	while (last < areas->nr && areas->area[last].start < area.end)
		last++;
	if (last > first && areas->area[first].start < area.start) {
		with[nr] = areas->area[first];
		with[nr++].end = area.start;
	}
	at = first + nr;
	with[nr++] = area;
	if (last > first && areas->area[last - 1].end > area.end) {
		with[nr] = areas->area[last - 1];
		with[nr++].start = area.end;
	}
	replace(areas, first, last, with, nr);
	join_at(areas, at);
	if (at > 0)
		join_at(areas, at - 1);
	return 0;
}

int fz_areas_copy(struct fz_areas *dst, const struct fz_areas *src)
{
	struct fz_areas copy = { .nr = src->nr, .max = src->nr };

	fz_areas_fini(dst);
	if (!src->nr)
		return 0;
	copy.area = malloc(src->nr * sizeof(*copy.area));
	if (!copy.area)
		return -ENOMEM;
	memcpy(copy.area, src->area, src->nr * sizeof(*copy.area));
	*dst = copy;
	return 0;
}

const struct fz_area *fz_areas_find(const struct fz_areas *areas, uint64_t addr)
{
	const size_t i = first_behind(areas, addr);

	return i < areas->nr && areas->area[i].start <= addr ? &areas->area[i]
							     : NULL;
}
