// SPDX-License-Identifier: GPL-2.0-or-later
/* The rank-sum test, its estimate and its interval. */
#include <fz/rank_sum.h>

#include <assert.h>
#include <math.h>
#include <stdbool.h>

#define MATHLIB_STANDALONE
#include <Rmath.h>

#include "bisect.h"
#include "order.h"

/* Sorted logarithms. */
struct logs {
	double x[FZ_MAX_ROUNDS];
	size_t n;
};

struct samples {
	struct logs num, den;
};

static void logs_init(struct logs *logs, const double *x, size_t n)
{
	assert(n > 0);
	logs->n = n < FZ_MAX_ROUNDS ? n : FZ_MAX_ROUNDS;
	for (size_t i = 0; i < logs->n; i++) {
		assert(x[i] > 0);
		logs->x[i] = log(x[i]);
	}
	fz_order_sort(logs->x, logs->n);
}

static size_t nr_pairs(const struct samples *s)
{
	return s->num.n * s->den.n;
}

/* Pairs whose difference is at most that, or below it: a walk along a
 * staircase, because what fits one denominator fits every larger one. */
static size_t count_pairs(const struct samples *s, double difference,
			  bool or_equal)
{
	size_t nr = 0, fit = 0; /* [0, fit) are the numerators that fit */

	for (size_t i = 0; i < s->den.n; i++) {
		while (fit < s->num.n &&
		       (or_equal ? s->num.x[fit] - s->den.x[i] <= difference
				 : s->num.x[fit] - s->den.x[i] < difference))
			fit++;
		nr += fit;
	}
	return nr;
}

/* Two-sided p where k pairs, or by symmetry all but k, lie on one side. */
static double two_sided_p(size_t k, const void *samples)
{
	const struct samples *s = samples;
	const double n = (double)s->num.n, m = (double)s->den.n;
	double tail;

	if (s->num.n <= FZ_EXACT_RANK_SUM && s->den.n <= FZ_EXACT_RANK_SUM)
		tail = pwilcox((double)k, n, m, 1, 0);
	else
		tail = pnorm((double)k + 0.5, n * m / 2,
			     sqrt(n * m * (n + m + 1) / 12), 1, 0);
	return tail < 0.5 ? 2 * tail : 1;
}

struct pair_question {
	const struct samples *samples;
	size_t rank; /* 1 is the smallest */
};

static bool reaches_rank(double difference, const void *arg)
{
	const struct pair_question *question = arg;

	return count_pairs(question->samples, difference, true) >=
	       question->rank;
}

/* The difference of that rank. */
static double pair_of_rank(const struct samples *samples, size_t rank)
{
	const struct pair_question question = { samples, rank };

	return fz_bisect(reaches_rank, &question);
}

static double median_pair(const struct samples *s)
{
	const size_t nr = nr_pairs(s);
	const double low = pair_of_rank(s, (nr + 1) / 2);

	return nr % 2 ? low : (low + pair_of_rank(s, nr / 2 + 1)) / 2;
}

static struct fz_interval interval(const struct samples *s, double alpha)
{
	const size_t k = fz_order_accepted(nr_pairs(s), alpha, two_sided_p, s);

	/* k 0 asks for ranks that do not exist: -inf and inf as logarithms. */
	return (struct fz_interval){
		.lo = exp(pair_of_rank(s, k)),
		.hi = exp(pair_of_rank(s, nr_pairs(s) - k + 1)),
	};
}

struct fz_rank_sum fz_rank_sum_ratio(const double *num, size_t nr_num,
				     const double *den, size_t nr_den,
				     double alpha)
{
	struct samples s;
	struct fz_rank_sum result;
	size_t nr_below, nr_above, nr_clear;

	assert(alpha > 0 && alpha < 1);
	logs_init(&s.num, num, nr_num);
	logs_init(&s.den, den, nr_den);
	nr_below = count_pairs(&s, 0, false);
	nr_above = nr_pairs(&s) - count_pairs(&s, 0, true);
	nr_clear = nr_below > nr_above ? nr_below : nr_above;
	result.p = two_sided_p(nr_pairs(&s) - nr_clear, &s);
	result.ratio = exp(median_pair(&s));
	result.ci = interval(&s, alpha);
	wilcox_free();
	return result;
}
