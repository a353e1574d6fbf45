/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What changed between two runs of a command, or between two sets of runs. */
#ifndef FZ_CHANGE_H
#define FZ_CHANGE_H

#include <stdbool.h>
#include <stddef.h>

#include <fz/statistics.h>

/**
 * DOC: change
 *
 * A run is one process: its rounds share physical pages, a stretch of time and
 * what the neighbours did meanwhile. Another run of the same command has
 * others, so that runs differ by more than their rounds show. A change is
 * therefore an estimate with a standard error that has both in it:
 *
 *   one run a side	the ratio of the rounds (rank_sum.h); to its squared
 *			error is added what two runs are assumed to differ by
 *   several runs	Welch's t-test of the runs' medians: how runs differ is
 *			seen. With one run on a side it is taken to be as the
 *			other side's.
 *
 * All of it happens on the logarithms of times; a ratio of bandwidths above 1
 * says that the second side is faster. Swapping the sides inverts the ratio and
 * changes nothing else. docs/comparing.md gives the reasons.
 */

/* How much runs of one command are assumed to differ, as the standard deviation
 * of their levels: this share of the spread of a run's rounds ... Chosen on one
 * machine; docs/comparing.md says how. */
#define FZ_BETWEEN_RUNS_SHARE 0.5

/* ... but never less than this: 1 %. */
#define FZ_BETWEEN_RUNS_MIN 0.01

/* With fewer, a spread says little, and a median is one of first rounds; as
 * many as a winner needs. */
#define FZ_CHANGE_MIN_ROUNDS 11

/* Chance that is accepted of calling any row of like runs changed. */
#define FZ_CHANGE_ALPHA 0.05

/* Chance of being found that a detectable difference has. */
#define FZ_CHANGE_POWER 0.8

/**
 * struct fz_sample - the rounds of one row in one run
 * @seconds: [@nr], above 0, in the order of time
 * @nr: only the first FZ_MAX_ROUNDS are looked at
 */
struct fz_sample {
	const double *seconds;
	size_t nr;
};

/**
 * struct fz_change - an estimate, and how sure it is
 * @log_ratio: logarithm of the second side's bandwidth over the first's
 * @log_se: its standard error
 * @df: degrees of freedom of the error; INFINITY where it is assumed
 * @p: two-sided; the chance of a change this clear between like sides
 */
struct fz_change {
	double log_ratio;
	double log_se;
	double df;
	double p;
};

/**
 * fz_between_runs_assumed() - how much runs like this one may differ
 * @run: at least one round
 *
 * Return: a standard deviation of logarithms: FZ_BETWEEN_RUNS_SHARE of the
 * spread of the rounds (1.4826 times the median distance from their median,
 * which is the standard deviation of normal numbers, and which a few spoilt
 * rounds do not raise), at least FZ_BETWEEN_RUNS_MIN.
 */
double fz_between_runs_assumed(const struct fz_sample *run);

/**
 * fz_rounds_worth() - how many independent rounds one round is worth
 * @runs: [@nr], at least one round each
 * @nr: number of runs, at least 1
 *
 * Rounds that resemble those before them tell less. The correlation of a
 * round's rank with the next one's is taken over all runs; with the correlation
 * c of an autoregressive series the rounds are worth (1 - c) / (1 + c) each.
 *
 * Return: in (0, 1]; 1 where rounds do not resemble their neighbours, or where
 * there are fewer than 4 a run, which tell nothing about it.
 */
double fz_rounds_worth(const struct fz_sample *runs, size_t nr);

/**
 * fz_change_of_rounds() - compare one run with one run
 * @a: at least FZ_CHANGE_MIN_ROUNDS rounds
 * @b: at least FZ_CHANGE_MIN_ROUNDS rounds
 * @between_runs_a: standard deviation of the logarithms of levels of runs like
 *	@a; 0 leaves run-to-run variation out
 * @between_runs_b: the same for @b
 *
 * Return: the change from @a to @b.
 */
struct fz_change fz_change_of_rounds(const struct fz_sample *a,
				     const struct fz_sample *b,
				     double between_runs_a,
				     double between_runs_b);

/**
 * fz_change_of_runs() - compare several runs with one or more
 * @a: [@nr_a], one level a run: its median time, above 0
 * @nr_a: at least 1
 * @b: [@nr_b]
 * @nr_b: at least 1; one of the two at least 2
 *
 * Return: the change from @a to @b.
 */
struct fz_change fz_change_of_runs(const double *a, size_t nr_a,
				   const double *b, size_t nr_b);

/**
 * fz_between_runs_seen() - how much runs differed
 * @a: as for fz_change_of_runs()
 * @nr_a: as there
 * @b: as there
 * @nr_b: as there
 *
 * Return: the standard deviation of the logarithms inside the sides, pooled.
 */
double fz_between_runs_seen(const double *a, size_t nr_a, const double *b,
			    size_t nr_b);

/**
 * fz_change_interval() - confidence interval of a change
 * @change: the change
 * @alpha: in (0, 1)
 *
 * Return: of the ratio of bandwidths, at the level 1 - @alpha; it excludes 1 if
 * p < @alpha.
 */
struct fz_interval fz_change_interval(const struct fz_change *change,
				      double alpha);

/**
 * fz_change_detectable() - how large a change would have to be to be found
 * @change: the change
 * @alpha: in (0, 1)
 *
 * Return: the factor, above 1, that such a comparison finds with the chance
 * FZ_CHANGE_POWER, upwards or downwards.
 */
double fz_change_detectable(const struct fz_change *change, double alpha);

#endif
