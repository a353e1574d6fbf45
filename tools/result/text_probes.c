// SPDX-License-Identifier: GPL-2.0-or-later
/* The tables of the probes: rows by distance, and rows by working set. */
#include "text_parts.h"

#include <inttypes.h>
#include <math.h>

#include "probe_grid.h"

/* Distances that are not shown, unless they are the farthest. */
#define HIDDEN 9u

/* Those that tell most stay longest: the fault, its neighbours, the ends. */
static unsigned int expendable(int64_t distance)
{
	static const unsigned int ranks[] = { 0, 1, 5, 3, 8 };
	const uint64_t pages = (uint64_t)(distance < 0 ? -distance : distance);

	if (pages < sizeof(ranks) / sizeof(ranks[0]))
		return ranks[pages];
	if (pages == 8)
		return 4;
	return pages == 64 ? 6 : HIDDEN;
}

static void add_distances(struct fz_grid *grid,
			  const struct fz_row_probe *found)
{
	for (size_t i = 0; i < found->nr_residency; i++) {
		const int64_t distance = found->residency[i].distance_pages;

		if (i == 0 || i + 1 == found->nr_residency ||
		    expendable(distance) < HIDDEN)
			fz_grid_add(grid, distance);
	}
}

static void set_residency_heads(struct fz_grid *grid)
{
	for (size_t i = 0; i < grid->nr; i++) {
		const int64_t key = grid->keys[i];
		const bool end = i == 0 || i + 1 == grid->nr;

		snprintf(grid->heads[i], FZ_GRID_HEAD_BYTES, "%s%" PRId64,
			 key > 0 ? "+" : "", key);
		grid->columns[FZ_GRID_FIGURE + i] = (struct fz_column){
			.head = { key ? "" : "fault", grid->heads[i] },
			.tight = true,
			.expendable = end ? 1 : expendable(key),
		};
	}
}

static void fill_residency(struct fz_grid *grid, const struct fz_levels *levels,
			   const struct fz_row_probe *found)
{
	for (size_t i = 0; i < found->nr_residency; i++) {
		const struct fz_residency *r = &found->residency[i];
		char *cell = fz_grid_cell(grid, r->distance_pages);

		if (cell)
			snprintf(cell, FZ_CELL_BYTES, "%.*f/%c",
				 r->median_ticks < 99.95, r->median_ticks,
				 fz_level_letter(levels, r->class));
	}
}

static bool has_model_pages(const struct fz_row_probe *found)
{
	for (size_t i = 0; i < found->nr_residency; i++)
		if (found->residency[i].model_level)
			return true;
	return false;
}

static char model_letter(const struct fz_cache_geometry *geometry,
			 unsigned int level)
{
	return level > geometry->nr_levels ? 'm' : (char)('0' + level);
}

static void fill_model_pages(struct fz_grid *grid,
			     const struct fz_cache_geometry *geometry,
			     const struct fz_row_probe *found)
{
	for (size_t i = 0; i < found->nr_residency; i++) {
		const struct fz_residency *r = &found->residency[i];
		char *cell = fz_grid_cell(grid, r->distance_pages);
		const char letter = model_letter(geometry, r->model_level);

		if (!cell || !r->model_level)
			continue;
		if (r->model_ticks > 0)
			snprintf(cell, FZ_CELL_BYTES, "%.*f/%c",
				 r->model_ticks < 99.95, r->model_ticks,
				 letter);
		else
			snprintf(cell, FZ_CELL_BYTES, "?/%c", letter);
	}
}

/* Whose figures are in the tables. */
static const char *sources(const struct fz_result *result)
{
	return result->probe->model.known ? "by probe, and below it by model"
					  : "by probe";
}

static int print_residency(FILE *out, const struct fz_labels *labels)
{
	const struct fz_result *result = labels->result;
	const struct fz_row_probe *found;
	struct fz_grid grid;
	int code;

	fz_grid_init(&grid, sources(result),
		     "cycles a load at pages from the fault");
	for (size_t i = 0; i < result->nr_rows; i++) {
		found = fz_grid_probe(labels, i);
		if (found)
			add_distances(&grid, found);
	}
	set_residency_heads(&grid);
	code = fz_grid_begin(&grid, labels);
	for (size_t i = 0; i < result->nr_rows && !code; i++) {
		found = fz_grid_probe(labels, i);
		if (!found || !found->nr_residency)
			continue;
		fill_residency(&grid, &result->probe->levels, found);
		fz_grid_end_row(&grid, labels, i);
		if (!has_model_pages(found))
			continue;
		fill_model_pages(&grid, &result->probe->model.spec.geometry,
				 found);
		fz_grid_end_model_row(&grid);
	}
	if (!code)
		fz_grid_print(out, &grid);
	return code;
}

static void set_victim_heads(struct fz_grid *grid,
			     const struct fz_levels *levels)
{
	for (size_t i = 0; i < grid->nr; i++) {
		const struct fz_level *level = &levels->level[grid->keys[i]];
		char size[FZ_FORMAT_BYTES];

		fz_format_bytes(size, sizeof(size), level->set_bytes);
		snprintf(grid->heads[i], FZ_GRID_HEAD_BYTES, "%s in %s", size,
			 level->name);
		grid->columns[FZ_GRID_FIGURE + i] = (struct fz_column){
			.head = { "", grid->heads[i] },
		};
	}
}

static void fill_victims(struct fz_grid *grid, const struct fz_row_probe *found)
{
	for (size_t i = 0; i < found->nr_victims; i++) {
		const struct fz_victim *v = &found->victims[i];
		const struct fz_ratio *slowdown = &v->slowdown;
		char *cell = fz_grid_cell(grid, (int64_t)v->level);

		if (cell && slowdown->rounds > 1)
			snprintf(cell, FZ_CELL_BYTES, "%.2f +-%.2f",
				 slowdown->median,
				 fmax(slowdown->ci95.hi - slowdown->median,
				      slowdown->median - slowdown->ci95.lo));
		else if (cell)
			snprintf(cell, FZ_CELL_BYTES, "%.2f", slowdown->median);
	}
}

static bool has_model_victims(const struct fz_row_probe *found)
{
	for (size_t i = 0; i < found->nr_victims; i++)
		if (found->victims[i].model_slowdown > 0)
			return true;
	return false;
}

static void fill_model_victims(struct fz_grid *grid,
			       const struct fz_row_probe *found)
{
	for (size_t i = 0; i < found->nr_victims; i++) {
		const struct fz_victim *v = &found->victims[i];
		char *cell = fz_grid_cell(grid, (int64_t)v->level);

		if (cell && v->model_slowdown > 0)
			snprintf(cell, FZ_CELL_BYTES, "%.2f",
				 v->model_slowdown);
	}
}

static int print_victims(FILE *out, const struct fz_labels *labels)
{
	const struct fz_result *result = labels->result;
	const struct fz_row_probe *found;
	struct fz_grid grid;
	int code;

	fz_grid_init(&grid, sources(result), "slowdown of a working set");
	for (size_t i = 0; i < result->nr_rows; i++) {
		found = fz_grid_probe(labels, i);
		for (size_t j = 0; found && j < found->nr_victims; j++)
			fz_grid_add(&grid, (int64_t)found->victims[j].level);
	}
	set_victim_heads(&grid, &result->probe->levels);
	code = fz_grid_begin(&grid, labels);
	for (size_t i = 0; i < result->nr_rows && !code; i++) {
		found = fz_grid_probe(labels, i);
		if (!found || !found->nr_victims)
			continue;
		fill_victims(&grid, found);
		fz_grid_end_row(&grid, labels, i);
		if (!has_model_victims(found))
			continue;
		fill_model_victims(&grid, found);
		fz_grid_end_model_row(&grid);
	}
	if (!code)
		fz_grid_print(out, &grid);
	return code;
}

int fz_text_probes(FILE *out, const struct fz_labels *labels)
{
	int code;

	if (!labels->result->probe)
		return 0;
	code = print_residency(out, labels);
	return code ? code : print_victims(out, labels);
}
