// SPDX-License-Identifier: GPL-2.0-or-later
/* Expands the runs of a plan into steps. */
#include <fz/plan.h>

#include "run.h"
#include "walker.h"

void fz_walker_begin(struct fz_walker *walker, const struct fz_plan *plan)
{
	*walker = (struct fz_walker){ .plan = plan };
}

/*
 * The unit that is visited after `visited` pages of the run. Engines walk
 * while they measure, so there is no division but in a descending run's first
 * unit.
 */
static struct fz_range walker_unit(const struct fz_run *run, uint64_t visited)
{
	const uint64_t left = run->nr - visited;
	uint64_t nr = run->unit_pages;

	switch ((enum fz_direction)run->direction) {
	case FZ_DIRECTION_UP:
		return (struct fz_range){ run->first + visited,
					  nr < left ? nr : left };
	case FZ_DIRECTION_DOWN:
		if (visited == 0)
			nr = fz_run_first_unit(run);
		return (struct fz_range){ run->first + left - nr, nr };
	case FZ_DIRECTION_CONVERGE:
		break;
	}
	return (struct fz_range){ fz_run_converging_page(run, visited), 1 };
}

static void walker_end_unit(struct fz_walker *walker, uint64_t nr)
{
	walker->visited += nr;
	walker->done = 0;
	walker->point_taken = false;
}

/* The next step of a clear run of which some pages are left. */
static struct fz_step walker_clear_step(struct fz_walker *walker,
					const struct fz_run *run)
{
	const struct fz_range unit = walker_unit(run, walker->visited);
	const uint64_t left = unit.nr - walker->done;
	struct fz_step step = { .op = FZ_OP_COND_RESCHED };

	if (run->resched == FZ_RESCHED_BEFORE && !walker->point_taken) {
		walker->point_taken = true;
		return step;
	}
	if (left == 0) {
		walker_end_unit(walker, unit.nr);
		return step;
	}
	step.op = FZ_OP_CLEAR;
	step.hint = (enum fz_hint)run->hint;
	step.first = unit.first + walker->done;
	step.nr = run->call_pages < left ? run->call_pages : left;
	walker->done += step.nr;
	if (step.nr == left && run->resched != FZ_RESCHED_AFTER)
		walker_end_unit(walker, unit.nr);
	return step;
}

const struct fz_run *fz_walker_run(struct fz_walker *walker)
{
	const struct fz_plan *plan = walker->plan;

	while (walker->run < plan->nr_runs &&
	       walker->visited == plan->runs[walker->run].nr)
		fz_walker_skip_run(walker);
	return walker->run < plan->nr_runs ? &plan->runs[walker->run] : NULL;
}

void fz_walker_skip_run(struct fz_walker *walker)
{
	walker->run++;
	walker->visited = 0;
}

bool fz_walker_next(struct fz_walker *walker, struct fz_step *step)
{
	const struct fz_run *run = fz_walker_run(walker);

	if (!run)
		return false;
	if (run->op == FZ_OP_CLEAR) {
		*step = walker_clear_step(walker, run);
	} else {
		*step = (struct fz_step){ .op = (enum fz_op)run->op };
		walker->visited++;
	}
	return true;
}
