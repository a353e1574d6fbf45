// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Is every page of a plan cleared once? A run of clears covers its pages once,
 * in whatever order, so the runs sorted by their first page must follow each
 * other without a gap or an overlap.
 */
#include <fz/plan.h>

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

#include "run.h"

/* A run of clears by its first page; index: in the plan. */
struct extent {
	uint64_t first;
	size_t index;
};

static int by_first(const void *a, const void *b)
{
	const struct extent *x = a, *y = b;

	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

/*
 * Clears and resched calls of a run before the clear of `page`, which is one of
 * its pages. In numbers, not by a walk: a run that leaves the folio may be
 * long.
 */
static uint64_t steps_before(const struct fz_run *run, uint64_t page)
{
	const bool resched = run->resched != FZ_RESCHED_NONE;
	const uint64_t at = page - run->first, end = run->nr - 1 - at;
	const uint64_t rest = run->nr % run->unit_pages;
	uint64_t unit = at / run->unit_pages, steps;

	if (run->direction == FZ_DIRECTION_CONVERGE)
		unit = at <= end ? 2 * at : 2 * end + 1;
	else if (run->direction == FZ_DIRECTION_DOWN)
		unit = (run->nr - 1) / run->unit_pages - unit;
	steps = unit *
		(fz_calls_for(run->unit_pages, run->call_pages) + resched);
	/* Descending, the short unit is the first one. */
	if (run->direction == FZ_DIRECTION_DOWN && unit && rest)
		steps -= fz_calls_for(run->unit_pages, run->call_pages) -
			 fz_calls_for(rest, run->call_pages);
	return steps + at % run->unit_pages / run->call_pages +
	       (run->resched == FZ_RESCHED_BEFORE);
}

/* The step, counted from 0, that clears `page` in run `index`. */
static uint64_t step_of(const struct fz_plan *plan, size_t index, uint64_t page)
{
	uint64_t step = steps_before(&plan->runs[index], page);

	for (size_t i = 0; i < index; i++)
		step += fz_run_steps(&plan->runs[i]);
	return step;
}

/* Would it be one in a folio that is large enough? */
static bool run_only_leaves(const struct fz_run *run, uint64_t nr_pages)
{
	return run->nr && run->op == FZ_OP_CLEAR &&
	       run->first + run->nr > run->first &&
	       run->first + run->nr > nr_pages &&
	       fz_run_is_valid(run, run->first + run->nr);
}

int fz_plan_check(const struct fz_plan *plan, struct fz_err *err)
{
	for (size_t i = 0; i < plan->nr_runs; i++) {
		const struct fz_run *run = &plan->runs[i];
		uint64_t page = plan->nr_pages;

		if (run->nr && fz_run_is_valid(run, plan->nr_pages))
			continue;
		if (!run_only_leaves(run, plan->nr_pages))
			return fz_err_set(
				err, -EINVAL,
				"run %zu is none: op %u, %" PRIu64
				" pages from page %" PRIu64 " in units of "
				"%" PRIu64 " and calls of %" PRIu64
				", direction %u, hint %u, resched %u",
				i, run->op, run->nr, run->first,
				run->unit_pages, run->call_pages,
				run->direction, run->hint, run->resched);
		if (run->first > page)
			page = run->first;
		return fz_err_set(err, -EINVAL,
				  "page %" PRIu64 ", cleared in step %" PRIu64
				  ", is outside the folio",
				  page, step_of(plan, i, page));
	}
	return 0;
}

/* The first page of run `second` is a page of run `first` too. */
static int twice(const struct fz_plan *plan, size_t first, size_t second,
		 struct fz_err *err)
{
	const uint64_t page = plan->runs[second].first;
	const uint64_t a = step_of(plan, first, page);
	const uint64_t b = step_of(plan, second, page);

	return fz_err_set(err, -EINVAL,
			  "page %" PRIu64 " is cleared twice, in step %" PRIu64
			  " and in step %" PRIu64,
			  page, a < b ? a : b, a < b ? b : a);
}

static int check_extents(const struct fz_plan *plan,
			 const struct extent *extents, size_t nr,
			 struct fz_err *err)
{
	uint64_t next = 0;
	size_t last = 0; /* the run that ends at next */

	for (size_t i = 0; i < nr; i++) {
		const struct extent *at = &extents[i];

		if (at->first > next)
			return fz_err_set(err, -EINVAL,
					  "page %" PRIu64 " is not cleared",
					  next);
		if (at->first < next)
			return twice(plan, last, at->index, err);
		next += plan->runs[at->index].nr;
		last = at->index;
	}
	if (next < plan->nr_pages)
		return fz_err_set(err, -EINVAL,
				  "page %" PRIu64 " is not cleared", next);
	return 0;
}

int fz_plan_verify(const struct fz_plan *plan, struct fz_err *err)
{
	struct extent *extents;
	size_t nr = 0;
	int code = fz_plan_check(plan, err);

	if (code)
		return code;
	extents = malloc((plan->nr_runs + 1) * sizeof(*extents));
	if (!extents)
		return fz_err_set(err, -ENOMEM, "no memory to verify a plan");
	for (size_t i = 0; i < plan->nr_runs; i++)
		if (plan->runs[i].op == FZ_OP_CLEAR)
			extents[nr++] = (struct extent){
				.first = plan->runs[i].first,
				.index = i,
			};
	qsort(extents, nr, sizeof(*extents), by_first);
	code = check_extents(plan, extents, nr, err);
	free(extents);
	return code;
}
