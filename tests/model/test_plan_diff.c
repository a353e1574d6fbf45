// SPDX-License-Identifier: GPL-2.0-or-later
/* Where two plans part, against a naive expansion of both. */
#include "fz_test.h"

#include <stdlib.h>

#include <fz/plan_diff.h>

#include "plan_steps.h"

#define NR_RANDOM_PAIRS 30000

static const struct {
	const char *a, *b;
	const char *seq; /* NULL: they are equal */
} cases[] = {
	{ "", "", NULL },
	{ "M P 0 P 1 P 2", "M P 0 P 1 P 2", NULL },
	{ "M P 0", "P 0", "0" },
	{ "P 0 P 1", "P 0 P 2", "3" },
	{ "0 1 2 3", "0 1 2+2", "2" },
	{ "0 1 ~2", "0 1 2", "2" },
	{ "0 P 1 P", "0 P 1 M", "3" },
	{ "0 P 1 P", "0 P 1", "3" },
	{ "", "M", "0" },
	{ "0 1 2 3 P", "0 1 2 3 P P", "5" },
	{ "P 0 P 1 P 0 P 1", "P 0 P 1 P 2 P 3", "5" },
};

static struct fz_plan plan_of(const char *text)
{
	struct steps steps = { .at = NULL };
	struct fz_plan plan;

	steps_parse(&steps, text);
	ck_assert_int_eq(steps_build(&steps, 64, &plan), 0);
	steps_fini(&steps);
	return plan;
}

START_TEST(parts_there)
{
	const char *seq = cases[_i].seq;

	for (int swapped = 0; swapped < 2; swapped++) {
		struct fz_plan a = plan_of(swapped ? cases[_i].b : cases[_i].a);
		struct fz_plan b = plan_of(swapped ? cases[_i].a : cases[_i].b);
		struct fz_plan_diff diff = { .seq = 0 };

		ck_assert_int_eq(fz_plan_diff_find(&a, &b, &diff), seq != NULL);
		if (seq)
			ck_assert_uint_eq(diff.seq, strtoull(seq, NULL, 10));
		fz_plan_fini(&a);
		fz_plan_fini(&b);
	}
}
END_TEST

static bool same_step(bool has, const struct fz_step *step,
		      const struct steps *steps, size_t at)
{
	const struct fz_step *other = &steps->at[at];

	if (!has || at >= steps->nr)
		return has == (at < steps->nr);
	return step->op == other->op && step->hint == other->hint &&
	       step->first == other->first && step->nr == other->nr;
}

/* Does the finding agree with the expansions? */
static bool agrees(const struct fz_plan *a, const struct fz_plan *b)
{
	struct steps steps[2] = { { .at = NULL }, { .at = NULL } };
	struct fz_plan_diff diff = { .seq = UINT64_MAX };
	size_t at;
	bool ok;

	steps_expand(&steps[0], a);
	steps_expand(&steps[1], b);
	if (steps_match(&steps[0], &steps[1], &at))
		ok = !fz_plan_diff_find(a, b, &diff);
	else
		ok = fz_plan_diff_find(a, b, &diff) && diff.seq == at &&
		     same_step(diff.has[0], &diff.step[0], &steps[0], at) &&
		     same_step(diff.has[1], &diff.step[1], &steps[1], at);
	steps_fini(&steps[0]);
	steps_fini(&steps[1]);
	return ok;
}

/* The same steps, in such runs as the builder finds in them. */
static int rebuild(const struct fz_plan *plan, struct fz_plan *out)
{
	struct steps steps = { .at = NULL };
	int code;

	steps_expand(&steps, plan);
	code = steps_build(&steps, plan->nr_pages, out);
	steps_fini(&steps);
	return code;
}

/* One member of one run changed, if there is a run. */
static void change_run(struct fz_random *random, struct fz_plan *plan)
{
	struct fz_run *run;

	if (!plan->nr_runs)
		return;
	run = &plan->runs[fz_random_below(random, plan->nr_runs)];
	switch (fz_random_below(random, 4)) {
	case 0:
		*run = random_run(random, plan->nr_pages);
		return;
	case 1:
		plan->nr_runs--;
		return;
	case 2:
		run->hint ^= run->op == FZ_OP_CLEAR;
		return;
	default:
		if (run->op == FZ_OP_CLEAR)
			run->resched = (uint8_t)fz_random_below(random, 3);
		else
			run->nr++;
	}
}

/* Each run in two, where that leaves the steps as they are, or nearly so. */
static int split(struct fz_random *random, const struct fz_plan *plan,
		 struct fz_plan *out)
{
	struct fz_plan_builder *builder = fz_plan_builder_new(plan->nr_pages);

	for (size_t i = 0; i < plan->nr_runs; i++) {
		struct fz_run low = plan->runs[i], high = low;

		if (low.op == FZ_OP_CLEAR && low.direction == FZ_DIRECTION_UP &&
		    low.nr / low.unit_pages > 1) {
			low.nr = low.unit_pages *
				 (1 +
				  fz_random_below(random,
						  low.nr / low.unit_pages - 1));
			high.first += low.nr;
			high.nr -= low.nr;
			if (high.unit_pages > high.nr)
				high.unit_pages = high.nr;
			if (high.call_pages > high.unit_pages)
				high.call_pages = high.unit_pages;
			high.hint ^= !fz_random_below(random, 8);
			fz_plan_add_run(builder, low);
		}
		fz_plan_add_run(builder, high);
	}
	return fz_plan_finish(builder, out);
}

static int make_second(struct fz_random *random, struct fz_random *again,
		       uint64_t kind, const struct fz_plan *a,
		       struct fz_plan *b)
{
	switch (kind) {
	case 0:
		return random_plan(random, a->nr_pages, b);
	case 1:
		return rebuild(a, b);
	case 2:
		return split(random, a, b);
	default:
		return random_plan(again, a->nr_pages, b);
	}
}

/* By chance: unrelated, the same steps in other runs, cut, equal, changed. */
static bool pair_agrees(struct fz_random *random)
{
	const uint64_t nr_pages = 1 + fz_random_below(random, 40);
	const uint64_t kind = fz_random_below(random, 5);
	struct fz_random again = *random;
	struct fz_plan a, b;
	bool ok;

	if (random_plan(random, nr_pages, &a))
		return false;
	if (make_second(random, &again, kind, &a, &b))
		return false;
	if (kind == 4)
		change_run(random, &b);
	ok = agrees(&a, &b);
	fz_plan_fini(&a);
	fz_plan_fini(&b);
	return ok;
}

START_TEST(as_expanded)
{
	struct fz_random random = fz_random_begin(7, 0);
	unsigned int nr_bad = 0;

	for (unsigned int i = 0; i < NR_RANDOM_PAIRS; i++)
		nr_bad += !pair_agrees(&random);
	ck_assert_uint_eq(nr_bad, 0);
}
END_TEST

/* Runs without calls are no steps, wherever they stand. */
START_TEST(empty_runs)
{
	struct fz_run runs[] = {
		{ .op = FZ_OP_MIGHT_SLEEP, .nr = 0 },
		{ .op = FZ_OP_COND_RESCHED, .nr = 1 },
		{ .op = FZ_OP_MIGHT_SLEEP, .nr = 0 },
	};
	const struct fz_plan a = { .runs = runs, .nr_runs = 3, .nr_pages = 1 };
	const struct fz_plan b = { .runs = runs + 1,
				   .nr_runs = 1,
				   .nr_pages = 1 };
	struct fz_plan_diff diff;

	ck_assert(!fz_plan_diff_find(&a, &b, &diff));
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("plan_diff");
	TCase *tcase = tcase_create("plan_diff");

	tcase_add_loop_test(tcase, parts_there, 0,
			    sizeof(cases) / sizeof(cases[0]));
	tcase_add_test(tcase, as_expanded);
	tcase_add_test(tcase, empty_runs);
	suite_add_tcase(suite, tcase);
	return suite;
}
