// SPDX-License-Identifier: GPL-2.0-or-later
/* The price of a plan run by run, against that of its steps one by one. */
#include <math.h>
#include <string.h>

#include <fz/folio.h>
#include <fz/profile_price.h>
#include <fz/random.h>

#include "fz_test.h"
#include "naive_price.h"
#include "plan_steps.h"

#define NR(a) (sizeof(a) / sizeof((a)[0]))

/* Runs as a builder takes them; what stands between them varies. */
START_TEST(any_plan_is_priced_as_its_steps)
{
	struct fz_random random = fz_random_begin(6, (uint64_t)_i);
	const struct fz_profile profile = exact_profile();
	unsigned int wrong = 0;

	for (unsigned int i = 0; i < 1500; i++) {
		struct fz_plan plan;
		const uint64_t nr_pages = 1 + fz_random_below(&random, 90);

		ck_assert_int_eq(random_plan(&random, nr_pages, &plan), 0);
		wrong += !price_is_naive(&profile, &plan, (enum fz_preempt)_i);
		fz_plan_fini(&plan);
	}
	ck_assert_uint_eq(wrong, 0);
}
END_TEST

/* Worked out by hand, with prices that cannot be mistaken for each other. */
static const struct fz_profile by_hand = {
	.fault_ns = 100000,
	.point_ns = 7,
	.nr_clears = 2,
	.clears = { { .name = "stosb",
		      .call_ns = { 10, 20, 30 },
		      .bps = 4.096e9, /* 1000 ns a page */
		      .threshold_bytes = 4 * 4096,
		      .ramp_bytes = 4096,
		      .elided_bps = 40.96e9, /* 100 ns a page */
		      .elided_share = 1 },
		    { .name = "movnti",
		      .streaming = true,
		      .call_ns = { 1, 2, 3 },
		      .bps = 8.192e9 } },
};

#define UP       FZ_DIRECTION_UP
#define DOWN     FZ_DIRECTION_DOWN
#define CONVERGE FZ_DIRECTION_CONVERGE
#define CLEAR(first, nr, unit, call, direction, resched)                  \
	{                                                                 \
		first, nr, unit, call, FZ_OP_CLEAR, direction, 0, resched \
	}

static const struct {
	struct fz_run runs[3];
	size_t nr_runs;
	double ns; /* without the fault */
} cases[] = {
	{ { { 0 } }, 0, 0 },
	/* Up: the first call is elsewhere, the others adjacent. */
	{ { CLEAR(0, 3, 1, 1, UP, FZ_RESCHED_NONE) }, 1, 3000 + 30 + 10 + 10 },
	{ { CLEAR(0, 3, 1, 1, DOWN, FZ_RESCHED_NONE) }, 1, 3000 + 30 + 2 * 20 },
	/* 0 4 1 3 2: only the last two are neighbours, downwards. */
	{ { CLEAR(0, 5, 1, 1, CONVERGE, FZ_RESCHED_NONE) },
	  1,
	  5000 + 4 * 30 + 20 },
	/* 0 3 1 2: upwards. */
	{ { CLEAR(0, 4, 1, 1, CONVERGE, FZ_RESCHED_NONE) },
	  1,
	  4000 + 3 * 30 + 10 },
	/* Units 4-5 and 2-3 and 0-1 of two calls each: down never is adjacent.
	 */
	{ { CLEAR(0, 6, 2, 1, DOWN, FZ_RESCHED_NONE) },
	  1,
	  6000 + 3 * (30 + 10) },
	/* Long enough: one page still allocates. */
	{ { CLEAR(0, 4, 4, 4, UP, FZ_RESCHED_NONE) }, 1, 1300 + 30 },
	{ { CLEAR(0, 3, 3, 3, UP, FZ_RESCHED_NONE) }, 1, 3000 + 30 },
	/* The last call is shorter than the threshold. */
	{ { CLEAR(0, 6, 4, 4, UP, FZ_RESCHED_NONE) },
	  1,
	  1300 + 30 + 2000 + 10 },
	/* A point before each unit, and between runs that are adjacent. */
	{ { CLEAR(0, 2, 1, 1, UP, FZ_RESCHED_BEFORE),
	    { .nr = 2, .op = FZ_OP_COND_RESCHED },
	    CLEAR(2, 1, 1, 1, UP, FZ_RESCHED_AFTER) },
	  3,
	  3000 + 30 + 2 * 10 + 5 * 7 },
	/* One run down to where the next one begins. */
	{ { CLEAR(4, 2, 1, 1, DOWN, FZ_RESCHED_NONE),
	    CLEAR(2, 2, 2, 2, UP, FZ_RESCHED_NONE) },
	  2,
	  4000 + 30 + 20 + 20 },
	{ { { 0, 2, 2, 2, FZ_OP_CLEAR, UP, FZ_HINT_STREAMING, 0 },
	    CLEAR(2, 1, 1, 1, UP, FZ_RESCHED_NONE) },
	  2,
	  1000 + 3 + 1000 + 10 },
};

START_TEST(prices_by_hand)
{
	struct fz_run runs[3];
	const struct fz_plan plan = { .runs = runs,
				      .nr_runs = cases[_i].nr_runs,
				      .nr_pages = 16 };
	const struct fz_prices prices = fz_prices_of(&by_hand);

	memcpy(runs, cases[_i].runs, sizeof(runs));
	ck_assert_double_eq_tol(
		fz_profile_price(&prices, &plan, FZ_PREEMPT_NONE, NULL, 1),
		100000 + cases[_i].ns, 1e-6);
}
END_TEST

START_TEST(stretches_are_counted_for_each_fault)
{
	struct fz_run run = CLEAR(0, 3, 1, 1, UP, FZ_RESCHED_BEFORE);
	const struct fz_plan plan = { .runs = &run,
				      .nr_runs = 1,
				      .nr_pages = 16 };
	const struct fz_prices prices = fz_prices_of(&by_hand);
	struct fz_histogram stretches;

	fz_histogram_init(&stretches);
	fz_profile_price(&prices, &plan, FZ_PREEMPT_NONE, &stretches, 5);
	/* Nothing before the first point; the last one ends with the plan. */
	ck_assert_uint_eq(stretches.count, 15);
	ck_assert_uint_eq(stretches.min, 1010);
	ck_assert_uint_eq(stretches.max, 1037);
	ck_assert_double_eq(fz_histogram_sum(&stretches),
			    5 * (1037 + 1017 + 1010));
}
END_TEST

/* Of the primitive of the last clear call; not known is 0, and so is no call.
 */
START_TEST(a_folio_drains_once)
{
	struct fz_run runs[] = {
		{ 0, 2, 2, 2, FZ_OP_CLEAR, UP, FZ_HINT_STREAMING, 0 },
		CLEAR(2, 1, 1, 1, UP, FZ_RESCHED_NONE),
		{ .nr = 2, .op = FZ_OP_COND_RESCHED },
	};
	const struct fz_plan whole = { .runs = runs,
				       .nr_runs = 3,
				       .nr_pages = 16 };
	const struct fz_plan first = { .runs = runs,
				       .nr_runs = 1,
				       .nr_pages = 16 };
	const struct fz_plan none = { .runs = &runs[2],
				      .nr_runs = 1,
				      .nr_pages = 16 };
	struct fz_profile profile = by_hand;
	const struct fz_prices prices = fz_prices_of(&profile);
	const double before_ns =
		fz_profile_price(&prices, &whole, FZ_PREEMPT_NONE, NULL, 1);
	struct fz_histogram stretches;

	profile.clears[0].drain_ns = 5000;
	profile.clears[1].drain_ns = 300;
	ck_assert_double_eq(fz_drain_ns(&prices, &whole), 5000);
	ck_assert_double_eq(fz_drain_ns(&prices, &first), 300);
	ck_assert_double_eq(fz_drain_ns(&prices, &none), 0);
	fz_histogram_init(&stretches);
	ck_assert_double_eq_tol(fz_profile_price(&prices, &whole,
						 FZ_PREEMPT_NONE, &stretches,
						 1),
				before_ns + 5000, 1e-6);
	ck_assert_uint_lt(stretches.max, 5000);
	profile.clears[0].drain_ns = NAN;
	ck_assert_double_eq_tol(
		fz_profile_price(&prices, &whole, FZ_PREEMPT_NONE, NULL, 1),
		before_ns, 1e-6);
}
END_TEST

/* What a plan does not do may be unknown; what it does may not. */
START_TEST(unknown_prices)
{
	struct fz_run run = CLEAR(0, 2, 1, 1, UP, FZ_RESCHED_BEFORE);
	const struct fz_plan plan = { .runs = &run,
				      .nr_runs = 1,
				      .nr_pages = 16 };
	struct fz_profile profile = by_hand;
	const struct fz_prices prices = fz_prices_of(&profile);

	profile.clears[0].call_ns[FZ_RELATION_DOWN] = NAN;
	profile.clears[0].elided_bps = NAN;
	profile.clears[1].bps = NAN;
	profile.switch_ns = NAN;
	ck_assert_double_eq(
		fz_profile_price(&prices, &plan, FZ_PREEMPT_NONE, NULL, 1),
		100000 + 2000 + 30 + 10 + 2 * 7);
	profile.point_ns = NAN;
	ck_assert_double_eq(
		fz_profile_price(&prices, &plan, FZ_PREEMPT_FULL, NULL, 1),
		100000 + 2000 + 30 + 10);
	ck_assert(isnan(
		fz_profile_price(&prices, &plan, FZ_PREEMPT_NONE, NULL, 1)));
	run.direction = DOWN;
	ck_assert(isnan(
		fz_profile_price(&prices, &plan, FZ_PREEMPT_FULL, NULL, 1)));
	run.direction = UP;
	run.hint = FZ_HINT_STREAMING;
	ck_assert(isnan(
		fz_profile_price(&prices, &plan, FZ_PREEMPT_FULL, NULL, 1)));
	run.hint = FZ_HINT_CACHED;
	profile.fault_ns = NAN;
	ck_assert(isnan(
		fz_profile_price(&prices, &plan, FZ_PREEMPT_FULL, NULL, 1)));
}
END_TEST

START_TEST(first_primitives_of_each_kind)
{
	struct fz_profile profile = { .nr_clears = 4 };
	struct fz_prices prices = fz_prices_of(&profile);

	profile.clears[0].streaming = profile.clears[3].streaming = true;
	prices = fz_prices_of(&profile);
	ck_assert_ptr_eq(prices.streaming, &profile.clears[0]);
	ck_assert_ptr_eq(prices.cached, &profile.clears[1]);
	profile.nr_clears = 1;
	prices = fz_prices_of(&profile);
	ck_assert_ptr_null(prices.cached);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("profile_price");
	TCase *tcase = tcase_create("profile_price");

	tcase_add_loop_test(tcase, any_plan_is_priced_as_its_steps, 0,
			    FZ_NR_PREEMPT);
	tcase_add_loop_test(tcase, prices_by_hand, 0, NR(cases));
	tcase_add_test(tcase, stretches_are_counted_for_each_fault);
	tcase_add_test(tcase, a_folio_drains_once);
	tcase_add_test(tcase, unknown_prices);
	tcase_add_test(tcase, first_primitives_of_each_kind);
	suite_add_tcase(suite, tcase);
	return suite;
}
