/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mappings of a process, as a recording tells them. */
#ifndef FZ_AREAS_H
#define FZ_AREAS_H

#include <stddef.h>
#include <stdint.h>

#include <fz/fault.h>
#include <fz/population.h>

/**
 * struct fz_area - a mapping
 * @start: first address
 * @end: behind the last one
 * @backing: enum fz_fault_backing
 */
struct fz_area {
	uint64_t start;
	uint64_t end;
	uint8_t backing;
};

/**
 * struct fz_areas - ascending, without overlaps; NULL = none
 * @nr_users: who shares them
 * @nr: their number
 * @max: room in @area
 * @area: [nr]
 *
 * Anonymous ones that touch are one, as in the kernel. They are shared until
 * one of the users changes them.
 */
struct fz_areas {
	size_t nr_users;
	size_t nr;
	size_t max;
	struct fz_area area[];
};

/**
 * fz_areas_share() - the same mappings once more
 * @areas: may be NULL
 *
 * Return: @areas, with one more user.
 */
struct fz_areas *fz_areas_share(struct fz_areas *areas);

/**
 * fz_areas_leave() - forget them all
 * @areas: NULL afterwards
 * @room: bytes that areas may take; those of the last user come back
 */
void fz_areas_leave(struct fz_areas **areas, size_t *room);

/**
 * fz_areas_set() - there is a mapping, and none other below it
 * @areas: the areas; those of other users stay as they are
 * @area: the mapping; an empty one changes nothing
 * @room: bytes that areas may take; what is taken is subtracted
 *
 * Return: 0; -ENOMEM; -ENOSPC where @room or FZ_PROCESS_MAPPINGS does not allow
 * it. Nothing is changed then.
 */
int fz_areas_set(struct fz_areas **areas, struct fz_area area, size_t *room);

/**
 * fz_areas_cut() - nothing is known of some addresses any more
 * @areas: the areas, not shared; may be NULL
 * @start: first address
 * @end: behind the last one
 *
 * It takes no memory: of a mapping around all of them the part behind them is
 * forgotten as well.
 */
void fz_areas_cut(struct fz_areas *areas, uint64_t start, uint64_t end);

/**
 * fz_areas_find() - the mapping of an address
 * @areas: may be NULL
 * @addr: the address
 *
 * Return: the area that holds it; valid until the next change; or NULL.
 */
const struct fz_area *fz_areas_find(const struct fz_areas *areas,
				    uint64_t addr);

#endif
