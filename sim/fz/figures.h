/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The figures of a row, worked out from its rounds and samples. */
#ifndef FZ_FIGURES_H
#define FZ_FIGURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fz/row.h>
#include <fz/statistics.h>
#include <fz/stretches.h>

/**
 * struct fz_percentiles - a distribution in seven figures, all in ns
 * @min: smallest value, exact
 * @mean: exact
 * @p50: within 1/128, like the other quantiles
 * @p90: 90 % are at or below
 * @p99: 99 %
 * @p999: 99.9 %
 * @max: largest value, exact
 */
struct fz_percentiles {
	uint64_t min;
	double mean;
	uint64_t p50;
	uint64_t p90;
	uint64_t p99;
	uint64_t p999;
	uint64_t max;
};

/**
 * struct fz_bandwidth - bytes per second over the rounds
 * @median_bps: median
 * @mean_bps: mean
 * @stdev_pct: sample standard deviation in percent of the mean; NAN for one
 *	round
 * @ci95_bps: bootstrap 95 % interval of the median; NAN for one round
 */
struct fz_bandwidth {
	double median_bps;
	double mean_bps;
	double stdev_pct;
	struct fz_interval ci95_bps;
};

/**
 * struct fz_phases - a round in which everything is zeroed and then read
 * @zero_s: from the first start to the last end of zeroing
 * @use_s: the same of reading
 * @zero_threads_s: zeroing, summed over the threads: what is system time where
 *	the kernel zeroes
 * @use_threads_s: reading, summed over the threads: user time
 * @zero_share_pct: @zero_threads_s in percent of both
 *
 * Medians over the rounds, in seconds.
 */
struct fz_phases {
	double zero_s;
	double use_s;
	double zero_threads_s;
	double use_threads_s;
	double zero_share_pct;
};

#define FZ_MAX_WARNINGS  8
#define FZ_WARNING_BYTES 256
/* Bandwidths that spread more than this are called unreliable. */
#define FZ_SPREAD_WARN_PCT 10.0
/* A buffer of less than this many times the last-level cache is cache-hot. */
#define FZ_COLD_LLC_MULTIPLE 8u

/**
 * struct fz_figures - what is reported of a row
 * @has_bandwidth: at least one round was done; everything below needs it
 * @bandwidth: bytes per second
 * @baseline: the row it is compared with; NULL if there is none
 * @ratio: bandwidth over the baseline's, paired by round; above 1 is faster;
 *	no interval (NAN) for one round
 * @scaling_base: the row that differs only in having the fewest threads; NULL
 *	if there is none
 * @scaling: bandwidth over that row's, paired by round
 * @measured: of a row that was worked out: the same row, measured; NULL if
 *there is none
 * @prediction: bandwidth over that row's, paired by round
 * @has_phases: all was read after it was zeroed
 * @phases: how long that took
 * @has_stretches: the engine recorded stretches under a cooperative model
 * @points_per_fault: acting resched points in one fault, mean over the rounds;
 *	0 for models under which none acts
 * @has_points: the engine runs plans
 * @interval_ns: stretches between acting resched points
 * @wakeup_ns: latency of a wake-up at a random instant, derived from them
 * @wakeup_model: the row whose stretches @wakeup_ns was worked out from:
 *	itself, or where the kernel zeroed the row of the same policy in user
 *space; NULL = there is no such model
 * @nr_wakeups: wake-ups that fell due while folios were zeroed; 0 = nobody was
 *	woken, or never then
 * @measured_ns: how late they came
 * @fault_ns: time to zero one folio
 * @line_ns: median use of the faulting line; NAN if not measured
 * @near_ns: median use of the near pages; NAN if not measured
 * @folio_ns: median use of the folio; NAN if not measured
 * @faults: folios a round
 * @nr_warnings: entries in @warnings
 * @warnings: [nr_warnings], each begins with a word for its kind and a colon
 */
struct fz_figures {
	bool has_bandwidth;
	struct fz_bandwidth bandwidth;
	const struct fz_row *baseline;
	struct fz_ratio ratio;
	const struct fz_row *scaling_base;
	struct fz_ratio scaling;
	const struct fz_row *measured;
	struct fz_ratio prediction;
	bool has_phases;
	struct fz_phases phases;
	bool has_stretches;
	bool has_points;
	double points_per_fault;
	struct fz_percentiles interval_ns;
	struct fz_wakeup wakeup_ns;
	const struct fz_row *wakeup_model;
	uint64_t nr_wakeups;
	struct fz_wakeup measured_ns;
	struct fz_percentiles fault_ns;
	double line_ns;
	double near_ns;
	double folio_ns;
	uint64_t faults;
	size_t nr_warnings;
	char warnings[FZ_MAX_WARNINGS][FZ_WARNING_BYTES];
};

/**
 * struct fz_references - other rows that a row's figures refer to
 * @baseline: what it is compared with; NULL = nothing
 * @scaling: the same with fewer threads; NULL = nothing
 * @model: where the kernel zeroes: the same steps in user space; NULL = nothing
 * @measured: where a row was worked out: the same, measured; NULL = nothing
 */
struct fz_references {
	const struct fz_row *baseline;
	const struct fz_row *scaling;
	const struct fz_row *model;
	const struct fz_row *measured;
};

/**
 * fz_figures_of() - work the figures out
 * @row: the row
 * @others: rows that they refer to
 * @llc_bytes: last-level cache, 0 = unknown: decides the cache-hot warning
 * @seed: seed of the bootstrap
 * @figures: written
 */
void fz_figures_of(const struct fz_row *row, struct fz_references others,
		   uint64_t llc_bytes, uint64_t seed,
		   struct fz_figures *figures);

/**
 * fz_thread_bps() - bandwidth of one thread
 * @row: a row with at least one round
 * @thread: below fz_row_nr_buffers()
 *
 * Return: bytes per second while it was zeroing, median over the rounds.
 */
double fz_thread_bps(const struct fz_row *row, unsigned int thread);

/**
 * fz_baseline_of() - the row that a row is compared with
 * @rows: [nr_rows]
 * @nr_rows: their number
 * @row: one of them
 * @policy: name of the baseline policy; NULL for the running kernel's own path
 *
 * The row of that policy on the same pages whose other settings are closest:
 * engine, faulting page, model, primitive, batch and radius, in this order of
 * weight. For an engine without plans: the `buffers` row. Measured rows are
 * never compared with rows that were worked out.
 *
 * Return: a row with at least one round, or NULL.
 */
const struct fz_row *fz_baseline_of(const struct fz_row *rows, size_t nr_rows,
				    const struct fz_row *row,
				    const char *policy);

/**
 * fz_measured_of() - what a row that was worked out is to predict
 * @rows: [nr_rows]
 * @nr_rows: their number
 * @row: one of them
 *
 * Return: the row of engine buffers that differs in its engine only and has at
 * least one round, or NULL; NULL too if @row was measured itself.
 */
const struct fz_row *fz_measured_of(const struct fz_row *rows, size_t nr_rows,
				    const struct fz_row *row);

/**
 * fz_scaling_base_of() - the same row with the fewest threads
 * @rows: [nr_rows]
 * @nr_rows: their number
 * @row: one of them
 *
 * Return: a row with at least one round that differs from @row in the number
 * of threads only, or NULL; NULL too if it is @row, or if @row has no threads.
 */
const struct fz_row *fz_scaling_base_of(const struct fz_row *rows,
					size_t nr_rows,
					const struct fz_row *row);

#endif
