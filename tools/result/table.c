// SPDX-License-Identifier: GPL-2.0-or-later
/* Aligned columns that fit a width. */
#include "table.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "note.h"

int fz_table_init(struct fz_table *table, const struct fz_column *columns,
		  size_t nr_columns, size_t max_rows)
{
	assert(nr_columns && nr_columns <= FZ_TABLE_MAX_COLUMNS);
	*table = (struct fz_table){
		.columns = columns,
		.nr_columns = nr_columns,
		.cells = calloc(max_rows * nr_columns + 1,
				sizeof(*table->cells)),
		.max_rows = max_rows,
	};
	return table->cells ? 0 : -ENOMEM;
}

void fz_table_fini(struct fz_table *table)
{
	free(table->cells);
	table->cells = NULL;
}

char *fz_table_cell(struct fz_table *table, size_t row, size_t column)
{
	assert(row < table->max_rows && column < table->nr_columns);
	return table->cells[row * table->nr_columns + column];
}

static const char *cell_text(const struct fz_table *table, size_t row,
			     size_t column)
{
	return table->cells[row * table->nr_columns + column];
}

bool fz_table_has(const struct fz_table *table, size_t column)
{
	for (size_t row = 0; row < table->nr_rows; row++) {
		const char *text = cell_text(table, row, column);

		if (text[0] && strcmp(text, "-") != 0)
			return true;
	}
	return false;
}

static size_t column_width(const struct fz_table *table, size_t column)
{
	const struct fz_column *c = &table->columns[column];
	size_t width = strlen(c->head[0]);

	if (strlen(c->head[1]) > width)
		width = strlen(c->head[1]);
	for (size_t row = 0; row < table->nr_rows; row++) {
		const size_t len = strlen(cell_text(table, row, column));

		if (len > width)
			width = len;
	}
	return width;
}

/* Blanks before a column; the first one shown has none. */
static size_t column_gap(const struct fz_table *table, size_t column)
{
	for (size_t i = 0; i < column; i++)
		if (table->shown[i])
			return table->columns[column].tight ? 1 : 2;
	return 0;
}

static size_t table_width(const struct fz_table *table)
{
	size_t width = 0;

	for (size_t i = 0; i < table->nr_columns; i++)
		if (table->shown[i])
			width += column_gap(table, i) + column_width(table, i);
	return width;
}

/* The shown column that is missed least; nr_columns if all must stay. */
static size_t most_expendable(const struct fz_table *table)
{
	unsigned int most = 0;
	size_t found = table->nr_columns;

	for (size_t i = 0; i < table->nr_columns; i++) {
		if (!table->shown[i] || table->columns[i].expendable <= most)
			continue;
		most = table->columns[i].expendable;
		found = i;
	}
	return found;
}

bool fz_table_fit(struct fz_table *table, size_t width)
{
	for (size_t i = 0; i < table->nr_columns; i++)
		table->shown[i] = fz_table_has(table, i);
	while (table_width(table) > width) {
		const size_t column = most_expendable(table);

		if (column == table->nr_columns)
			return false;
		table->shown[column] = false;
	}
	return true;
}

/* One line; text() gives the cell of a column. No blanks at its end. */
static void print_line(FILE *out, const struct fz_table *table,
		       const char *(*text)(const struct fz_table *table,
					   size_t row, size_t column),
		       size_t row)
{
	size_t pending = 0; /* blanks that are owed */

	for (size_t i = 0; i < table->nr_columns; i++) {
		const char *cell;
		size_t blanks;

		if (!table->shown[i])
			continue;
		cell = text(table, row, i);
		blanks = column_width(table, i) - strlen(cell);
		pending += column_gap(table, i);
		if (!table->columns[i].left)
			pending += blanks;
		if (cell[0]) {
			fprintf(out, "%*s%s", (int)pending, "", cell);
			pending = 0;
		}
		if (table->columns[i].left)
			pending += blanks;
	}
	fputc('\n', out);
}

static const char *head_text(const struct fz_table *table, size_t line,
			     size_t column)
{
	return table->columns[column].head[line];
}

void fz_table_print(FILE *out, const struct fz_table *table)
{
	print_line(out, table, head_text, 0);
	print_line(out, table, head_text, 1);
	for (size_t row = 0; row < table->nr_rows; row++)
		print_line(out, table, cell_text, row);
}

void fz_table_print_left_out(FILE *out, const struct fz_table *table,
			     unsigned int width)
{
	const struct fz_margins margins = { width, 0, 0 };
	struct fz_note note = { .used = 0 };
	const char *separator = "not shown for want of columns: ";

	for (size_t i = 0; i < table->nr_columns; i++) {
		const struct fz_column *column = &table->columns[i];

		if (table->shown[i] || !fz_table_has(table, i))
			continue;
		fz_note_add(&note, "%s%s%s%s", separator, column->head[0],
			    column->head[0][0] ? " " : "", column->head[1]);
		separator = ", ";
	}
	fz_note_print(out, &note, margins);
}
