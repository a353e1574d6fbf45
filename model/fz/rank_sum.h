/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Are two samples alike that nothing pairs, and if not, by how much? */
#ifndef FZ_RANK_SUM_H
#define FZ_RANK_SUM_H

#include <stddef.h>

#include <fz/statistics.h>

/**
 * DOC: rank sum
 *
 * Two samples of times are compared by Wilcoxon's rank-sum test (Mann and
 * Whitney's) on their logarithms, and the ratio is Hodges and Lehmann's: the
 * median of all ratios of a number here to a number there. Neither needs a
 * normal distribution, and a few rounds that an interrupt spoilt move neither.
 *
 * The test's statistic is how many of those ratios are above 1. Ties are
 * handled as in significance.h: a ratio that is exactly 1 counts against a
 * difference in either direction, which gives the largest p that any way of
 * breaking the ties would give. The interval holds exactly the ratios that the
 * test does not reject; with too few numbers to reject anything it is [0, inf].
 *
 * p is exact where both samples have at most FZ_EXACT_RANK_SUM numbers; above,
 * the normal approximation with continuity correction.
 *
 * Threads: as in significance.h. R's table is freed before a function returns.
 */

/* R's own limit. Two samples of 49 take 15 MB for a moment. */
#define FZ_EXACT_RANK_SUM 49

/**
 * struct fz_rank_sum - outcome of a rank-sum test
 * @p: two-sided; the chance of a difference this clear between like samples
 * @ratio: the estimate of Hodges and Lehmann
 * @ci: of the ratio, at the level 1 - alpha
 */
struct fz_rank_sum {
	double p;
	double ratio;
	struct fz_interval ci;
};

/**
 * fz_rank_sum_ratio() - compare two samples by rank
 * @num: [@nr_num], above 0
 * @nr_num: at least 1; only the first FZ_MAX_ROUNDS are looked at
 * @den: [@nr_den], above 0
 * @nr_den: as @nr_num
 * @alpha: in (0, 1), for the interval
 *
 * Return: p, and num / den with its interval.
 */
struct fz_rank_sum fz_rank_sum_ratio(const double *num, size_t nr_num,
				     const double *den, size_t nr_den,
				     double alpha);

#endif
