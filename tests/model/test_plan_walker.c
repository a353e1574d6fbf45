// SPDX-License-Identifier: GPL-2.0-or-later
/* The walker gives the steps that the runs mean. */
#include "fz_test.h"

#include <fz/plan.h>

#include "plan_steps.h"

#define NR_RANDOM_PLANS 50000

#define RUN(from, pages, unit, call, way, where)                       \
	{                                                              \
		.first = (from), .nr = (pages), .unit_pages = (unit),  \
		.call_pages = (call), .direction = FZ_DIRECTION_##way, \
		.resched = FZ_RESCHED_##where,                         \
	}

static const struct {
	struct fz_run run;
	const char *steps;
} cases[] = {
	{ RUN(3, 4, 1, 1, UP, NONE), "3 4 5 6" },
	{ RUN(3, 4, 4, 4, UP, NONE), "3+4" },
	{ RUN(3, 3, 1, 1, UP, BEFORE), "P 3 P 4 P 5" },
	{ RUN(3, 3, 1, 1, UP, AFTER), "3 P 4 P 5 P" },
	{ RUN(3, 8, 3, 3, UP, BEFORE), "P 3+3 P 6+3 P 9+2" },
	{ RUN(3, 8, 3, 3, UP, AFTER), "3+3 P 6+3 P 9+2 P" },
	{ RUN(0, 8, 5, 2, UP, BEFORE), "P 0+2 2+2 4 P 5+2 7" },
	{ RUN(0, 8, 5, 2, UP, AFTER), "0+2 2+2 4 P 5+2 7 P" },
	{ RUN(0, 8, 5, 2, UP, NONE), "0+2 2+2 4 5+2 7" },
	{ RUN(2, 3, 1, 1, DOWN, BEFORE), "P 4 P 3 P 2" },
	{ RUN(2, 8, 3, 3, DOWN, BEFORE), "P 8+2 P 5+3 P 2+3" },
	{ RUN(2, 8, 3, 2, DOWN, AFTER), "8+2 P 5+2 7 P 2+2 4 P" },
	{ RUN(2, 6, 3, 3, DOWN, NONE), "5+3 2+3" },
	{ RUN(2, 1, 1, 1, CONVERGE, BEFORE), "P 2" },
	{ RUN(2, 4, 1, 1, CONVERGE, BEFORE), "P 2 P 5 P 3 P 4" },
	{ RUN(2, 5, 1, 1, CONVERGE, AFTER), "2 P 6 P 3 P 5 P 4 P" },
	{ RUN(2, 6, 1, 1, CONVERGE, NONE), "2 7 3 6 4 5" },
	{ { .op = FZ_OP_COND_RESCHED, .nr = 2 }, "P P" },
	{ { .op = FZ_OP_MIGHT_SLEEP, .nr = 3 }, "M M M" },
};

START_TEST(run_means)
{
	struct fz_run run = cases[_i].run;
	const struct fz_plan plan = { .runs = &run,
				      .nr_runs = 1,
				      .nr_pages = 64 };
	struct steps expected = { .at = NULL }, walked = { .at = NULL },
		     expanded = { .at = NULL };
	size_t at;

	steps_parse(&expected, cases[_i].steps);
	steps_walk(&walked, &plan);
	steps_expand(&expanded, &plan);
	ck_assert_msg(steps_match(&expected, &walked, &at),
		      "the walk differs from '%s' at step %zu", cases[_i].steps,
		      at);
	ck_assert_msg(steps_match(&expected, &expanded, &at),
		      "the test's own expansion differs from '%s' at step %zu",
		      cases[_i].steps, at);
	steps_fini(&expected);
	steps_fini(&walked);
	steps_fini(&expanded);
}
END_TEST

START_TEST(hint_is_handed_on)
{
	struct fz_run run = RUN(0, 2, 1, 1, UP, BEFORE);
	const struct fz_plan plan = { .runs = &run,
				      .nr_runs = 1,
				      .nr_pages = 2 };
	struct steps expected = { .at = NULL }, walked = { .at = NULL };
	size_t at;

	run.hint = FZ_HINT_STREAMING;
	steps_parse(&expected, "P ~0 P ~1");
	steps_walk(&walked, &plan);
	ck_assert(steps_match(&expected, &walked, &at));
	steps_fini(&expected);
	steps_fini(&walked);
}
END_TEST

START_TEST(end_stays_the_end)
{
	struct fz_run run = RUN(0, 1, 1, 1, UP, NONE);
	const struct fz_plan plan = { .runs = &run,
				      .nr_runs = 1,
				      .nr_pages = 1 },
			     empty = { .runs = NULL,
				       .nr_runs = 0,
				       .nr_pages = 1 };
	struct fz_walker walker;
	struct fz_step step;

	fz_walker_begin(&walker, &plan);
	ck_assert(fz_walker_next(&walker, &step));
	ck_assert(!fz_walker_next(&walker, &step));
	ck_assert(!fz_walker_next(&walker, &step));
	fz_walker_begin(&walker, &empty);
	ck_assert(!fz_walker_next(&walker, &step));
}
END_TEST

START_TEST(random_plans_expand_alike)
{
	struct fz_random random = fz_random_begin(3, 0);
	unsigned int bad = 0, first_bad = 0;
	struct steps walked = { .at = NULL }, expanded = { .at = NULL };

	for (unsigned int i = 0; i < NR_RANDOM_PLANS; i++) {
		struct fz_plan plan;
		size_t at;

		if (random_plan(&random, 1 + fz_random_below(&random, 40),
				&plan) != 0)
			continue;
		walked.nr = expanded.nr = 0;
		steps_walk(&walked, &plan);
		steps_expand(&expanded, &plan);
		if (!steps_match(&walked, &expanded, &at) && bad++ == 0)
			first_bad = i;
		fz_plan_fini(&plan);
	}
	steps_fini(&walked);
	steps_fini(&expanded);
	ck_assert_msg(bad == 0, "%u plans, the first is number %u", bad,
		      first_bad);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("model.plan_walker");
	TCase *tcase = tcase_create("plan_walker");

	tcase_set_timeout(tcase, 30);
	tcase_add_loop_test(tcase, run_means, 0,
			    sizeof(cases) / sizeof(cases[0]));
	tcase_add_test(tcase, hint_is_handed_on);
	tcase_add_test(tcase, end_stays_the_end);
	tcase_add_test(tcase, random_plans_expand_alike);
	suite_add_tcase(suite, tcase);
	return suite;
}
