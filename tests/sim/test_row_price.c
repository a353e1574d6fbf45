// SPDX-License-Identifier: GPL-2.0-or-later
/* Rows that are worked out: against the price of each folio, one by one. */
#include <errno.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include <fz/folio.h>
#include <fz/policies.h>
#include <fz/profile_price.h>
#include <fz/row_price.h>

#include "conditional_policy.h"
#include "fake_world.h"
#include "fz_test.h"

#define FOLIO_PAGES 64u
#define NR_FOLIOS   100u
#define ROUNDS      3u

static struct fake_world world;
static struct fz_bench bench;
static struct fz_row row;

/* Prices that are no whole ns; the entry of a fault costs more than all. */
static struct fz_profile profile;

static const struct fz_profile made = {
	.name = "made",
	.fault_ns = 1e9,
	.point_ns = 3.3,
	.nr_clears = 2,
	.clears = {
		{ .name = "stosb",
		  .call_ns = { 10.1, 20.1, 30.1 },
		  .drain_ns = 170.7,
		  .bps = 3e9 },
		{ .name = "movnti",
		  .streaming = true,
		  .call_ns = { 11.3, 21.3, 31.3 },
		  .drain_ns = 50.7,
		  .bps = 7e9 },
	},
};

static void setup(void)
{
	fake_world_init(&world, 1);
	fake_bench_open(&bench, &world, FOLIO_PAGES);
	profile = made;
	row = (struct fz_row){
		.config = {
			.engine = &fz_engine_model,
			.policy = fz_policy_find("streaming-neighbourhood-last"),
			.clear = fz_clear_find("stosb"),
			.stream = fz_clear_find("movnti"),
			.page = { FZ_PAGES_HUGETLB, FOLIO_PAGES * FZ_PAGE_BYTES },
			.folio_bytes = FOLIO_PAGES * FZ_PAGE_BYTES,
			.bytes = NR_FOLIOS * FOLIO_PAGES * FZ_PAGE_BYTES,
			.fault = FZ_FAULT_RANDOM,
			.preempt = FZ_PREEMPT_NONE,
			.batch_pages = 8,
			.radius_pages = 2,
		},
	};
}

static void teardown(void)
{
	fz_row_fini(&row);
	fz_bench_close(&bench);
}

static int price(size_t rounds)
{
	return fz_row_price(&row, &profile, &bench, rounds, NULL);
}

/* One folio, from its plan. */
static uint64_t folio_ns(uint64_t page, uint64_t *points)
{
	struct fz_profile clears_only = profile;
	const struct fz_prices prices = { &clears_only, &clears_only.clears[0],
					  &clears_only.clears[1] };
	const struct fz_zero_request request =
		fz_row_request(&row.config, page);
	struct fz_plan plan;
	double ns;

	clears_only.fault_ns = 0;
	ck_assert_int_eq(
		fz_policy_plan(row.config.policy, &request, &plan, NULL), 0);
	ns = fz_profile_price(&prices, &plan, row.config.preempt, NULL, 1);
	*points += fz_plan_acting_points(&plan, row.config.preempt);
	fz_plan_fini(&plan);
	return (uint64_t)llround(ns);
}

/* The faulting pages are those that a measured row has in that round. */
START_TEST(rounds_are_sums_of_folios)
{
	uint64_t points = 0;

	ck_assert_int_eq(price(ROUNDS), 0);
	ck_assert_int_eq(row.status, FZ_ROW_MODELLED);
	ck_assert_uint_eq(row.rounds, ROUNDS);
	for (size_t r = 0; r < ROUNDS; r++) {
		uint64_t sum_ns = 0;

		for (uint64_t i = 0; i < NR_FOLIOS; i++)
			sum_ns += folio_ns(fz_round_fault_page(&row.config,
							       bench.seed,
							       r + 1, 0, i),
					   &points);
		ck_assert_double_eq(row.seconds[r], (double)sum_ns / 1e9);
	}
	ck_assert_uint_eq(row.points, points);
	ck_assert_uint_eq(row.samples->fault_ns.count, ROUNDS * NR_FOLIOS);
	ck_assert_uint_lt(row.samples->fault_ns.max, 1000000000u);
	ck_assert_double_ne(row.seconds[0], row.seconds[1]);
}
END_TEST

START_TEST(conditional_plans_are_told)
{
	row.config.policy = &conditional_policy;
	row.config.fault = FZ_FAULT_AT;
	row.config.fault_page = CONDITIONAL_PAGE + (uint64_t)_i;
	ck_assert_int_eq(price(ROUNDS), 0);
	ck_assert_int_eq(row.status, FZ_ROW_MODELLED);
	ck_assert_int_eq(row.conditional, _i == 0);
}
END_TEST

/* A policy that is told no page, and a page that is always the same. */
START_TEST(folios_that_are_all_alike)
{
	uint64_t points = 0;

	row.config.policy = fz_policy_find("batched-pages");
	row.config.stream = NULL;
	row.config.fault = _i ? FZ_FAULT_AT : FZ_FAULT_NONE;
	row.config.fault_page = _i ? FOLIO_PAGES - 1 : 0;
	ck_assert_int_eq(price(ROUNDS), 0);
	for (size_t r = 0; r < ROUNDS; r++)
		ck_assert_double_eq(row.seconds[r],
				    (double)(NR_FOLIOS * folio_ns(0, &points)) /
					    1e9);
	ck_assert_uint_eq(row.points, NR_FOLIOS * points);
	ck_assert_uint_eq(row.samples->stretch_ns.count,
			  ROUNDS * NR_FOLIOS * FOLIO_PAGES / 8);
}
END_TEST

/* A page that stands alone; a profile may not know what that costs. */
START_TEST(folios_of_a_page)
{
	row.config.policy = fz_policy_find("contiguous-page");
	row.config.stream = NULL;
	row.config.folio_bytes = FZ_PAGE_BYTES;
	row.config.preempt = FZ_PREEMPT_FULL;
	if (_i)
		profile.clears[0].drain_ns = NAN;
	ck_assert_int_eq(price(1), 0);
	ck_assert_int_eq(row.status, FZ_ROW_MODELLED);
	/* 30.1 + 170.7 + 4096 / 3 */
	ck_assert_double_eq_tol(
		row.seconds[0],
		(_i ? 1395 : 1566) * 1e-9 * NR_FOLIOS * FOLIO_PAGES, 1e-12);
}
END_TEST

static void expect_reason(const char *words)
{
	ck_assert_int_eq(price(ROUNDS), 0);
	ck_assert_int_eq(row.status, FZ_ROW_UNSUPPORTED);
	ck_assert_uint_eq(row.rounds, 0);
	ck_assert_ptr_nonnull(strstr(row.reason, words));
}

START_TEST(what_has_no_price)
{
	static const char *const words[] = {
		"profile 'made' has no price of 'clzero'",
		"profile 'made' has no price of 'stosq'",
		"profile 'made' does not tell",
		"profile 'made' does not tell",
		"one thread",
	};

	switch (_i) {
	case 0:
		row.config.stream = fz_clear_find("clzero");
		break;
	case 1:
		row.config.clear = fz_clear_find("stosq");
		break;
	case 2:
		profile.point_ns = NAN;
		break;
	case 3:
		profile.clears[1].bps = NAN;
		break;
	case 4:
		row.config.threads = 1;
		break;
	}
	expect_reason(words[_i]);
}
END_TEST

/* Made up page by page, and none for some page. */
static int plan_or_not(const struct fz_policy *policy,
		       const struct fz_zero_request *request,
		       struct fz_plan *plan, struct fz_err *err)
{
	if (request->fault_page % 8 == 5)
		return fz_err_set(err, -EINVAL, "no plan of '%s' for page %d",
				  policy->name, 5);
	return fz_policy_plan(fz_policy_find("contiguous-page"), request, plan,
			      err);
}

START_TEST(what_has_no_plan)
{
	const struct fz_policy elsewhere = { .name = "some",
					     .uses = FZ_USES_FAULT,
					     .make_plan = plan_or_not };

	row.config.policy = &elsewhere;
	row.config.stream = NULL;
	expect_reason("no plan of 'some' for page 5");
}
END_TEST

/* What is not asked for need not be known. */
START_TEST(unknown_prices_of_others)
{
	row.config.policy = fz_policy_find("init-pages");
	row.config.fault = FZ_FAULT_NONE;
	row.config.stream = NULL;
	profile.point_ns = profile.clears[1].bps = profile.fault_ns = NAN;
	ck_assert_int_eq(price(1), 0);
	ck_assert_int_eq(row.status, FZ_ROW_MODELLED);
}
END_TEST

/*
 * L1 has two pages, L2 as many as a folio, each with one set a line of a page.
 * What is loaded from memory costs something else than from L2.
 */
static void add_caches(void)
{
	profile.cycle_ns = 0.5;
	profile.clock_ns = 20;
	profile.cache = (struct fz_cache_geometry){
		.line_bytes = 64,
		.nr_levels = 2,
		.level = { { 8192, 2, FZ_CACHE_PLAIN, 4, 1 },
			   { FOLIO_PAGES * 4096, FOLIO_PAGES, FZ_CACHE_PLAIN,
			     20, 3 } },
		.memory_cycles = 300,
		.memory_read_cycles = 9,
	};
}

static double median(const struct fz_histogram *h)
{
	ck_assert_uint_eq(h->count, ROUNDS * NR_FOLIOS);
	ck_assert_uint_eq(h->min, h->max);
	return (double)h->max;
}

#define LINE_NS(cycles)   (20 + 0.5 * (cycles))
#define LINES_NS(nr, one) (20 + 0.5 * (double)(nr) * (one))

/* The middle stands for random pages: by the end it is in L2, as all are but
 * the last two. */
START_TEST(uses_are_priced)
{
	const struct fz_samples *samples;

	add_caches();
	row.config.policy = fz_policy_find("contiguous-page");
	row.config.stream = NULL;
	row.config.use = (enum fz_use)_i;
	row.config.fault = FZ_FAULT_RANDOM;
	ck_assert_int_eq(price(ROUNDS), 0);
	samples = row.samples;
	ck_assert_str_eq(row.no_use, "");
	if (_i == FZ_USE_NONE || _i == FZ_USE_PHASE) {
		ck_assert_uint_eq(samples->line_ns.count, 0);
		return;
	}
	ck_assert_double_eq(median(&samples->line_ns), LINE_NS(20));
	if (_i == FZ_USE_LINE) {
		ck_assert_uint_eq(samples->near_ns.count, 0);
		return;
	}
	/* The line too: two pages before its own pushed it out of L1 again. */
	ck_assert_double_eq(median(&samples->near_ns),
			    floor(LINE_NS(20) + LINES_NS(5 * 64, 3) + 0.5));
	if (_i == FZ_USE_NEAR) {
		ck_assert_uint_eq(samples->folio_ns.count, 0);
		return;
	}
	ck_assert_double_eq(median(&samples->folio_ns),
			    floor(LINE_NS(20) + LINES_NS(5 * 64, 3) +
				  LINES_NS(FOLIO_PAGES * 64, 3) + 0.5));
}
END_TEST

/* The neighbourhood is in L1, or in L2; the rest went around both. */
START_TEST(uses_of_a_plan_that_streams)
{
	add_caches();
	row.config.use = FZ_USE_FOLIO;
	row.config.fault = FZ_FAULT_AT;
	row.config.fault_page = 7;
	ck_assert_int_eq(price(ROUNDS), 0);
	ck_assert_double_lt(median(&row.samples->line_ns), LINE_NS(300));
	ck_assert_double_lt(median(&row.samples->near_ns),
			    LINE_NS(300) + LINES_NS(5 * 64, 9));
	ck_assert_double_gt(median(&row.samples->folio_ns),
			    LINES_NS((FOLIO_PAGES - 5) * 64, 9));
	fz_row_fini(&row);
	row.rounds = 0;
	/* A streaming primitive streams cached steps too. */
	row.config.clear = row.config.stream;
	ck_assert_int_eq(price(ROUNDS), 0);
	ck_assert_double_eq(median(&row.samples->line_ns), LINE_NS(300));
}
END_TEST

/* A call of the whole folio leaves its first pages, if most are elided. */
START_TEST(uses_of_calls_that_are_elided)
{
	add_caches();
	profile.clears[0].threshold_bytes = FOLIO_PAGES * 4096;
	profile.clears[0].ramp_bytes = 8 * 4096;
	profile.clears[0].elided_bps = 9e9;
	profile.clears[0].elided_share = _i ? 0.9 : 0.1;
	row.config.policy = fz_policy_find("init-pages-extent");
	row.config.stream = NULL;
	row.config.use = FZ_USE_FOLIO;
	row.config.fault = FZ_FAULT_NONE;
	ck_assert_int_eq(price(ROUNDS), 0);
	ck_assert_str_eq(row.no_use, "");
	/* Nobody is told a page. */
	ck_assert_uint_eq(row.samples->line_ns.count, 0);
	ck_assert_uint_eq(row.samples->near_ns.count, 0);
	if (_i)
		ck_assert_double_gt(median(&row.samples->folio_ns),
				    LINES_NS((FOLIO_PAGES - 8) * 64, 9));
	else
		ck_assert_double_lt(median(&row.samples->folio_ns),
				    LINES_NS((FOLIO_PAGES + 8) * 64, 4));
}
END_TEST

START_TEST(uses_without_a_price)
{
	row.config.use = FZ_USE_FOLIO;
	row.config.fault = FZ_FAULT_AT;
	if (_i)
		add_caches();
	if (_i == 1)
		profile.cache.memory_read_cycles = 0;
	if (_i == 2)
		profile.cache.level[0].ways = 0;
	ck_assert_int_eq(price(ROUNDS), 0);
	ck_assert_int_eq(row.status, FZ_ROW_MODELLED);
	ck_assert_uint_eq(row.samples->folio_ns.count, 0);
	ck_assert_uint_eq(row.samples->near_ns.count,
			  _i == 1 ? ROUNDS * NR_FOLIOS : 0);
	ck_assert_ptr_nonnull(strstr(
		row.no_use, _i == 2 ? "ways" : "profile 'made' does not tell"));
	ck_assert_str_eq(row.reason, "");
}
END_TEST

START_TEST(a_signal_stops_it)
{
	static const atomic_int stop = 2;
	struct fz_err err = { "" };

	bench.stop = &stop;
	ck_assert_int_eq(fz_row_price(&row, &profile, &bench, 1, &err), -EINTR);
	ck_assert_uint_eq(row.rounds, 0);
	ck_assert_int_eq(row.status, FZ_ROW_UNSUPPORTED);
	ck_assert_str_eq(row.reason, FZ_STOPPED);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("sim.row_price");
	TCase *tcase = tcase_create("row_price");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, rounds_are_sums_of_folios);
	tcase_add_loop_test(tcase, conditional_plans_are_told, 0, 2);
	tcase_add_loop_test(tcase, folios_that_are_all_alike, 0, 2);
	tcase_add_loop_test(tcase, folios_of_a_page, 0, 2);
	tcase_add_loop_test(tcase, what_has_no_price, 0, 5);
	tcase_add_test(tcase, what_has_no_plan);
	tcase_add_test(tcase, unknown_prices_of_others);
	tcase_add_loop_test(tcase, uses_are_priced, 0, FZ_NR_USES);
	tcase_add_test(tcase, uses_of_a_plan_that_streams);
	tcase_add_loop_test(tcase, uses_of_calls_that_are_elided, 0, 2);
	tcase_add_loop_test(tcase, uses_without_a_price, 0, 3);
	tcase_add_test(tcase, a_signal_stops_it);
	suite_add_tcase(suite, tcase);
	return suite;
}
