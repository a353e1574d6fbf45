// SPDX-License-Identifier: GPL-2.0-or-later
/* The what-if table as text: one for each folio size and engine. */
#include "replay_report.h"

#include <math.h>
#include <string.h>

#include "policy_objects.h"
#include "replay_words.h"
#include "row_facts.h"
#include "row_groups.h"
#include "table.h"
#include "text_parts.h"
#include "view.h"

static const struct fz_margins margins = { FZ_TEXT_WIDTH, 0, 2 };

enum column {
	COLUMN_ID,
	COLUMN_NAME,
	COLUMN_CLEAR,
	COLUMN_STREAM,
	COLUMN_PREEMPT,
	COLUMN_BATCH,
	COLUMN_RADIUS,
	COLUMN_P50,
	COLUMN_P99,
	COLUMN_MAX,
	COLUMN_TOTAL,
	COLUMN_LONGEST,
	COLUMN_WAKEUP,
	NR_COLUMNS,
};

static const struct fz_column columns[NR_COLUMNS] = {
	[COLUMN_ID] = { .head = { "", "" } },
	[COLUMN_NAME] = { .head = { "", "policy" },
			  .left = true,
			  .tight = true },
	[COLUMN_CLEAR] = { .head = { "", "clear" }, .left = true },
	[COLUMN_STREAM] = { .head = { "stream", "clear" }, .left = true },
	[COLUMN_PREEMPT] = { .head = { "", "preempt" }, .left = true },
	[COLUMN_BATCH] = { .head = { "", "batch" } },
	[COLUMN_RADIUS] = { .head = { "radius", "pages" } },
	[COLUMN_P50] = { .head = { "stall", "p50" }, .expendable = 2 },
	[COLUMN_P99] = { .head = { "stall", "p99" },
			 .tight = true,
			 .expendable = 3 },
	[COLUMN_MAX] = { .head = { "stall", "max" },
			 .tight = true,
			 .expendable = 4 },
	[COLUMN_TOTAL] = { .head = { "total", "zeroing" } },
	[COLUMN_LONGEST] = { .head = { "longest", "stretch" },
			     .expendable = 1 },
	[COLUMN_WAKEUP] = { .head = { "wake-up", "p99" },
			    .tight = true,
			    .expendable = 1 },
};

static const enum column param_columns[FZ_NR_PARAMS] = {
	[FZ_PARAM_CLEAR] = COLUMN_CLEAR,     [FZ_PARAM_STREAM] = COLUMN_STREAM,
	[FZ_PARAM_PREEMPT] = COLUMN_PREEMPT, [FZ_PARAM_BATCH] = COLUMN_BATCH,
	[FZ_PARAM_RADIUS] = COLUMN_RADIUS,
};

static char *cell_of(struct fz_table *table, enum column column)
{
	return fz_table_cell(table, table->nr_rows, column);
}

static void ns_cell(struct fz_table *table, enum column column, double ns)
{
	fz_text_ns(cell_of(table, column), FZ_CELL_BYTES, ns);
}

static void fill_row(struct fz_table *table, const struct fz_labels *labels,
		     size_t index)
{
	const struct fz_result *result = labels->result;
	const struct fz_row *row = &result->rows[index];
	const struct fz_figures *figures = &result->figures[index];
	const bool has = figures->has_stretches;

	snprintf(cell_of(table, COLUMN_ID), FZ_CELL_BYTES, "r%zu", index + 1);
	snprintf(cell_of(table, COLUMN_NAME), FZ_CELL_BYTES, "%s%s",
		 fz_row_policy_name(result->machine, row), fz_row_mark(row));
	for (enum fz_row_param p = 0; p < FZ_NR_PARAMS; p++)
		if (labels->varies[p])
			fz_row_param(cell_of(table, param_columns[p]),
				     FZ_CELL_BYTES, row, p);
	ns_cell(table, COLUMN_P50, (double)figures->fault_ns.p50);
	ns_cell(table, COLUMN_P99, (double)figures->fault_ns.p99);
	ns_cell(table, COLUMN_MAX, (double)figures->fault_ns.max);
	ns_cell(table, COLUMN_TOTAL, 1e9 * row->seconds[0]);
	ns_cell(table, COLUMN_LONGEST,
		has ? (double)figures->interval_ns.max : NAN);
	ns_cell(table, COLUMN_WAKEUP, has ? figures->wakeup_ns.p99_ns : NAN);
	table->nr_rows++;
}

static int print_table(FILE *out, const struct fz_labels *labels)
{
	const struct fz_result *result = labels->result;
	struct fz_table table;
	int code = fz_table_init(&table, columns, NR_COLUMNS, result->nr_rows);

	if (code)
		return code;
	for (size_t i = 0; i < result->nr_rows; i++)
		if (fz_row_in_group(result, labels->lead, i))
			fill_row(&table, labels, i);
	fz_table_fit(&table, FZ_TEXT_WIDTH);
	fz_table_print(out, &table);
	fz_table_fini(&table);
	return 0;
}

static void print_heading(FILE *out, const struct fz_labels *labels)
{
	const struct fz_row *lead = &labels->result->rows[labels->lead];
	struct fz_note note = { .used = 0 };
	char text[FZ_LABEL_BYTES];

	fz_note_add(&note, "== ");
	fz_note_add_size(&note, labels->result->replay, lead);
	if (lead->config.engine->zero) {
		fz_about_bytes(text, sizeof(text), lead->memory.bytes);
		fz_note_add(&note, "; measured on %s of", text);
		fz_page_text(text, sizeof(text), lead->config.page);
		fz_note_add(&note, " %s", text);
	} else {
		fz_note_add(&note, "; modelled");
	}
	fz_note_add_settings(&note, labels);
	fz_note_print(out, &note, margins);
}

static int print_group(FILE *out, const struct fz_result *result, size_t lead)
{
	const struct fz_labels labels = fz_labels_of(result, lead);

	fputc('\n', out);
	print_heading(out, &labels);
	return print_table(out, &labels);
}

static void print_legend(FILE *out)
{
	struct fz_note note = { .used = 0 };

	fz_note_add(&note, "stall: time to zero the folio of a fault; longest "
			   "stretch: without a resched point that acts; "
			   "wake-up: modelled from the stretches");
	fz_note_print(out, &note, margins);
}

static int print_all(FILE *out, const struct fz_result *result)
{
	int code = 0;

	fz_text_machine(out, result);
	fz_policy_objects_text(out, result->policies, margins);
	fz_replay_print_trace(out, result->replay, margins);
	for (size_t i = 0; i < result->nr_rows && !code; i++)
		if (fz_row_leads_group(result, i))
			code = print_group(out, result, i);
	fputc('\n', out);
	fz_text_doubts(out, result);
	print_legend(out);
	return code;
}

int fz_replay_text(FILE *out, const struct fz_result *result)
{
	struct fz_view view;
	int code = fz_view_begin(&view);

	if (code)
		return code;
	code = print_all(view.stream, result);
	if (!code)
		return fz_view_end(&view, out);
	fz_view_drop(&view);
	return code;
}
