// SPDX-License-Identifier: GPL-2.0-or-later
/* The signed-rank test against tables, brute force and chance. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MATHLIB_STANDALONE
#include <Rmath.h>

#include <fz/random.h>
#include <fz/significance.h>

#include "fz_test.h"

#define NR(a) (sizeof(a) / sizeof((a)[0]))

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Roughly normal: the sum of twelve. */
static double normal(struct fz_random *random)
{
	double sum = -6;

	for (unsigned int i = 0; i < 12; i++)
		sum += fz_random_unit(random);
	return sum;
}

/* The test of n numbers as log ratios: 2^d against 1. */
static struct fz_signed_rank test_of(const double *d, size_t n, double alpha)
{
	static double num[FZ_MAX_ROUNDS], den[FZ_MAX_ROUNDS];

	for (size_t i = 0; i < n; i++) {
		num[i] = exp2(d[i]);
		den[i] = 1;
	}
	return fz_signed_rank_ratio(num, den, n, alpha);
}

/* All rounds on one side: p is 2 of 2^n, the smallest there is. */
START_TEST(all_on_one_side)
{
	size_t n = (size_t)_i;
	double d[30];

	for (size_t i = 0; i < n; i++)
		d[i] = -0.01 * (double)(i + 1);
	ck_assert_double_eq_tol(test_of(d, n, 0.05).p * exp2((double)n) / 2, 1,
				1e-12);
	ck_assert((test_of(d, n, 0.05).ci.hi < 1) == (n >= 6));
	ck_assert((test_of(d, n, 0.05).ci.hi == INFINITY) == (n < 6));
}
END_TEST

/*
 * Critical values of the smaller rank sum, two-sided 5 %, n = 6 ... 25, from
 * the tables of textbooks.
 */
static const unsigned int critical[] = {
	0,  2,  3,  5,  8,  10, 13, 17, 21, 25,
	29, 34, 40, 46, 52, 58, 65, 73, 81, 89
};

/* Signs such that the positive ranks sum to that: largest ranks first. */
static void make_rank_sum(double *d, size_t n, unsigned int sum)
{
	for (size_t rank = n; rank > 0; rank--) {
		bool positive = rank <= sum;

		d[rank - 1] = 0.1 * (positive ? (double)rank : -(double)rank);
		sum -= positive ? (unsigned int)rank : 0;
	}
}

START_TEST(critical_values_of_the_tables)
{
	size_t n = (size_t)_i + 6;
	double d[25];

	make_rank_sum(d, n, critical[_i]);
	ck_assert_double_le(test_of(d, n, 0.05).p, 0.05);
	ck_assert_double_lt(test_of(d, n, 0.05).ci.hi, 1);
	make_rank_sum(d, n, critical[_i] + 1);
	ck_assert_double_gt(test_of(d, n, 0.05).p, 0.05);
	ck_assert_double_ge(test_of(d, n, 0.05).ci.hi, 1);
}
END_TEST

/*
 * Hollander and Wolfe (1973), p. 29: depression scale before and after
 * treatment. R's wilcox.test(x, y, paired = TRUE, conf.int = TRUE) prints
 * V = 40, p-value = 0.03906, and the book the interval (0.010, 0.786).
 */
START_TEST(depression_scale_of_hollander_and_wolfe)
{
	static const double x[] = { 1.83, 0.50, 1.62, 2.48, 1.68,
				    1.88, 1.55, 3.06, 1.30 };
	static const double y[] = { 0.878, 0.647, 0.598, 2.05, 1.06,
				    1.29,  1.06,  3.14,  1.29 };
	double num[9], den[9];
	struct fz_signed_rank test;

	for (size_t i = 0; i < 9; i++) {
		num[i] = exp(x[i]);
		den[i] = exp(y[i]);
	}
	test = fz_signed_rank_ratio(num, den, 9, 0.05);
	ck_assert_double_eq_tol(test.p, 20.0 / 512, 1e-12);
	ck_assert_double_eq_tol(log(test.ci.lo), 0.010, 1e-9);
	ck_assert_double_eq_tol(log(test.ci.hi), 0.786, 1e-9);
}
END_TEST

/* p by trying all 2^n signs of the ranks, n <= 12, no ties. */
static double brute_force_p(const double *d, size_t n)
{
	unsigned int rank[12], sum = 0, as_extreme = 0;
	unsigned int total = (unsigned int)(n * (n + 1) / 2);

	for (size_t i = 0; i < n; i++) {
		rank[i] = 1;
		for (size_t j = 0; j < n; j++)
			rank[i] += fabs(d[j]) < fabs(d[i]);
		sum += d[i] > 0 ? rank[i] : 0;
	}
	if (sum > total - sum)
		sum = total - sum;
	for (unsigned int signs = 0; signs < 1u << n; signs++) {
		unsigned int v = 0;

		for (size_t i = 0; i < n; i++)
			v += signs >> i & 1 ? rank[i] : 0;
		as_extreme += v <= sum;
	}
	return fmin(1, 2 * as_extreme / exp2((double)n));
}

START_TEST(p_by_brute_force)
{
	struct fz_random random = fz_random_begin(1, (uint64_t)_i);
	size_t n = (size_t)_i;
	double worst = 0;

	for (unsigned int sample = 0; sample < 50; sample++) {
		double d[12];

		for (size_t i = 0; i < n; i++)
			d[i] = normal(&random) + 0.5 * (sample % 3);
		worst = fmax(
			worst,
			fabs(test_of(d, n, 0.05).p / brute_force_p(d, n) - 1));
	}
	ck_assert_double_le(worst, 1e-12);
}
END_TEST

/*
 * Whole numbers from -2 to 2, so that zeros and ties abound: p must be the
 * largest that any breaking of the ties gives. Small random shifts break them.
 */
START_TEST(ties_give_the_largest_p)
{
	struct fz_random random = fz_random_begin(2, (uint64_t)_i);
	unsigned int below = 0, not_reached = 0;

	for (unsigned int sample = 0; sample < 20; sample++) {
		double d[6], broken[6], p, largest = 0;

		for (size_t i = 0; i < 6; i++)
			d[i] = (double)fz_random_below(&random, 5) - 2;
		p = test_of(d, 6, 0.05).p;
		for (unsigned int shift = 0; shift < 2000; shift++) {
			for (size_t i = 0; i < 6; i++)
				broken[i] = d[i] + 1e-3 * normal(&random);
			largest = fmax(largest, brute_force_p(broken, 6));
		}
		below += p < largest - 1e-9;
		not_reached += p > largest + 1e-9;
	}
	ck_assert_uint_eq(below, 0);
	ck_assert_uint_eq(not_reached, 0);
}
END_TEST

START_TEST(equal_rows)
{
	double same[20];
	struct fz_signed_rank test;

	for (size_t i = 0; i < NR(same); i++)
		same[i] = 1.5 + 0.1 * (double)i;
	test = fz_signed_rank_ratio(same, same, NR(same), 0.05);
	ck_assert_double_eq(test.p, 1);
	ck_assert_double_eq(test.ci.lo, 1);
	ck_assert_double_eq(test.ci.hi, 1);
}
END_TEST

/* The interval's ends by sorting all Walsh averages; how many are cut off is
 * R's qsignrank(). */
START_TEST(interval_by_brute_force)
{
	static const size_t sizes[] = { 6, 7, 11, 20, 63, 200 };
	static double walsh[200 * 201 / 2];
	struct fz_random random = fz_random_begin(3, (uint64_t)_i);
	size_t n = sizes[_i], nr = 0, k;
	struct fz_interval ci;
	double d[200];

	for (size_t i = 0; i < n; i++)
		d[i] = 0.3 + normal(&random);
	for (size_t i = 0; i < n; i++)
		for (size_t j = i; j < n; j++)
			walsh[nr++] = (d[i] + d[j]) / 2;
	qsort(walsh, nr, sizeof(walsh[0]), compare_doubles);
	k = (size_t)qsignrank(0.025, (double)n, 1, 0);
	ci = test_of(d, n, 0.05).ci;
	ck_assert_double_eq_tol(log2(ci.lo), walsh[k - 1], 1e-12);
	ck_assert_double_eq_tol(log2(ci.hi), walsh[nr - k], 1e-12);
}
END_TEST

/* 1 is outside the interval exactly if p < alpha, with ties and without. */
START_TEST(interval_is_dual_to_the_test)
{
	struct fz_random random = fz_random_begin(4, (uint64_t)_i);
	unsigned int wrong = 0, outside = 0;

	for (unsigned int sample = 0; sample < 1000; sample++) {
		size_t n = (size_t)fz_random_below(&random, 30) + 1;
		double alpha = 0.001 + 0.3 * fz_random_unit(&random);
		double d[30];
		struct fz_signed_rank test;
		bool excludes;

		for (size_t i = 0; i < n; i++) {
			d[i] = normal(&random) + (sample % 5 - 2.0) / 2;
			if (_i)
				d[i] = round(d[i]);
		}
		test = test_of(d, n, alpha);
		excludes = test.ci.hi < 1 || test.ci.lo > 1;
		wrong += excludes != (test.p < alpha);
		outside += excludes;
	}
	ck_assert_uint_eq(wrong, 0);
	ck_assert_uint_gt(outside, 200);
	ck_assert_uint_lt(outside, 800);
}
END_TEST

START_TEST(swapping_the_rows_inverts_the_interval)
{
	struct fz_random random = fz_random_begin(5, 0);
	double a[25], b[25];
	struct fz_signed_rank ab, ba;

	for (size_t i = 0; i < 25; i++) {
		a[i] = exp(0.1 * normal(&random));
		b[i] = 1.05 * exp(0.1 * normal(&random));
	}
	ab = fz_signed_rank_ratio(a, b, 25, 0.01);
	ba = fz_signed_rank_ratio(b, a, 25, 0.01);
	ck_assert_double_eq(ab.p, ba.p);
	ck_assert_double_eq_tol(ab.ci.lo * ba.ci.hi, 1, 1e-12);
	ck_assert_double_eq_tol(ab.ci.hi * ba.ci.lo, 1, 1e-12);
}
END_TEST

/* Past FZ_EXACT_ROUNDS: never below the exact p where it matters, and close. */
START_TEST(approximation_is_on_the_safe_side)
{
	static const size_t sizes[] = { FZ_EXACT_ROUNDS + 1, 400, 800 };
	size_t n = sizes[_i];
	double mean = (double)n * (double)(n + 1) / 4;
	double sigma = sqrt(mean * (double)(2 * n + 1) / 6);
	static double d[800];

	for (double z = 1.96; z < 4; z += 0.2) {
		unsigned int sum = (unsigned int)(mean - z * sigma);
		double exact = 2 * psignrank(sum, (double)n, 1, 0);
		double p;

		make_rank_sum(d, n, sum);
		p = test_of(d, n, 0.05).p;
		ck_assert_double_ge(p, exact);
		ck_assert_double_le(p, exact * 1.25);
	}
	signrank_free();
}
END_TEST

/* At sqrt(3) standard deviations the approximation's first error term is 0:
 * half a rank, which is the continuity correction, shows. */
START_TEST(approximation_is_corrected_for_continuity)
{
	const size_t n = FZ_EXACT_ROUNDS + 1;
	const double mean = (double)n * (double)(n + 1) / 4;
	const double sigma = sqrt(mean * (double)(2 * n + 1) / 6);
	unsigned int sum = (unsigned int)(mean - sqrt(3) * sigma);
	double exact = 2 * psignrank(sum, (double)n, 1, 0);
	double d[FZ_EXACT_ROUNDS + 1];

	make_rank_sum(d, n, sum);
	ck_assert_double_eq_tol(test_of(d, n, 0.05).p / exact, 1, 5e-4);
	signrank_free();
}
END_TEST

START_TEST(many_rounds)
{
	static double num[FZ_MAX_ROUNDS + 50], den[FZ_MAX_ROUNDS + 50];
	struct fz_random random = fz_random_begin(6, 0);
	struct fz_signed_rank test, first;

	for (size_t i = 0; i < NR(num); i++) {
		num[i] = 0.99 * exp(0.05 * normal(&random));
		den[i] = exp(0.05 * normal(&random));
		if (i >= FZ_MAX_ROUNDS)
			num[i] = 1e6;
	}
	test = fz_signed_rank_ratio(num, den, NR(num), 0.05);
	first = fz_signed_rank_ratio(num, den, FZ_MAX_ROUNDS, 0.05);
	ck_assert_double_eq(test.p, first.p);
	ck_assert_double_eq(test.ci.hi, first.ci.hi);
	ck_assert_double_lt(test.p, 1e-6);
	ck_assert_double_gt(test.ci.lo, 0.98);
	ck_assert_double_lt(test.ci.hi, 1);
}
END_TEST

/* The interval at 95 % holds the true ratio in 95 % of cases or a little more:
 * here 97.9 % at n = 11 (k = 11: 1 - 2 * 0.0210), 2000 samples, 0.5 % sd. */
START_TEST(interval_coverage)
{
	struct fz_random random = fz_random_begin(7, 0);
	unsigned int held = 0;

	for (unsigned int sample = 0; sample < 2000; sample++) {
		struct fz_interval ci;
		double num[11], den[11];

		for (size_t i = 0; i < 11; i++) {
			double disturbed = exp(normal(&random));

			num[i] = 0.8 * disturbed * exp(0.1 * normal(&random));
			den[i] = disturbed * exp(0.1 * normal(&random));
		}
		ci = fz_signed_rank_ratio(num, den, 11, 0.05).ci;
		held += ci.lo <= 0.8 && 0.8 <= ci.hi;
	}
	ck_assert_uint_ge(held, 1890);
	ck_assert_uint_le(held, 1945);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("significance");
	TCase *tc = tcase_create("significance");

	tcase_add_loop_test(tc, all_on_one_side, 1, 31);
	tcase_add_loop_test(tc, critical_values_of_the_tables, 0, NR(critical));
	tcase_add_test(tc, depression_scale_of_hollander_and_wolfe);
	tcase_add_loop_test(tc, p_by_brute_force, 1, 13);
	tcase_add_loop_test(tc, ties_give_the_largest_p, 0, 3);
	tcase_add_test(tc, equal_rows);
	tcase_add_loop_test(tc, interval_by_brute_force, 0, 6);
	tcase_add_loop_test(tc, interval_is_dual_to_the_test, 0, 2);
	tcase_add_test(tc, swapping_the_rows_inverts_the_interval);
	tcase_add_loop_test(tc, approximation_is_on_the_safe_side, 0, 3);
	tcase_add_test(tc, approximation_is_corrected_for_continuity);
	tcase_add_test(tc, many_rounds);
	tcase_add_test(tc, interval_coverage);
	tcase_set_timeout(tc, 60);
	suite_add_tcase(suite, tc);
	return suite;
}
