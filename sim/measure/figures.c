// SPDX-License-Identifier: GPL-2.0-or-later
/* From rounds and samples to the figures of a row. */
#include <fz/figures.h>

#include <assert.h>
#include <math.h>
#include <string.h>

#include <fz/preempt.h>
#include <fz/random.h>
#include <fz/streams.h>
#include <fz/wake_watch.h>

#include "row_warnings.h"

static struct fz_bandwidth bandwidth_of(const struct fz_row *data,
					uint64_t seed)
{
	double bps[FZ_MAX_ROUNDS];
	struct fz_bandwidth bandwidth;

	for (size_t i = 0; i < data->rounds; i++)
		bps[i] = (double)fz_row_round_bytes(&data->config) /
			 data->seconds[i];
	bandwidth.median_bps = fz_median(bps, data->rounds);
	bandwidth.mean_bps = fz_mean(bps, data->rounds);
	if (data->rounds < 2) { /* one round tells nothing of the spread */
		bandwidth.stdev_pct = NAN;
		bandwidth.ci95_bps = (struct fz_interval){ NAN, NAN };
		return bandwidth;
	}
	bandwidth.stdev_pct =
		100.0 * fz_stdev(bps, data->rounds) / bandwidth.mean_bps;
	bandwidth.ci95_bps = fz_bootstrap_median(bps, data->rounds, 0.95, seed);
	return bandwidth;
}

static struct fz_percentiles percentiles_of(const struct fz_histogram *h)
{
	return (struct fz_percentiles){
		.min = h->min,
		.mean = fz_histogram_mean(h),
		.p50 = fz_histogram_quantile(h, 0.5),
		.p90 = fz_histogram_quantile(h, 0.9),
		.p99 = fz_histogram_quantile(h, 0.99),
		.p999 = fz_histogram_quantile(h, 0.999),
		.max = h->max,
	};
}

static double median_or_nan(const struct fz_histogram *h)
{
	return h->count ? (double)fz_histogram_quantile(h, 0.5) : NAN;
}

static void stretches_of(const struct fz_row *row, const struct fz_row *data,
			 struct fz_figures *figures)
{
	if (!row->config.engine->runs_plans)
		return;
	figures->has_points = true;
	figures->points_per_fault =
		(double)data->points /
		((double)figures->faults * (double)data->rounds);
	/* Under a preemptible model nobody waits for a resched point. */
	if (!row->config.engine->records ||
	    fz_preempt_is_preemptible(row->config.preempt))
		return;
	figures->interval_ns = percentiles_of(&data->samples->stretch_ns);
	figures->has_stretches = fz_wakeup_from_stretches(
		&data->samples->stretch_ns, &figures->wakeup_ns);
}

/* Measured where somebody was woken, and what the stretches say of the same. */
static void wakeups_of(const struct fz_row *row, const struct fz_row *data,
		       const struct fz_row *model, struct fz_figures *figures)
{
	if (figures->has_stretches)
		figures->wakeup_model = row;
	if (!data->woken)
		return;
	figures->nr_wakeups = data->samples->wakeup_ns.count;
	figures->measured_ns = fz_wakeup_of(&data->samples->wakeup_ns);
	if (figures->wakeup_model || !model || !fz_row_data(model)->samples)
		return;
	if (fz_wakeup_from_stretches(&fz_row_data(model)->samples->stretch_ns,
				     &figures->wakeup_ns))
		figures->wakeup_model = model;
}

/* Inverse ratio of times, over the rounds both have; false if there are none.
 */
static bool speed_ratio(const struct fz_row *data, const struct fz_row *to,
			uint64_t seed, struct fz_ratio *ratio)
{
	const struct fz_row *other = to ? fz_row_data(to) : NULL;
	size_t rounds;

	if (!other || !other->rounds)
		return false;
	rounds = data->rounds < other->rounds ? data->rounds : other->rounds;
	*ratio = fz_paired_ratio(other->seconds, data->seconds, rounds, seed);
	if (rounds < 2)
		ratio->ci95 = (struct fz_interval){ NAN, NAN };
	return true;
}

/* A baseline zeroes as many bytes in a round. */
static void ratio_of(const struct fz_row *data, const struct fz_row *baseline,
		     uint64_t seed, struct fz_figures *figures)
{
	/* Times with wake-ups in them are slower for that alone. */
	if (baseline &&
	    fz_row_is_interrupted(data) != fz_row_is_interrupted(baseline))
		return;
	if (speed_ratio(data, baseline, seed, &figures->ratio))
		figures->baseline = baseline;
}

/* More threads zero more bytes in a round. */
static void scaling_of(const struct fz_row *data, const struct fz_row *base,
		       uint64_t seed, struct fz_figures *figures)
{
	struct fz_ratio *scaling = &figures->scaling;
	double more;

	if (!speed_ratio(data, base, seed, scaling))
		return;
	more = (double)fz_row_round_bytes(&data->config) /
	       (double)fz_row_round_bytes(&base->config);
	scaling->median *= more;
	scaling->ci95.lo *= more;
	scaling->ci95.hi *= more;
	figures->scaling_base = base;
}

static void prediction_of(const struct fz_row *data,
			  const struct fz_row *measured, uint64_t seed,
			  struct fz_figures *figures)
{
	if (speed_ratio(data, measured, seed, &figures->prediction))
		figures->measured = measured;
}

static void phases_of(const struct fz_row *data, struct fz_figures *figures)
{
	const unsigned int nr_threads = fz_row_nr_buffers(&data->config);
	double zero[FZ_MAX_ROUNDS], use[FZ_MAX_ROUNDS], share[FZ_MAX_ROUNDS];

	if (data->config.use != FZ_USE_PHASE)
		return;
	for (size_t i = 0; i < data->rounds; i++) {
		const struct fz_round_thread *threads =
			data->threads + i * nr_threads;

		zero[i] = use[i] = 0.0;
		for (unsigned int t = 0; t < nr_threads; t++) {
			zero[i] += threads[t].zero_seconds;
			use[i] += threads[t].use_seconds;
		}
		share[i] = 100.0 * zero[i] / (zero[i] + use[i]);
	}
	figures->has_phases = true;
	/* Without threads the seconds leave out what is between folios. */
	figures->phases = (struct fz_phases){
		.zero_s = data->config.threads
				  ? fz_median(data->seconds, data->rounds)
				  : fz_median(zero, data->rounds),
		.use_s = fz_median(data->use_seconds, data->rounds),
		.zero_threads_s = fz_median(zero, data->rounds),
		.use_threads_s = fz_median(use, data->rounds),
		.zero_share_pct = fz_median(share, data->rounds),
	};
}

double fz_thread_bps(const struct fz_row *row, unsigned int thread)
{
	const struct fz_row *data = fz_row_data(row);
	const unsigned int nr_threads = fz_row_nr_buffers(&data->config);
	double seconds[FZ_MAX_ROUNDS];

	for (size_t i = 0; i < data->rounds; i++)
		seconds[i] =
			data->threads[i * nr_threads + thread].zero_seconds;
	return (double)data->config.bytes / fz_median(seconds, data->rounds);
}

void fz_figures_of(const struct fz_row *row, struct fz_references others,
		   uint64_t llc_bytes, uint64_t seed,
		   struct fz_figures *figures)
{
	const struct fz_row *data = fz_row_data(row);

	assert(data->rounds <= FZ_MAX_ROUNDS);
	memset(figures, 0, sizeof(*figures));
	figures->line_ns = figures->near_ns = figures->folio_ns = NAN;
	figures->faults = row->config.folio_bytes
				  ? fz_row_round_bytes(&row->config) /
					    row->config.folio_bytes
				  : row->folios;
	if (!fz_row_has_times(data))
		return;
	figures->has_bandwidth = true;
	figures->bandwidth = bandwidth_of(data, seed);
	figures->fault_ns = percentiles_of(&data->samples->fault_ns);
	figures->line_ns = median_or_nan(&data->samples->line_ns);
	figures->near_ns = median_or_nan(&data->samples->near_ns);
	figures->folio_ns = median_or_nan(&data->samples->folio_ns);
	stretches_of(row, data, figures);
	wakeups_of(row, data, others.model, figures);
	ratio_of(data, others.baseline, seed, figures);
	scaling_of(data, others.scaling, seed, figures);
	prediction_of(data, others.measured, seed, figures);
	phases_of(data, figures);
	fz_row_warnings(row, llc_bytes, figures);
}
