/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which row may be called a winner, and how sure that is. */
#ifndef FZ_SIGNIFICANCE_H
#define FZ_SIGNIFICANCE_H

#include <stdbool.h>
#include <stddef.h>

#include <fz/statistics.h>

/**
 * DOC: significance
 *
 * Two rows are compared by Wilcoxon's signed-rank test on the logarithms of
 * their ratios, paired by round. It needs no normal distribution; only that,
 * were the rows alike, a ratio r in a round were as likely as 1/r. Rows in
 * shuffled order are like that.
 *
 * All averages of two log ratios, each with itself too, are n (n + 1) / 2
 * Walsh averages. Without ties the test's statistic is the number of positive
 * ones. Ties and zeros (equal times) are handled conservatively: an average
 * that is exactly 0 counts against a difference in either direction, which
 * gives the largest p that any way of breaking the ties would give.
 *
 * The interval holds exactly the ratios that the test does not reject, so it
 * excludes 1 if and only if p < alpha. Its ends are Walsh averages. With too
 * few rounds to reject anything at that alpha it is [0, inf].
 *
 * p is exact for up to FZ_EXACT_ROUNDS rounds; above, the normal approximation
 * with continuity correction, which there errs to the safe side in the tails.
 *
 * Threads: the exact distribution is R's psignrank(), which keeps its table in
 * static memory. No two threads may be in this header's functions at a time.
 * The table is freed before they return.
 */

/* Rounds up to which p is exact. R takes 49; 200 need 40 KiB and 2 ms. */
#define FZ_EXACT_ROUNDS 200

/* Fewer rounds never have a winner. With 11 the smallest p is 2/2^11, which
 * can still win over 51 other rows at 5 % after correction, over no more. */
#define FZ_WINNER_MIN_ROUNDS 11

/* Chance that is accepted of a winner that is none. */
#define FZ_WINNER_ALPHA 0.05

/* Other rows up to which the correction is Holm's; for more, Bonferroni's. */
#define FZ_HOLM_ROWS 1024

/**
 * struct fz_signed_rank - outcome of a paired signed-rank test
 * @p: two-sided; the chance of a difference this clear between like rows
 * @ci: of the ratio, at the level 1 - alpha
 */
struct fz_signed_rank {
	double p;
	struct fz_interval ci;
};

/**
 * fz_signed_rank_ratio() - are two rows alike, and if not, by how much?
 * @num: [@n], one time a round, above 0
 * @den: [@n], of the same rounds, above 0
 * @n: number of rounds, at least 1; only the first FZ_MAX_ROUNDS are looked at
 * @alpha: in (0, 1), for the interval
 *
 * Return: p and the interval of num / den.
 */
struct fz_signed_rank fz_signed_rank_ratio(const double *num, const double *den,
					   size_t n, double alpha);

/**
 * fz_holm() - which of several tests reject when they are taken together
 * @p: [@n]
 * @n: number of tests; takes time as @n squared
 * @alpha: chance that is accepted of any wrong rejection among them
 * @rejected: [@n], written
 *
 * Holm's step-down: the k-th smallest p must be below alpha / (n - k + 1), and
 * once one fails, all larger ones do. An interval that goes with a comparison
 * is to be taken at that alpha.
 */
void fz_holm(const double *p, size_t n, double alpha, bool *rejected);

/**
 * fz_holm_levels() - the level at which fz_holm() tests each of its tests
 * @p: [@n]
 * @n: number of tests; takes time as @n squared
 * @alpha: as for fz_holm()
 * @rejected: [@n], written, as fz_holm() does
 * @levels: [@n], written: alpha / (n - k + 1) for the k-th smallest p, and for
 *	those that are not rejected that of the first of them
 *
 * Each test rejects if and only if its p is below its level, so an interval at
 * that level tells the same as the test.
 */
void fz_holm_levels(const double *p, size_t n, double alpha, bool *rejected,
		    double *levels);

/**
 * fz_is_winner() - is one row faster than every other one?
 * @seconds: [@nr_rows][@rounds], times above 0, the same rounds in each row.
 *	Rows that share a measurement are one row here
 * @nr_rows: number of rows
 * @rounds: number of rounds
 * @candidate: index of the row
 *
 * Return: true if there are two rows and FZ_WINNER_MIN_ROUNDS rounds or more,
 * and the interval of the candidate's ratio to each other row lies below 1,
 * Holm-corrected at FZ_WINNER_ALPHA. Equal rows never have a winner.
 */
bool fz_is_winner(const double *const *seconds, size_t nr_rows, size_t rounds,
		  size_t candidate);

#endif
