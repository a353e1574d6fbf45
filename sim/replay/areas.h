/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mappings of one process, as a recording tells them. */
#ifndef FZ_AREAS_H
#define FZ_AREAS_H

#include <stddef.h>
#include <stdint.h>

#include <fz/fault.h>

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
 * struct fz_areas - ascending, without overlaps; zero it at the start
 * @area: [nr], owned
 * @nr: their number
 * @max: room in @area
 *
 * Anonymous ones that touch are one, as in the kernel.
 */
struct fz_areas {
	struct fz_area *area;
	size_t nr;
	size_t max;
};

/**
 * fz_areas_fini() - forget them all
 * @areas: empty afterwards
 */
void fz_areas_fini(struct fz_areas *areas);

/**
 * fz_areas_set() - there is a mapping, and none other below it
 * @areas: the areas
 * @area: the mapping; an empty one changes nothing
 *
 * Return: 0 or -ENOMEM; nothing is changed then.
 */
int fz_areas_set(struct fz_areas *areas, struct fz_area area);

/**
 * fz_areas_copy() - the same mappings once more
 * @dst: replaced
 * @src: copied
 *
 * Return: 0 or -ENOMEM; @dst is empty then.
 */
int fz_areas_copy(struct fz_areas *dst, const struct fz_areas *src);

/**
 * fz_areas_find() - the mapping of an address
 * @areas: the areas
 * @addr: the address
 *
 * Return: the area that holds it; valid until the next change; or NULL.
 */
const struct fz_area *fz_areas_find(const struct fz_areas *areas,
				    uint64_t addr);

#endif
