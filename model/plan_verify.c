// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Is every page of a plan cleared once? A run of clears covers its pages once,
 * in whatever order, so the runs sorted by their first page must follow each
 * other without a gap or an overlap.
 */
#include <fz/plan.h>

#include <errno.h>
#include <inttypes.h>
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

/* The step, counted from 0, that clears `page` in run `index`. */
static uint64_t step_of(const struct fz_plan *plan, size_t index, uint64_t page)
{
	struct fz_walker walker;
	struct fz_step step;
	const struct fz_plan run = {
		.runs = plan->runs + index,
		.nr_runs = 1,
		.nr_pages = plan->nr_pages,
	};
	uint64_t seq = 0;

	for (size_t i = 0; i < index; i++)
		for (int op = FZ_OP_CLEAR; op <= FZ_OP_MIGHT_SLEEP; op++)
			seq += fz_run_count(&plan->runs[i], (enum fz_op)op);
	fz_walker_begin(&walker, &run);
	while (fz_walker_next(&walker, &step)) {
		if (step.op == FZ_OP_CLEAR && page >= step.first &&
		    page - step.first < step.nr)
			break;
		seq++;
	}
	return seq;
}

static int check_runs(const struct fz_plan *plan, struct fz_err *err)
{
	for (size_t i = 0; i < plan->nr_runs; i++) {
		const struct fz_run *run = &plan->runs[i];

		if (run->nr && fz_run_is_valid(run, plan->nr_pages))
			continue;
		return fz_err_set(err, -EINVAL,
				  "run %zu is none inside the folio's %" PRIu64
				  " pages: op %u, first page %" PRIu64
				  ", %" PRIu64 " pages",
				  i, plan->nr_pages, run->op, run->first,
				  run->nr);
	}
	return 0;
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
			return fz_err_set(
				err, -EINVAL,
				"page %" PRIu64 " is cleared twice, in step "
				"%" PRIu64 " and in step %" PRIu64,
				at->first, step_of(plan, last, at->first),
				step_of(plan, at->index, at->first));
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
	int code = check_runs(plan, err);

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
