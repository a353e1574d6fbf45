/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One line that shows which part of a folio is cleared when. */
#ifndef FZ_PLAN_MAP_H
#define FZ_PLAN_MAP_H

#include <stddef.h>
#include <stdint.h>

#include <fz/plan.h>

#define FZ_PLAN_MAP_COLUMNS 64u

/**
 * struct fz_plan_map - the folio from its first page to its last
 * @nr_pages: pages in the folio
 * @nr_columns: columns used: one a page in small folios
 * @marks: [nr_columns], NUL-terminated; each column has the mark of the last
 *	run that clears a page of it
 */
struct fz_plan_map {
	uint64_t nr_pages;
	unsigned int nr_columns;
	char marks[FZ_PLAN_MAP_COLUMNS + 1];
};

/* The mark of the i-th clearing run: 1 to 9, a to z, then +. */
char fz_plan_map_mark(size_t i);

void fz_plan_map_draw(struct fz_plan_map *map, const struct fz_plan *plan);

/* The column that a page falls into. */
unsigned int fz_plan_map_column(const struct fz_plan_map *map, uint64_t page);

#endif
