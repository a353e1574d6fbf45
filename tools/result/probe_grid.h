/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A table of probed rows, whose columns depend on what was probed. */
#ifndef FZ_PROBE_GRID_H
#define FZ_PROBE_GRID_H

#include <stdint.h>

#include <fz/probe.h>
#include <fz/units.h>

#include "row_label.h"
#include "table.h"

/* The row's id, its name, and figures. */
enum fz_grid_column {
	FZ_GRID_ID,
	FZ_GRID_NAME,
	FZ_GRID_FIGURE,
};

#define FZ_GRID_FIGURES    (FZ_TABLE_MAX_COLUMNS - FZ_GRID_FIGURE)
#define FZ_GRID_HEAD_BYTES (FZ_FORMAT_BYTES + 16)

/* Must stay where it is: the table points into it. */
struct fz_grid {
	struct fz_column columns[FZ_TABLE_MAX_COLUMNS];
	char heads[FZ_GRID_FIGURES][FZ_GRID_HEAD_BYTES];
	int64_t keys[FZ_GRID_FIGURES]; /* what a column is about, ascending */
	size_t nr;
	struct fz_table table;
};

/* No columns yet but the row's, whose figures come from these sources. */
void fz_grid_init(struct fz_grid *grid, const char *source, const char *name);

/* Add a column unless it is there, or there is no room. */
void fz_grid_add(struct fz_grid *grid, int64_t key);

/* Columns and heads are complete: make the cells. Return: 0 or -ENOMEM. */
int fz_grid_begin(struct fz_grid *grid, const struct fz_labels *labels);

/* The cell of the current row under a key; NULL if it has no column. */
char *fz_grid_cell(struct fz_grid *grid, int64_t key);

/* The current row is that one; go on to the next. */
void fz_grid_end_row(struct fz_grid *grid, const struct fz_labels *labels,
		     size_t index);

/* The current row has modelled figures of the row above it. */
void fz_grid_end_model_row(struct fz_grid *grid);

/* Print it, unless it is empty, and free the cells. */
void fz_grid_print(FILE *out, struct fz_grid *grid);

/* What was found of a row of the group; NULL if nothing. */
const struct fz_row_probe *fz_grid_probe(const struct fz_labels *labels,
					 size_t index);

/* "1" for L1, "3" for L2/L3, "m" for memory and what cannot be told from it. */
char fz_level_letter(const struct fz_levels *levels, size_t class);

#endif
