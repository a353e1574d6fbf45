// SPDX-License-Identifier: GPL-2.0-or-later
/* Location, spread and bootstrap intervals. */
#include <fz/statistics.h>

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include <fz/random.h>

#include "bisect.h"
#include "order.h"

/* Efron and Tibshirani ask for 1,000 or more for percentile intervals. */
#define RESAMPLES 2000

/* "boot": a stream that nothing else uses. */
#define BOOTSTRAP_STREAM 0x626f6f74ull

double fz_mean(const double *x, size_t n)
{
	double sum = 0;

	assert(n > 0);
	for (size_t i = 0; i < n; i++)
		sum += x[i];
	return sum / (double)n;
}

double fz_stdev(const double *x, size_t n)
{
	double mean = fz_mean(x, n);
	double squares = 0;

	if (n < 2)
		return 0;
	for (size_t i = 0; i < n; i++)
		squares += (x[i] - mean) * (x[i] - mean);
	return sqrt(squares / (double)(n - 1));
}

struct rank_question {
	const double *x; /* [n] */
	size_t n;
	size_t rank; /* 1 is the smallest */
};

static bool reaches_rank(double value, const void *arg)
{
	const struct rank_question *question = arg;
	size_t nr = 0;

	for (size_t i = 0; i < question->n; i++)
		nr += question->x[i] <= value;
	return nr >= question->rank;
}

static double order_statistic(const double *x, size_t n, size_t rank)
{
	const struct rank_question question = { x, n, rank };

	return fz_bisect(reaches_rank, &question);
}

double fz_median(const double *x, size_t n)
{
	double low;

	assert(n > 0);
	low = order_statistic(x, n, (n + 1) / 2);
	if (n % 2)
		return low;
	return (low + order_statistic(x, n, n / 2 + 1)) / 2;
}

double fz_quantile_sorted(const double *sorted, size_t n, double q)
{
	double place, below;
	size_t i;

	assert(n > 0);
	assert(q >= 0 && q <= 1);
	place = q * (double)(n - 1);
	below = floor(place);
	i = (size_t)below;
	if (i + 1 >= n)
		return sorted[n - 1];
	return sorted[i] + (place - below) * (sorted[i + 1] - sorted[i]);
}

/*
 * Median of n draws from n sorted numbers, without sorting the draws: count how
 * often each number was drawn and walk to the middle.
 */
static double resample_median(const double *sorted, size_t n,
			      struct fz_random *random)
{
	uint16_t draws[FZ_MAX_ROUNDS];
	size_t seen = 0, low, i;

	_Static_assert(FZ_MAX_ROUNDS <= UINT16_MAX, "draws fit their counters");
	memset(draws, 0, n * sizeof(draws[0]));
	for (i = 0; i < n; i++)
		draws[fz_random_below(random, n)]++;
	for (i = 0; seen + draws[i] < (n + 1) / 2; i++)
		seen += draws[i];
	low = i;
	for (; seen + draws[i] < n / 2 + 1; i++)
		seen += draws[i];
	return n % 2 ? sorted[low] : (sorted[low] + sorted[i]) / 2;
}

struct fz_interval fz_bootstrap_median(const double *x, size_t n, double level,
				       uint64_t seed)
{
	struct fz_random random = fz_random_begin(seed, BOOTSTRAP_STREAM);
	double sorted[FZ_MAX_ROUNDS], medians[RESAMPLES];
	double tail = (1 - level) / 2;

	assert(n > 0);
	assert(level > 0 && level < 1);
	if (n > FZ_MAX_ROUNDS)
		n = FZ_MAX_ROUNDS;
	memcpy(sorted, x, n * sizeof(x[0]));
	fz_order_sort(sorted, n);
	for (size_t i = 0; i < RESAMPLES; i++)
		medians[i] = resample_median(sorted, n, &random);
	fz_order_sort(medians, RESAMPLES);
	return (struct fz_interval){
		.lo = fz_quantile_sorted(medians, RESAMPLES, tail),
		.hi = fz_quantile_sorted(medians, RESAMPLES, 1 - tail),
	};
}

struct fz_ratio fz_paired_ratio(const double *numerator,
				const double *denominator, size_t n,
				uint64_t seed)
{
	double ratio[FZ_MAX_ROUNDS];

	assert(n > 0);
	if (n > FZ_MAX_ROUNDS)
		n = FZ_MAX_ROUNDS;
	for (size_t i = 0; i < n; i++) {
		assert(denominator[i] != 0);
		ratio[i] = numerator[i] / denominator[i];
	}
	return (struct fz_ratio){
		.median = fz_median(ratio, n),
		.ci95 = fz_bootstrap_median(ratio, n, 0.95, seed),
		.rounds = n,
	};
}
