// SPDX-License-Identifier: GPL-2.0-or-later
/* Walks two plans in step, and past runs that they share. */
#include <fz/plan_diff.h>

#include "run.h"
#include "walker.h"

/* The run that both have next, from its first step on; else NULL. */
static const struct fz_run *shared_run(struct fz_walker *a, struct fz_walker *b)
{
	const struct fz_run *run_a = fz_walker_run(a);
	const struct fz_run *run_b = fz_walker_run(b);

	return run_a && run_b && fz_walker_at_run(a) && fz_walker_at_run(b) &&
			       fz_run_equals(run_a, run_b)
		       ? run_a
		       : NULL;
}

/*
 * The whole units that both have next: of ascending runs that are cut alike and
 * stand at the same page, wherever each began and ends.
 */
static struct fz_run shared_units(struct fz_walker *a, struct fz_walker *b)
{
	const struct fz_run *run_a = fz_walker_run(a);
	const struct fz_run *run_b = fz_walker_run(b);
	struct fz_run rest_a, rest_b;

	if (!run_a || !run_b || !fz_walker_at_unit(a) ||
	    !fz_walker_at_unit(b) || run_a->op != FZ_OP_CLEAR ||
	    run_a->direction != FZ_DIRECTION_UP)
		return (struct fz_run){ .nr = 0 };
	rest_a = *run_a;
	rest_a.first += a->visited;
	rest_b = *run_b;
	rest_b.first += b->visited;
	rest_a.nr = run_a->nr - a->visited;
	if (rest_a.nr > run_b->nr - b->visited)
		rest_a.nr = run_b->nr - b->visited;
	rest_a.nr -= rest_a.nr % rest_a.unit_pages;
	rest_b.nr = rest_a.nr;
	if (!fz_run_equals(&rest_a, &rest_b))
		rest_a.nr = 0;
	return rest_a;
}

/* Steps passed: those that come next in both and need no look at each. */
static uint64_t skip_shared(struct fz_walker *a, struct fz_walker *b)
{
	uint64_t nr = 0;

	for (;;) {
		const struct fz_run *run = shared_run(a, b);
		struct fz_run units;

		if (run) {
			nr += fz_run_steps(run);
			fz_walker_skip_run(a);
			fz_walker_skip_run(b);
			continue;
		}
		units = shared_units(a, b);
		if (!units.nr)
			return nr;
		nr += fz_run_steps(&units);
		a->visited += units.nr;
		b->visited += units.nr;
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
