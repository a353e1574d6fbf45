// SPDX-License-Identifier: GPL-2.0-or-later
/* Rows of made-up results. */
#include "sample_rows.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <fz/folio.h>
#include <fz/policies.h>

static void set_plan(struct fz_row_config *config, const struct sample_row *row)
{
	config->engine = &fz_engine_buffers;
	config->policy = fz_policy_find(row->policy);
	config->clear = fz_clear_find(row->clear ? row->clear : "stosb");
	config->stream = row->stream ? fz_clear_find(row->stream) : NULL;
	config->preempt = row->preempt;
	config->batch_pages = row->batch_pages;
	config->radius_pages = FZ_RADIUS_PAGES;
	assert(config->policy && config->clear);
	assert(!row->stream || config->stream);
	if (!(config->policy->uses & FZ_USES_FAULT))
		config->fault = FZ_FAULT_NONE;
}

static void set_config(struct fz_row_config *config,
		       const struct sample_row *row)
{
	static const struct fz_page_size huge_2m = { FZ_PAGES_HUGETLB,
						     2 * MIB };

	*config = (struct fz_row_config){
		.engine = &fz_engine_kernel,
		.page = row->page.bytes ? row->page : huge_2m,
		.bytes = row->bytes ? row->bytes : 512 * MIB,
		.fault = row->fault_at ? FZ_FAULT_AT : FZ_FAULT_RANDOM,
		.fault_page = row->fault_page,
		.threads = row->threads,
		.use = row->threads ? FZ_USE_PHASE : FZ_USE_NEAR,
	};
	config->folio_bytes =
		row->folio_bytes ? row->folio_bytes : config->page.bytes;
	if (row->policy)
		set_plan(config, row);
}

/* Most stretches short, the time in the long ones: two humps. */
static void add_stretches(struct fz_histogram *h, double fault_ns,
			  double points)
{
	const uint64_t step_ns = (uint64_t)(fault_ns / (points + 1.0));

	for (uint64_t i = 0; i < 1000; i++)
		fz_histogram_add(h, step_ns + i * step_ns / 4000);
	for (uint64_t i = 0; i < 500; i++)
		fz_histogram_add(h, step_ns / 60 + i / 4);
	fz_histogram_add(h, 2 * step_ns);
}

/* Later threads are a little faster and read in half the time. */
static void set_round(struct fz_row *row, size_t round, double seconds)
{
	const unsigned int nr = fz_row_nr_buffers(&row->config);

	row->seconds[round] = seconds;
	row->use_seconds[round] = 0.5 * seconds;
	for (unsigned int i = 0; i < nr; i++)
		row->threads[round * nr + i] = (struct fz_round_thread){
			.zero_seconds = seconds * (1.0 - 0.01 * i),
			.use_seconds = 0.5 * seconds,
			.cpu = i,
		};
}

static void set_data(struct fz_row *row, const struct sample_row *from)
{
	const double seconds = (double)fz_row_round_bytes(&row->config) /
			       (from->gib * (double)GIB);

	if (fz_row_begin(row, from->rounds))
		abort();
	for (size_t i = 0; i < from->rounds; i++)
		set_round(row, i, seconds * (1.0 + 0.001 * (double)(i % 3)));
	row->rounds = from->rounds;
	row->conditional = from->conditional;
	row->noise =
		(struct fz_noise){ .steal_ms = 3, .involuntary_switches = 7 };
	add_stretches(&row->samples->stretch_ns,
		      1e9 * seconds * (double)row->config.folio_bytes /
			      (double)row->config.bytes,
		      from->points);
}

static struct fz_percentiles percentiles_around(double ns)
{
	return (struct fz_percentiles){
		.min = (uint64_t)(0.9 * ns),
		.mean = 1.01 * ns,
		.p50 = (uint64_t)ns,
		.p90 = (uint64_t)(1.1 * ns),
		.p99 = (uint64_t)(1.2 * ns),
		.p999 = (uint64_t)(1.3 * ns),
		.max = (uint64_t)(1.4 * ns),
	};
}

static void set_stretches(struct fz_figures *figures, double ns)
{
	figures->has_stretches = true;
	figures->interval_ns = percentiles_around(ns);
	figures->wakeup_ns = (struct fz_wakeup){
		.mean_ns = 0.5 * ns,
		.p50_ns = 0.5 * ns,
		.p99_ns = 1.1 * ns,
		.max_ns = 1.4 * ns,
	};
}

static void set_phases(struct fz_figures *figures, const struct fz_row *row)
{
	const double seconds = fz_row_data(row)->seconds[0];
	const unsigned int nr = row->config.threads;

	figures->has_phases = true;
	figures->phases = (struct fz_phases){
		.zero_s = seconds,
		.use_s = 0.5 * seconds,
		.zero_threads_s = nr * seconds,
		.use_threads_s = nr * 0.5 * seconds,
		.zero_share_pct = 66.7,
	};
}

static void set_figures(struct fz_figures *figures, const struct fz_row *row,
			const struct sample_row *from)
{
	const double bps = from->gib * (double)GIB;
	const double fault_ns = 1e9 * (double)row->config.folio_bytes / bps;

	figures->has_bandwidth = true;
	figures->bandwidth = (struct fz_bandwidth){
		.median_bps = bps,
		.mean_bps = 1.001 * bps,
		.stdev_pct = 0.3,
		.ci95_bps = { 0.99 * bps, 1.01 * bps },
	};
	figures->fault_ns = percentiles_around(fault_ns);
	if (row->config.threads)
		set_phases(figures, row);
	if (from->near_ns > 0.0)
		figures->near_ns = from->near_ns;
	if (!row->config.engine->runs_plans)
		return;
	figures->has_points = true;
	figures->points_per_fault = from->points;
	if (row->config.engine->records &&
	    !fz_preempt_is_preemptible(row->config.preempt))
		set_stretches(figures, fault_ns / (from->points + 1.0));
}

void sample_add(struct sample *sample, const struct sample_row *from)
{
	const size_t i = sample->result.nr_rows++;
	struct fz_row *row = &sample->rows[i];
	struct fz_figures *figures = &sample->figures[i];

	assert(i < SAMPLE_MAX_ROWS);
	set_config(&row->config, from);
	figures->faults =
		fz_row_round_bytes(&row->config) / row->config.folio_bytes;
	figures->line_ns = figures->near_ns = figures->folio_ns = NAN;
	if (from->twin)
		row->twin = &sample->rows[from->twin - 1];
	else if (from->rounds)
		set_data(row, from);
	if (from->rounds) {
		row->status = FZ_ROW_MEASURED;
		set_figures(figures, row, from);
	}
	if (from->reason)
		fz_row_set_reason(row, from->reason);
}

void sample_set_baseline(struct sample *sample, size_t first_id, size_t last_id,
			 size_t baseline_id)
{
	const struct fz_row *baseline = &sample->rows[baseline_id - 1];
	const double base_bps =
		sample->figures[baseline_id - 1].bandwidth.median_bps;

	for (size_t i = first_id - 1; i < last_id; i++) {
		struct fz_figures *figures = &sample->figures[i];
		double ratio;

		if (!figures->has_bandwidth)
			continue;
		ratio = figures->bandwidth.median_bps / base_bps;
		figures->baseline = baseline;
		figures->ratio = (struct fz_ratio){
			.median = ratio,
			.ci95 = { 0.99 * ratio, 1.01 * ratio },
			.rounds = fz_row_data(&sample->rows[i])->rounds,
		};
	}
}

void sample_set_scaling(struct sample *sample, size_t id, size_t base_id)
{
	struct fz_figures *figures = &sample->figures[id - 1];
	const double scaling =
		figures->bandwidth.median_bps /
		sample->figures[base_id - 1].bandwidth.median_bps;

	figures->scaling_base = &sample->rows[base_id - 1];
	figures->scaling = (struct fz_ratio){
		.median = scaling,
		.ci95 = { 0.99 * scaling, 1.01 * scaling },
		.rounds = fz_row_data(&sample->rows[id - 1])->rounds,
	};
}

void sample_wake(struct sample *sample, size_t id,
		 const struct fz_wake_source *woken, size_t model_id)
{
	struct fz_figures *figures = &sample->figures[id - 1];

	sample->rows[id - 1].woken = woken;
	sample->rows[id - 1].samples->wakes_dropped = id;
	figures->wakeup_model = &sample->rows[model_id - 1];
	figures->wakeup_ns = sample->figures[model_id - 1].wakeup_ns;
	figures->nr_wakeups = 1000 * id;
	figures->measured_ns = (struct fz_wakeup){
		.mean_ns = 1.1 * figures->wakeup_ns.mean_ns,
		.p50_ns = 1.2 * figures->wakeup_ns.p50_ns,
		.p99_ns = 1.3 * figures->wakeup_ns.p99_ns,
		.max_ns = 1.4 * figures->wakeup_ns.max_ns,
	};
}

void sample_warn(struct sample *sample, size_t id, const char *warning)
{
	struct fz_figures *figures = &sample->figures[id - 1];

	assert(figures->nr_warnings < FZ_MAX_WARNINGS);
	snprintf(figures->warnings[figures->nr_warnings++], FZ_WARNING_BYTES,
		 "%s", warning);
}

struct fz_verdict *sample_judge(struct sample *sample, size_t best_id,
				size_t rounds, size_t nr_rows)
{
	const struct fz_row *best = &sample->rows[best_id - 1];
	struct fz_verdict *verdict =
		&sample->verdicts[sample->result.nr_verdicts++];

	assert(sample->result.nr_verdicts <= SAMPLE_MAX_VERDICTS);
	*verdict = (struct fz_verdict){
		.page = best->config.page,
		.folio_bytes = best->config.folio_bytes,
		.threads = best->config.threads,
		.fault = best->config.fault,
		.fault_page = best->config.fault_page,
		.best = best,
		.nr_rows = nr_rows,
		.rounds = rounds,
	};
	return verdict;
}
