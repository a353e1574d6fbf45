/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Location, spread and bootstrap intervals of a few repeated measurements. */
#ifndef FZ_STATISTICS_H
#define FZ_STATISTICS_H

#include <stddef.h>
#include <stdint.h>

/**
 * DOC: statistics
 *
 * Functions of an array of @n numbers in any order unless it says sorted;
 * finite numbers, no NaN; @n is at least 1 (an assertion). None of them
 * allocates, so none can fail: the bootstrap works on the stack, about 90 KiB
 * of it, and therefore looks at the first FZ_MAX_ROUNDS numbers only.
 *
 * The figures of one result are medians over rounds. Two rows are compared by
 * the ratio of the same round's figures, because what disturbs a machine
 * (frequency, steal time, memory layout) disturbs neighbours in time alike.
 */

/* Rounds that intervals and tests look at. */
#define FZ_MAX_ROUNDS 4096

/**
 * fz_mean() - arithmetic mean
 * @x: [@n]
 * @n: how many
 *
 * Return: the mean.
 */
double fz_mean(const double *x, size_t n);

/**
 * fz_stdev() - sample standard deviation
 * @x: [@n]
 * @n: how many
 *
 * Return: with the divisor n - 1; 0 for one number.
 */
double fz_stdev(const double *x, size_t n);

/**
 * fz_median() - median
 * @x: [@n], left as it is
 * @n: how many; no upper limit
 *
 * Return: the middle number, or the mean of the two middle ones.
 */
double fz_median(const double *x, size_t n);

/**
 * fz_quantile_sorted() - quantile of sorted numbers
 * @sorted: [@n], ascending
 * @n: how many
 * @q: in [0, 1]
 *
 * Return: linear between the order statistics around 1 + (n - 1) q: R's and
 * NumPy's default (type 7).
 */
double fz_quantile_sorted(const double *sorted, size_t n, double q);

/**
 * struct fz_interval - all numbers from lo to hi, both included
 * @lo: lower end
 * @hi: upper end
 */
struct fz_interval {
	double lo;
	double hi;
};

/**
 * fz_bootstrap_median() - confidence interval of the median
 * @x: [@n]
 * @n: how many
 * @level: confidence, 0.95 for instance
 * @seed: of the run
 *
 * The percentile bootstrap: the medians of 2,000 resamples (each @n numbers
 * drawn from @x with replacement), cut at both tails. It assumes no
 * distribution. The same seed draws the same resamples on every machine.
 * Its coverage is a little off for a handful of rounds, and it can never reach
 * beyond the smallest and the largest number: for verdicts use significance.h.
 *
 * Return: the interval; [x, x] for one number.
 */
struct fz_interval fz_bootstrap_median(const double *x, size_t n, double level,
				       uint64_t seed);

/**
 * struct fz_ratio - one row against another one, paired by round
 * @median: median of the rounds' ratios
 * @ci95: its bootstrap interval at 95 %
 * @rounds: number of rounds that it comes from
 */
struct fz_ratio {
	double median;
	struct fz_interval ci95;
	size_t rounds;
};

/**
 * fz_paired_ratio() - median ratio of two rows measured in the same rounds
 * @numerator: [@n], one figure a round
 * @denominator: [@n], of the same rounds; none may be 0
 * @n: number of rounds
 * @seed: of the run
 *
 * Return: the ratio numerator / denominator.
 */
struct fz_ratio fz_paired_ratio(const double *numerator,
				const double *denominator, size_t n,
				uint64_t seed);

#endif
