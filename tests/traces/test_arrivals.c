// SPDX-License-Identifier: GPL-2.0-or-later
/* Times of faults: exact where they are fixed, exponential where random. */
#include <math.h>

#include "arrivals.h"
#include "fits.h"
#include "fz_test.h"

#define NR(a)   (sizeof(a) / sizeof((a)[0]))
#define NR_BINS 50

/* The bin of an exponential number; all are equally likely. */
static unsigned int bin_of(double x)
{
	const double below = -expm1(-x) * NR_BINS;

	return below < NR_BINS ? (unsigned int)below : NR_BINS - 1;
}

START_TEST(exponential_fits)
{
	struct fz_random random = fz_random_begin(21, (uint64_t)_i);
	uint64_t counts[NR_BINS] = { 0 };
	double fit, sum = 0;

	for (unsigned int i = 0; i < 100000; i++) {
		const double x = arrivals_exponential(&random);

		counts[bin_of(x)]++;
		sum += x;
	}
	fit = fits_uniform(counts, NR_BINS);
	ck_assert_msg(fit > FITS_ENOUGH, "%g", fit);
	/* Five standard deviations of the mean. */
	ck_assert_double_eq_tol(sum / 100000, 1, 5 / sqrt(100000));
}
END_TEST

static struct fz_generator_params params_of(enum fz_arrival arrival,
					    uint64_t rate_per_s)
{
	return (struct fz_generator_params){
		.page_bytes = 4096,
		.arrival = arrival,
		.rate_per_s = rate_per_s,
		.seed = 22,
	};
}

static const uint64_t rates[] = {
	1, 3, 7, 1000, 123456, 999999937, 1000000000
};

/* 30 bits times 30 bits fit. */
START_TEST(fixed_is_exact)
{
	const struct fz_generator_params params =
		params_of(FZ_ARRIVAL_FIXED, rates[_i]);
	struct arrivals arrivals = arrivals_begin(&params, 0);
	unsigned int wrong = 0;

	for (uint64_t n = 0; n < 100000; n++) {
		wrong += arrivals.time_ns != n * 1000000000 / rates[_i];
		arrivals_next(&arrivals, &params);
	}
	ck_assert_uint_eq(wrong, 0);
}
END_TEST

START_TEST(flat_out_is_a_cost)
{
	struct fz_generator_params params = params_of(FZ_ARRIVAL_FLAT_OUT, 0);
	struct arrivals arrivals = arrivals_begin(&params, 0);

	ck_assert_uint_eq(arrivals.time_ns, 0);
	arrivals_next(&arrivals, &params);
	ck_assert_uint_eq(arrivals.time_ns, 909);
	params.page_bytes = 2 << 20;
	arrivals_next(&arrivals, &params);
	ck_assert_uint_eq(arrivals.time_ns, 909 + 210215);
}
END_TEST

/* Gaps, in whole ns, are cut: rates where that does not matter. */
START_TEST(poisson_fits)
{
	static const uint64_t some[] = { 1, 1000, 100000 };
	const struct fz_generator_params params =
		params_of(FZ_ARRIVAL_POISSON, some[_i]);
	const double mean_ns = 1e9 / (double)some[_i];
	struct arrivals arrivals = arrivals_begin(&params, (uint64_t)_i);
	uint64_t counts[NR_BINS] = { 0 }, before = 0, odd[2] = { 0 };
	double fit;

	for (unsigned int i = 0; i < 100000; i++) {
		const uint64_t gap_ns = arrivals.time_ns - before;

		counts[bin_of(((double)gap_ns + 0.5) / mean_ns)]++;
		odd[gap_ns & 1]++;
		before = arrivals.time_ns;
		arrivals_next(&arrivals, &params);
	}
	fit = fits_uniform(counts, NR_BINS);
	ck_assert_msg(fit > FITS_ENOUGH, "%g", fit);
	ck_assert_double_gt(fits_uniform(odd, 2), FITS_ENOUGH);
}
END_TEST

/* Where gaps are about as short as a ns, their mean still is right. */
START_TEST(poisson_keeps_its_rate)
{
	const struct fz_generator_params params =
		params_of(FZ_ARRIVAL_POISSON, rates[_i]);
	struct arrivals arrivals = arrivals_begin(&params, (uint64_t)_i);
	const double faults = 100000;

	for (unsigned int i = 1; i < 100000; i++)
		arrivals_next(&arrivals, &params);
	ck_assert_double_eq_tol((double)arrivals.time_ns * 1e-9 *
					(double)rates[_i] / faults,
				1, 5 / sqrt(faults));
}
END_TEST

/* Streams are independent: counts in the same seconds do not correlate. */
START_TEST(poisson_streams_differ)
{
	const struct fz_generator_params params =
		params_of(FZ_ARRIVAL_POISSON, 1000);
	struct arrivals a = arrivals_begin(&params, 0);
	struct arrivals b = arrivals_begin(&params, 1);
	unsigned int same = 0;

	for (unsigned int i = 0; i < 1000; i++) {
		same += a.time_ns == b.time_ns;
		arrivals_next(&a, &params);
		arrivals_next(&b, &params);
	}
	ck_assert_uint_lt(same, 3);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("arrivals");
	TCase *tc = tcase_create("arrivals");

	tcase_add_loop_test(tc, exponential_fits, 0, 5);
	tcase_add_loop_test(tc, fixed_is_exact, 0, NR(rates));
	tcase_add_test(tc, flat_out_is_a_cost);
	tcase_add_loop_test(tc, poisson_fits, 0, 3);
	tcase_add_loop_test(tc, poisson_keeps_its_rate, 0, NR(rates));
	tcase_add_test(tc, poisson_streams_differ);
	suite_add_tcase(suite, tc);
	return suite;
}
