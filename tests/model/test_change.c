// SPDX-License-Identifier: GPL-2.0-or-later
/* Changes between runs: books, symmetry, false alarms and power. */
#include <math.h>

#include <fz/change.h>
#include <fz/random.h>
#include <fz/rank_sum.h>
#include <fz/significance.h>

#include "fz_test.h"
#include "samples.h"

#define NR(a)  (sizeof(a) / sizeof((a)[0]))
#define ROUNDS 31

/* A run by chance. */
struct made_run {
	double seconds[ROUNDS];
};

struct world {
	double rounds;      /* standard deviation of the rounds ... */
	double correlation; /* ... with the round before ... */
	double runs;        /* ... and of the runs' levels */
};

static struct fz_sample make_run(struct made_run *run, struct fz_random *random,
				 const struct world *world, double location)
{
	const double level = location + world->runs * samples_normal(random);

	samples_autoregressive(random, run->seconds, ROUNDS, level,
			       world->rounds, world->correlation);
	return (struct fz_sample){ run->seconds, ROUNDS };
}

static struct fz_change compare_runs(struct fz_random *random,
				     const struct world *world, double shift)
{
	struct made_run made[2];
	const struct fz_sample a = make_run(&made[0], random, world, 0);
	const struct fz_sample b = make_run(&made[1], random, world, shift);

	return fz_change_of_rounds(&a, &b, fz_between_runs_assumed(&a),
				   fz_between_runs_assumed(&b));
}

/* How many of 1000 comparisons call a difference. */
static unsigned int nr_called(const struct world *world, double shift,
			      uint64_t stream)
{
	struct fz_random random = fz_random_begin(1, stream);
	unsigned int nr = 0;

	for (unsigned int i = 0; i < 1000; i++)
		nr += compare_runs(&random, world, shift).p < FZ_CHANGE_ALPHA;
	return nr;
}

/* Worlds in which like runs must not be told apart in more than 5 % of cases,
 * 63 of 1000 within two standard deviations. */
static const struct world worlds[] = {
	{ 0.003, 0, 0 },     { 0.02, 0, 0 },       { 0.02, 0, 0.01 },
	{ 0.02, 0.5, 0 },    { 0.02, 0.5, 0.005 }, { 0.2, 0, 0 },
	{ 0.2, 0, 0.2 / 2 }, { 0.2, 0.5, 0 },      { 0.2, 0.7, 0 },
	{ 0.003, 0, 0.01 },
};

START_TEST(false_alarms_stay_below_their_rate)
{
	ck_assert_uint_le(nr_called(&worlds[_i], 0, 100 + (uint64_t)_i), 63);
}
END_TEST

/* What a plain test of the rounds says of the same runs: it must be far worse,
 * or the test above could not fail. */
START_TEST(rounds_alone_raise_false_alarms)
{
	struct fz_random random = fz_random_begin(2, (uint64_t)_i);
	static const struct world cases[] = {
		{ 0.2, 0, 0.2 / 2 },
		{ 0.2, 0.7, 0 },
		{ 0.003, 0, 0.01 },
	};
	unsigned int nr = 0;

	for (unsigned int i = 0; i < 300; i++) {
		struct made_run made[2];
		const struct fz_sample a =
			make_run(&made[0], &random, &cases[_i], 0);
		const struct fz_sample b =
			make_run(&made[1], &random, &cases[_i], 0);

		nr += fz_rank_sum_ratio(a.seconds, ROUNDS, b.seconds, ROUNDS,
					0.05)
			      .p < FZ_CHANGE_ALPHA;
	}
	ck_assert_uint_gt(nr, 45);
}
END_TEST

/* 5 % slower, rounds that differ by 2 %, runs by 1 %: found four times in five,
 * and more often the quieter it is. */
START_TEST(five_percent_is_found)
{
	static const struct world noisy = { 0.02, 0, 0.01 };
	static const struct world quiet = { 0.005, 0, 0.003 };

	ck_assert_uint_ge(nr_called(&noisy, log(1.05), 200), 800);
	ck_assert_uint_ge(nr_called(&quiet, log(1.05), 201), 950);
}
END_TEST

/* Found with the chance that it is announced with, in both directions. */
START_TEST(detectable_change_is_detected)
{
	static const struct world world = { 0.05, 0, 0.05 / 2 };
	const double sign = _i ? -1 : 1;
	struct fz_random random = fz_random_begin(3, 0);
	double log_factor = 0;
	unsigned int nr;

	for (unsigned int i = 0; i < 200; i++) {
		const struct fz_change change =
			compare_runs(&random, &world, 0);

		log_factor += log(fz_change_detectable(&change, 0.05)) / 200;
	}
	nr = nr_called(&world, sign * log_factor, 300 + (uint64_t)_i);
	ck_assert_uint_ge(nr, 750);
	ck_assert_uint_le(nr, 850);
}
END_TEST

/* Several runs a side: whatever runs differ by, the rate holds. */
START_TEST(false_alarms_of_several_runs)
{
	static const size_t sizes[][2] = { { 3, 3 }, { 5, 5 }, { 8, 8 },
					   { 1, 6 }, { 4, 1 }, { 2, 2 } };
	const size_t nr_a = sizes[_i][0], nr_b = sizes[_i][1];
	struct fz_random random = fz_random_begin(4, (uint64_t)_i);
	unsigned int nr = 0;

	for (unsigned int i = 0; i < 4000; i++) {
		double a[8], b[8];

		samples_log_normal(&random, a, nr_a, 0, 0.1);
		samples_log_normal(&random, b, nr_b, 0, 0.1);
		nr += fz_change_of_runs(a, nr_a, b, nr_b).p < 0.05;
	}
	ck_assert_uint_le(nr, 228); /* 5 % and two standard deviations */
}
END_TEST

START_TEST(power_of_several_runs)
{
	struct fz_random random = fz_random_begin(5, 0);
	unsigned int nr = 0;

	for (unsigned int i = 0; i < 1000; i++) {
		double a[5], b[5];

		samples_log_normal(&random, a, 5, 0, 0.02);
		samples_log_normal(&random, b, 5, log(1.05), 0.02);
		nr += fz_change_of_runs(a, 5, b, 5).p < 0.05;
	}
	ck_assert_uint_ge(nr, 850);
}
END_TEST

/*
 * Student's sleep data (1908): R's t.test(extra ~ group, data = sleep) prints
 * t = -1.8608, df = 17.776, p-value = 0.07939 and the interval (-3.3654832,
 * 0.2054832) of the first less the second.
 */
static const double first[] = { 0.7, -1.6, -0.2, -1.2, -0.1,
				3.4, 3.7,  0.8,  0.0,  2.0 };
static const double second[] = { 1.9, 0.8, 1.1, 0.1, -0.1,
				 4.4, 5.5, 1.6, 4.6, 3.4 };

START_TEST(sleep_of_student)
{
	double a[NR(first)], b[NR(second)];
	struct fz_change change;
	struct fz_interval ci;

	for (size_t i = 0; i < NR(first); i++) {
		a[i] = exp(first[i]);
		b[i] = exp(second[i]);
	}
	change = fz_change_of_runs(a, NR(a), b, NR(b));
	ci = fz_change_interval(&change, 0.05);
	ck_assert_double_eq_tol(change.log_ratio / change.log_se, -1.8608,
				5e-5);
	ck_assert_double_eq_tol(change.df, 17.776, 5e-4);
	ck_assert_double_eq_tol(change.p, 0.07939, 5e-6);
	ck_assert_double_eq_tol(log(ci.lo), -3.3654832, 5e-8);
	ck_assert_double_eq_tol(log(ci.hi), 0.2054832, 5e-8);
}
END_TEST

/* One run against the others: the t-test whose variance is theirs. */
START_TEST(one_run_against_several)
{
	static const double a[] = { 1.0, 1.1, 1.21 };
	static const double b[] = { 1.1 };
	const struct fz_change ab = fz_change_of_runs(a, 3, b, 1);
	const struct fz_change ba = fz_change_of_runs(b, 1, a, 3);

	ck_assert_double_eq_tol(ab.log_ratio, 0, 1e-12);
	ck_assert_double_eq_tol(ab.log_se, log(1.1) * sqrt(4.0 / 3), 1e-12);
	ck_assert_double_eq(ab.df, 2);
	ck_assert_double_eq(ba.log_se, ab.log_se);
	ck_assert_double_eq_tol(fz_between_runs_seen(a, 3, b, 1), log(1.1),
				1e-12);
}
END_TEST

START_TEST(equal_runs_do_not_differ)
{
	static const double level[] = { 1.5, 1.5 };
	static const double other[] = { 1.6, 1.6 };

	ck_assert_double_eq(fz_change_of_runs(level, 2, level, 2).p, 1);
	ck_assert_double_eq(fz_change_of_runs(level, 2, other, 2).p, 0);
}
END_TEST

START_TEST(swapping_the_sides_inverts_the_ratio)
{
	static const struct world world = { 0.05, 0.3, 0.01 };
	struct fz_random random = fz_random_begin(6, 0);
	struct made_run made[2];
	const struct fz_sample a = make_run(&made[0], &random, &world, 0);
	const struct fz_sample b = make_run(&made[1], &random, &world, 0.07);
	const struct fz_change ab = fz_change_of_rounds(&a, &b, 0.01, 0.02);
	const struct fz_change ba = fz_change_of_rounds(&b, &a, 0.02, 0.01);

	ck_assert_double_eq_tol(ab.log_ratio, -ba.log_ratio, 1e-12);
	ck_assert_double_eq_tol(ab.log_se, ba.log_se, 1e-12);
	ck_assert_double_eq_tol(ab.p, ba.p, 1e-12);
	ck_assert_double_lt(ab.log_ratio, 0); /* b takes longer */
}
END_TEST

/* Without an allowance it is the rank-sum test, but for rounding to normal. */
START_TEST(no_allowance_is_the_rank_sum_test)
{
	struct fz_random random = fz_random_begin(7, 0);
	static const struct world world = { 0.1, 0, 0 };
	unsigned int differ = 0;

	for (unsigned int i = 0; i < 300; i++) {
		struct made_run made[2];
		const struct fz_sample a =
			make_run(&made[0], &random, &world, 0);
		const struct fz_sample b =
			make_run(&made[1], &random, &world, 0.05);
		const struct fz_sample both[] = { a, b };
		const struct fz_change change =
			fz_change_of_rounds(&a, &b, 0, 0);
		const struct fz_rank_sum test = fz_rank_sum_ratio(
			a.seconds, ROUNDS, b.seconds, ROUNDS, 0.05);

		if (fz_rounds_worth(both, 2) == 1)
			differ += (change.p < 0.05) != (test.p < 0.05);
	}
	ck_assert_uint_le(differ, 6);
}
END_TEST

START_TEST(interval_tells_what_p_tells)
{
	struct fz_random random = fz_random_begin(8, 0);
	static const struct world world = { 0.05, 0, 0.05 };
	unsigned int wrong = 0, outside = 0;

	for (unsigned int i = 0; i < 300; i++) {
		const struct fz_change change =
			compare_runs(&random, &world, 0);
		const double alpha = 0.001 + 0.3 * fz_random_unit(&random);
		const struct fz_interval ci =
			fz_change_interval(&change, alpha);
		const bool excludes = ci.lo > 1 || ci.hi < 1;

		wrong += excludes != (change.p < alpha);
		outside += excludes;
	}
	ck_assert_uint_eq(wrong, 0);
	ck_assert_uint_gt(outside, 30);
	ck_assert_uint_lt(outside, 270);
}
END_TEST

START_TEST(allowance_follows_the_spread)
{
	double seconds[ROUNDS];
	const struct fz_sample run = { seconds, ROUNDS };

	for (size_t i = 0; i < ROUNDS; i++)
		seconds[i] = exp(0.3 * ((double)i - 15) / 15);
	/* The median distance from the middle is 0.16. */
	ck_assert_double_eq_tol(fz_between_runs_assumed(&run),
				1.4826 * 0.16 / 2, 1e-9);
	seconds[0] = 1e6; /* one spoilt round */
	ck_assert_double_lt(fz_between_runs_assumed(&run), 0.18);
	for (size_t i = 0; i < ROUNDS; i++)
		seconds[i] = 2;
	ck_assert_double_eq(fz_between_runs_assumed(&run), 0.01);
}
END_TEST

START_TEST(worth_of_correlated_rounds)
{
	struct fz_random random = fz_random_begin(9, 0);
	static double x[2000], y[2000];
	const struct fz_sample runs[] = { { x, 2000 }, { y, 2000 } };
	static const double same[] = { 1, 1, 1 };
	const struct fz_sample flat = { same, 3 };

	samples_autoregressive(&random, x, 2000, 0, 0.1, 0.5);
	samples_autoregressive(&random, y, 2000, 3, 0.1, 0.5);
	ck_assert_double_eq_tol(fz_rounds_worth(runs, 2), 1.0 / 3, 0.04);
	samples_autoregressive(&random, x, 2000, 0, 0.1, -0.5);
	ck_assert_double_eq(fz_rounds_worth(runs, 1), 1);
	ck_assert_double_eq(fz_rounds_worth(&flat, 1), 1);
}
END_TEST

/* Holm's levels: the test rejects exactly below its level. */
START_TEST(levels_of_holm)
{
	static const double p[] = { 0.04, 0.001, 0.02, 0.001, 0.5 };
	static const double expected[] = { 0.05 / 3, 0.01, 0.05 / 3, 0.05 / 4,
					   0.05 / 3 };
	struct fz_random random = fz_random_begin(10, 0);
	bool rejected[NR(p)];
	double levels[NR(p)];
	unsigned int wrong = 0;

	fz_holm_levels(p, NR(p), 0.05, rejected, levels);
	for (size_t i = 0; i < NR(p); i++)
		ck_assert_double_eq_tol(levels[i], expected[i], 1e-15);
	for (unsigned int i = 0; i < 2000; i++) {
		double q[NR(p)];

		for (size_t j = 0; j < NR(q); j++)
			q[j] = 0.05 * pow(fz_random_unit(&random), 3);
		fz_holm_levels(q, NR(q), 0.05, rejected, levels);
		for (size_t j = 0; j < NR(q); j++)
			wrong += rejected[j] != (q[j] < levels[j]);
	}
	ck_assert_uint_eq(wrong, 0);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("change");
	TCase *tc = tcase_create("change");

	tcase_add_loop_test(tc, false_alarms_stay_below_their_rate, 0,
			    (int)NR(worlds));
	tcase_add_loop_test(tc, rounds_alone_raise_false_alarms, 0, 3);
	tcase_add_test(tc, five_percent_is_found);
	tcase_add_loop_test(tc, detectable_change_is_detected, 0, 2);
	tcase_add_loop_test(tc, false_alarms_of_several_runs, 0, 6);
	tcase_add_test(tc, power_of_several_runs);
	tcase_add_test(tc, sleep_of_student);
	tcase_add_test(tc, one_run_against_several);
	tcase_add_test(tc, equal_runs_do_not_differ);
	tcase_add_test(tc, swapping_the_sides_inverts_the_ratio);
	tcase_add_test(tc, no_allowance_is_the_rank_sum_test);
	tcase_add_test(tc, interval_tells_what_p_tells);
	tcase_add_test(tc, allowance_follows_the_spread);
	tcase_add_test(tc, worth_of_correlated_rounds);
	tcase_add_test(tc, levels_of_holm);
	tcase_set_timeout(tc, 60);
	suite_add_tcase(suite, tc);
	return suite;
}
