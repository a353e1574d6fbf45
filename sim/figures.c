// SPDX-License-Identifier: GPL-2.0-or-later
/* From rounds and samples to the figures of a row. */
#include <fz/figures.h>

#include <assert.h>
#include <math.h>
#include <string.h>

#include <fz/preempt.h>
#include <fz/random.h>
#include <fz/streams.h>

#include "row_warnings.h"

static struct fz_bandwidth bandwidth_of(const struct fz_row *data,
					uint64_t seed)
{
	double bps[FZ_MAX_ROUNDS];
	struct fz_bandwidth bandwidth;

	for (size_t i = 0; i < data->rounds; i++)
		bps[i] = (double)data->config.bytes / data->seconds[i];
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

/* Bandwidth ratio = inverse ratio of times, over the rounds both have. */
static void ratio_of(const struct fz_row *data, const struct fz_row *baseline,
		     uint64_t seed, struct fz_figures *figures)
{
	const struct fz_row *other = baseline ? fz_row_data(baseline) : NULL;
	size_t rounds;

	if (!other || !other->rounds)
		return;
	rounds = data->rounds < other->rounds ? data->rounds : other->rounds;
	figures->baseline = baseline;
	figures->ratio =
		fz_paired_ratio(other->seconds, data->seconds, rounds, seed);
	if (rounds < 2)
		figures->ratio.ci95 = (struct fz_interval){ NAN, NAN };
}

void fz_figures_of(const struct fz_row *row, const struct fz_row *baseline,
		   uint64_t llc_bytes, uint64_t seed,
		   struct fz_figures *figures)
{
	const struct fz_row *data = fz_row_data(row);

	assert(data->rounds <= FZ_MAX_ROUNDS);
	memset(figures, 0, sizeof(*figures));
	figures->line_ns = figures->near_ns = figures->folio_ns = NAN;
	figures->faults = row->config.bytes / row->config.folio_bytes;
	if (!fz_row_has_times(data))
		return;
	figures->has_bandwidth = true;
	figures->bandwidth = bandwidth_of(data, seed);
	figures->fault_ns = percentiles_of(&data->samples->fault_ns);
	figures->line_ns = median_or_nan(&data->samples->line_ns);
	figures->near_ns = median_or_nan(&data->samples->near_ns);
	figures->folio_ns = median_or_nan(&data->samples->folio_ns);
	stretches_of(row, data, figures);
	ratio_of(data, baseline, seed, figures);
	fz_row_warnings(row, llc_bytes, figures);
}
