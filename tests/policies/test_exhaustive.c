// SPDX-License-Identifier: GPL-2.0-or-later
/* Every fault page of every folio size: each page is cleared exactly once. */
#include "fz_test.h"

#include <fz/folio.h>
#include <fz/policies.h>

#include <inttypes.h>
#include <stdlib.h>

#include "random_request.h"

#define MAX_ORDER      18 /* 1 GiB */
#define MAX_WALK_ORDER 10
#define MAX_RADIUS     8

struct tally {
	uint64_t nr_plans;
	uint64_t bad;
	struct fz_zero_request first; /* what went wrong first */
};

static void tally_plan(struct tally *tally,
		       const struct fz_zero_request *request, bool good)
{
	tally->nr_plans++;
	if (!good && tally->bad++ == 0)
		tally->first = *request;
}

static void tally_assert(const struct tally *tally, const char *policy)
{
	char text[160];

	request_describe(&tally->first, text, sizeof(text));
	ck_assert_msg(tally->bad == 0,
		      "%s: %" PRIu64 " of %" PRIu64 " plans, the first: %s",
		      policy, tally->bad, tally->nr_plans, text);
	ck_assert_uint_gt(tally->nr_plans, 0);
}

/*
 * The runs of a policy that clears three ranges, checked over the runs: in a
 * 1 GiB folio a walk of each plan would take hours.
 */
static const struct {
	const char *name;
	bool sleeps; /* might_sleep() before each range */
	enum fz_resched resched;
	enum fz_hint far_hint;
	uint64_t straight_from; /* pages of a folio that is not cut in three */
} ranged[] = {
	{ "neighbourhood-last", true, FZ_RESCHED_BEFORE, FZ_HINT_CACHED,
	  UINT64_MAX },
	{ "neighbourhood-last-v6", false, FZ_RESCHED_AFTER, FZ_HINT_CACHED,
	  1025 },
	{ "streaming-neighbourhood-last", true, FZ_RESCHED_BEFORE,
	  FZ_HINT_STREAMING, UINT64_MAX },
};

/* Pages [first, end) are the next run, or nothing if there are none. */
static bool take_range(const struct fz_plan *plan, size_t *at, int which,
		       const struct fz_zero_request *request, uint64_t first,
		       uint64_t end, enum fz_hint hint)
{
	const uint64_t nr = end - first;
	const struct fz_run *run;
	uint64_t unit = nr;

	if (nr == 0)
		return true;
	if (request->preempt == FZ_PREEMPT_NONE && request->batch_pages < nr)
		unit = request->batch_pages;
	if (*at + ranged[which].sleeps >= plan->nr_runs)
		return false;
	run = &plan->runs[*at];
	if (ranged[which].sleeps &&
	    (run->op != FZ_OP_MIGHT_SLEEP || run->nr != 1))
		return false;
	run += ranged[which].sleeps;
	*at += 1u + ranged[which].sleeps;
	return run->op == FZ_OP_CLEAR && run->first == first && run->nr == nr &&
	       run->unit_pages == unit && run->call_pages == unit &&
	       run->direction == FZ_DIRECTION_UP && run->hint == hint &&
	       run->resched == ranged[which].resched;
}

/* Right, left, near: what follows in this order and is nothing else. */
static bool ranges_are_right(const struct fz_plan *plan, int which,
			     const struct fz_zero_request *request)
{
	const uint64_t nr = request->nr_pages, n = request->fault_page;
	const uint64_t radius = request->radius_pages;
	uint64_t first = n < radius ? 0 : n - radius;
	uint64_t end = n + radius >= nr ? nr : n + radius + 1;
	const enum fz_hint far_hint = ranged[which].far_hint;
	size_t at = 0;

	if (nr >= ranged[which].straight_from)
		first = end = nr;
	return take_range(plan, &at, which, request, end, nr, far_hint) &&
	       take_range(plan, &at, which, request, 0, first, far_hint) &&
	       take_range(plan, &at, which, request, first, end,
			  FZ_HINT_CACHED) &&
	       at == plan->nr_runs;
}

static const struct {
	enum fz_preempt preempt;
	uint64_t batch_pages;
} units[] = {
	{ FZ_PREEMPT_NONE, 512 },
	{ FZ_PREEMPT_NONE, 2048 },
	{ FZ_PREEMPT_NONE, 8192 },
	{ FZ_PREEMPT_FULL, 8192 },
};

static void check_ranges(int which, struct fz_zero_request request,
			 struct tally *tally)
{
	const struct fz_policy *policy = fz_policy_find(ranged[which].name);
	/* Small folios have few fault pages: never skip there. */
	const uint64_t stride = request.nr_pages > 512 ? SLOW_STRIDE : 1;

	for (uint64_t page = 0; page < request.nr_pages; page += stride) {
		struct fz_plan plan = { .runs = NULL };

		request.fault_page = page;
		tally_plan(tally, &request,
			   fz_policy_plan(policy, &request, &plan, NULL) == 0 &&
				   ranges_are_right(&plan, which, &request));
		fz_plan_fini(&plan);
	}
}

START_TEST(ranges_are_the_folio)
{
	struct tally tally = { .bad = 0 };

	for (int order = 0; order <= MAX_ORDER; order++)
		for (uint64_t radius = 0; radius <= MAX_RADIUS; radius++)
			for (size_t i = 0; i < sizeof(units) / sizeof(units[0]);
			     i++) {
				const struct fz_zero_request request = {
					.nr_pages = 1ull << order,
					.preempt = units[i].preempt,
					.batch_pages = units[i].batch_pages,
					.radius_pages = radius,
				};

				check_ranges(_i, request, &tally);
			}
	tally_assert(&tally, ranged[_i].name);
}
END_TEST

/* Folios up to order 10, walked; batches down to a page. */
static const struct {
	const char *name;
	uint64_t batch_pages;
	uint64_t radius_pages;
} walked[] = {
	{ "discontiguous-page", 0, 0 },
	{ "contiguous-page", 0, 0 },
	{ "init-pages", 0, 0 },
	{ "batched-pages", 1, 0 },
	{ "batched-pages", 16, 0 },
	{ "init-pages-batched", 1, 0 },
	{ "init-pages-batched", 16, 0 },
	{ "neighbourhood-last", 1, 0 },
	{ "neighbourhood-last", 1, 2 },
	{ "neighbourhood-last", 1, 8 },
	{ "neighbourhood-last", 16, 0 },
	{ "neighbourhood-last", 16, 2 },
	{ "neighbourhood-last", 16, 8 },
	{ "neighbourhood-last-v6", 1, 2 },
	{ "neighbourhood-last-v6", 16, 2 },
	{ "neighbourhood-last-v6", 16, 8 },
	{ "streaming-neighbourhood-last", 1, 2 },
	{ "streaming-neighbourhood-last", 16, 2 },
};

/* Marks each page with the plan's number: nothing is reset between plans. */
static bool walk_is_right(const struct fz_plan *plan, uint32_t *mark,
			  uint32_t number)
{
	struct fz_walker walker;
	struct fz_step step;
	uint64_t sum = 0, nr_again = 0;

	fz_walker_begin(&walker, plan);
	while (fz_walker_next(&walker, &step)) {
		if (step.nr > plan->nr_pages ||
		    step.first > plan->nr_pages - step.nr)
			return false;
		for (uint64_t i = step.first; i < step.first + step.nr; i++) {
			nr_again += mark[i] == number;
			mark[i] = number;
		}
		sum += step.nr;
	}
	return nr_again == 0 && sum == plan->nr_pages;
}

/* The page that faulted comes last where the folio converges on it. */
static bool last_is_fault(const struct fz_plan *plan, uint64_t fault_page)
{
	struct fz_walker walker;
	struct fz_step step, last = { .nr = 0 };

	fz_walker_begin(&walker, plan);
	while (fz_walker_next(&walker, &step))
		last = step;
	return last.first == fault_page && last.nr == 1;
}

START_TEST(walk_is_the_folio)
{
	const struct fz_policy *policy = fz_policy_find(walked[_i].name);
	const bool converges = policy == fz_policy_find("discontiguous-page");
	uint32_t *mark = calloc(1u << MAX_WALK_ORDER, sizeof(*mark));
	struct tally tally = { .bad = 0 };
	uint32_t number = 0;

	for (int order = 0; order <= MAX_WALK_ORDER; order++) {
		const uint64_t nr_pages = 1ull << order;
		const uint64_t stride = order > 6 ? SLOW_STRIDE : 1;

		for (uint64_t page = 0; page < nr_pages; page += stride) {
			const struct fz_zero_request request = {
				.nr_pages = nr_pages,
				.fault_page = page,
				.batch_pages = walked[_i].batch_pages,
				.radius_pages = walked[_i].radius_pages,
			};
			struct fz_plan plan;
			bool good;

			if (fz_policy_plan(policy, &request, &plan, NULL) !=
			    0) {
				tally_plan(&tally, &request, false);
				continue;
			}
			good = walk_is_right(&plan, mark, ++number);
			if (converges)
				good = good && last_is_fault(&plan, page);
			tally_plan(&tally, &request, good);
			fz_plan_fini(&plan);
		}
	}
	free(mark);
	tally_assert(&tally, policy->name);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("policies.exhaustive");
	TCase *tcase = tcase_create("exhaustive");

	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, ranges_are_the_folio, 0,
			    sizeof(ranged) / sizeof(ranged[0]));
	tcase_add_loop_test(tcase, walk_is_the_folio, 0,
			    sizeof(walked) / sizeof(walked[0]));
	suite_add_tcase(suite, tcase);
	return suite;
}
