// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of a group of rows. */
#include "text_parts.h"

#include <math.h>
#include <string.h>

#include <fz/units.h>

#include "row_facts.h"
#include "row_groups.h"
#include "table.h"

enum column {
	COLUMN_ID,
	COLUMN_NAME,
	COLUMN_CLEAR,
	COLUMN_STREAM,
	COLUMN_PREEMPT,
	COLUMN_BATCH,
	COLUMN_RADIUS,
	COLUMN_BANDWIDTH,
	COLUMN_RATIO,
	COLUMN_BASELINE,
	COLUMN_PREDICTION,
	COLUMN_SCALING,
	COLUMN_THREAD,
	COLUMN_FAULT_P50,
	COLUMN_FAULT_P99,
	COLUMN_LONGEST,
	COLUMN_WAKEUP,
	COLUMN_LINE,
	COLUMN_NEAR,
	COLUMN_FOLIO,
	COLUMN_READ,
	COLUMN_SHARE,
	NR_COLUMNS,
};

/* What the bandwidth tells already goes first, the name of a row never. */
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
	[COLUMN_BANDWIDTH] = { .head = { "GiB/s", "+- 95 %" } },
	[COLUMN_RATIO] = { .head = { "ratio to", "baseline" } },
	[COLUMN_BASELINE] = { .head = { "", "of" }, .tight = true },
	[COLUMN_PREDICTION] = { .head = { "model /", "measured" } },
	[COLUMN_SCALING] = { .head = { "times", "threads" } },
	[COLUMN_THREAD] = { .head = { "a thread", "GiB/s" }, .expendable = 1 },
	[COLUMN_FAULT_P50] = { .head = { "fault", "p50" }, .expendable = 5 },
	[COLUMN_FAULT_P99] = { .head = { "fault", "p99" },
			       .tight = true,
			       .expendable = 6 },
	[COLUMN_LONGEST] = { .head = { "longest", "stretch" },
			     .expendable = 2 },
	[COLUMN_WAKEUP] = { .head = { "wake-up", "p99" },
			    .tight = true,
			    .expendable = 4 },
	[COLUMN_LINE] = { .head = { "line", "use" }, .expendable = 8 },
	[COLUMN_NEAR] = { .head = { "near", "use" }, .expendable = 3 },
	[COLUMN_FOLIO] = { .head = { "folio", "use" }, .expendable = 7 },
	[COLUMN_READ] = { .head = { "reading", "GiB/s" }, .expendable = 1 },
	[COLUMN_SHARE] = { .head = { "zeroing", "share" }, .expendable = 1 },
};

static const enum column param_columns[FZ_NR_PARAMS] = {
	[FZ_PARAM_CLEAR] = COLUMN_CLEAR,     [FZ_PARAM_STREAM] = COLUMN_STREAM,
	[FZ_PARAM_PREEMPT] = COLUMN_PREEMPT, [FZ_PARAM_BATCH] = COLUMN_BATCH,
	[FZ_PARAM_RADIUS] = COLUMN_RADIUS,
};

void fz_text_ns(char *buf, size_t cap, double ns)
{
	char *blank;

	if (!isfinite(ns)) {
		snprintf(buf, cap, "-");
		return;
	}
	fz_format_ns(buf, cap, ns);
	blank = strchr(buf, ' ');
	if (blank)
		memmove(blank, blank + 1, strlen(blank));
}

/* Half the width of an interval, to its farther end. */
static double half_width(double median, const struct fz_interval *interval)
{
	return fmax(interval->hi - median, median - interval->lo);
}

/* "1.81 +-0.02"; the interval only where there is one. */
static void value_cell(char *cell, int decimals, double value, double half)
{
	if (!isfinite(value))
		snprintf(cell, FZ_CELL_BYTES, "-");
	else if (!isfinite(half))
		snprintf(cell, FZ_CELL_BYTES, "%.*f", decimals, value);
	else
		snprintf(cell, FZ_CELL_BYTES, "%.*f +-%.*f", decimals, value,
			 decimals, half);
}

/* One round has no interval, nor have rounds that are worked out. */
static void bandwidth_cell(char *cell, const struct fz_bandwidth *bandwidth,
			   size_t rounds)
{
	const double gib = fz_gib_per_s(bandwidth->median_bps);
	const double half =
		half_width(bandwidth->median_bps, &bandwidth->ci95_bps);

	value_cell(cell, gib < 1.0 ? 4 : 2, gib,
		   rounds > 1 ? fz_gib_per_s(half) : NAN);
}

static void ratio_cell(char *cell, const struct fz_figures *figures,
		       const struct fz_row *row)
{
	const struct fz_ratio *ratio = &figures->ratio;

	if (!figures->baseline)
		snprintf(cell, FZ_CELL_BYTES, "-");
	else if (figures->baseline == row)
		snprintf(cell, FZ_CELL_BYTES, "baseline");
	else
		value_cell(cell, 2, ratio->median,
			   ratio->rounds > 1
				   ? half_width(ratio->median, &ratio->ci95)
				   : NAN);
}

static char *cell_of(struct fz_table *table, enum column column)
{
	return fz_table_cell(table, table->nr_rows, column);
}

static void ns_cell(struct fz_table *table, enum column column, double ns)
{
	fz_text_ns(cell_of(table, column), FZ_CELL_BYTES, ns);
}

static void fill_names(struct fz_table *table, const struct fz_labels *labels,
		       const struct fz_row *row, bool wins)
{
	const struct fz_result *result = labels->result;

	snprintf(cell_of(table, COLUMN_ID), FZ_CELL_BYTES, "%sr%zu",
		 wins ? "*" : "", fz_row_index(result, row) + 1);
	if (!labels->has_common_name)
		fz_row_name(cell_of(table, COLUMN_NAME), FZ_CELL_BYTES, result,
			    row);
	for (enum fz_row_param p = 0; p < FZ_NR_PARAMS; p++)
		if (labels->varies[p])
			fz_row_param(cell_of(table, param_columns[p]),
				     FZ_CELL_BYTES, row, p);
}

/* "1.04 of r1": bandwidth over that of the same row, measured. */
static void prediction_cell(char *cell, const struct fz_result *result,
			    const struct fz_figures *figures)
{
	if (figures->measured)
		snprintf(cell, FZ_CELL_BYTES, "%.2f of r%zu",
			 figures->prediction.median,
			 fz_row_index(result, figures->measured) + 1);
}

/* "1.94 of r1": bandwidth over that of fewer threads. */
static void scaling_cell(char *cell, const struct fz_result *result,
			 const struct fz_figures *figures)
{
	if (figures->scaling_base)
		snprintf(cell, FZ_CELL_BYTES, "%.2f of r%zu",
			 figures->scaling.median,
			 fz_row_index(result, figures->scaling_base) + 1);
}

/* The slowest and the fastest thread. */
static void thread_cell(char *cell, const struct fz_row *row)
{
	double min = INFINITY, max = 0.0;

	if (row->config.threads < 2)
		return;
	for (unsigned int i = 0; i < row->config.threads; i++) {
		const double gib = fz_gib_per_s(fz_thread_bps(row, i));

		min = fmin(min, gib);
		max = fmax(max, gib);
	}
	snprintf(cell, FZ_CELL_BYTES, "%.2f-%.2f", min, max);
}

static void fill_threads(struct fz_table *table, const struct fz_result *result,
			 const struct fz_row *row,
			 const struct fz_figures *figures)
{
	const struct fz_phases *phases = &figures->phases;

	scaling_cell(cell_of(table, COLUMN_SCALING), result, figures);
	thread_cell(cell_of(table, COLUMN_THREAD), row);
	if (!figures->has_phases)
		return;
	if (phases->use_s > 0.0)
		snprintf(cell_of(table, COLUMN_READ), FZ_CELL_BYTES, "%.1f",
			 fz_gib_per_s((double)fz_row_round_bytes(&row->config) /
				      phases->use_s));
	snprintf(cell_of(table, COLUMN_SHARE), FZ_CELL_BYTES, "%.0f%%",
		 phases->zero_share_pct);
}

static void fill_times(struct fz_table *table, const struct fz_figures *figures)
{
	const bool has = figures->has_stretches;

	ns_cell(table, COLUMN_FAULT_P50, (double)figures->fault_ns.p50);
	ns_cell(table, COLUMN_FAULT_P99, (double)figures->fault_ns.p99);
	ns_cell(table, COLUMN_LONGEST,
		has ? (double)figures->interval_ns.max : NAN);
	ns_cell(table, COLUMN_WAKEUP, has ? figures->wakeup_ns.p99_ns : NAN);
	/* The line is part of what near and folio cost. */
	ns_cell(table, COLUMN_LINE,
		isfinite(figures->near_ns) ? NAN : figures->line_ns);
	ns_cell(table, COLUMN_NEAR, figures->near_ns);
	ns_cell(table, COLUMN_FOLIO, figures->folio_ns);
}

/* What the rows of a group have in common. */
struct group {
	const struct fz_labels *labels;
	const struct fz_row *winner; /* NULL = none */
	bool name_baseline;          /* the table does not say which */
};

static void fill_row(struct fz_table *table, const struct group *group,
		     size_t index)
{
	const struct fz_result *result = group->labels->result;
	const struct fz_row *row = &result->rows[index];
	const struct fz_figures *figures = &result->figures[index];

	fill_names(table, group->labels, row, row == group->winner);
	bandwidth_cell(
		cell_of(table, COLUMN_BANDWIDTH), &figures->bandwidth,
		row->status == FZ_ROW_MODELLED ? 1 : fz_row_data(row)->rounds);
	ratio_cell(cell_of(table, COLUMN_RATIO), figures, row);
	if (group->name_baseline && figures->baseline &&
	    figures->baseline != row)
		snprintf(cell_of(table, COLUMN_BASELINE), FZ_CELL_BYTES,
			 "of r%zu",
			 fz_row_index(result, figures->baseline) + 1);
	prediction_cell(cell_of(table, COLUMN_PREDICTION), result, figures);
	fill_threads(table, result, row, figures);
	fill_times(table, figures);
	table->nr_rows++;
}

/* Names and settings that leave no room for figures stand below the table. */
static void move_names(struct fz_table *table)
{
	for (size_t row = 0; row < table->nr_rows; row++)
		for (size_t i = COLUMN_NAME; i <= COLUMN_RADIUS; i++)
			fz_table_cell(table, row, i)[0] = '\0';
	fz_table_fit(table, FZ_TEXT_WIDTH);
}

static void print_names(FILE *out, const struct fz_labels *labels)
{
	const struct fz_margins margins = { FZ_TEXT_WIDTH, 0, 2 };

	for (size_t i = 0; i < labels->result->nr_rows; i++) {
		struct fz_note note = { .used = 0 };
		char label[FZ_LABEL_BYTES];

		if (!fz_row_in_group(labels->result, labels->lead, i))
			continue;
		fz_row_label(label, sizeof(label), labels,
			     &labels->result->rows[i]);
		fz_note_add(&note, "r%zu: %s", i + 1, label);
		fz_note_print(out, &note, margins);
	}
}

int fz_text_table(FILE *out, const struct fz_labels *labels)
{
	const struct fz_result *result = labels->result;
	const size_t lead = labels->lead;
	const struct fz_verdict *verdict = fz_group_verdict(result, lead);
	const struct fz_baselines baselines = fz_group_baselines(result, lead);
	const struct group group = {
		.labels = labels,
		.winner = verdict ? verdict->winner : NULL,
		.name_baseline = baselines.nr > 1 || baselines.outside,
	};
	struct fz_table table;
	bool fits;
	int code;

	code = fz_table_init(&table, columns, NR_COLUMNS, result->nr_rows);
	if (code)
		return code;
	for (size_t i = 0; i < result->nr_rows; i++)
		if (fz_row_in_group(result, lead, i))
			fill_row(&table, &group, i);
	fits = fz_table_fit(&table, FZ_TEXT_WIDTH);
	if (!fits)
		move_names(&table);
	fz_table_print(out, &table);
	fz_table_print_left_out(out, &table, FZ_TEXT_WIDTH);
	if (!fits)
		print_names(out, labels);
	fz_table_fini(&table);
	return 0;
}
