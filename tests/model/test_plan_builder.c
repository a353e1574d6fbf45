// SPDX-License-Identifier: GPL-2.0-or-later
/* The builder keeps runs, finds runs in steps, and never changes a step. */
#include "fz_test.h"

#include <fz/plan.h>

#include <errno.h>

#include "plan_steps.h"

#define NR_RANDOM_SEQUENCES 60000

/* Steps, and the runs that they should become. */
static const struct {
	const char *steps;
	size_t nr_runs;
} cases[] = {
	{ "", 0 },
	{ "P P P", 1 },
	{ "M M P P M", 3 },
	{ "0 1 2 3 4", 1 },
	{ "0+2 2+2 4", 1 },
	{ "0+2 2 3 4", 2 },
	{ "0 1 ~2 ~3", 2 },
	{ "5+1 0+4", 2 },
	/* ascending */
	{ "P 0 P 1 P 2", 1 },
	{ "0 P 1 P 2 P", 1 },
	{ "P 0+3 P 3+3 P 6", 1 },
	{ "0+3 P 3+3 P 6 P", 1 },
	{ "P 0+3 P 3+3 P 6 P 7+3", 2 },
	{ "P 0+3 P 3+4", 2 },
	{ "M P 0+3 P 3+3 P 6 M P 7+3", 4 },
	{ "P 0 1 2 P 3 4 5 P 6", 1 },
	{ "0 1 2 P 3 4 5 P 6 P", 1 },
	{ "P 0+2 2 P 3+2 5 P 6", 1 },
	{ "0+2 2 P 3+2 5 P 6+2 P", 1 },
	/* descending */
	{ "6 5 4 3", 1 },
	{ "P 6 P 5 P 4", 1 },
	{ "6 P 5 P 4 P", 1 },
	{ "P 6+3 P 3+3 P 0+3", 1 },
	{ "P 6+2 P 3+3 P 0+3", 1 },
	{ "6+2 P 3+3 P 0+3 P", 1 },
	{ "P 6 7 P 3 4 5 P 0 1 2", 1 },
	{ "6 7 P 3 4 5 P 0 1 2 P", 1 },
	{ "P 6+3 P 4+2", 2 },
	/* converging, also where the low end continues an ascending run */
	{ "P 0 P 7 P 1 P 6 P 2 P 5 P 3 P 4", 1 },
	{ "0 P 7 P 1 P 6 P 2 P 5 P 3 P 4 P", 1 },
	{ "0 7 1 6 2 5 3 4", 1 },
	{ "0 6 1 5 2 4 3", 1 },
	{ "9 8 0 7 1 6 2 5 3 4", 2 },
	{ "P 0 P 1 P 2 P 9 P 3 P 8 P 4 P 7 P 5 P 6", 2 },
	{ "0 1 2 9 3 8 4 7 5 6", 2 },
	{ "0 P 1 P 2 P 9 P 3 P 8 P 4 P 7 P 5 P 6 P", 2 },
	/* converging in vain: single pages */
	{ "0 7 1 6 2", 5 },
	{ "0 7 1 6 3 4 5", 5 },
	{ "0 9 1 2 3 4 5", 3 },
	{ "P 0 P 7 P 1 P 6 P", 5 },
	{ "P 0 P 7 P 1 P 6 M", 5 },
	/* several resched calls between clears */
	{ "P P 0 P P 1", 4 },
	{ "0 P P 1 P P", 3 },
};

START_TEST(steps_become_runs)
{
	struct steps steps = { .at = NULL }, walked = { .at = NULL };
	struct fz_plan plan;
	size_t at;

	steps_parse(&steps, cases[_i].steps);
	ck_assert_int_eq(steps_build(&steps, 10, &plan), 0);
	steps_walk(&walked, &plan);
	ck_assert_msg(steps_match(&steps, &walked, &at),
		      "'%s' differs at step %zu", cases[_i].steps, at);
	ck_assert_msg(plan.nr_runs == cases[_i].nr_runs,
		      "'%s' became %zu runs, not %zu", cases[_i].steps,
		      plan.nr_runs, cases[_i].nr_runs);
	ck_assert_uint_eq(plan.nr_pages, 10);
	fz_plan_fini(&plan);
	steps_fini(&steps);
	steps_fini(&walked);
}
END_TEST

#define NR_PAGES 12

/* One step after the last one, mostly as a policy would go on. */
static void push_random_step(struct steps *steps, struct fz_random *random,
			     uint64_t *page, int *stride)
{
	const uint64_t dice = fz_random_below(random, 32);

	if (dice < 12) {
		steps_call(steps, FZ_OP_COND_RESCHED);
		return;
	}
	if (dice == 12) {
		steps_call(steps, FZ_OP_MIGHT_SLEEP);
		return;
	}
	if (dice == 13)
		*page = fz_random_below(random, NR_PAGES);
	if (dice == 14)
		*stride = (int)fz_random_below(random, 7) - 3;
	*page = (*page + NR_PAGES + (uint64_t)*stride) % NR_PAGES;
	steps_clear(steps, *page,
		    dice == 15 ? 1 + fz_random_below(random, NR_PAGES - *page)
			       : 1,
		    dice == 16 ? FZ_HINT_STREAMING : FZ_HINT_CACHED);
}

/* The expansion of random runs, some steps lost or replaced. */
static void push_damaged_runs(struct steps *steps, struct fz_random *random)
{
	struct steps whole = { .at = NULL };
	struct fz_plan plan;

	if (random_plan(random, NR_PAGES, &plan) == 0)
		steps_expand(&whole, &plan);
	for (size_t i = 0; i < whole.nr; i++) {
		const struct fz_step *step = &whole.at[i];

		if (fz_random_below(random, 16) == 0)
			continue;
		if (step->op == FZ_OP_CLEAR)
			steps_clear(steps, step->first, step->nr, step->hint);
		else
			steps_call(steps, step->op);
	}
	steps_fini(&whole);
	fz_plan_fini(&plan);
}

static void push_random_steps(struct steps *steps, struct fz_random *random)
{
	uint64_t page = fz_random_below(random, NR_PAGES);
	int stride = (int)fz_random_below(random, 3) - 1;
	const uint64_t nr = fz_random_below(random, 40);

	if (fz_random_below(random, 2)) {
		push_damaged_runs(steps, random);
		return;
	}
	for (uint64_t i = 0; i < nr; i++)
		push_random_step(steps, random, &page, &stride);
}

START_TEST(any_steps_come_back)
{
	struct fz_random random = fz_random_begin(5, 0);
	struct steps steps = { .at = NULL }, walked = { .at = NULL };
	unsigned int bad = 0, first_bad = 0;

	for (unsigned int i = 0; i < NR_RANDOM_SEQUENCES; i++) {
		struct fz_plan plan;
		size_t at;

		steps.nr = walked.nr = 0;
		push_random_steps(&steps, &random);
		if (steps_build(&steps, NR_PAGES, &plan) != 0) {
			bad++;
			continue;
		}
		steps_walk(&walked, &plan);
		if ((!steps_match(&steps, &walked, &at) ||
		     plan.nr_runs > steps.nr) &&
		    bad++ == 0)
			first_bad = i;
		fz_plan_fini(&plan);
	}
	steps_fini(&steps);
	steps_fini(&walked);
	ck_assert_msg(bad == 0, "%u sequences, the first is number %u", bad,
		      first_bad);
}
END_TEST

/*
 * The steps of a single run come back as one run. Only a converging run of 3 or
 * 4 pages, whose steps begin like others, may take 3.
 */
static size_t runs_allowed(const struct fz_run *run)
{
	return run->direction == FZ_DIRECTION_CONVERGE && run->nr <= 4 ? 3 : 1;
}

START_TEST(single_runs_come_back)
{
	struct fz_random random = fz_random_begin(6, 0);
	struct steps steps = { .at = NULL };
	unsigned int bad = 0, first_bad = 0;

	for (unsigned int i = 0; i < NR_RANDOM_SEQUENCES; i++) {
		struct fz_run run = random_run(&random, 60);
		const struct fz_plan given = { .runs = &run,
					       .nr_runs = 1,
					       .nr_pages = 60 };
		struct fz_plan plan;

		steps.nr = 0;
		steps_expand(&steps, &given);
		if (steps_build(&steps, 60, &plan) != 0) {
			bad++;
			continue;
		}
		if (plan.nr_runs > runs_allowed(&run) && bad++ == 0)
			first_bad = i;
		fz_plan_fini(&plan);
	}
	steps_fini(&steps);
	ck_assert_msg(bad == 0, "%u runs, the first is number %u", bad,
		      first_bad);
}
END_TEST

#define GIGANTIC_PAGES 262144ull

static void add_page(struct fz_plan_builder *builder, uint64_t page)
{
	fz_plan_add_step(builder, (struct fz_step){ .op = FZ_OP_COND_RESCHED });
	fz_plan_add_step(
		builder,
		(struct fz_step){ .op = FZ_OP_CLEAR, .first = page, .nr = 1 });
}

START_TEST(gigantic_folio_stays_small)
{
	struct fz_plan_builder *builder = fz_plan_builder_new(GIGANTIC_PAGES);
	struct fz_run *runs;
	struct fz_plan plan;

	fz_plan_might_sleep(builder);
	for (uint64_t page = GIGANTIC_PAGES; page-- > GIGANTIC_PAGES / 2;)
		add_page(builder, page);
	for (uint64_t i = 0; i < GIGANTIC_PAGES / 4; i++) {
		add_page(builder, i);
		add_page(builder, GIGANTIC_PAGES / 2 - 1 - i);
	}
	ck_assert_int_eq(fz_plan_finish(builder, &plan), 0);
	runs = plan.runs;
	ck_assert_uint_eq(plan.nr_runs, 3);
	ck_assert_int_eq(runs[0].op, FZ_OP_MIGHT_SLEEP);
	ck_assert_int_eq(runs[1].direction, FZ_DIRECTION_DOWN);
	ck_assert_uint_eq(runs[1].first, GIGANTIC_PAGES / 2);
	ck_assert_int_eq(runs[2].direction, FZ_DIRECTION_CONVERGE);
	ck_assert_uint_eq(runs[2].first, 0);
	ck_assert_uint_eq(runs[2].nr, GIGANTIC_PAGES / 2);
	ck_assert_int_eq(runs[2].resched, FZ_RESCHED_BEFORE);
	ck_assert_uint_eq(fz_plan_count(&plan, FZ_OP_CLEAR), GIGANTIC_PAGES);
	fz_plan_fini(&plan);
}
END_TEST

/* More than the builder's first block holds, as they are, joined to nothing. */
START_TEST(runs_are_kept)
{
	struct fz_plan_builder *builder = fz_plan_builder_new(100);
	unsigned int bad = 0;
	struct fz_plan plan;

	for (unsigned int i = 0; i < 100; i++) {
		const struct fz_run run = { .first = i,
					    .nr = 1,
					    .unit_pages = 1,
					    .call_pages = 1,
					    .resched = FZ_RESCHED_BEFORE };

		fz_plan_add_run(builder, run);
		fz_plan_add_run(builder, (struct fz_run){ .nr = 0 });
	}
	ck_assert_int_eq(fz_plan_finish(builder, &plan), 0);
	ck_assert_uint_eq(plan.nr_runs, 100);
	for (unsigned int i = 0; i < 100; i++)
		bad += plan.runs[i].first != i || plan.runs[i].nr != 1 ||
		       plan.runs[i].resched != FZ_RESCHED_BEFORE;
	ck_assert_uint_eq(bad, 0);
	fz_plan_fini(&plan);
}
END_TEST

START_TEST(runs_and_steps_mix)
{
	struct fz_plan_builder *builder = fz_plan_builder_new(8);
	const struct fz_run point = {
		.op = FZ_OP_COND_RESCHED, .nr = 1, .first = 7, .hint = 1
	};
	const struct fz_run pages = { .nr = 4,
				      .unit_pages = 2,
				      .call_pages = 2 };
	struct fz_plan plan;

	fz_plan_add_run(builder, point);
	fz_plan_add_run(builder, pages);
	fz_plan_add_step(builder, (struct fz_step){ .op = FZ_OP_COND_RESCHED });
	fz_plan_add_step(builder, (struct fz_step){ .first = 4, .nr = 2 });
	fz_plan_add_step(builder, (struct fz_step){ .first = 6, .nr = 0 });
	fz_plan_add_step(builder, (struct fz_step){ .first = 6, .nr = 2 });
	ck_assert_int_eq(fz_plan_finish(builder, &plan), 0);
	ck_assert_uint_eq(plan.nr_runs, 3);
	ck_assert_uint_eq(plan.runs[0].first, 0);
	ck_assert_uint_eq(plan.runs[0].hint, 0);
	ck_assert_uint_eq(plan.runs[1].nr, 4);
	ck_assert_uint_eq(plan.runs[1].resched, FZ_RESCHED_NONE);
	ck_assert_uint_eq(plan.runs[2].nr, 4);
	ck_assert_uint_eq(plan.runs[2].call_pages, 2);
	fz_plan_fini(&plan);
}
END_TEST

/* Steps never grow a run, even where they would fit. */
START_TEST(steps_leave_runs_alone)
{
	struct fz_plan_builder *builder = fz_plan_builder_new(8);
	const struct fz_run pages = { .nr = 4,
				      .unit_pages = 4,
				      .call_pages = 1 };
	struct fz_plan plan;

	fz_plan_add_run(builder, pages);
	fz_plan_add_step(builder, (struct fz_step){ .first = 4, .nr = 1 });
	ck_assert_int_eq(fz_plan_finish(builder, &plan), 0);
	ck_assert_uint_eq(plan.nr_runs, 2);
	ck_assert_uint_eq(plan.runs[0].nr, 4);
	ck_assert_uint_eq(plan.runs[1].nr, 1);
	fz_plan_fini(&plan);
}
END_TEST

static const struct fz_run bad_runs[] = {
	{ .first = 0, .nr = 9, .unit_pages = 1, .call_pages = 1 },
	{ .first = 8, .nr = 1, .unit_pages = 1, .call_pages = 1 },
	{ .first = 7, .nr = UINT64_MAX, .unit_pages = 1, .call_pages = 1 },
	{ .first = UINT64_MAX, .nr = 1, .unit_pages = 1, .call_pages = 1 },
	{ .nr = 4, .unit_pages = 0, .call_pages = 1 },
	{ .nr = 4, .unit_pages = 1, .call_pages = 0 },
	{ .nr = 4, .unit_pages = 5, .call_pages = 1 },
	{ .nr = 4, .unit_pages = 2, .call_pages = 3 },
	{ .nr = 4, .unit_pages = 2, .call_pages = 1, .direction = 2 },
	{ .nr = 4, .unit_pages = 1, .call_pages = 1, .direction = 3 },
	{ .nr = 4, .unit_pages = 1, .call_pages = 1, .hint = 2 },
	{ .nr = 4, .unit_pages = 1, .call_pages = 1, .resched = 3 },
	{ .nr = 4, .op = 3 },
};

START_TEST(bad_run_is_refused)
{
	struct fz_plan_builder *builder = fz_plan_builder_new(8);
	struct fz_plan plan = { .nr_pages = 77 };

	fz_plan_add_run(builder, bad_runs[_i]);
	fz_plan_might_sleep(builder);
	ck_assert_int_eq(fz_plan_finish(builder, &plan), -EINVAL);
	ck_assert_uint_eq(plan.nr_pages, 77);
}
END_TEST

static const struct fz_step bad_steps[] = {
	{ .first = 0, .nr = 9 },
	{ .first = 8, .nr = 1 },
	{ .first = 7, .nr = UINT64_MAX },
	{ .first = 1, .nr = 1, .hint = (enum fz_hint)2 },
	{ .op = (enum fz_op)3 },
};

START_TEST(bad_step_is_refused)
{
	struct fz_plan_builder *builder = fz_plan_builder_new(8);
	struct fz_plan plan;

	fz_plan_add_step(builder, bad_steps[_i]);
	fz_plan_might_sleep(builder);
	ck_assert_int_eq(fz_plan_finish(builder, &plan), -EINVAL);
}
END_TEST

START_TEST(no_builder_is_no_memory)
{
	struct fz_plan plan;

	fz_plan_add_run(NULL, (struct fz_run){ .nr = 1 });
	fz_plan_add_step(NULL, (struct fz_step){ .nr = 1 });
	fz_plan_might_sleep(NULL);
	ck_assert_int_eq(fz_plan_finish(NULL, &plan), -ENOMEM);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("model.plan_builder");
	TCase *tcase = tcase_create("plan_builder");

	tcase_set_timeout(tcase, 30);
	tcase_add_loop_test(tcase, steps_become_runs, 0,
			    sizeof(cases) / sizeof(cases[0]));
	tcase_add_test(tcase, any_steps_come_back);
	tcase_add_test(tcase, single_runs_come_back);
	tcase_add_test(tcase, gigantic_folio_stays_small);
	tcase_add_test(tcase, runs_are_kept);
	tcase_add_test(tcase, runs_and_steps_mix);
	tcase_add_test(tcase, steps_leave_runs_alone);
	tcase_add_loop_test(tcase, bad_run_is_refused, 0,
			    sizeof(bad_runs) / sizeof(bad_runs[0]));
	tcase_add_loop_test(tcase, bad_step_is_refused, 0,
			    sizeof(bad_steps) / sizeof(bad_steps[0]));
	tcase_add_test(tcase, no_builder_is_no_memory);
	suite_add_tcase(suite, tcase);
	return suite;
}
