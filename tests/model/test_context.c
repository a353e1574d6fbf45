// SPDX-License-Identifier: GPL-2.0-or-later
/* Illegal sleeps: found where they are, in every preemption model. */
#include "fz_test.h"

#include <fz/context.h>

#include <string.h>

#include "plan_steps.h"

#define NR_RANDOM_PLANS 20000

static const struct {
	const char *name;
	unsigned int preempt_count, preempt_count_rt, rcu_depth;
	bool irqs_disabled;
	bool sleepable;
} cases[] = {
	{ "user-fault", 0, 0, 0, false, true },
	{ "alloc-sleepable", 0, 0, 0, false, true },
	{ "alloc-pte-lock", 1, 0, 1, false, false },
	{ "alloc-irq", 0x10000, 0x10000, 0, true, false },
};

#define NR_CASES ((int)(sizeof(cases) / sizeof(cases[0])))

START_TEST(context_is)
{
	const struct fz_context *context = fz_context_find(cases[_i].name);

	ck_assert_ptr_nonnull(context);
	ck_assert_str_eq(context->name, cases[_i].name);
	ck_assert_uint_eq(context->preempt_count, cases[_i].preempt_count);
	ck_assert_uint_eq(context->preempt_count_rt,
			  cases[_i].preempt_count_rt);
	ck_assert_uint_eq(context->rcu_depth, cases[_i].rcu_depth);
	ck_assert_int_eq(context->irqs_disabled, cases[_i].irqs_disabled);
	ck_assert_uint_gt(strlen(context->summary), 0);
	ck_assert_uint_le(strlen(context->summary), 72);
}
END_TEST

START_TEST(no_other_context)
{
	ck_assert_uint_eq(fz_nr_contexts, NR_CASES);
	ck_assert_ptr_null(fz_context_find("user"));
	ck_assert_ptr_null(fz_context_find(""));
}
END_TEST

static const struct {
	const char *steps;
	uint64_t seq;
	enum fz_op op;
	uint64_t nr_calls; /* 0: nothing to report */
} plans[] = {
	{ "0 1 2 3", 0, FZ_OP_CLEAR, 0 },
	{ "0+4", 0, FZ_OP_CLEAR, 0 },
	{ "P 0+2 P 2+2", 0, FZ_OP_COND_RESCHED, 2 },
	{ "0+2 P 2+2 P", 1, FZ_OP_COND_RESCHED, 2 },
	{ "0 1 P 2 3 P", 2, FZ_OP_COND_RESCHED, 2 },
	{ "3 P 1+2 P", 1, FZ_OP_COND_RESCHED, 2 },
	{ "0 1 2 3 M P", 4, FZ_OP_MIGHT_SLEEP, 2 },
	{ "M P 0 P 1 P 2", 0, FZ_OP_MIGHT_SLEEP, 4 },
};

START_TEST(sleep_is_found_in_every_model)
{
	struct steps steps = { .at = NULL };
	struct fz_plan plan;
	const bool sleeps = plans[_i].nr_calls != 0;
	unsigned int bad = 0;

	steps_parse(&steps, plans[_i].steps);
	ck_assert_int_eq(steps_build(&steps, 4, &plan), 0);
	for (unsigned int i = 0; i < NR_CASES * FZ_NR_PREEMPT; i++) {
		const enum fz_preempt model = i % FZ_NR_PREEMPT;
		const unsigned int c = i / FZ_NR_PREEMPT;
		struct fz_illegal_sleep found = { .nr_calls = 0 };
		const bool illegal = fz_plan_find_illegal_sleep(
			&plan, fz_context_find(cases[c].name), model, &found);

		bad += illegal != (sleeps && !cases[c].sleepable);
		if (!illegal)
			continue;
		bad += found.seq != plans[_i].seq;
		bad += found.op != plans[_i].op;
		bad += found.nr_calls != plans[_i].nr_calls;
		bad += found.preempt_count !=
		       (fz_preempt_is_rt(model) ? cases[c].preempt_count_rt
						: cases[c].preempt_count);
		bad += found.rcu_depth != cases[c].rcu_depth;
		bad += found.irqs_disabled != cases[c].irqs_disabled;
	}
	ck_assert_uint_eq(bad, 0);
	fz_plan_fini(&plan);
	steps_fini(&steps);
}
END_TEST

/* The naive way: walk to the first call. */
static bool walk_agrees(const struct fz_plan *plan)
{
	const struct fz_context *context = fz_context_find("alloc-irq");
	struct fz_illegal_sleep found = { .nr_calls = 0 };
	struct steps steps = { .at = NULL };
	uint64_t seq = 0, nr_calls = 0;
	bool good;

	steps_walk(&steps, plan);
	for (size_t i = 0; i < steps.nr; i++)
		if (steps.at[i].op != FZ_OP_CLEAR && nr_calls++ == 0)
			seq = i;
	good = fz_plan_find_illegal_sleep(plan, context, FZ_PREEMPT_NONE,
					  &found) == (nr_calls != 0);
	if (nr_calls)
		good = good && found.seq == seq && found.nr_calls == nr_calls &&
		       found.op == steps.at[seq].op;
	steps_fini(&steps);
	return good;
}

START_TEST(random_plans_agree_with_a_walk)
{
	struct fz_random random = fz_random_begin(4, 0);
	unsigned int bad = 0, first_bad = 0;

	for (unsigned int i = 0; i < NR_RANDOM_PLANS; i++) {
		struct fz_plan plan;

		if (random_plan(&random, 1 + fz_random_below(&random, 40),
				&plan) != 0)
			continue;
		if (!walk_agrees(&plan) && bad++ == 0)
			first_bad = i;
		fz_plan_fini(&plan);
	}
	ck_assert_msg(bad == 0, "%u plans, the first is number %u", bad,
		      first_bad);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("model.context");
	TCase *tcase = tcase_create("context");

	tcase_set_timeout(tcase, 30);
	tcase_add_loop_test(tcase, context_is, 0, NR_CASES);
	tcase_add_test(tcase, no_other_context);
	tcase_add_loop_test(tcase, sleep_is_found_in_every_model, 0,
			    sizeof(plans) / sizeof(plans[0]));
	tcase_add_test(tcase, random_plans_agree_with_a_walk);
	suite_add_tcase(suite, tcase);
	return suite;
}
