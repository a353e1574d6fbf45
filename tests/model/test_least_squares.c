// SPDX-License-Identifier: GPL-2.0-or-later
/* Fits with known answers, exact and noisy. */
#include <math.h>

#define MATHLIB_STANDALONE
#include <Rmath.h>

#include <fz/least_squares.h>
#include <fz/random.h>

#include "fz_test.h"

#define NR(a) (sizeof(a) / sizeof((a)[0]))

/* Pieces of several lengths in three orders, as calibrating has them. */
static const double layouts[][4] = {
	{ 511, 0, 1, 2097152 }, { 31, 0, 1, 2097152 },  { 0, 511, 1, 2097152 },
	{ 0, 31, 1, 2097152 },  { 1, 1, 510, 2097152 }, { 1, 0, 31, 2097152 },
	{ 0, 0, 1, 8388608 },   { 0, 0, 1, 33554432 },  { 0, 0, 1, 134217728 },
	{ 255, 0, 1, 2097152 }, { 0, 127, 1, 2097152 }, { 0, 1, 127, 2097152 },
};

static double cost(const double *x, const double *price)
{
	double sum = 0;

	for (size_t i = 0; i < 4; i++)
		sum += x[i] * price[i];
	return sum;
}

static void observe(struct fz_observation *obs, const double *price,
		    struct fz_random *random, double noise)
{
	for (size_t n = 0; n < NR(layouts); n++) {
		const double error =
			noise ? noise * qnorm(fz_random_unit(random) + 0x1p-54,
					      0, 1, 1, 0)
			      : 0;

		for (size_t i = 0; i < 4; i++)
			obs[n].x[i] = layouts[n][i];
		obs[n].y = cost(layouts[n], price) * (1 + error);
	}
}

START_TEST(finds_exact_prices)
{
	static const double prices[][4] = {
		{ 70, 180, 110, 0.1 },
		{ 0, 300, 5, 0.02 },
		{ 1, 1, 1, 1 },
		{ 1e6, 0, 12, 1e-3 },
	};
	const double *price = prices[_i];
	struct fz_observation obs[NR(layouts)];
	struct fz_least_squares fit;

	observe(obs, price, NULL, 0);
	fit = fz_least_squares_fit(obs, NR(obs), 4);
	ck_assert_double_lt(fit.relative_error, 1e-9);
	for (size_t i = 0; i < 4; i++)
		ck_assert_double_eq_tol(fit.term[i].value, price[i],
					1e-6 * price[i] + 1e-4);
}
END_TEST

/*
 * The interval of a line through made-up points, weighted by 1 / y^2, worked
 * out from the formulas for a weighted line: slope Sxy / Sxx, around means that
 * are weighted too.
 */
START_TEST(agrees_with_the_formula_of_a_line)
{
	static const double x[] = { 1, 2, 4, 8, 16, 32 };
	static const double y[] = { 11.3, 13.1, 18.4, 26.2, 45.0, 79.9 };
	struct fz_observation obs[NR(x)];
	struct fz_least_squares fit;
	double w = 0, mx = 0, my = 0, sxx = 0, sxy = 0, left = 0;
	double slope, first, t, error;

	for (size_t i = 0; i < NR(x); i++) {
		const double weight = 1 / (y[i] * y[i]);

		obs[i] = (struct fz_observation){ { 1, x[i] }, y[i] };
		w += weight;
		mx += weight * x[i];
		my += weight * y[i];
	}
	mx /= w;
	my /= w;
	for (size_t i = 0; i < NR(x); i++) {
		sxx += (x[i] - mx) * (x[i] - mx) / (y[i] * y[i]);
		sxy += (x[i] - mx) * (y[i] - my) / (y[i] * y[i]);
	}
	slope = sxy / sxx;
	first = my - slope * mx;
	for (size_t i = 0; i < NR(x); i++)
		left += pow((y[i] - first - slope * x[i]) / y[i], 2);
	error = sqrt(left / 4);
	t = qt(0.975, 4, 1, 0);
	fit = fz_least_squares_fit(obs, NR(obs), 2);
	ck_assert_double_eq_tol(fit.relative_error, error, 1e-12);
	ck_assert_double_eq_tol(fit.term[1].value, slope, 1e-10);
	ck_assert_double_eq_tol(fit.term[0].value, first, 1e-10);
	ck_assert_double_eq_tol(fit.term[1].ci95.hi,
				slope + t * error / sqrt(sxx), 1e-9);
	ck_assert_double_eq_tol(fit.term[0].ci95.lo,
				first - t * error * sqrt(1 / w + mx * mx / sxx),
				1e-9);
}
END_TEST

/* In 95 of 100 fits; 2,000 fits tell that to 1 %. */
START_TEST(intervals_cover)
{
	static const double price[] = { 70, 180, 110, 0.1 };
	struct fz_random random = fz_random_begin(7, 1);
	struct fz_observation obs[NR(layouts)];
	unsigned int covered[4] = { 0 };

	for (unsigned int trial = 0; trial < 2000; trial++) {
		struct fz_least_squares fit;

		observe(obs, price, &random, 0.03);
		fit = fz_least_squares_fit(obs, NR(obs), 4);
		for (size_t i = 0; i < 4; i++)
			covered[i] += fit.term[i].ci95.lo <= price[i] &&
				      price[i] <= fit.term[i].ci95.hi;
	}
	for (size_t i = 0; i < 4; i++)
		ck_assert_msg(covered[i] > 1860 && covered[i] < 1940,
			      "term %zu: %u of 2000", i, covered[i]);
}
END_TEST

START_TEST(negative_prices_become_nothing)
{
	const struct fz_observation obs[] = {
		{ { 1, 1 }, 9 },
		{ { 1, 2 }, 21 },
		{ { 1, 4 }, 39 },
		{ { 1, 8 }, 83 },
	};
	const struct fz_least_squares fit =
		fz_least_squares_fit(obs, NR(obs), 2);
	double xx = 0, x = 0;

	/* Without the first term the second is the sum of x/y over that of
	 * (x/y)^2. */
	for (size_t i = 0; i < NR(obs); i++) {
		x += obs[i].x[1] / obs[i].y;
		xx += pow(obs[i].x[1] / obs[i].y, 2);
	}
	ck_assert_double_eq(fit.term[0].value, 0);
	ck_assert_double_eq(fit.term[0].ci95.lo, 0);
	ck_assert(isfinite(fit.term[0].ci95.hi));
	ck_assert_double_eq_tol(fit.term[1].value, x / xx, 1e-12);
}
END_TEST

START_TEST(what_is_not_told_is_not_known)
{
	/* In thirds, which leave rounding errors. */
	const struct fz_observation proportional[] = {
		{ { 0.1, 0.1 / 3, 0 }, 1 },
		{ { 0.7, 0.7 / 3, 0 }, 7 },
		{ { 1.3, 1.3 / 3, 0 }, 13.5 },
	};
	const struct fz_observation single[] = { { { 4 }, 10 } };
	struct fz_least_squares fit =
		fz_least_squares_fit(proportional, NR(proportional), 3);

	ck_assert(fit.term[0].value > 9 && fit.term[0].value < 11);
	ck_assert(isnan(fit.term[1].value));
	ck_assert(isnan(fit.term[2].value));

	fit = fz_least_squares_fit(single, 1, 1);
	ck_assert_double_eq_tol(fit.term[0].value, 2.5, 1e-12);
	ck_assert_double_lt(fit.relative_error, 1e-9);
	ck_assert(isinf(fit.term[0].ci95.hi));
	ck_assert_double_eq(fit.term[0].ci95.lo, 0);

	fit = fz_least_squares_fit(single, 0, 2);
	ck_assert(isnan(fit.term[0].value) && isnan(fit.term[1].value));
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("model.least_squares");
	TCase *tcase = tcase_create("fits");

	tcase_add_loop_test(tcase, finds_exact_prices, 0, 4);
	tcase_add_test(tcase, agrees_with_the_formula_of_a_line);
	tcase_add_test(tcase, intervals_cover);
	tcase_add_test(tcase, negative_prices_become_nothing);
	tcase_add_test(tcase, what_is_not_told_is_not_known);
	suite_add_tcase(suite, tcase);
	return suite;
}
