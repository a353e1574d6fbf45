/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From stretches without a resched point to what a wake-up waits. */
#ifndef FZ_STRETCHES_H
#define FZ_STRETCHES_H

#include <stdbool.h>

#include <fz/histogram.h>

/**
 * DOC: stretches
 *
 * Under a cooperative preemption model a task that is woken while a folio is
 * zeroed, and that wins, waits until the next acting resched point or the
 * return to user mode. A stretch is the time L between two such instants.
 *
 * A wake-up at a random instant does not see an average stretch: it falls into
 * a long one more often than into a short one, in proportion to its length,
 * and then at a uniform place in it. So, with E over all stretches,
 *
 *   mean latency     = E[L^2] / (2 E[L])
 *   P(latency > x)   = E[(L - x)+] / E[L]
 *   largest latency  = the longest stretch
 *
 * An example: nine stretches of 10 us and one of 910 us. The average stretch
 * is 100 us and nine in ten are 10 us, yet 91 of 100 wake-ups fall into the
 * long one: the mean latency is 414.5 us, the median 410 us.
 *
 * The mean and the maximum are exact. The quantiles take each stretch to be
 * its bucket's midpoint: they are exactly those of a sample in which every
 * stretch is off by at most 1/128 of its length, and nearly always much
 * closer, for the errors inside the buckets cancel. Where x is the p quantile
 * and m the mean excess over x of the stretches longer than x, they are off by
 * at most ((2p - 1) x + 2 p m) / 128, to first order, for p >= 0.5.
 */

/**
 * struct fz_wakeup - how long a wake-up at a random instant waits
 * @mean_ns: mean
 * @p50_ns: median
 * @p99_ns: 99 of 100 wait no longer
 * @max_ns: longest stretch
 */
struct fz_wakeup {
	double mean_ns;
	double p50_ns;
	double p99_ns;
	double max_ns;
};

/**
 * fz_wakeup_from_stretches() - the wake-up latency that stretches mean
 * @h: lengths of the stretches in ns; those of length 0 weigh nothing
 * @out: written when there is an answer
 *
 * Return: true; false if there is no stretch longer than 0.
 */
bool fz_wakeup_from_stretches(const struct fz_histogram *h,
			      struct fz_wakeup *out);

#endif
