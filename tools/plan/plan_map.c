// SPDX-License-Identifier: GPL-2.0-or-later
/* One line that shows which part of a folio is cleared when. */
#include "plan_map.h"

#include <string.h>

char fz_plan_map_mark(size_t i)
{
	static const char marks[] = "123456789abcdefghijklmnopqrstuvwxyz";

	return i < sizeof(marks) - 1 ? marks[i] : '+';
}

unsigned int fz_plan_map_column(const struct fz_plan_map *map, uint64_t page)
{
	/* Options keep folios below 2^62 bytes, so this is below 2^56. */
	return (unsigned int)(page * map->nr_columns / map->nr_pages);
}

void fz_plan_map_draw(struct fz_plan_map *map, const struct fz_plan *plan)
{
	size_t nr_clears = 0;

	map->nr_pages = plan->nr_pages;
	map->nr_columns = plan->nr_pages < FZ_PLAN_MAP_COLUMNS
				  ? (unsigned int)plan->nr_pages
				  : FZ_PLAN_MAP_COLUMNS;
	/* A column that stays a dot would be pages that nothing clears. */
	memset(map->marks, '.', map->nr_columns);
	map->marks[map->nr_columns] = '\0';
	for (size_t i = 0; i < plan->nr_runs; i++) {
		const struct fz_run *run = &plan->runs[i];
		unsigned int first, last;

		if (run->op != FZ_OP_CLEAR)
			continue;
		first = fz_plan_map_column(map, run->first);
		last = fz_plan_map_column(map, run->first + run->nr - 1);
		memset(map->marks + first, fz_plan_map_mark(nr_clears++),
		       last - first + 1);
	}
}
