// SPDX-License-Identifier: GPL-2.0-or-later
/* Tables of probed rows. */
#include "probe_grid.h"

#include <string.h>

#include "row_groups.h"
#include "text_parts.h"

const struct fz_row_probe *fz_grid_probe(const struct fz_labels *labels,
					 size_t index)
{
	if (!fz_row_in_group(labels->result, labels->lead, index))
		return NULL;
	return fz_row_data(&labels->result->rows[index])->probe;
}

char fz_level_letter(const struct fz_levels *levels, size_t class)
{
	const char *name = levels->classes[class].name;

	return class + 1 == levels->nr_classes ? 'm' : name[strlen(name) - 1];
}

void fz_grid_init(struct fz_grid *grid, const char *source, const char *name)
{
	*grid = (struct fz_grid){ .nr = 0 };
	grid->columns[FZ_GRID_ID] = (struct fz_column){ .head = { "", "" } };
	grid->columns[FZ_GRID_NAME] = (struct fz_column){
		.head = { source, name },
		.left = true,
		.tight = true,
		.expendable = 2, /* as in the table above */
	};
}

/* Index of a key, or where it belongs. */
static size_t place_of(const struct fz_grid *grid, int64_t key)
{
	size_t at = 0;

	while (at < grid->nr && grid->keys[at] < key)
		at++;
	return at;
}

static bool has_key(const struct fz_grid *grid, size_t at, int64_t key)
{
	return at < grid->nr && grid->keys[at] == key;
}

void fz_grid_add(struct fz_grid *grid, int64_t key)
{
	const size_t at = place_of(grid, key);

	if (grid->nr == FZ_GRID_FIGURES || has_key(grid, at, key))
		return;
	memmove(&grid->keys[at + 1], &grid->keys[at],
		(grid->nr - at) * sizeof(grid->keys[0]));
	grid->keys[at] = key;
	grid->nr++;
}

int fz_grid_begin(struct fz_grid *grid, const struct fz_labels *labels)
{
	return fz_table_init(&grid->table, grid->columns,
			     FZ_GRID_FIGURE + grid->nr,
			     2 * labels->result->nr_rows);
}

static char *cell_of(struct fz_grid *grid, size_t column)
{
	return fz_table_cell(&grid->table, grid->table.nr_rows, column);
}

char *fz_grid_cell(struct fz_grid *grid, int64_t key)
{
	const size_t at = place_of(grid, key);

	return has_key(grid, at, key) ? cell_of(grid, FZ_GRID_FIGURE + at)
				      : NULL;
}

void fz_grid_end_row(struct fz_grid *grid, const struct fz_labels *labels,
		     size_t index)
{
	snprintf(cell_of(grid, FZ_GRID_ID), FZ_CELL_BYTES, "r%zu", index + 1);
	fz_row_label(cell_of(grid, FZ_GRID_NAME), FZ_CELL_BYTES, labels,
		     &labels->result->rows[index]);
	grid->table.nr_rows++;
}

void fz_grid_end_model_row(struct fz_grid *grid)
{
	snprintf(cell_of(grid, FZ_GRID_ID), FZ_CELL_BYTES, "model");
	grid->table.nr_rows++;
}

void fz_grid_print(FILE *out, struct fz_grid *grid)
{
	if (grid->table.nr_rows) {
		fz_table_fit(&grid->table, FZ_TEXT_WIDTH);
		fputc('\n', out);
		fz_table_print(out, &grid->table);
	}
	fz_table_fini(&grid->table);
}
