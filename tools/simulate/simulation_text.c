// SPDX-License-Identifier: GPL-2.0-or-later
/* A simulation as text: what was assumed, and a table. */
#include "simulation.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <fz/folio.h>
#include <fz/units.h>

#include "note.h"
#include "policy_objects.h"
#include "row_facts.h"
#include "simulation_bandwidth.h"
#include "table.h"
#include "text_parts.h"
#include "view.h"

static const struct fz_margins margins = { FZ_TEXT_WIDTH, 0, 2 };

enum column {
	COLUMN_ID,
	COLUMN_POLICY,
	COLUMN_PREEMPT,
	COLUMN_BATCH,
	COLUMN_WALL,
	COLUMN_STIME,
	COLUMN_UTIME,
	COLUMN_FAULT_P50,
	COLUMN_FAULT_P99,
	COLUMN_FAULT_MAX,
	COLUMN_RT_P50,
	COLUMN_RT_P99,
	COLUMN_RT_MAX,
	COLUMN_FAIR_P50,
	COLUMN_FAIR_P99,
	COLUMN_FAIR_MAX,
	COLUMN_STRETCH,
	COLUMN_WARNINGS,
	COLUMN_ILLEGAL,
	COLUMN_MEAN,
	COLUMN_PEAK,
	NR_COLUMNS,
};

/* Where there is no room for all, the middle of a distribution goes first. */
static const struct fz_column columns[NR_COLUMNS] = {
	[COLUMN_ID] = { .head = { "", "" } },
	[COLUMN_POLICY] = { .head = { "", "policy" },
			    .left = true,
			    .tight = true },
	[COLUMN_PREEMPT] = { .head = { "", "preempt" }, .left = true },
	[COLUMN_BATCH] = { .head = { "", "batch" } },
	[COLUMN_WALL] = { .head = { "", "wall" } },
	[COLUMN_STIME] = { .head = { "", "stime" }, .tight = true },
	[COLUMN_UTIME] = { .head = { "", "utime" }, .tight = true },
	[COLUMN_FAULT_P50] = { .head = { "fault", "p50" }, .expendable = 3 },
	[COLUMN_FAULT_P99] = { .head = { "fault", "p99" },
			       .tight = true,
			       .expendable = 1 },
	[COLUMN_FAULT_MAX] = { .head = { "fault", "max" },
			       .tight = true,
			       .expendable = 6 },
	[COLUMN_RT_P50] = { .head = { "rt", "p50" }, .expendable = 5 },
	[COLUMN_RT_P99] = { .head = { "rt", "p99" }, .tight = true },
	[COLUMN_RT_MAX] = { .head = { "rt", "max" },
			    .tight = true,
			    .expendable = 2 },
	[COLUMN_FAIR_P50] = { .head = { "fair", "p50" }, .expendable = 5 },
	[COLUMN_FAIR_P99] = { .head = { "fair", "p99" }, .tight = true },
	[COLUMN_FAIR_MAX] = { .head = { "fair", "max" },
			      .tight = true,
			      .expendable = 2 },
	[COLUMN_STRETCH] = { .head = { "longest", "stretch" },
			     .expendable = 4 },
	[COLUMN_WARNINGS] = { .head = { "", "warned" } },
	[COLUMN_ILLEGAL] = { .head = { "illegal", "sleeps" } },
	[COLUMN_MEAN] = { .head = { "GiB/s", "mean" } },
	[COLUMN_PEAK] = { .head = { "GiB/s", "peak" },
			  .tight = true,
			  .expendable = 7 },
};

/* What rows differ in; the rest is said once. */
struct varies {
	bool preempt;
	bool batch;
};

static struct varies varies_of(const struct fz_simulation *s)
{
	struct varies varies = { false, false };

	for (size_t i = 1; i < s->nr_rows; i++) {
		varies.preempt |= s->rows[i].preempt != s->rows[0].preempt;
		varies.batch |= fz_simulated_batch_bytes(&s->rows[i]) !=
				fz_simulated_batch_bytes(&s->rows[0]);
	}
	return varies;
}

static char *cell_of(struct fz_table *table, enum column column)
{
	return fz_table_cell(table, table->nr_rows, column);
}

static void ns_cell(struct fz_table *table, enum column column, uint64_t ns)
{
	fz_text_ns(cell_of(table, column), FZ_CELL_BYTES, (double)ns);
}

/* Three columns, beginning with that of the median. */
static void times_cells(struct fz_table *table, enum column p50,
			const struct fz_histogram *h)
{
	if (!h->count)
		return;
	ns_cell(table, p50, fz_histogram_quantile(h, 0.5));
	ns_cell(table, p50 + 1, fz_histogram_quantile(h, 0.99));
	ns_cell(table, p50 + 2, h->max);
}

/* Nothing where there is none. */
static void count_cell(struct fz_table *table, enum column column,
		       uint64_t count)
{
	snprintf(cell_of(table, column), FZ_CELL_BYTES, "%s", "-");
	if (count)
		snprintf(cell_of(table, column), FZ_CELL_BYTES, "%" PRIu64,
			 count);
}

static void gib_cell(struct fz_table *table, enum column column, double bps)
{
	snprintf(cell_of(table, column), FZ_CELL_BYTES, "%.1f",
		 fz_gib_per_s(bps));
}

static void fill_figures(struct fz_table *table, const struct fz_sim_result *r)
{
	struct fz_shown_bandwidth shown;

	ns_cell(table, COLUMN_WALL, r->wall_ns);
	ns_cell(table, COLUMN_STIME, r->stime_ns);
	ns_cell(table, COLUMN_UTIME, r->utime_ns);
	times_cells(table, COLUMN_FAULT_P50, &r->fault_ns);
	times_cells(table, COLUMN_RT_P50, &r->wake_ns[FZ_SIM_RT]);
	times_cells(table, COLUMN_FAIR_P50, &r->wake_ns[FZ_SIM_FAIR]);
	if (r->longest_stretch_ns)
		ns_cell(table, COLUMN_STRETCH, r->longest_stretch_ns);
	count_cell(table, COLUMN_WARNINGS, r->warnings);
	count_cell(table, COLUMN_ILLEGAL, r->illegal_sleeps);
	fz_simulated_bandwidth(r, &shown);
	if (isnan(shown.mean_bps))
		return;
	gib_cell(table, COLUMN_MEAN, shown.mean_bps);
	gib_cell(table, COLUMN_PEAK, shown.peak_bps);
}

static bool is_conditional(const struct fz_simulated_row *row)
{
	return fz_simulated_has_figures(row) && row->result.conditional;
}

static void fill_row(struct fz_table *table, const struct fz_simulation *s,
		     size_t index, struct varies varies)
{
	const struct fz_simulated_row *row = &s->rows[index];
	const uint64_t batch_bytes = fz_simulated_batch_bytes(row);

	snprintf(cell_of(table, COLUMN_ID), FZ_CELL_BYTES, "r%zu", index + 1);
	snprintf(cell_of(table, COLUMN_POLICY), FZ_CELL_BYTES, "%s%s",
		 row->policy->name,
		 is_conditional(row) ? FZ_CONDITIONAL_MARK : "");
	if (varies.preempt)
		snprintf(cell_of(table, COLUMN_PREEMPT), FZ_CELL_BYTES, "%s",
			 fz_preempt_name(row->preempt));
	if (varies.batch && batch_bytes)
		fz_format_bytes(cell_of(table, COLUMN_BATCH), FZ_CELL_BYTES,
				batch_bytes);
	if (fz_simulated_has_figures(row))
		fill_figures(table, &row->result);
	table->nr_rows++;
}

static int print_table(FILE *out, const struct fz_simulation *s)
{
	const struct varies varies = varies_of(s);
	struct fz_table table;
	int code = fz_table_init(&table, columns, NR_COLUMNS, s->nr_rows);

	if (code)
		return code;
	for (size_t i = 0; i < s->nr_rows; i++)
		if (s->rows[i].status != FZ_SIMULATED_NOT)
			fill_row(&table, s, i, varies);
	fz_table_fit(&table, FZ_TEXT_WIDTH);
	fz_table_print(out, &table);
	fz_table_print_left_out(out, &table, FZ_TEXT_WIDTH);
	fz_table_fini(&table);
	return 0;
}

static void add_clear(struct fz_note *note, const char *kind,
		      const struct fz_profile_clear *clear)
{
	fz_note_add(note, ", %s %s", kind, clear ? clear->name : "nothing");
}

static void print_profile(FILE *out, const struct fz_simulation *s)
{
	const struct fz_profile *profile = &s->profile.profile;
	struct fz_note note = { .used = 0 }, assumed = { .used = 0 };

	fz_note_add(&note, "modelled: prices of profile '%s' (%s)",
		    profile->name, profile->cpu);
	add_clear(&note, "cached", s->prices.cached);
	add_clear(&note, "streaming", s->prices.streaming);
	fz_note_print(out, &note, margins);
	for (size_t i = 0; i < s->options.nr_sets; i++)
		fz_note_add(&assumed, "%s%s",
			    i ? ", " : "assumed: ", s->options.sets[i]);
	fz_note_print(out, &assumed, margins);
}

static void add_source(struct fz_note *note, const struct fz_simulation *s)
{
	const struct fz_simulate_options *o = &s->options;
	char bytes[FZ_FORMAT_BYTES], folio[FZ_FORMAT_BYTES];

	fz_format_bytes(bytes, sizeof(bytes), o->bytes);
	fz_format_bytes(folio, sizeof(folio), o->folio_bytes);
	switch (o->source) {
	case FZ_SIMULATE_FILE:
		fz_note_add(note, "workload '%s', ", o->workload);
		fz_note_add_count(note, s->workload.nr_tasks, "task");
		return;
	case FZ_SIMULATE_GENERATED:
		fz_note_add(note, "%s, %s a process in folios of %s",
			    o->workload, bytes, folio);
		return;
	case FZ_SIMULATE_TRACES:
		break;
	}
	for (size_t i = 0; i < s->traces.nr; i++)
		fz_note_add(note, "%s'%s'", i ? ", " : "trace ",
			    s->traces.trace[i].path);
	fz_note_add(note,
		    ", %" PRIu64 " of %" PRIu64 " records replayed: %" PRIu64
		    " faults of folios of %s, ",
		    s->tally.replayed, s->tally.records,
		    s->tally.sizes[0].faults, folio);
	fz_note_add_count(note, s->workload.nr_tasks, "task");
}

static void add_kernel(struct fz_note *note, const struct fz_simulation *s)
{
	const struct fz_simulate_options *o = &s->options;
	const struct varies varies = varies_of(s);

	if (!varies.preempt && s->nr_rows)
		fz_note_add(note, "; preempt %s",
			    fz_preempt_name(s->rows[0].preempt));
	if (o->context != &fz_contexts[0])
		fz_note_add(note, "; context %s", o->context->name);
	if (o->init != FZ_INIT_OFF)
		fz_note_add(note, "; init_on_alloc of %s%s",
			    fz_init_on_alloc_name(o->init),
			    o->hugetlb ? ", which hugetlb folios do not know"
				       : "");
	if (o->wins < 1)
		fz_note_add(note, "; fair wake-ups win with probability %g",
			    o->wins);
}

static void print_workload(FILE *out, const struct fz_simulation *s)
{
	const struct fz_simulate_options *o = &s->options;
	struct fz_note note = { .used = 0 };
	char interval[FZ_FORMAT_BYTES];

	fz_note_add_count(&note, s->workload.nr_cpus, "CPU");
	fz_note_add(&note, ": ");
	add_source(&note, s);
	fz_text_ns(interval, sizeof(interval), (double)o->interval_ns);
	if (o->has_waker)
		fz_note_add(&note, "; %s wake-up each %s on each CPU",
			    o->waker == FZ_SIM_RT ? "an rt" : "a fair",
			    interval);
	add_kernel(&note, s);
	fz_note_print(out, &note, margins);
}

/* "hypothetical: ... (r1 r4)"; nothing if `is` holds for no row. */
static void print_rows_that(FILE *out, const struct fz_simulation *s,
			    const char *what,
			    bool (*is)(const struct fz_simulated_row *row))
{
	struct fz_note note = { .used = 0 };

	for (size_t i = 0; i < s->nr_rows; i++)
		if (is(&s->rows[i]))
			fz_note_add(&note, "%s%sr%zu", note.used ? "" : what,
				    note.used ? " " : " (", i + 1);
	if (note.used)
		fz_note_add(&note, ")");
	fz_note_print(out, &note, margins);
}

static bool is_hypothetical(const struct fz_simulated_row *row)
{
	return fz_simulated_has_figures(row) &&
	       !(row->policy->models & FZ_PREEMPT_BIT(row->preempt));
}

static bool is_unfinished(const struct fz_simulated_row *row)
{
	return fz_simulated_has_figures(row) && row->result.unfinished;
}

static void print_reasons(FILE *out, const struct fz_simulation *s)
{
	for (size_t i = 0; i < s->nr_rows; i++) {
		struct fz_note note = { .used = 0 };

		if (!s->rows[i].reason[0])
			continue;
		fz_note_add(&note, "r%zu: %s", i + 1, s->rows[i].reason);
		fz_note_print(out, &note, margins);
	}
}

/* The widest bins of all rows. */
static uint64_t bin_ns(const struct fz_simulation *s)
{
	uint64_t most_ns = FZ_SIMULATION_BIN_NS;

	for (size_t i = 0; i < s->nr_rows; i++) {
		const struct fz_simulated_row *row = &s->rows[i];

		if (fz_simulated_has_figures(row) &&
		    row->result.bandwidth_bin_ns > most_ns)
			most_ns = row->result.bandwidth_bin_ns;
	}
	return most_ns;
}

static void print_legend(FILE *out, const struct fz_simulation *s)
{
	struct fz_note note = { .used = 0 };
	char bin[FZ_FORMAT_BYTES];

	fz_text_ns(bin, sizeof(bin), (double)bin_ns(s));
	fz_note_add(&note,
		    "stime, utime: in the kernel and in user mode, over all "
		    "CPUs; rt, fair: from the wake-up of a task of that class "
		    "to its first instruction; longest stretch: in the kernel "
		    "without a place to reschedule; GiB/s: on the bus of all "
		    "nodes, peak in %s; seed %" PRIu64,
		    bin, s->options.replay.bench.seed);
	fz_note_print(out, &note, margins);
}

static int print_all(FILE *out, const struct fz_simulation *s)
{
	int code;

	print_profile(out, s);
	print_workload(out, s);
	fz_policy_objects_text(out, &s->options.replay.bench.policies, margins);
	fputc('\n', out);
	code = print_table(out, s);
	fputc('\n', out);
	print_reasons(out, s);
	print_rows_that(out, s,
			"hypothetical: no kernel of the policy runs with this "
			"preemption model",
			is_hypothetical);
	print_rows_that(out, s, FZ_CONDITIONAL_MARK " " FZ_CONDITIONAL_WORDS,
			is_conditional);
	print_rows_that(out, s, "unfinished: tasks had not ended",
			is_unfinished);
	if (s->partial)
		fputs("partial: stopped by a signal\n", out);
	print_legend(out, s);
	return code;
}

int fz_simulation_text(FILE *out, const struct fz_simulation *s)
{
	struct fz_view view;
	int code = fz_view_begin(&view);

	if (code)
		return code;
	code = print_all(view.stream, s);
	if (!code)
		return fz_view_end(&view, out);
	fz_view_drop(&view);
	return code;
}
