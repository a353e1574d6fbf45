/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Aligned columns that fit a width. */
#ifndef FZ_TABLE_H
#define FZ_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define FZ_TABLE_MAX_COLUMNS 24
#define FZ_CELL_BYTES        64

/**
 * struct fz_column - one column
 * @head: two lines of heading
 * @left: left-aligned; numbers stand right
 * @tight: one blank before it instead of two
 * @expendable: 0 = always shown; of the others the largest number is left out
 *	first when the table is too wide
 */
struct fz_column {
	const char *head[2];
	bool left;
	bool tight;
	unsigned int expendable;
};

/**
 * struct fz_table - cells under columns
 * @columns: [nr_columns]
 * @nr_columns: at most FZ_TABLE_MAX_COLUMNS
 * @cells: [max_rows][nr_columns], row-major; owned
 * @max_rows: room in @cells
 * @nr_rows: rows that are printed
 * @shown: [nr_columns], set by fz_table_fit()
 *
 * Cells are ASCII; an empty one is printed as blanks.
 */
struct fz_table {
	const struct fz_column *columns;
	size_t nr_columns;
	char (*cells)[FZ_CELL_BYTES];
	size_t max_rows;
	size_t nr_rows;
	bool shown[FZ_TABLE_MAX_COLUMNS];
};

/* Return: 0 or -ENOMEM. */
int fz_table_init(struct fz_table *table, const struct fz_column *columns,
		  size_t nr_columns, size_t max_rows);
void fz_table_fini(struct fz_table *table);

/* A cell to write to, [FZ_CELL_BYTES]; "" at first. */
char *fz_table_cell(struct fz_table *table, size_t row, size_t column);

/* Has the column a cell other than "" and "-"? */
bool fz_table_has(const struct fz_table *table, size_t column);

/*
 * Leave out columns that say nothing, then expendable ones until the table
 * fits into `width`. Return: false if too few are expendable.
 */
bool fz_table_fit(struct fz_table *table, size_t width);

/* Two heading lines and the rows; after fz_table_fit(). */
void fz_table_print(FILE *out, const struct fz_table *table);

/*
 * A line that names the columns which fz_table_fit() left out though they say
 * something; nothing if there are none.
 */
void fz_table_print_left_out(FILE *out, const struct fz_table *table,
			     unsigned int width);

#endif
