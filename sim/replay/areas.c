// SPDX-License-Identifier: GPL-2.0-or-later
/* A sorted array of mappings, copied when one of its users changes it. */
#include "areas.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A new area may leave something of an old one on both sides. */
#define MOST 3

static size_t bytes_of(size_t max)
{
	return sizeof(struct fz_areas) + max * sizeof(struct fz_area);
}

struct fz_areas *fz_areas_share(struct fz_areas *areas)
{
	if (areas)
		areas->nr_users++;
	return areas;
}

void fz_areas_leave(struct fz_areas **areas, size_t *room)
{
	struct fz_areas *left = *areas;

	*areas = NULL;
	if (!left || --left->nr_users)
		return;
	*room += bytes_of(left->max);
	free(left);
}

/* Twice what there is, or as much as is allowed. */
static size_t good_max(size_t nr, size_t old_bytes, size_t room)
{
	size_t max = 2 * nr + 6;

	if (bytes_of(max) > room + old_bytes)
		max = nr;
	return max < FZ_PROCESS_MAPPINGS ? max : FZ_PROCESS_MAPPINGS;
}

/* Room for @nr areas that nobody shares, and for those that are there. */
static int make_room(struct fz_areas **areas, size_t nr, size_t *room)
{
	struct fz_areas *old = *areas, *made;
	const bool is_shared = old && old->nr_users > 1;
	const size_t old_bytes = old && !is_shared ? bytes_of(old->max) : 0;
	size_t max;

	if (old && !is_shared && nr <= old->max)
		return 0;
	if (is_shared && nr < old->nr)
		nr = old->nr;
	max = good_max(nr, old_bytes, *room);
	if (nr > max || bytes_of(max) > *room + old_bytes)
		return -ENOSPC;
	made = realloc(is_shared ? NULL : old, bytes_of(max));
	if (!made)
		return -ENOMEM;
	if (is_shared) {
		memcpy(made, old, bytes_of(old->nr));
		old->nr_users--;
	}
	if (!old)
		made->nr = 0;
	made->nr_users = 1;
	made->max = max;
	*room = *room + old_bytes - bytes_of(max);
	*areas = made;
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

/* The areas that touch [start, end), and what is left of them around it. */
struct overlap {
	size_t first, last; /* [first, last) */
	bool has_left, has_right;
	struct fz_area left, right;
};

static struct overlap overlap_of(const struct fz_areas *areas, uint64_t start,
				 uint64_t end)
{
	struct overlap found = { .first = 0 };

	if (!areas)
		return found;
	found.first = found.last = first_behind(areas, start);
	while (found.last < areas->nr && areas->area[found.last].start < end)
		found.last++;
	if (found.first == found.last)
		return found;
	found.left = areas->area[found.first];
	found.right = areas->area[found.last - 1];
	found.has_left = found.left.start < start;
	found.has_right = found.right.end > end;
	found.left.end = start;
	found.right.start = end;
	return found;
}

int fz_areas_set(struct fz_areas **areas, struct fz_area area, size_t *room)
{
	const struct overlap old = overlap_of(*areas, area.start, area.end);
	struct fz_area with[MOST];
	size_t nr = 0;
	int code;

	if (area.start >= area.end)
		return 0;
	if (old.has_left)
		with[nr++] = old.left;
	with[nr++] = area;
	if (old.has_right)
		with[nr++] = old.right;
	code = make_room(areas,
			 (*areas ? (*areas)->nr : 0) + nr -
				 (old.last - old.first),
			 room);
	if (code)
		return code;
	replace(*areas, old.first, old.last, with, nr);
	join_at(*areas, old.first + old.has_left);
	if (old.first + old.has_left > 0)
		join_at(*areas, old.first + old.has_left - 1);
	return 0;
}

void fz_areas_cut(struct fz_areas *areas, uint64_t start, uint64_t end)
{
	const struct overlap old = overlap_of(areas, start, end);
	struct fz_area with[2];
	size_t nr = 0;

	if (old.has_left)
		with[nr++] = old.left;
	if (old.has_right && nr < old.last - old.first)
		with[nr++] = old.right;
	if (old.last > old.first)
		replace(areas, old.first, old.last, with, nr);
}

const struct fz_area *fz_areas_find(const struct fz_areas *areas, uint64_t addr)
{
	const size_t i = areas ? first_behind(areas, addr) : 0;

	return areas && i < areas->nr && areas->area[i].start <= addr
		       ? &areas->area[i]
		       : NULL;
}
