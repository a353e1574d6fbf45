// SPDX-License-Identifier: GPL-2.0-or-later
/* The rank-sum test against books, brute force and chance. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define MATHLIB_STANDALONE
#include <Rmath.h>

#include <fz/random.h>
#include <fz/rank_sum.h>

#include "fz_test.h"
#include "samples.h"

#define NR(a) (sizeof(a) / sizeof((a)[0]))

/*
 * Hollander and Wolfe (1973), p. 69: permeability of the human chorioamnion at
 * term and earlier. R's wilcox.test(x, y, conf.int = TRUE) prints W = 35,
 * p-value = 0.2544, the estimate 0.305 and the interval (-0.15, 0.76).
 */
START_TEST(permeability_of_hollander_and_wolfe)
{
	static const double x[] = { 0.80, 0.83, 1.89, 1.04, 1.45,
				    1.38, 1.91, 1.64, 0.73, 1.46 };
	static const double y[] = { 1.15, 0.88, 0.90, 0.74, 1.21 };
	double num[NR(x)], den[NR(y)];
	struct fz_rank_sum test;

	for (size_t i = 0; i < NR(x); i++)
		num[i] = exp(x[i]);
	for (size_t i = 0; i < NR(y); i++)
		den[i] = exp(y[i]);
	test = fz_rank_sum_ratio(num, NR(x), den, NR(y), 0.05);
	ck_assert_double_eq_tol(test.p, 0.254412, 5e-7);
	ck_assert_double_eq_tol(log(test.ratio), 0.305, 1e-12);
	ck_assert_double_eq_tol(log(test.ci.lo), -0.15, 1e-12);
	ck_assert_double_eq_tol(log(test.ci.hi), 0.76, 1e-12);
}
END_TEST

static unsigned int nr_above(const double *x, size_t nr_x, const double *y,
			     size_t nr_y)
{
	unsigned int nr = 0;

	for (size_t i = 0; i < nr_x; i++)
		for (size_t j = 0; j < nr_y; j++)
			nr += x[i] > y[j];
	return nr;
}

/* p by trying every choice of nr_x numbers out of all, without ties. */
static double brute_force_p(const double *x, size_t nr_x, const double *y,
			    size_t nr_y)
{
	const unsigned int pairs = (unsigned int)(nr_x * nr_y);
	const size_t n = nr_x + nr_y;
	unsigned int u = nr_above(x, nr_x, y, nr_y);
	unsigned int nr = 0, as_extreme = 0;
	double all[16], first[16], second[16];

	for (size_t i = 0; i < n; i++)
		all[i] = i < nr_x ? x[i] : y[i - nr_x];
	u = u < pairs - u ? u : pairs - u;
	for (unsigned int chosen = 0; chosen < 1u << n; chosen++) {
		size_t a = 0, b = 0;

		if ((size_t)__builtin_popcount(chosen) != nr_x)
			continue;
		for (size_t i = 0; i < n; i++)
			if (chosen >> i & 1)
				first[a++] = all[i];
			else
				second[b++] = all[i];
		nr++;
		as_extreme += nr_above(first, a, second, b) <= u;
	}
	return fmin(1, 2.0 * as_extreme / nr);
}

START_TEST(p_by_brute_force)
{
	static const size_t sizes[][2] = { { 1, 1 }, { 1, 5 }, { 2, 3 },
					   { 4, 4 }, { 3, 6 }, { 5, 5 } };
	const size_t nr_x = sizes[_i][0], nr_y = sizes[_i][1];
	struct fz_random random = fz_random_begin(1, (uint64_t)_i);
	double worst = 0;

	for (unsigned int sample = 0; sample < 30; sample++) {
		double x[8], y[8], p;

		samples_log_normal(&random, x, nr_x, 0.3 * (sample % 5), 0.2);
		samples_log_normal(&random, y, nr_y, 0, 0.2);
		p = fz_rank_sum_ratio(x, nr_x, y, nr_y, 0.05).p;
		worst = fmax(worst,
			     fabs(p / brute_force_p(x, nr_x, y, nr_y) - 1));
	}
	ck_assert_double_le(worst, 1e-12);
}
END_TEST

/* Whole numbers have ties; small shifts break them in every way. */
START_TEST(ties_give_the_largest_p)
{
	struct fz_random random = fz_random_begin(2, (uint64_t)_i);
	unsigned int below = 0, not_reached = 0;

	for (unsigned int sample = 0; sample < 10; sample++) {
		double x[4], y[4], p, largest = 0;

		for (size_t i = 0; i < 4; i++) {
			x[i] = 1 + (double)fz_random_below(&random, 3);
			y[i] = 1 + (double)fz_random_below(&random, 3);
		}
		p = fz_rank_sum_ratio(x, 4, y, 4, 0.05).p;
		for (unsigned int shift = 0; shift < 300; shift++) {
			double bx[4], by[4];

			for (size_t i = 0; i < 4; i++) {
				bx[i] = x[i] + 1e-3 * samples_normal(&random);
				by[i] = y[i] + 1e-3 * samples_normal(&random);
			}
			largest = fmax(largest, brute_force_p(bx, 4, by, 4));
		}
		below += p < largest - 1e-9;
		not_reached += p > largest + 1e-9;
	}
	ck_assert_uint_eq(below, 0);
	ck_assert_uint_eq(not_reached, 0);
}
END_TEST

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Ends and estimate by sorting all ratios; how many are cut off is R's
 * qwilcox(). */
START_TEST(interval_by_brute_force)
{
	static const size_t sizes[][2] = { { 4, 4 },   { 5, 11 },  { 11, 11 },
					   { 12, 31 }, { 31, 31 }, { 49, 49 } };
	const size_t nr_x = sizes[_i][0], nr_y = sizes[_i][1];
	struct fz_random random = fz_random_begin(3, (uint64_t)_i);
	static double pairs[49 * 49];
	double x[49], y[49];
	struct fz_rank_sum test;
	size_t nr = 0, k;

	samples_log_normal(&random, x, nr_x, 0.1, 0.3);
	samples_log_normal(&random, y, nr_y, 0, 0.1);
	for (size_t i = 0; i < nr_x; i++)
		for (size_t j = 0; j < nr_y; j++)
			pairs[nr++] = log(x[i] / y[j]);
	qsort(pairs, nr, sizeof(pairs[0]), compare_doubles);
	k = (size_t)qwilcox(0.025, (double)nr_x, (double)nr_y, 1, 0);
	wilcox_free();
	test = fz_rank_sum_ratio(x, nr_x, y, nr_y, 0.05);
	ck_assert_double_eq_tol(log(test.ci.lo), pairs[k - 1], 1e-12);
	ck_assert_double_eq_tol(log(test.ci.hi), pairs[nr - k], 1e-12);
	ck_assert_double_eq_tol(log(test.ratio),
				(pairs[(nr - 1) / 2] + pairs[nr / 2]) / 2,
				1e-12);
}
END_TEST

/* 1 is outside the interval exactly if p < alpha, with ties and without. */
START_TEST(interval_is_dual_to_the_test)
{
	struct fz_random random = fz_random_begin(4, (uint64_t)_i);
	unsigned int wrong = 0, outside = 0;

	for (unsigned int sample = 0; sample < 500; sample++) {
		const size_t nr_x = (size_t)fz_random_below(&random, 20) + 1;
		const size_t nr_y = (size_t)fz_random_below(&random, 20) + 1;
		const double alpha = 0.001 + 0.3 * fz_random_unit(&random);
		double x[20], y[20];
		struct fz_rank_sum test;
		bool excludes;

		samples_log_normal(&random, x, nr_x, (sample % 5 - 2.0) / 5,
				   0.3);
		samples_log_normal(&random, y, nr_y, 0, 0.3);
		for (size_t i = 0; _i && i < nr_x; i++)
			x[i] = ceil(4 * x[i]);
		for (size_t i = 0; _i && i < nr_y; i++)
			y[i] = ceil(4 * y[i]);
		test = fz_rank_sum_ratio(x, nr_x, y, nr_y, alpha);
		excludes = test.ci.hi < 1 || test.ci.lo > 1;
		wrong += excludes != (test.p < alpha);
		outside += excludes;
	}
	ck_assert_uint_eq(wrong, 0);
	ck_assert_uint_gt(outside, 50);
	ck_assert_uint_lt(outside, 450);
}
END_TEST

START_TEST(swapping_the_samples_inverts_the_ratio)
{
	struct fz_random random = fz_random_begin(5, (uint64_t)_i);
	double x[60], y[60];
	const size_t nr_x = _i ? 60 : 21, nr_y = 13;
	struct fz_rank_sum xy, yx;

	samples_log_normal(&random, x, nr_x, 0.05, 0.1);
	samples_log_normal(&random, y, nr_y, 0, 0.1);
	xy = fz_rank_sum_ratio(x, nr_x, y, nr_y, 0.01);
	yx = fz_rank_sum_ratio(y, nr_y, x, nr_x, 0.01);
	ck_assert_double_eq(xy.p, yx.p);
	ck_assert_double_eq_tol(xy.ratio * yx.ratio, 1, 1e-12);
	ck_assert_double_eq_tol(xy.ci.lo * yx.ci.hi, 1, 1e-12);
	ck_assert_double_eq_tol(xy.ci.hi * yx.ci.lo, 1, 1e-12);
}
END_TEST

START_TEST(too_few_to_reject_anything)
{
	static const double x[] = { 1, 2, 3 }, y[] = { 4, 5, 6 };
	const struct fz_rank_sum test = fz_rank_sum_ratio(x, 3, y, 3, 0.05);

	ck_assert_double_eq_tol(test.p, 0.1, 1e-12);
	ck_assert_double_eq(test.ci.lo, 0);
	ck_assert(test.ci.hi == INFINITY);
}
END_TEST

START_TEST(equal_samples)
{
	static const double x[] = { 1, 2, 3, 4, 5, 6, 7 };
	const struct fz_rank_sum test =
		fz_rank_sum_ratio(x, NR(x), x, NR(x), 0.05);

	ck_assert_double_eq(test.p, 1);
	ck_assert_double_eq(test.ratio, 1);
}
END_TEST

/* Past the exact sizes: close to R's exact p, which 50 still allows. */
START_TEST(approximation_is_close)
{
	struct fz_random random = fz_random_begin(6, 0);
	double x[50], y[50];
	double worst = 0;

	for (unsigned int sample = 0; sample < 5; sample++) {
		const double shift = 0.04 * sample;
		double u, exact, p;

		samples_log_normal(&random, x, 50, shift, 0.3);
		samples_log_normal(&random, y, 50, 0, 0.3);
		u = nr_above(x, 50, y, 50);
		u = fmin(u, 2500 - u);
		exact = fmin(1, 2 * pwilcox(u, 50, 50, 1, 0));
		p = fz_rank_sum_ratio(x, 50, y, 50, 0.05).p;
		worst = fmax(worst, fabs(p - exact));
	}
	wilcox_free();
	ck_assert_double_le(worst, 2e-3);
}
END_TEST

START_TEST(many_rounds)
{
	static double x[FZ_MAX_ROUNDS + 10], y[FZ_MAX_ROUNDS + 10];
	struct fz_random random = fz_random_begin(7, 0);
	struct fz_rank_sum test;

	samples_log_normal(&random, x, NR(x), 0.01, 0.05);
	samples_log_normal(&random, y, NR(y), 0, 0.05);
	for (size_t i = FZ_MAX_ROUNDS; i < NR(x); i++)
		x[i] = 1e-6;
	test = fz_rank_sum_ratio(x, NR(x), y, NR(y), 0.05);
	ck_assert_double_lt(test.p, 1e-6);
	ck_assert_double_gt(test.ci.lo, 1);
	ck_assert_double_lt(test.ci.hi, 1.02);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("rank_sum");
	TCase *tc = tcase_create("rank_sum");

	tcase_add_test(tc, permeability_of_hollander_and_wolfe);
	tcase_add_loop_test(tc, p_by_brute_force, 0, 6);
	tcase_add_loop_test(tc, ties_give_the_largest_p, 0, 3);
	tcase_add_loop_test(tc, interval_by_brute_force, 0, 6);
	tcase_add_loop_test(tc, interval_is_dual_to_the_test, 0, 2);
	tcase_add_loop_test(tc, swapping_the_samples_inverts_the_ratio, 0, 2);
	tcase_add_test(tc, too_few_to_reject_anything);
	tcase_add_test(tc, equal_samples);
	tcase_add_test(tc, approximation_is_close);
	tcase_add_test(tc, many_rounds);
	tcase_set_timeout(tc, 60);
	suite_add_tcase(suite, tc);
	return suite;
}
