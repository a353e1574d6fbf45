// SPDX-License-Identifier: GPL-2.0-or-later
/* Statistics against published figures, exact distributions and simulation. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MATHLIB_STANDALONE
#include <Rmath.h>

#include <fz/random.h>
#include <fz/statistics.h>

#include "fz_test.h"

#define NR(a) (sizeof(a) / sizeof((a)[0]))

/* Figures of Python 3.11's statistics module: mean, median, stdev, quantiles
 * (n=20, method='inclusive', which is type 7). */
static const struct {
	size_t n;
	double x[9]; /* [n], ascending */
	double mean, median, stdev, q05, q25, q95;
} described[] = {
	{ 9,
	  { 9.8, 9.9, 10.0, 10.1, 10.2, 10.4, 11.7, 12.1, 30.5 },
	  12.744444444444444,
	  10.2,
	  6.708410972635605,
	  9.84,
	  10.0,
	  23.14 },
	{ 4,
	  { -1.25, 0.5, 3.5, 8.0 },
	  2.6875,
	  2.0,
	  4.0485336851754115,
	  -0.9875,
	  0.0625,
	  7.325 },
	{ 2, { 2, 3 }, 2.5, 2.5, 0.7071067811865476, 2.05, 2.25, 2.95 },
	{ 1, { 7 }, 7, 7, 0, 7, 7, 7 },
	{ 3,
	  { -2, -2, 0 },
	  -1.3333333333333333,
	  -2,
	  1.1547005383792515,
	  -2,
	  -2,
	  -0.2 },
};

START_TEST(described_by_python)
{
	const double *x = described[_i].x;
	size_t n = described[_i].n;

	ck_assert_double_eq_tol(fz_mean(x, n), described[_i].mean, 1e-13);
	ck_assert_double_eq_tol(fz_stdev(x, n), described[_i].stdev, 1e-13);
	ck_assert_double_eq(fz_median(x, n), described[_i].median);
	ck_assert_double_eq_tol(fz_quantile_sorted(x, n, 0.05),
				described[_i].q05, 1e-13);
	ck_assert_double_eq_tol(fz_quantile_sorted(x, n, 0.25),
				described[_i].q25, 1e-13);
	ck_assert_double_eq_tol(fz_quantile_sorted(x, n, 0.5),
				described[_i].median, 1e-13);
	ck_assert_double_eq_tol(fz_quantile_sorted(x, n, 0.95),
				described[_i].q95, 1e-13);
	ck_assert_double_eq(fz_quantile_sorted(x, n, 0), x[0]);
	ck_assert_double_eq(fz_quantile_sorted(x, n, 1), x[n - 1]);
}
END_TEST

/* NIST Statistical Reference Datasets, NumAcc1 to NumAcc4: certified mean and
 * standard deviation of numbers that differ in their last digits only. The
 * first number, then +0.1 and -0.1 in turn (NumAcc1: three numbers). */
static const struct {
	double first, below, above, mean, stdev;
	size_t n;
	double tolerance;
} nist[] = {
	{ 10000001, 10000003, 10000002, 10000002, 1, 3, 1e-15 },
	{ 1.2, 1.1, 1.3, 1.2, 0.1, 1001, 1e-13 },
	{ 1000000.2, 1000000.1, 1000000.3, 1000000.2, 0.1, 1001, 1e-8 },
	{ 10000000.2, 10000000.1, 10000000.3, 10000000.2, 0.1, 1001, 1e-7 },
};

START_TEST(nist_reference_datasets)
{
	double x[1001];

	x[0] = nist[_i].first;
	for (size_t i = 1; i < nist[_i].n; i++)
		x[i] = i % 2 ? nist[_i].below : nist[_i].above;
	ck_assert_double_eq_tol(fz_mean(x, nist[_i].n), nist[_i].mean,
				nist[_i].mean * 1e-13);
	ck_assert_double_eq_tol(fz_stdev(x, nist[_i].n), nist[_i].stdev,
				nist[_i].tolerance);
}
END_TEST

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Normal by the sum of twelve: good to a few per mille up to 3 sigma. */
static double normal(struct fz_random *random)
{
	double sum = -6;

	for (unsigned int i = 0; i < 12; i++)
		sum += fz_random_unit(random);
	return sum;
}

START_TEST(median_is_the_middle_of_the_sorted)
{
	struct fz_random random = fz_random_begin(1, 0);
	unsigned int wrong = 0, changed = 0;

	for (size_t n = 1; n < 300; n++) {
		double x[300], sorted[300], expected;

		for (size_t i = 0; i < n; i++)
			x[i] = n % 3 ? normal(&random) * 1e-3
				     : floor(3 * normal(&random));
		memcpy(sorted, x, sizeof(x));
		expected = fz_median(x, n);
		changed += memcmp(sorted, x, n * sizeof(x[0])) != 0;
		qsort(sorted, n, sizeof(sorted[0]), compare_doubles);
		wrong += expected != (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
	}
	ck_assert_uint_eq(wrong, 0);
	ck_assert_uint_eq(changed, 0);
}
END_TEST

/* No limit on n, extreme numbers, and no minus zero. */
START_TEST(median_of_the_unusual)
{
	static double many[100001];
	const double extreme[] = { 1e308, -1e308, 5e-324, 0, 1e-300 };
	const double zeros[] = { -0.0, -0.0, -0.0 };

	for (size_t i = 0; i < NR(many); i++)
		many[i] = (double)((i * 7919) % NR(many));
	ck_assert_double_eq(fz_median(many, NR(many)), 50000);
	ck_assert_double_eq(fz_median(extreme, NR(extreme)), 5e-324);
	ck_assert(!signbit(fz_median(zeros, NR(zeros))));
}
END_TEST

/*
 * The bootstrap distribution of the median of an odd number of rounds is known
 * exactly (Efron 1979): a resample's median is at most the j-th smallest if at
 * least (n + 1) / 2 of its n draws are. The ends of the interval must be where
 * that crosses 2.5 %; 1.5 % around are 4 standard deviations of 2,000 draws.
 */
static size_t first_rank_above(size_t n, double chance)
{
	size_t j = 1;

	while (j < n && pbinom((double)(n / 2), (double)n,
			       (double)j / (double)n, 0, 0) <= chance)
		j++;
	return j;
}

START_TEST(bootstrap_against_its_exact_distribution)
{
	static const size_t sizes[] = { 3, 5, 11, 21, 101, 1001 };
	size_t n = sizes[_i];
	size_t from = first_rank_above(n, 0.010);
	size_t to = first_rank_above(n, 0.040);
	static double x[1001];
	struct fz_interval ci;

	/* The k-th smallest is k; in a mixed order. */
	for (size_t i = 0; i < n; i++)
		x[i] = (double)(i * 2 % n + 1);
	ci = fz_bootstrap_median(x, n, 0.95, 1);
	ck_assert_double_ge(ci.lo, (double)from);
	ck_assert_double_le(ci.lo, (double)to);
	ck_assert_double_le(ci.hi, (double)(n + 1 - from));
	ck_assert_double_ge(ci.hi, (double)(n + 1 - to));
}
END_TEST

START_TEST(bootstrap_of_one_and_of_equals)
{
	const double one[] = { 42.5 };
	const double equal[] = { 3, 3, 3, 3 };
	struct fz_interval ci = fz_bootstrap_median(one, 1, 0.95, 1);

	ck_assert_double_eq(ci.lo, 42.5);
	ck_assert_double_eq(ci.hi, 42.5);
	ci = fz_bootstrap_median(equal, 4, 0.95, 1);
	ck_assert_double_eq(ci.lo, 3);
	ck_assert_double_eq(ci.hi, 3);
}
END_TEST

/* Even n: medians of resamples are often halfway between two numbers. */
START_TEST(bootstrap_of_two)
{
	const double two[] = { 5, 1 };
	struct fz_interval ci = fz_bootstrap_median(two, 2, 0.4, 1);

	/* 1, 3, 3 or 5: the middle 40 % of them are 3. */
	ck_assert_double_eq(ci.lo, 3);
	ck_assert_double_eq(ci.hi, 3);
	ci = fz_bootstrap_median(two, 2, 0.6, 1);
	ck_assert_double_eq(ci.lo, 1);
	ck_assert_double_eq(ci.hi, 5);
}
END_TEST

START_TEST(bootstrap_depends_on_the_seed_alone)
{
	double x[50], shuffled[50];
	struct fz_random random = fz_random_begin(2, 0);
	struct fz_interval a, b;
	unsigned int differing = 0;

	for (size_t i = 0; i < NR(x); i++)
		shuffled[NR(x) - 1 - i] = x[i] = normal(&random);
	a = fz_bootstrap_median(x, NR(x), 0.95, 7);
	b = fz_bootstrap_median(shuffled, NR(x), 0.95, 7);
	ck_assert_mem_eq(&a, &b, sizeof(a));
	for (uint64_t seed = 8; seed < 18; seed++) {
		b = fz_bootstrap_median(x, NR(x), 0.95, seed);
		differing += memcmp(&a, &b, sizeof(a)) != 0;
	}
	ck_assert_uint_gt(differing, 0);
}
END_TEST

/* How often the interval holds the true median, over 400 samples: 95 % meant,
 * 1.1 % standard deviation; skewed data as times are. */
START_TEST(bootstrap_coverage)
{
	static const size_t sizes[] = { 11, 20 };
	struct fz_random random = fz_random_begin(3, (uint64_t)_i);
	size_t n = sizes[_i];
	unsigned int held = 0;

	for (unsigned int sample = 0; sample < 400; sample++) {
		struct fz_interval ci;
		double x[20];

		for (size_t i = 0; i < n; i++)
			x[i] = exp(normal(&random));
		ci = fz_bootstrap_median(x, n, 0.95, sample);
		held += ci.lo <= 1 && 1 <= ci.hi;
	}
	ck_assert_uint_ge(held, 400 * 90 / 100);
	ck_assert_uint_le(held, 400 * 99 / 100);
}
END_TEST

START_TEST(paired_ratio)
{
	/* A common disturbance in round 3 cancels. */
	const double num[] = { 2.0, 2.2, 20.0, 1.9, 2.1 };
	const double den[] = { 1.0, 1.0, 10.0, 1.0, 1.0 };
	struct fz_ratio ratio = fz_paired_ratio(num, den, 5, 1);

	ck_assert_double_eq_tol(ratio.median, 2, 1e-15);
	ck_assert_uint_eq(ratio.rounds, 5);
	ck_assert_double_ge(ratio.ci95.lo, 1.9);
	ck_assert_double_le(ratio.ci95.hi, 2.2);
	ck_assert_double_lt(ratio.ci95.lo, 2);
	ck_assert_double_gt(ratio.ci95.hi, 2);
	ratio = fz_paired_ratio(num, num, 5, 1);
	ck_assert_double_eq(ratio.median, 1);
	ck_assert_double_eq(ratio.ci95.lo, 1);
	ck_assert_double_eq(ratio.ci95.hi, 1);
}
END_TEST

START_TEST(rounds_beyond_the_limit)
{
	static double num[FZ_MAX_ROUNDS + 100], den[FZ_MAX_ROUNDS + 100];
	struct fz_ratio ratio;

	for (size_t i = 0; i < NR(num); i++) {
		num[i] = i < FZ_MAX_ROUNDS ? 3 : 1000;
		den[i] = 2;
	}
	ratio = fz_paired_ratio(num, den, NR(num), 1);
	ck_assert_uint_eq(ratio.rounds, FZ_MAX_ROUNDS);
	ck_assert_double_eq(ratio.median, 1.5);
	ck_assert_double_eq(ratio.ci95.hi, 1.5);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("statistics");
	TCase *tc = tcase_create("statistics");

	tcase_add_loop_test(tc, described_by_python, 0, NR(described));
	tcase_add_loop_test(tc, nist_reference_datasets, 0, NR(nist));
	tcase_add_test(tc, median_is_the_middle_of_the_sorted);
	tcase_add_test(tc, median_of_the_unusual);
	tcase_add_loop_test(tc, bootstrap_against_its_exact_distribution, 0, 6);
	tcase_add_test(tc, bootstrap_of_one_and_of_equals);
	tcase_add_test(tc, bootstrap_of_two);
	tcase_add_test(tc, bootstrap_depends_on_the_seed_alone);
	tcase_add_loop_test(tc, bootstrap_coverage, 0, 2);
	tcase_add_test(tc, paired_ratio);
	tcase_add_test(tc, rounds_beyond_the_limit);
	tcase_set_timeout(tc, 60);
	suite_add_tcase(suite, tc);
	return suite;
}
