// SPDX-License-Identifier: GPL-2.0-or-later
/* Walks two plans in step, and past runs that they share. */
#include <fz/plan_diff.h>

#include "run.h"
#include "walker.h"

static uint64_t run_steps(const struct fz_run *run)
{
	uint64_t nr = 0;

	for (int op = FZ_OP_CLEAR; op <= FZ_OP_MIGHT_SLEEP; op++)
		nr += fz_run_count(run, (enum fz_op)op);
	return nr;
}

/* Steps passed: those of all runs that come next in both. */
static uint64_t skip_shared(struct fz_walker *a, struct fz_walker *b)
{
	uint64_t nr = 0;

	for (;;) {
		const struct fz_run *run_a = fz_walker_run(a);
		const struct fz_run *run_b = fz_walker_run(b);

		if (!run_a || !run_b || !fz_walker_at_run(a) ||
		    !fz_walker_at_run(b) || !fz_run_equals(run_a, run_b))
			return nr;
		nr += run_steps(run_a);
		fz_walker_skip_run(a);
		fz_walker_skip_run(b);
	}
}

bool fz_plan_diff_find(const struct fz_plan *a, const struct fz_plan *b,
		       struct fz_plan_diff *diff)
{
	struct fz_plan_diff at = { .seq = 0 };
	struct fz_walker walker[2];

	fz_walker_begin(&walker[0], a);
	fz_walker_begin(&walker[1], b);
	for (;; at.seq++) {
		at.seq += skip_shared(&walker[0], &walker[1]);
		for (int i = 0; i < 2; i++)
			at.has[i] = fz_walker_next(&walker[i], &at.step[i]);
		if (!at.has[0] && !at.has[1])
			return false;
		if (at.has[0] != at.has[1] ||
		    !fz_step_equals(&at.step[0], &at.step[1]))
			break;
	}
	*diff = at;
	return true;
}
