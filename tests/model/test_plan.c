// SPDX-License-Identifier: GPL-2.0-or-later
/* What a plan says of itself equals what a walk finds. */
#include "fz_test.h"

#include <fz/plan.h>

#include "plan_steps.h"

#define NR_RANDOM_PLANS 20000

START_TEST(calls_act_by_model)
{
	static const bool cond_resched[FZ_NR_PREEMPT] = {
		[FZ_PREEMPT_NONE] = true,
		[FZ_PREEMPT_VOLUNTARY] = true,
	};
	const enum fz_preempt model = (enum fz_preempt)_i;

	ck_assert(!fz_op_acts(FZ_OP_CLEAR, model));
	ck_assert_int_eq(fz_op_acts(FZ_OP_COND_RESCHED, model),
			 cond_resched[_i]);
	ck_assert_int_eq(fz_op_acts(FZ_OP_MIGHT_SLEEP, model),
			 model == FZ_PREEMPT_VOLUNTARY);
}
END_TEST

static uint64_t count_op(const struct steps *steps, enum fz_op op)
{
	uint64_t count = 0;

	for (size_t i = 0; i < steps->nr; i++)
		count += steps->at[i].op == op;
	return count;
}

static uint64_t count_acting(const struct steps *steps, enum fz_preempt model)
{
	uint64_t count = 0;

	for (size_t i = 0; i < steps->nr; i++)
		count += fz_op_acts(steps->at[i].op, model);
	return count;
}

static bool steps_use_hint(const struct steps *steps, enum fz_hint hint)
{
	for (size_t i = 0; i < steps->nr; i++)
		if (steps->at[i].op == FZ_OP_CLEAR && steps->at[i].hint == hint)
			return true;
	return false;
}

static bool counts_hold(const struct fz_plan *plan, const struct steps *steps)
{
	bool good = true;

	for (unsigned int op = FZ_OP_CLEAR; op <= FZ_OP_MIGHT_SLEEP; op++)
		good &= fz_plan_count(plan, (enum fz_op)op) ==
			count_op(steps, (enum fz_op)op);
	for (unsigned int model = 0; model < FZ_NR_PREEMPT; model++)
		good &= fz_plan_acting_points(plan, (enum fz_preempt)model) ==
			count_acting(steps, (enum fz_preempt)model);
	for (unsigned int hint = 0; hint <= FZ_HINT_STREAMING; hint++)
		good &= fz_plan_uses_hint(plan, (enum fz_hint)hint) ==
			steps_use_hint(steps, (enum fz_hint)hint);
	return good;
}

START_TEST(counts_equal_a_walk)
{
	struct fz_random random = fz_random_begin(1, 0);
	unsigned int bad = 0, first_bad = 0;

	for (unsigned int i = 0; i < NR_RANDOM_PLANS; i++) {
		struct steps steps = { .at = NULL };
		struct fz_plan plan;

		if (random_plan(&random, 1 + fz_random_below(&random, 40),
				&plan) == 0)
			steps_walk(&steps, &plan);
		if (!counts_hold(&plan, &steps) && bad++ == 0)
			first_bad = i;
		steps_fini(&steps);
		fz_plan_fini(&plan);
	}
	ck_assert_msg(bad == 0, "%u plans, the first is number %u", bad,
		      first_bad);
}
END_TEST

START_TEST(huge_plans_are_counted_at_once)
{
	struct fz_run runs[] = {
		{ .first = 0,
		  .nr = 1ull << 50,
		  .unit_pages = 1,
		  .call_pages = 1,
		  .resched = FZ_RESCHED_BEFORE },
		{ .op = FZ_OP_MIGHT_SLEEP, .nr = 3 },
		{ .first = 1ull << 50,
		  .nr = (1ull << 50) + 1,
		  .unit_pages = 1ull << 40,
		  .call_pages = 1ull << 39,
		  .hint = FZ_HINT_STREAMING },
	};
	const struct fz_plan plan = { .runs = runs,
				      .nr_runs = 3,
				      .nr_pages = (1ull << 51) + 1 };

	ck_assert_uint_eq(fz_plan_count(&plan, FZ_OP_CLEAR),
			  (1ull << 50) + (1ull << 11) + 1);
	ck_assert_uint_eq(fz_plan_count(&plan, FZ_OP_COND_RESCHED), 1ull << 50);
	ck_assert_uint_eq(fz_plan_count(&plan, FZ_OP_MIGHT_SLEEP), 3);
	ck_assert_uint_eq(fz_plan_acting_points(&plan, FZ_PREEMPT_VOLUNTARY),
			  (1ull << 50) + 3);
}
END_TEST

START_TEST(fini_leaves_nothing)
{
	struct fz_random random = fz_random_begin(2, 0);
	struct fz_plan plan;

	ck_assert_int_eq(random_plan(&random, 9, &plan), 0);
	fz_plan_fini(&plan);
	ck_assert_ptr_null(plan.runs);
	ck_assert_uint_eq(plan.nr_runs, 0);
	fz_plan_fini(&plan);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("model.plan");
	TCase *tcase = tcase_create("plan");

	tcase_set_timeout(tcase, 30);
	tcase_add_loop_test(tcase, calls_act_by_model, 0, FZ_NR_PREEMPT);
	tcase_add_test(tcase, counts_equal_a_walk);
	tcase_add_test(tcase, huge_plans_are_counted_at_once);
	tcase_add_test(tcase, fini_leaves_nothing);
	suite_add_tcase(suite, tcase);
	return suite;
}
