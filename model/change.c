// SPDX-License-Identifier: GPL-2.0-or-later
/* Estimates of a change, from rounds or from runs. */
#include <fz/change.h>

#include <assert.h>
#include <math.h>

#define MATHLIB_STANDALONE
#include <Rmath.h>

#include <fz/rank_sum.h>

/* The standard deviation of normal numbers over the median distance from their
 * median. */
#define MAD_TO_STDEV 1.4826

/* Closer to 1 nothing is left of the rounds. */
#define MAX_CORRELATION 0.95

/* The interval that a standard error is read off. */
#define SE_ALPHA 0.05

static size_t nr_rounds(const struct fz_sample *run)
{
	return run->nr < FZ_MAX_ROUNDS ? run->nr : FZ_MAX_ROUNDS;
}

static double variance_of_logs(const double *x, size_t n)
{
	double logs[FZ_MAX_ROUNDS], stdev;

	assert(n <= FZ_MAX_ROUNDS);
	for (size_t i = 0; i < n; i++)
		logs[i] = log(x[i]);
	stdev = fz_stdev(logs, n);
	return stdev * stdev;
}

static double mean_of_logs(const double *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += log(x[i]);
	return sum / (double)n;
}

double fz_between_runs_assumed(const struct fz_sample *run)
{
	const size_t n = nr_rounds(run);
	const double middle = log(fz_median(run->seconds, n));
	double distance[FZ_MAX_ROUNDS];

	for (size_t i = 0; i < n; i++)
		distance[i] = fabs(log(run->seconds[i]) - middle);
	return fmax(FZ_BETWEEN_RUNS_MIN, FZ_BETWEEN_RUNS_SHARE * MAD_TO_STDEV *
						 fz_median(distance, n));
}

/* Twice the rank of a round among those of its run, less the mean rank. */
static double centred_rank(const struct fz_sample *run, size_t n, size_t round)
{
	double rank = 0;

	for (size_t i = 0; i < n; i++)
		rank += (run->seconds[i] < run->seconds[round]) -
			(run->seconds[i] > run->seconds[round]);
	return rank;
}

struct correlation {
	double products;
	double squares;
	size_t nr_rounds;
	size_t nr_runs;
};

static void add_run(struct correlation *c, const struct fz_sample *run)
{
	const size_t n = nr_rounds(run);
	double last = 0;

	for (size_t i = 0; i < n; i++) {
		const double rank = centred_rank(run, n, i);

		c->products += last * rank;
		c->squares += rank * rank;
		last = rank;
	}
	c->nr_rounds += n;
	c->nr_runs++;
}

double fz_rounds_worth(const struct fz_sample *runs, size_t nr)
{
	struct correlation sum = { 0 };
	double runs_per_round, c;

	for (size_t i = 0; i < nr; i++)
		add_run(&sum, &runs[i]);
	runs_per_round = (double)sum.nr_runs / (double)sum.nr_rounds;
	if (sum.squares == 0 || runs_per_round > 0.25)
		return 1;
	/* Of n rounds whose mean is not known it comes out too small, in the
	 * mean by (1 + 3 c) / n (Kendall 1954). */
	c = (sum.products / sum.squares + runs_per_round) /
	    (1 - 3 * runs_per_round);
	c = fmin(fmax(c, 0), MAX_CORRELATION);
	return (1 - c) / (1 + c);
}

/* Far from 0 against its error? */
static double two_sided_p(double log_ratio, double log_se, double df)
{
	if (log_se == 0)
		return log_ratio == 0 ? 1 : 0;
	return 2 * pt(-fabs(log_ratio) / log_se, df, 1, 0);
}

static struct fz_change change_of(double log_ratio, double log_se, double df)
{
	return (struct fz_change){
		.log_ratio = log_ratio,
		.log_se = log_se,
		.df = df,
		.p = two_sided_p(log_ratio, log_se, df),
	};
}

struct fz_change fz_change_of_rounds(const struct fz_sample *a,
				     const struct fz_sample *b,
				     double between_runs_a,
				     double between_runs_b)
{
	const struct fz_sample runs[] = { *a, *b };
	/* Less time is more bandwidth: a's seconds are the numerator. */
	const struct fz_rank_sum rounds = fz_rank_sum_ratio(
		a->seconds, a->nr, b->seconds, b->nr, SE_ALPHA);
	const double se = log(rounds.ci.hi / rounds.ci.lo) / 2 /
			  qnorm(1 - SE_ALPHA / 2, 0, 1, 1, 0);
	const double variance = se * se / fz_rounds_worth(runs, 2) +
				between_runs_a * between_runs_a +
				between_runs_b * between_runs_b;

	assert(a->nr >= FZ_CHANGE_MIN_ROUNDS && b->nr >= FZ_CHANGE_MIN_ROUNDS);
	return change_of(log(rounds.ratio), sqrt(variance), INFINITY);
}

double fz_between_runs_seen(const double *a, size_t nr_a, const double *b,
			    size_t nr_b)
{
	const double df_a = (double)nr_a - 1, df_b = (double)nr_b - 1;

	assert(nr_a && nr_b && nr_a + nr_b > 2);
	return sqrt((df_a * variance_of_logs(a, nr_a) +
		     df_b * variance_of_logs(b, nr_b)) /
		    (df_a + df_b));
}

/* Both sides have a variance of their own. */
static struct fz_change welch(double log_ratio, const double *a, size_t nr_a,
			      const double *b, size_t nr_b)
{
	const double va = variance_of_logs(a, nr_a) / (double)nr_a;
	const double vb = variance_of_logs(b, nr_b) / (double)nr_b;
	const double df =
		(va + vb) * (va + vb) /
		(va * va / (double)(nr_a - 1) + vb * vb / (double)(nr_b - 1));

	/* 0 / 0: no run differed from another. */
	return change_of(log_ratio, sqrt(va + vb), va + vb > 0 ? df : INFINITY);
}

struct fz_change fz_change_of_runs(const double *a, size_t nr_a,
				   const double *b, size_t nr_b)
{
	const double log_ratio = mean_of_logs(a, nr_a) - mean_of_logs(b, nr_b);
	double stdev;

	if (nr_a > 1 && nr_b > 1)
		return welch(log_ratio, a, nr_a, b, nr_b);
	stdev = fz_between_runs_seen(a, nr_a, b, nr_b);
	return change_of(log_ratio,
			 stdev * sqrt(1.0 / (double)nr_a + 1.0 / (double)nr_b),
			 (double)(nr_a + nr_b - 2));
}

struct fz_interval fz_change_interval(const struct fz_change *change,
				      double alpha)
{
	const double half =
		change->log_se * qt(1 - alpha / 2, change->df, 1, 0);

	return (struct fz_interval){
		.lo = exp(change->log_ratio - half),
		.hi = exp(change->log_ratio + half),
	};
}

double fz_change_detectable(const struct fz_change *change, double alpha)
{
	return exp(change->log_se * (qt(1 - alpha / 2, change->df, 1, 0) +
				     qt(FZ_CHANGE_POWER, change->df, 1, 0)));
}
