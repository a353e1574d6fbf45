// SPDX-License-Identifier: GPL-2.0-or-later
/* Curves from rounds on real memory. */
#include "tune_measure.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fz/experiment.h>
#include <fz/folio.h>
#include <fz/policies.h>

#include "command.h"
#include "progress.h"

/* Time for the rounds of one experiment: of the whole curve, or a step. */
#define BUDGET_NS (3000ull * 1000 * 1000)

static void add_curve(struct fz_tune *tune, const struct fz_clear *clear)
{
	struct fz_tune_curve *curve = &tune->curves[tune->nr_curves++];
	const char *why = fz_clear_why_unsupported(clear);

	curve->clear = clear->name;
	curve->primitive = clear;
	snprintf(curve->reason, sizeof(curve->reason), "%s", why ? why : "");
}

void fz_tune_measure_curves(struct fz_tune *tune)
{
	const struct fz_bench_options *o = &tune->options->bench;

	for (size_t i = 0; i < o->nr_clears; i++)
		add_curve(tune, o->clears[i]);
	if (!o->nr_clears)
		add_curve(tune, fz_clear_kernel_choice());
}

int fz_tune_measure_open(struct fz_tune_measure *measure, struct fz_tune *tune,
			 const struct fz_hooks *hooks, const unsigned int *cpus,
			 const atomic_int *stop)
{
	const struct fz_bench_memory *memory = &measure->memories.memory[0];
	const struct fz_bench_options *o = &tune->options->bench;
	struct fz_err err = { "" };

	fz_bench_memories_open(&measure->memories, o, hooks, tune->machine,
			       cpus);
	if (!memory->buffers)
		return FZ_EXIT_CANNOT_RUN;
	/* Without huge pages these are others than those of the plan. */
	tune->page = memory->page;
	tune->folio_bytes = memory->folio_bytes;
	tune->size_bytes = memory->bytes;
	if (fz_bench_open(&measure->bench, hooks, o->seed,
			  memory->folio_bytes >> FZ_PAGE_SHIFT, &err)) {
		fz_complain("%s", err.msg);
		return FZ_EXIT_FAILED;
	}
	measure->bench.stop = stop;
	measure->has_bench = true;
	return FZ_EXIT_DONE;
}

void fz_tune_measure_close(struct fz_tune_measure *measure)
{
	fz_bench_memories_close(&measure->memories);
	if (measure->has_bench)
		fz_bench_close(&measure->bench);
	measure->has_bench = false;
}

/* A row of the curve, and the one that its share is of. */
struct tune_row {
	struct fz_tune_curve *curve;
	size_t whole; /* index of a row */
};

/* The rows of an experiment. */
struct batch_rows {
	struct fz_row *rows;       /* [nr] */
	struct tune_row *tune_row; /* [nr] */
	size_t nr;
	struct fz_buffer *const *buffers;
};

static size_t add_row(struct batch_rows *rows, const struct fz_tune *tune,
		      struct fz_tune_curve *curve, uint64_t batch_bytes)
{
	struct fz_row *row = &rows->rows[rows->nr];

	*row = (struct fz_row){
		.config = {
			.engine = &fz_engine_buffers,
			.policy = fz_policy_find("batched-pages"),
			.clear = curve->primitive,
			.page = tune->page,
			.folio_bytes = tune->folio_bytes,
			.bytes = tune->size_bytes,
			.fault = FZ_FAULT_AT,
			.preempt = tune->options->preempt,
			.batch_pages = batch_bytes >> FZ_PAGE_SHIFT,
			.radius_pages = FZ_RADIUS_PAGES,
			.use = FZ_USE_NONE,
		},
	};
	fz_row_set_buffers(row, rows->buffers);
	rows->tune_row[rows->nr].curve = curve;
	return rows->nr++;
}

/* Each curve's whole folio is among them: shares are of the same rounds. */
static void make_rows(struct batch_rows *rows, const struct fz_tune *tune,
		      const struct fz_tune_ask *asks, size_t nr_asks)
{
	size_t whole = 0;

	for (size_t i = 0; i < nr_asks; i++) {
		struct fz_tune_curve *curve = asks[i].curve;
		size_t row;

		if (!i || asks[i - 1].curve != curve)
			whole = add_row(rows, tune, curve, tune->folio_bytes);
		row = asks[i].batch_bytes == tune->folio_bytes
			      ? whole
			      : add_row(rows, tune, curve, asks[i].batch_bytes);
		rows->tune_row[whole].whole = whole;
		rows->tune_row[row].whole = whole;
	}
}

/* Up to the colon. */
static bool same_kind(const char *a, const char *b)
{
	const size_t length = strcspn(a, ":");

	return length == strcspn(b, ":") && strncmp(a, b, length) == 0;
}

static void keep_warning(struct fz_tune_curve *curve, const char *warning)
{
	for (size_t i = 0; i < curve->nr_warnings; i++)
		if (same_kind(curve->warnings[i], warning))
			return;
	if (curve->nr_warnings < FZ_MAX_WARNINGS)
		snprintf(curve->warnings[curve->nr_warnings++],
			 FZ_WARNING_BYTES, "%s", warning);
}

static void keep_row(struct fz_tune *tune, const struct batch_rows *rows,
		     size_t i)
{
	const struct fz_row *row = &rows->rows[i];
	const struct tune_row *of = &rows->tune_row[i];
	const struct fz_references others = { .baseline =
						      &rows->rows[of->whole] };
	struct fz_figures figures;

	fz_figures_of(row, others, tune->machine->topology.llc_bytes,
		      tune->options->bench.seed, &figures);
	if (!figures.baseline || !figures.has_stretches) {
		if (row->status == FZ_ROW_UNSUPPORTED && !of->curve->nr)
			memcpy(of->curve->reason, row->reason,
			       sizeof(of->curve->reason));
		return;
	}
	fz_tune_add(
		of->curve,
		&(struct fz_tune_sample){
			.batch_bytes = row->config.batch_pages << FZ_PAGE_SHIFT,
			.bps = figures.bandwidth.median_bps,
			.bps_ci95 = figures.bandwidth.ci95_bps,
			.share = figures.ratio.median,
			.share_ci95 = figures.ratio.ci95,
			.stretch_ns = (double)figures.interval_ns.p99,
			.longest_ns = (double)figures.interval_ns.max,
			.rounds = fz_row_data(row)->rounds,
		});
	for (size_t w = 0; w < figures.nr_warnings; w++)
		keep_warning(of->curve, figures.warnings[w]);
}

static int run_rows(struct fz_tune_measure *measure, struct fz_tune *tune,
		    struct batch_rows *rows, struct fz_err *err)
{
	struct fz_progress progress;
	struct fz_experiment experiment = {
		.rows = rows->rows,
		.nr_rows = rows->nr,
		.repeat = tune->options->bench.repeat,
		.budget_ns = BUDGET_NS,
		.progress = fz_progress_step,
		.progress_state = &progress,
	};
	int code;

	fz_progress_init(&progress);
	code = fz_experiment_run(&experiment, &measure->bench, err);
	fz_progress_end(&progress);
	for (size_t i = 0; i < rows->nr && (!code || code == -EINTR); i++)
		keep_row(tune, rows, i);
	return code;
}

static int sample(void *state, struct fz_tune *tune,
		  const struct fz_tune_ask *asks, size_t nr_asks,
		  struct fz_err *err)
{
	struct fz_tune_measure *measure = state;
	const size_t max = nr_asks + tune->nr_curves;
	struct batch_rows rows = {
		.rows = calloc(max + 1, sizeof(*rows.rows)),
		.tune_row = calloc(max + 1, sizeof(*rows.tune_row)),
		.buffers = measure->memories.memory[0].buffers,
	};
	int code = -ENOMEM;

	if (rows.rows && rows.tune_row) {
		make_rows(&rows, tune, asks, nr_asks);
		code = run_rows(measure, tune, &rows, err);
	} else {
		fz_err_set(err, code, "no memory for the rows");
	}
	for (size_t i = 0; i < rows.nr; i++)
		fz_row_fini(&rows.rows[i]);
	free(rows.rows);
	free(rows.tune_row);
	return code;
}

struct fz_tune_source fz_tune_measure_source(struct fz_tune_measure *measure)
{
	return (struct fz_tune_source){ measure, sample };
}
