// SPDX-License-Identifier: GPL-2.0-or-later
/* Questions to a plan that need no walk. */
#include <fz/plan.h>

#include <stdlib.h>

#include "run.h"

bool fz_op_acts(enum fz_op op, enum fz_preempt model)
{
	switch (op) {
	case FZ_OP_COND_RESCHED:
		return !fz_preempt_is_preemptible(model);
	case FZ_OP_MIGHT_SLEEP:
		return model == FZ_PREEMPT_VOLUNTARY;
	case FZ_OP_CLEAR:
		break;
	}
	return false;
}

bool fz_run_equals(const struct fz_run *a, const struct fz_run *b)
{
	return a->op == b->op && a->first == b->first && a->nr == b->nr &&
	       a->unit_pages == b->unit_pages &&
	       a->call_pages == b->call_pages && a->direction == b->direction &&
	       a->hint == b->hint && a->resched == b->resched;
}

bool fz_step_equals(const struct fz_step *a, const struct fz_step *b)
{
	return a->op == b->op && a->hint == b->hint && a->first == b->first &&
	       a->nr == b->nr;
}

void fz_plan_fini(struct fz_plan *plan)
{
	free(plan->runs);
	*plan = (struct fz_plan){ .runs = NULL };
}

uint64_t fz_plan_count(const struct fz_plan *plan, enum fz_op op)
{
	uint64_t count = 0;

	for (size_t i = 0; i < plan->nr_runs; i++)
		count += fz_run_count(&plan->runs[i], op);
	return count;
}

uint64_t fz_plan_acting_points(const struct fz_plan *plan,
			       enum fz_preempt model)
{
	uint64_t points = 0;

	if (fz_op_acts(FZ_OP_COND_RESCHED, model))
		points += fz_plan_count(plan, FZ_OP_COND_RESCHED);
	if (fz_op_acts(FZ_OP_MIGHT_SLEEP, model))
		points += fz_plan_count(plan, FZ_OP_MIGHT_SLEEP);
	return points;
}

bool fz_plan_uses_hint(const struct fz_plan *plan, enum fz_hint hint)
{
	for (size_t i = 0; i < plan->nr_runs; i++) {
		const struct fz_run *run = &plan->runs[i];

		if (run->op == FZ_OP_CLEAR && run->hint == hint)
			return true;
	}
	return false;
}

void fz_plan_set_hints(struct fz_plan *plan,
		       const bool streams[FZ_HINT_STREAMING + 1])
{
	for (size_t i = 0; i < plan->nr_runs; i++) {
		struct fz_run *run = &plan->runs[i];

		if (run->op == FZ_OP_CLEAR)
			run->hint = streams[run->hint] ? FZ_HINT_STREAMING
						       : FZ_HINT_CACHED;
	}
}
