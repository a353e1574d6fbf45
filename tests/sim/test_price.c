// SPDX-License-Identifier: GPL-2.0-or-later
/* Prices of plans as samples. */
#include <math.h>
#include <string.h>

#include <fz/policies.h>
#include <fz/policy.h>
#include <fz/price.h>

#include "fz_test.h"

/* Prices that are no whole ns. */
static struct fz_profile profile = {
	.fault_ns = 1000.3,
	.point_ns = 3.3,
	.nr_clears = 1,
	.clears = { { .name = "stosb",
		      .call_ns = { 10.1, 20.1, 30.1 },
		      .bps = 3e10 } },
};

static struct fz_samples once, often;

static struct fz_plan some_plan(void)
{
	const struct fz_zero_request request = { .nr_pages = 512,
						 .fault_page = 100 };
	struct fz_plan plan;

	ck_assert_int_eq(fz_policy_plan(fz_policies[0], &request, &plan, NULL),
			 0);
	return plan;
}

START_TEST(many_faults_are_as_many_samples)
{
	const struct fz_prices prices = fz_prices_of(&profile);
	struct fz_plan plan = some_plan();

	fz_samples_init(&once);
	fz_samples_init(&often);
	for (unsigned int i = 0; i < 5; i++)
		fz_price_plan(&plan, FZ_PREEMPT_NONE, &prices, 1, &once);
	fz_price_plan(&plan, FZ_PREEMPT_NONE, &prices, 5, &often);
	ck_assert_mem_eq(&once, &often, sizeof(once));
	ck_assert_uint_eq(once.fault_ns.count, 5);
	ck_assert_uint_eq(once.stretch_ns.count,
			  5 * fz_plan_acting_points(&plan, FZ_PREEMPT_NONE));
	fz_plan_fini(&plan);
}
END_TEST

/* What is returned is what is added. */
START_TEST(whole_ns)
{
	const struct fz_prices prices = fz_prices_of(&profile);
	struct fz_plan plan = some_plan();
	double ns;

	fz_samples_init(&once);
	ns = fz_price_plan(&plan, FZ_PREEMPT_NONE, &prices, 1, &once);
	ck_assert_double_eq(ns,
			    round(fz_profile_price(&prices, &plan,
						   FZ_PREEMPT_NONE, NULL, 1)));
	ck_assert_double_eq(ns, fz_histogram_sum(&once.fault_ns));
	fz_plan_fini(&plan);
}
END_TEST

START_TEST(unknown_prices_add_nothing)
{
	struct fz_profile unknown = profile;
	const struct fz_prices prices = fz_prices_of(&unknown);
	struct fz_plan plan = some_plan();

	unknown.point_ns = NAN;
	fz_samples_init(&once);
	fz_samples_init(&often);
	ck_assert(isnan(
		fz_price_plan(&plan, FZ_PREEMPT_NONE, &prices, 1, &once)));
	ck_assert_mem_eq(&once, &often, sizeof(once));
	fz_plan_fini(&plan);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("price");
	TCase *tcase = tcase_create("price");

	tcase_add_test(tcase, many_faults_are_as_many_samples);
	tcase_add_test(tcase, whole_ns);
	tcase_add_test(tcase, unknown_prices_add_nothing);
	suite_add_tcase(suite, tcase);
	return suite;
}
