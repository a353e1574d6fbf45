// SPDX-License-Identifier: GPL-2.0-or-later
/* A plan is verified as a walk over all of its steps would find. */
#include "fz_test.h"

#include <fz/plan.h>
#include <fz/random.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define NR_RANDOM_PLANS 40000
#define MAX_PAGES       80
#define MAX_RUNS        24

/* Longer ones are not walked here. */
#define MAX_CALLS 1000

struct made {
	struct fz_run runs[MAX_RUNS];
	struct fz_plan plan;
};

static void random_shape(struct fz_random *random, struct fz_run *run)
{
	run->direction = (uint8_t)fz_random_below(random, 3);
	run->hint = (uint8_t)fz_random_below(random, 2);
	run->resched = (uint8_t)fz_random_below(random, 3);
	run->unit_pages = 1;
	if (run->direction != FZ_DIRECTION_CONVERGE)
		run->unit_pages += fz_random_below(random, run->nr);
	run->call_pages = 1 + fz_random_below(random, run->unit_pages);
}

static void swap_runs(struct fz_run *a, struct fz_run *b)
{
	const struct fz_run old = *a;

	*a = *b;
	*b = old;
}

/* Runs in any order that are the folio, and calls in between. */
static void make_good(struct fz_random *random, struct made *made)
{
	const uint64_t nr_pages = 1 + fz_random_below(random, MAX_PAGES);
	uint64_t next = 0;
	size_t nr = 0;

	while (next < nr_pages && nr < MAX_RUNS) {
		struct fz_run run = { .first = next, .nr = nr_pages - next };

		if (nr < MAX_RUNS - 1 && fz_random_below(random, 8))
			run.nr = 1 + fz_random_below(random, run.nr);
		random_shape(random, &run);
		next += run.nr;
		made->runs[nr++] = run;
		if (nr < MAX_RUNS - 1 && fz_random_below(random, 4) == 0)
			made->runs[nr++] = (struct fz_run){
				.op = (uint8_t)(1 + fz_random_below(random, 2)),
				.nr = 1 + fz_random_below(random, 3),
			};
	}
	for (size_t i = nr; i > 1; i--)
		swap_runs(&made->runs[i - 1],
			  &made->runs[fz_random_below(random, i)]);
	made->plan = (struct fz_plan){ .runs = made->runs,
				       .nr_runs = nr,
				       .nr_pages = nr_pages };
}

/* Numbers that a sum does not survive, and small ones. */
static uint64_t nasty_number(struct fz_random *random)
{
	switch (fz_random_below(random, 6)) {
	case 0:
		return 0;
	case 1:
		return UINT64_MAX - fz_random_below(random, 3);
	case 2:
		return (1ull << 63) + fz_random_below(random, 3) - 1;
	case 3:
		return 1ull << fz_random_below(random, 64);
	default:
		return fz_random_below(random, MAX_PAGES + 4);
	}
}

static void spoil_number(struct fz_random *random, struct fz_run *run)
{
	uint64_t *const numbers[] = { &run->first, &run->nr, &run->unit_pages,
				      &run->call_pages };
	uint8_t *const words[] = { &run->op, &run->direction, &run->hint,
				   &run->resched };

	if (fz_random_below(random, 2))
		*numbers[fz_random_below(random, 4)] = nasty_number(random);
	else
		*words[fz_random_below(random, 4)] =
			(uint8_t)fz_random_below(random, 5);
}

static void spoil(struct fz_random *random, struct made *made)
{
	struct fz_plan *plan = &made->plan;
	struct fz_run *run =
		&made->runs[fz_random_below(random, plan->nr_runs)];

	switch (fz_random_below(random, 7)) {
	case 0:
		*run = made->runs[--plan->nr_runs];
		break;
	case 1:
		if (plan->nr_runs < MAX_RUNS)
			made->runs[plan->nr_runs++] = *run;
		break;
	case 2:
		run->first++;
		break;
	case 3:
		run->nr++;
		break;
	case 4:
		run->first = fz_random_below(random, plan->nr_pages);
		break;
	case 5:
		*run = made->runs[fz_random_below(random, plan->nr_runs)];
		break;
	default:
		spoil_number(random, run);
		break;
	}
}

/* The words of DOC: plans, in numbers that do not overflow. */
static bool is_run(const struct fz_run *run)
{
	if (run->nr == 0 || run->op > FZ_OP_MIGHT_SLEEP)
		return false;
	if (run->op != FZ_OP_CLEAR)
		return true;
	return run->unit_pages && run->unit_pages <= run->nr &&
	       run->call_pages && run->call_pages <= run->unit_pages &&
	       run->direction <= FZ_DIRECTION_CONVERGE &&
	       !(run->direction == FZ_DIRECTION_CONVERGE &&
		 run->unit_pages > 1) &&
	       run->hint <= FZ_HINT_STREAMING &&
	       run->resched <= FZ_RESCHED_AFTER;
}

static bool is_inside(const struct fz_run *run, uint64_t nr_pages)
{
	return run->op != FZ_OP_CLEAR ||
	       (unsigned __int128)run->first + run->nr <= nr_pages;
}

enum verdict {
	GOOD,
	NO_RUN,
	OUTSIDE,
	NOT_ONCE,
};

/* Times each page is cleared, by a walk; only of runs inside. */
static void count_pages(const struct fz_plan *plan, unsigned int *times)
{
	struct fz_walker walker;
	struct fz_plan clears = { .nr_runs = 1 };
	struct fz_step step;

	for (size_t i = 0; i < plan->nr_runs; i++) {
		if (plan->runs[i].op != FZ_OP_CLEAR)
			continue;
		clears.runs = &plan->runs[i];
		fz_walker_begin(&walker, &clears);
		while (fz_walker_next(&walker, &step))
			for (uint64_t j = 0;
			     step.op == FZ_OP_CLEAR && j < step.nr; j++)
				times[step.first + j]++;
	}
}

static enum verdict naive_verdict(const struct fz_plan *plan,
				  unsigned int *times)
{
	for (size_t i = 0; i < plan->nr_runs; i++) {
		if (!is_run(&plan->runs[i]))
			return NO_RUN;
		if (!is_inside(&plan->runs[i], plan->nr_pages))
			return OUTSIDE;
	}
	count_pages(plan, times);
	for (uint64_t page = 0; page < plan->nr_pages; page++)
		if (times[page] != 1)
			return NOT_ONCE;
	return GOOD;
}

static bool is_short(const struct fz_plan *plan)
{
	for (size_t i = 0; i < plan->nr_runs; i++)
		if (plan->runs[i].nr > MAX_CALLS)
			return false;
	return true;
}

/* Is step number `number` a clear of the page? */
static bool step_clears(const struct fz_plan *plan, uint64_t number,
			uint64_t page)
{
	struct fz_walker walker;
	struct fz_step step;

	fz_walker_begin(&walker, plan);
	for (uint64_t i = 0; fz_walker_next(&walker, &step); i++)
		if (i == number)
			return step.op == FZ_OP_CLEAR && page >= step.first &&
			       page - step.first < step.nr;
	return false;
}

static bool tells_not_once(const struct fz_plan *plan,
			   const unsigned int *times, const char *msg)
{
	uint64_t page, a, b;
	int end = 0;

	sscanf(msg, "page %" SCNu64 " is not cleared%n", &page, &end);
	if (end && !msg[end])
		return page < plan->nr_pages && times[page] == 0;
	end = 0;
	sscanf(msg,
	       "page %" SCNu64 " is cleared twice, in step %" SCNu64
	       " and in step %" SCNu64 "%n",
	       &page, &a, &b, &end);
	if (!end || msg[end] || page >= plan->nr_pages || times[page] < 2)
		return false;
	return !is_short(plan) || (a < b && step_clears(plan, a, page) &&
				   step_clears(plan, b, page));
}

static bool tells_outside(const struct fz_plan *plan, const char *msg)
{
	uint64_t page, number;
	int end = 0;

	sscanf(msg,
	       "page %" SCNu64 ", cleared in step %" SCNu64
	       ", is outside the folio%n",
	       &page, &number, &end);
	if (!end || msg[end])
		/* Its last page has no number. */
		return strncmp(msg, "run ", 4) == 0;
	return page >= plan->nr_pages &&
	       (!is_short(plan) || step_clears(plan, number, page));
}

static bool verify_holds(const struct fz_plan *plan, unsigned int *verdicts)
{
	unsigned int times[MAX_PAGES + 1] = { 0 };
	struct fz_err err = { .msg = "" }, loose = { .msg = "" };
	const int code = fz_plan_verify(plan, &err);
	const int check = fz_plan_check(plan, &loose);
	const enum verdict verdict = naive_verdict(plan, times);

	verdicts[verdict]++;
	if (fz_plan_verify(plan, NULL) != code)
		return false;
	switch (verdict) {
	case GOOD:
		return code == 0 && check == 0 && !err.msg[0];
	case NO_RUN:
		return code == -EINVAL && check == -EINVAL &&
		       strncmp(err.msg, "run ", 4) == 0;
	case OUTSIDE:
		return code == -EINVAL && check == -EINVAL &&
		       tells_outside(plan, err.msg) &&
		       strcmp(err.msg, loose.msg) == 0;
	case NOT_ONCE:
		break;
	}
	return code == -EINVAL && check == 0 &&
	       tells_not_once(plan, times, err.msg);
}

START_TEST(equals_a_walk)
{
	struct fz_random random = fz_random_begin(41, 0);
	unsigned int verdicts[4] = { 0 }, bad = 0, first_bad = 0;

	for (unsigned int i = 0; i < NR_RANDOM_PLANS; i++) {
		struct made made;
		const uint64_t spoils = fz_random_below(&random, 4);

		make_good(&random, &made);
		for (uint64_t j = 0; j < spoils && made.plan.nr_runs; j++)
			spoil(&random, &made);
		if (!verify_holds(&made.plan, verdicts) && bad++ == 0)
			first_bad = i;
	}
	ck_assert_msg(bad == 0, "%u plans, the first is number %u", bad,
		      first_bad);
	for (unsigned int i = GOOD; i <= NOT_ONCE; i++)
		ck_assert_uint_gt(verdicts[i], NR_RANDOM_PLANS / 50);
}
END_TEST

#define UP(from, pages)                                          \
	{                                                        \
		.first = (from), .nr = (pages), .unit_pages = 1, \
		.call_pages = 1                                  \
	}

static const struct {
	uint64_t nr_pages;
	struct fz_run runs[2];
	size_t nr_runs;
	const char *msg; /* NULL: it is good */
} cases[] = {
	{ 4, { UP(0, 4) }, 1, NULL },
	{ 4, { UP(2, 2), UP(0, 2) }, 2, NULL },
	{ 1ull << 60, { UP(0, 1ull << 60) }, 1, NULL },
	{ UINT64_MAX, { UP(0, UINT64_MAX) }, 1, NULL },
	{ 4, { UP(0, 4) }, 0, "page 0 is not cleared" },
	{ 4, { UP(0, 3) }, 1, "page 3 is not cleared" },
	{ 4, { UP(1, 3) }, 1, "page 0 is not cleared" },
	{ 4,
	  { UP(3, 1), UP(0, 4) },
	  2,
	  "page 3 is cleared twice, in step 0 and in step 4" },
	{ 4,
	  { UP(0, 1ull << 62) },
	  1,
	  "page 4, cleared in step 4, is outside the folio" },
	{ 4,
	  { { .op = FZ_OP_MIGHT_SLEEP, .nr = 7 }, UP(9, 1) },
	  2,
	  "page 9, cleared in step 7, is outside the folio" },
	{ 4,
	  { UP(4, UINT64_MAX - 3) },
	  1,
	  "run 0 is none: op 0, 18446744073709551612 pages from page 4 in "
	  "units of 1 and calls of 1, direction 0, hint 0, resched 0" },
	{ 4,
	  { UP(0, 4), UP(0, 0) },
	  2,
	  "run 1 is none: op 0, 0 pages from page 0 in units of 1 and calls "
	  "of 1, direction 0, hint 0, resched 0" },
};

START_TEST(says_what_is_wrong)
{
	struct fz_err err = { .msg = "" };
	struct fz_run runs[2];
	const struct fz_plan plan = { .runs = runs,
				      .nr_runs = cases[_i].nr_runs,
				      .nr_pages = cases[_i].nr_pages };
	int code;

	memcpy(runs, cases[_i].runs, sizeof(runs));
	code = fz_plan_verify(&plan, &err);
	ck_assert_int_eq(code, cases[_i].msg ? -EINVAL : 0);
	ck_assert_str_eq(err.msg, cases[_i].msg ? cases[_i].msg : "");
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("model.plan_verify");
	TCase *tcase = tcase_create("plan_verify");

	tcase_set_timeout(tcase, 30);
	tcase_add_test(tcase, equals_a_walk);
	tcase_add_loop_test(tcase, says_what_is_wrong, 0,
			    (int)(sizeof(cases) / sizeof(cases[0])));
	suite_add_tcase(suite, tcase);
	return suite;
}
