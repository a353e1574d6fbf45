// SPDX-License-Identifier: GPL-2.0-or-later
/* Thresholds, humps and ramps that were planted are found. */
#include <math.h>
#include <stdlib.h>

#define MATHLIB_STANDALONE
#include <Rmath.h>

#include <fz/random.h>

#include "elision_fit.h"
#include "fz_test.h"

#define NR(a)      (sizeof(a) / sizeof((a)[0]))
#define NR_CALLS   60u
#define NR_LENGTHS 5u
#define MIB        ((uint64_t)1 << 20)

static const uint64_t lengths[NR_LENGTHS] = { 32 * MIB, 40 * MIB, 64 * MIB,
					      128 * MIB, 512 * MIB };

static double normal(struct fz_random *random)
{
	return qnorm(fz_random_unit(random) + 0x1p-54, 0, 1, 1, 0);
}

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* How many of 200 samples are taken for two humps. */
static unsigned int count_two(double (*draw)(struct fz_random *random),
			      size_t nr)
{
	unsigned int two = 0;

	for (unsigned int trial = 0; trial < 200; trial++) {
		struct fz_random random = fz_random_begin(trial, nr);
		double x[200];

		for (size_t i = 0; i < nr; i++)
			x[i] = draw(&random);
		qsort(x, nr, sizeof(x[0]), compare);
		two += humps_find(x, nr).two;
	}
	return two;
}

static double one_hump(struct fz_random *random)
{
	return 100 + 5 * normal(random);
}

static double flat(struct fz_random *random)
{
	return 50 + 100 * fz_random_unit(random);
}

/* Most calls alike, a tail to the right: interrupts. */
static double tail(struct fz_random *random)
{
	return 100 - 10 * log(1 - fz_random_unit(random));
}

static double two_humps(struct fz_random *random)
{
	return (fz_random_unit(random) < 0.7 ? 60 : 130) + 4 * normal(random);
}

static double rare_hump(struct fz_random *random)
{
	return (fz_random_unit(random) < 0.2 ? 60 : 130) + 4 * normal(random);
}

START_TEST(humps_are_told_from_one)
{
	ck_assert_uint_le(count_two(one_hump, 40), 2);
	ck_assert_uint_le(count_two(flat, 40), 2);
	ck_assert_uint_le(count_two(tail, 40), 2);
	ck_assert_uint_ge(count_two(two_humps, 40), 198);
	ck_assert_uint_ge(count_two(rare_hump, 40), 190);
	ck_assert_uint_eq(count_two(two_humps, 3), 0);
	ck_assert_uint_eq(count_two(two_humps, 0), 0);
}
END_TEST

START_TEST(humps_are_cut_between)
{
	static const double x[] = { 58, 60, 61, 62, 129, 130, 131 };
	static const double stray[] = { 60, 128, 129, 130, 130, 131, 132 };

	ck_assert(humps_find(x, NR(x)).two);
	ck_assert_uint_eq(humps_find(x, NR(x)).nr_low, 4);
	ck_assert(!humps_find(stray, NR(stray)).two);
}
END_TEST

struct planted {
	uint64_t threshold;
	unsigned int asked;
	unsigned int violations;
};

static bool is_fast(void *arg, uint64_t bytes)
{
	struct planted *planted = arg;

	planted->asked++;
	planted->violations += bytes % 4096 != 0;
	return bytes >= planted->threshold;
}

START_TEST(bisection_finds_planted_thresholds)
{
	struct fz_random random = fz_random_begin(3, 4);
	unsigned int wrong = 0;

	for (unsigned int i = 0; i < 1000; i++) {
		const uint64_t slow =
			4096 * (1 + fz_random_below(&random, 9999));
		const uint64_t fast =
			slow + 4096 * (1 + fz_random_below(&random, 99999));
		const uint64_t step =
			4096 * (1 + fz_random_below(&random, 100));
		struct planted planted = {
			slow + 1 + fz_random_below(&random, fast - slow), 0, 0
		};
		const struct elision_bracket found =
			elision_bisect((struct elision_bracket){ slow, fast },
				       step, is_fast, &planted);

		wrong += found.slow_bytes >= planted.threshold ||
			 found.fast_bytes < planted.threshold ||
			 found.fast_bytes - found.slow_bytes > step ||
			 planted.asked > 20;
		wrong += planted.violations;
	}
	ck_assert_uint_eq(wrong, 0);
}
END_TEST

/* A machine of known prices. */
struct truth {
	double share;
	uint64_t ramp_bytes;
	double elided_bps;
	double noise;
};

static double call_ns(const struct truth *truth, uint64_t bytes, double bps,
		      struct fz_random *random)
{
	const double noise = 1 + truth->noise * normal(random);
	const double plain = (double)bytes / bps * 1e9;
	const double fast =
		((double)truth->ramp_bytes / bps +
		 (double)(bytes - truth->ramp_bytes) / truth->elided_bps) *
		1e9;

	return 70 +
	       noise * (fz_random_unit(random) < truth->share ? fast : plain);
}

static struct fz_profile_clear fitted;
static struct fz_calibrated_clear out;

static void fit(const struct truth *truth, uint64_t seed, size_t nr_lengths)
{
	struct fz_random random = fz_random_begin(seed, 1);
	static double ns[NR_LENGTHS][NR_CALLS];
	struct elision_calls calls[NR_LENGTHS];

	fitted = (struct fz_profile_clear){
		.call_ns = { 70, 70, 70 },
		.bps = 25e9,
		.threshold_bytes = 32 * MIB,
		.elided_bps = NAN,
		.elided_share = NAN,
	};
	out = (struct fz_calibrated_clear){ .nr_long = 0 };
	for (size_t i = 0; i < nr_lengths; i++) {
		calls[i] =
			(struct elision_calls){ lengths[i], ns[i], NR_CALLS };
		for (size_t n = 0; n < NR_CALLS; n++)
			ns[i][n] =
				call_ns(truth, lengths[i], fitted.bps, &random);
	}
	elision_fit(&fitted, &out, calls, nr_lengths);
}

START_TEST(calls_that_are_fast_now_and_then)
{
	static const double shares[] = { 0.15, 0.5, 0.7, 0.9 };
	const struct truth truth = { shares[_i], 0, 54e9, 0.03 };

	fit(&truth, 5, NR_LENGTHS);
	ck_assert_int_eq(out.elision, FZ_ELISION_SOMETIMES);
	ck_assert(out.share_ci95.lo <= truth.share &&
		  truth.share <= out.share_ci95.hi);
	ck_assert_double_eq_tol(fitted.elided_share, truth.share, 0.08);
	ck_assert_double_eq_tol(fitted.elided_bps, truth.elided_bps, 1e9);
	ck_assert_uint_lt(fitted.ramp_bytes, 2 * MIB);
	ck_assert_uint_eq(out.nr_long, NR_LENGTHS * NR_CALLS);
}
END_TEST

/* The same mean at one length; the times of each are in one hump. */
START_TEST(a_ramp_is_no_share)
{
	static const uint64_t ramps[] = { 0, 4 * MIB, 10 * MIB };
	const struct truth truth = { 1, ramps[_i], 54e9, 0.03 };

	fit(&truth, 6, NR_LENGTHS);
	ck_assert_int_eq(out.elision, FZ_ELISION_ALWAYS);
	ck_assert_double_eq(fitted.elided_share, 1);
	ck_assert_double_eq_tol(fitted.elided_bps, truth.elided_bps, 1.5e9);
	ck_assert_double_eq_tol((double)fitted.ramp_bytes, (double)ramps[_i],
				1.5 * (double)MIB);
}
END_TEST

START_TEST(both_a_ramp_and_a_share)
{
	const struct truth truth = { 0.6, 8 * MIB, 60e9, 0.02 };

	fit(&truth, 7, NR_LENGTHS);
	ck_assert_int_eq(out.elision, FZ_ELISION_SOMETIMES);
	ck_assert(out.share_ci95.lo <= 0.6 && 0.6 <= out.share_ci95.hi);
	ck_assert_double_eq_tol((double)fitted.ramp_bytes, 8.0 * (double)MIB,
				1.5 * (double)MIB);
	ck_assert_double_eq_tol(fitted.elided_bps, 60e9, 1.5e9);
}
END_TEST

/* A profile may not say more than the calls did. */
START_TEST(no_fast_calls_and_few_lengths)
{
	const struct truth none = { 0, 0, 54e9, 0.03 };
	const struct truth all = { 1, 0, 54e9, 0.03 };

	fit(&none, 8, NR_LENGTHS);
	ck_assert_int_eq(out.elision, FZ_ELISION_NONE);
	ck_assert_uint_eq(fitted.threshold_bytes, 0);
	ck_assert_uint_eq(fitted.ramp_bytes, 0);
	ck_assert(isnan(fitted.elided_bps) && isnan(fitted.elided_share));

	fit(&all, 9, 1);
	ck_assert_int_eq(out.elision, FZ_ELISION_ALWAYS);
	ck_assert_uint_eq(fitted.ramp_bytes, 0);
	ck_assert_double_eq_tol(fitted.elided_bps, 54e9, 1.5e9);

	fit(&all, 9, 0);
	ck_assert_int_eq(out.elision, FZ_ELISION_NONE);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("sim.elision_fit");
	TCase *tcase = tcase_create("elision");

	tcase_add_test(tcase, humps_are_told_from_one);
	tcase_add_test(tcase, humps_are_cut_between);
	tcase_add_test(tcase, bisection_finds_planted_thresholds);
	tcase_add_loop_test(tcase, calls_that_are_fast_now_and_then, 0, 4);
	tcase_add_loop_test(tcase, a_ramp_is_no_share, 0, 3);
	tcase_add_test(tcase, both_a_ramp_and_a_share);
	tcase_add_test(tcase, no_fast_calls_and_few_lengths);
	suite_add_tcase(suite, tcase);
	return suite;
}
