// SPDX-License-Identifier: GPL-2.0-or-later
/* Signed-rank test, its interval, and the winner rule. */
#include <fz/significance.h>

#include <assert.h>
#include <math.h>

#define MATHLIB_STANDALONE
#include <Rmath.h>

#include "bisect.h"
#include "order.h"

/* Sorted log ratios of the rounds. */
struct log_ratios {
	double d[FZ_MAX_ROUNDS];
	size_t n;
};

static void log_ratios_init(struct log_ratios *ratios, const double *num,
			    const double *den, size_t n)
{
	ratios->n = n < FZ_MAX_ROUNDS ? n : FZ_MAX_ROUNDS;
	for (size_t i = 0; i < ratios->n; i++) {
		assert(num[i] > 0 && den[i] > 0);
		/* A difference of logarithms, for a and b swapped to give
		 * exactly the opposite: ties stay ties. */
		ratios->d[i] = log(num[i]) - log(den[i]);
	}
	fz_order_sort(ratios->d, ratios->n);
}

static size_t nr_walsh(size_t n)
{
	return n * (n + 1) / 2;
}

/* Pairs i <= j with d[i] + d[j] <= sum (or < sum). As i rises, the largest j
 * that fits falls: one walk along a staircase. */
static size_t count_pairs(const struct log_ratios *ratios, double sum,
			  bool or_equal)
{
	const double *d = ratios->d;
	size_t nr = 0, end = ratios->n; /* [i, end) are the j that fit */

	for (size_t i = 0; i < end; i++) {
		while (end > i && (or_equal ? d[i] + d[end - 1] > sum
					    : d[i] + d[end - 1] >= sum))
			end--;
		nr += end - i;
	}
	return nr;
}

/*
 * Two-sided p where k Walsh averages, or by symmetry all but k, lie on one side
 * of the null hypothesis.
 */
static double two_sided_p(size_t k, const void *log_ratios)
{
	const double n = (double)((const struct log_ratios *)log_ratios)->n;
	const double mean = n * (n + 1) / 4;
	const double variance = mean * (2 * n + 1) / 6;
	double tail;

	if (n <= FZ_EXACT_ROUNDS)
		tail = psignrank((double)k, n, 1, 0);
	else
		tail = pnorm((double)k + 0.5, mean, sqrt(variance), 1, 0);
	return tail < 0.5 ? 2 * tail : 1;
}

struct walsh_question {
	const struct log_ratios *ratios;
	size_t rank; /* 1 is the smallest */
};

static bool reaches_rank(double sum, const void *arg)
{
	const struct walsh_question *question = arg;

	return count_pairs(question->ratios, sum, true) >= question->rank;
}

/* The Walsh average of that rank, as a ratio. */
static double walsh_ratio(const struct log_ratios *ratios, size_t rank)
{
	const struct walsh_question question = { ratios, rank };

	return exp(fz_bisect(reaches_rank, &question) / 2);
}

static struct fz_interval ratio_interval(const struct log_ratios *ratios,
					 double alpha)
{
	size_t k = fz_order_accepted(nr_walsh(ratios->n), alpha, two_sided_p,
				     ratios);

	/* k 0 asks for ranks that do not exist: -inf and inf as logarithms. */
	return (struct fz_interval){
		.lo = walsh_ratio(ratios, k),
		.hi = walsh_ratio(ratios, nr_walsh(ratios->n) - k + 1),
	};
}

struct fz_signed_rank fz_signed_rank_ratio(const double *num, const double *den,
					   size_t n, double alpha)
{
	struct log_ratios ratios;
	struct fz_signed_rank result;
	size_t nr_negative, nr_positive, nr_clear;

	assert(n > 0);
	assert(alpha > 0 && alpha < 1);
	log_ratios_init(&ratios, num, den, n);
	nr_negative = count_pairs(&ratios, 0, false);
	nr_positive = nr_walsh(ratios.n) - count_pairs(&ratios, 0, true);
	nr_clear = nr_negative > nr_positive ? nr_negative : nr_positive;
	result.p = two_sided_p(nr_walsh(ratios.n) - nr_clear, &ratios);
	result.ci = ratio_interval(&ratios, alpha);
	signrank_free();
	return result;
}

/* Index of the smallest p that is not rejected yet; n if none is left. */
static size_t smallest_left(const double *p, size_t n, const bool *rejected)
{
	size_t smallest = n;

	for (size_t i = 0; i < n; i++)
		if (!rejected[i] && (smallest == n || p[i] < p[smallest]))
			smallest = i;
	return smallest;
}

void fz_holm(const double *p, size_t n, double alpha, bool *rejected)
{
	for (size_t i = 0; i < n; i++)
		rejected[i] = false;
	for (size_t left = n; left > 0; left--) {
		size_t i = smallest_left(p, n, rejected);

		if (!(p[i] < alpha / (double)left))
			return;
		rejected[i] = true;
	}
}

/* How many tests come before that one. */
static size_t nr_before(const double *p, size_t n, size_t test)
{
	size_t nr = 0;

	for (size_t i = 0; i < n; i++)
		nr += p[i] < p[test] || (p[i] == p[test] && i < test);
	return nr;
}

void fz_holm_levels(const double *p, size_t n, double alpha, bool *rejected,
		    double *levels)
{
	size_t nr_rejected = 0;

	fz_holm(p, n, alpha, rejected);
	for (size_t i = 0; i < n; i++)
		nr_rejected += rejected[i];
	for (size_t i = 0; i < n; i++) {
		const size_t step =
			rejected[i] ? nr_before(p, n, i) : nr_rejected;

		levels[i] = alpha / (double)(n - step);
	}
}

static bool are_all_rejected(const double *p, size_t n, double alpha)
{
	bool rejected[FZ_HOLM_ROWS];

	fz_holm(p, n, alpha, rejected);
	for (size_t i = 0; i < n; i++)
		if (!rejected[i])
			return false;
	return true;
}

bool fz_is_winner(const double *const *seconds, size_t nr_rows, size_t rounds,
		  size_t candidate)
{
	double p[FZ_HOLM_ROWS];
	size_t nr_others = nr_rows - 1, nr = 0;
	/* Bonferroni's is Holm's first step for all, and needs no memory. */
	bool stepwise = nr_others <= FZ_HOLM_ROWS;
	double alpha = stepwise ? FZ_WINNER_ALPHA
				: FZ_WINNER_ALPHA / (double)nr_others;

	if (nr_rows < 2 || rounds < FZ_WINNER_MIN_ROUNDS)
		return false;
	assert(candidate < nr_rows);
	for (size_t row = 0; row < nr_rows; row++) {
		struct fz_signed_rank test;

		if (row == candidate)
			continue;
		test = fz_signed_rank_ratio(seconds[candidate], seconds[row],
					    rounds, alpha);
		if (!(test.ci.hi < 1))
			return false;
		if (stepwise)
			p[nr++] = test.p;
	}
	return !stepwise || are_all_rejected(p, nr, FZ_WINNER_ALPHA);
}
