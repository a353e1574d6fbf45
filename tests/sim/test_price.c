// SPDX-License-Identifier: GPL-2.0-or-later
/* The price of a plan run by run, against that of its steps one by one. */
#include <stdlib.h>
#include <string.h>

#include <fz/policies.h>
#include <fz/policy.h>
#include <fz/price.h>
#include <fz/random.h>

#include "fz_test.h"

/* Prices that cannot be mistaken for each other. */
static const struct fz_prices prices = {
	.cached_page_ns = 1000,
	.streamed_page_ns = 500,
	.call_ns = 30,
	.point_ns = 7,
};

static struct fz_samples by_runs, by_steps;

/* As the recorder sees it: a stretch without bytes is none. */
static uint64_t price_steps(const struct fz_plan *plan, enum fz_preempt model,
			    struct fz_samples *samples)
{
	struct fz_walker walker;
	struct fz_step step;
	uint64_t total = 0, open = 0;
	bool cleared = false;

	fz_walker_begin(&walker, plan);
	while (fz_walker_next(&walker, &step)) {
		uint64_t ns = 0;

		if (step.op == FZ_OP_CLEAR)
			ns = prices.call_ns +
			     step.nr * (step.hint == FZ_HINT_STREAMING
						? prices.streamed_page_ns
						: prices.cached_page_ns);
		else if (fz_op_acts(step.op, model))
			ns = prices.point_ns;
		total += ns;
		open += ns;
		cleared |= step.op == FZ_OP_CLEAR;
		if (step.op == FZ_OP_CLEAR || !fz_op_acts(step.op, model))
			continue;
		if (cleared)
			fz_histogram_add(&samples->stretch_ns, open);
		open = 0;
		cleared = false;
	}
	if (cleared)
		fz_histogram_add(&samples->stretch_ns, open);
	fz_histogram_add(&samples->fault_ns, total);
	return total;
}

static bool same(const struct fz_samples *a, const struct fz_samples *b)
{
	return memcmp(&a->stretch_ns, &b->stretch_ns, sizeof(a->stretch_ns)) ==
		       0 &&
	       memcmp(&a->fault_ns, &b->fault_ns, sizeof(a->fault_ns)) == 0;
}

static unsigned int wrong_price(const struct fz_policy *policy,
				const struct fz_zero_request *request)
{
	struct fz_plan plan;
	uint64_t runs, steps;

	if (fz_policy_plan(policy, request, &plan))
		return 1;
	fz_samples_init(&by_runs);
	fz_samples_init(&by_steps);
	runs = fz_price_plan(&plan, request->preempt, &prices, 1, &by_runs);
	steps = price_steps(&plan, request->preempt, &by_steps);
	fz_plan_fini(&plan);
	return runs != steps || !same(&by_runs, &by_steps);
}

START_TEST(price_is_that_of_the_steps)
{
	const struct fz_policy *policy = fz_policies[_i];
	struct fz_random random = fz_random_begin(5, (uint64_t)_i);
	unsigned int wrong = 0;

	for (unsigned int i = 0; i < 3000; i++) {
		const uint64_t nr = 1 + fz_random_next(&random) % 600;
		const struct fz_zero_request request = {
			.nr_pages = nr,
			.fault_page = fz_random_next(&random) % nr,
			.preempt = fz_random_next(&random) % FZ_NR_PREEMPT,
			.batch_pages = fz_random_next(&random) % 40,
			.radius_pages = fz_random_next(&random) % 5,
			.highmem = fz_random_next(&random) % 4 == 0,
			.per_page_clear = fz_random_next(&random) % 4 == 0,
		};

		wrong += wrong_price(policy, &request);
	}
	ck_assert_uint_eq(wrong, 0);
}
END_TEST

/* Runs that no policy of ours makes. */
START_TEST(any_run_is_priced)
{
	struct fz_random random = fz_random_begin(6, 1);
	unsigned int wrong = 0;

	for (unsigned int i = 0; i < 3000; i++) {
		struct fz_run runs[4];
		const struct fz_plan plan = { runs, 4, 4000 };

		for (unsigned int r = 0; r < 4; r++) {
			const uint64_t nr = 1 + fz_random_next(&random) % 30;
			const uint64_t unit = 1 + fz_random_next(&random) % nr;

			runs[r] = (struct fz_run){
				.first = 1000 * r,
				.nr = nr,
				.unit_pages = unit,
				.call_pages =
					1 + fz_random_next(&random) % unit,
				.op = fz_random_next(&random) % 3,
				.direction = fz_random_next(&random) % 3,
				.hint = fz_random_next(&random) % 2,
				.resched = fz_random_next(&random) % 3,
			};
			if (runs[r].op != FZ_OP_CLEAR)
				runs[r] = (struct fz_run){ .nr = nr % 3 + 1,
							   .op = runs[r].op };
			else if (runs[r].direction == FZ_DIRECTION_CONVERGE)
				runs[r].unit_pages = runs[r].call_pages = 1;
		}
		fz_samples_init(&by_runs);
		fz_samples_init(&by_steps);
		wrong += fz_price_plan(&plan, FZ_PREEMPT_VOLUNTARY, &prices, 1,
				       &by_runs) !=
				 price_steps(&plan, FZ_PREEMPT_VOLUNTARY,
					     &by_steps) ||
			 !same(&by_runs, &by_steps);
	}
	ck_assert_uint_eq(wrong, 0);
}
END_TEST

START_TEST(many_faults_are_as_many_samples)
{
	const struct fz_zero_request request = { .nr_pages = 512,
						 .fault_page = 100 };
	struct fz_plan plan;

	ck_assert_int_eq(fz_policy_plan(fz_policies[0], &request, &plan), 0);
	fz_samples_init(&by_runs);
	fz_samples_init(&by_steps);
	for (unsigned int i = 0; i < 5; i++)
		fz_price_plan(&plan, FZ_PREEMPT_NONE, &prices, 1, &by_steps);
	fz_price_plan(&plan, FZ_PREEMPT_NONE, &prices, 5, &by_runs);
	ck_assert(same(&by_runs, &by_steps));
	ck_assert_uint_eq(by_runs.fault_ns.count, 5);
	fz_plan_fini(&plan);
}
END_TEST

static int nr_policies(void)
{
	int nr = 0;

	while (fz_policies[nr])
		nr++;
	return nr;
}

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("price");
	TCase *tcase = tcase_create("price");

	tcase_add_loop_test(tcase, price_is_that_of_the_steps, 0,
			    nr_policies());
	tcase_add_test(tcase, any_run_is_priced);
	tcase_add_test(tcase, many_faults_are_as_many_samples);
	suite_add_tcase(suite, tcase);
	return suite;
}
