// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of wake-ups: what the model says beside what was measured. */
#include "text_parts.h"

#include <inttypes.h>
#include <math.h>

#include <fz/wake_watch.h>

#include "row_facts.h"
#include "row_groups.h"
#include "table.h"

enum column {
	COLUMN_ID,
	COLUMN_NAME,
	COLUMN_BY,
	COLUMN_NR,
	COLUMN_MODEL, /* and the two behind it */
	COLUMN_MEASURED = COLUMN_MODEL + 3,
	NR_COLUMNS = COLUMN_MEASURED + 3,
};

static const struct fz_column columns[NR_COLUMNS] = {
	[COLUMN_ID] = { .head = { "", "" } },
	[COLUMN_NAME] = { .head = { "", "wake-ups" },
			  .left = true,
			  .tight = true,
			  .expendable = 1 }, /* as in the table above */
	[COLUMN_BY] = { .head = { "", "by" }, .left = true },
	[COLUMN_NR] = { .head = { "", "number" } },
	[COLUMN_MODEL] = { .head = { "model", "p50" } },
	[COLUMN_MODEL + 1] = { .head = { "", "p99" }, .tight = true },
	[COLUMN_MODEL + 2] = { .head = { "", "max" }, .tight = true },
	[COLUMN_MEASURED] = { .head = { "measured", "p50" } },
	[COLUMN_MEASURED + 1] = { .head = { "", "p99" }, .tight = true },
	[COLUMN_MEASURED + 2] = { .head = { "", "max" }, .tight = true },
};

static void fill_times(struct fz_table *table, enum column first,
		       const struct fz_wakeup *wakeup)
{
	const double ns[] = { wakeup->p50_ns, wakeup->p99_ns, wakeup->max_ns };

	for (size_t i = 0; i < 3; i++)
		fz_text_ns(fz_table_cell(table, table->nr_rows, first + i),
			   FZ_CELL_BYTES, ns[i]);
}

static char *cell_of(struct fz_table *table, enum column column)
{
	return fz_table_cell(table, table->nr_rows, column);
}

static void fill_row(struct fz_table *table, const struct fz_labels *labels,
		     size_t index)
{
	const struct fz_row *row = &labels->result->rows[index];
	const struct fz_figures *figures = &labels->result->figures[index];
	const struct fz_wake_source *woken = fz_row_data(row)->woken;

	snprintf(cell_of(table, COLUMN_ID), FZ_CELL_BYTES, "r%zu", index + 1);
	fz_row_label(cell_of(table, COLUMN_NAME), FZ_CELL_BYTES, labels, row);
	snprintf(cell_of(table, COLUMN_BY), FZ_CELL_BYTES, "%s",
		 fz_waker_kind_name(woken->kind));
	snprintf(cell_of(table, COLUMN_NR), FZ_CELL_BYTES, "%" PRIu64,
		 figures->nr_wakeups);
	if (figures->wakeup_model)
		fill_times(table, COLUMN_MODEL, &figures->wakeup_ns);
	if (figures->nr_wakeups)
		fill_times(table, COLUMN_MEASURED, &figures->measured_ns);
	table->nr_rows++;
}

static void fill_baseline(struct fz_table *table, const char *where,
			  const struct fz_wake_source *source,
			  const struct fz_wakeup *wakeup)
{
	snprintf(cell_of(table, COLUMN_BY), FZ_CELL_BYTES, "%s %s",
		 fz_waker_kind_name(source->kind), where);
	fill_times(table, COLUMN_MEASURED, wakeup);
	table->nr_rows++;
}

static bool is_woken(const struct fz_labels *labels, size_t index)
{
	return fz_row_in_group(labels->result, labels->lead, index) &&
	       fz_row_data(&labels->result->rows[index])->woken;
}

/* Each source once, below the rows that it woke. */
static void fill_baselines(struct fz_table *table,
			   const struct fz_labels *labels)
{
	const struct fz_wake_source *seen[2] = { NULL, NULL };
	size_t nr = 0;

	for (size_t i = 0; i < labels->result->nr_rows && nr < 2; i++) {
		const struct fz_wake_source *source;

		if (!is_woken(labels, i))
			continue;
		source = fz_row_data(&labels->result->rows[i])->woken;
		if (source == seen[0])
			continue;
		seen[nr++] = source;
		if (source->has_idle)
			fill_baseline(table, "(idle CPU)", source,
				      &source->idle);
		fill_baseline(table,
			      source->has_idle ? "(busy CPU)" : "(looked at)",
			      source, &source->busy);
	}
}

int fz_text_wakeups(FILE *out, const struct fz_labels *labels)
{
	const size_t nr_rows = labels->result->nr_rows;
	struct fz_table table;
	int code = fz_table_init(&table, columns, NR_COLUMNS, nr_rows + 4);

	if (code)
		return code;
	for (size_t i = 0; i < nr_rows; i++)
		if (is_woken(labels, i))
			fill_row(&table, labels, i);
	fill_baselines(&table, labels);
	if (table.nr_rows) {
		fz_table_fit(&table, FZ_TEXT_WIDTH);
		fputc('\n', out);
		fz_table_print(out, &table);
	}
	fz_table_fini(&table);
	return 0;
}
