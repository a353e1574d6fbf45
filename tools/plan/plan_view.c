// SPDX-License-Identifier: GPL-2.0-or-later
/* What the views of a plan share: words, and facts in O(runs). */
#include "plan_view.h"

#include <assert.h>

bool fz_plan_is_hypothetical(const struct fz_plan_view *view)
{
	return !(view->policy->models & FZ_PREEMPT_BIT(view->request->preempt));
}

const char *fz_plan_op_word(enum fz_op op)
{
	static const char *const words[] = {
		[FZ_OP_CLEAR] = "clear",
		[FZ_OP_COND_RESCHED] = "cond_resched",
		[FZ_OP_MIGHT_SLEEP] = "might_sleep",
	};

	assert(op < sizeof(words) / sizeof(words[0]));
	return words[op];
}

const char *fz_plan_step_word(const struct fz_step *step, enum fz_preempt model)
{
	return fz_op_acts(step->op, model) ? "resched"
					   : fz_plan_op_word(step->op);
}

const char *fz_plan_hint_word(enum fz_hint hint)
{
	return hint == FZ_HINT_STREAMING ? "streaming" : "cached";
}

const char *fz_plan_direction_word(enum fz_direction direction)
{
	static const char *const words[] = {
		[FZ_DIRECTION_UP] = "up",
		[FZ_DIRECTION_DOWN] = "down",
		[FZ_DIRECTION_CONVERGE] = "converge",
	};

	assert(direction < sizeof(words) / sizeof(words[0]));
	return words[direction];
}

const char *fz_plan_resched_word(enum fz_resched resched)
{
	static const char *const words[] = {
		[FZ_RESCHED_NONE] = "none",
		[FZ_RESCHED_BEFORE] = "before",
		[FZ_RESCHED_AFTER] = "after",
	};

	assert(resched < sizeof(words) / sizeof(words[0]));
	return words[resched];
}

uint64_t fz_plan_allocator_steps(const struct fz_plan_view *view)
{
	const struct fz_plan allocator = {
		.runs = view->plan->runs,
		.nr_runs = view->nr_allocator_runs,
		.nr_pages = view->plan->nr_pages,
	};

	return fz_plan_count(&allocator, FZ_OP_CLEAR) +
	       fz_plan_count(&allocator, FZ_OP_COND_RESCHED) +
	       fz_plan_count(&allocator, FZ_OP_MIGHT_SLEEP);
}

/* Pages since the last acting point, and the most there have been. */
struct stretch {
	uint64_t open;
	uint64_t longest;
};

static void stretch_add(struct stretch *stretch, uint64_t nr_pages)
{
	stretch->open += nr_pages;
	if (stretch->open > stretch->longest)
		stretch->longest = stretch->open;
}

/*
 * Every unit has its point. All units are whole but the one at the run's end,
 * which is visited last, or first when descending: so the first and the last
 * visited tell it all.
 */
static void stretch_add_units(struct stretch *stretch, const struct fz_run *run)
{
	const uint64_t rest = run->nr % run->unit_pages;
	const uint64_t tail = rest ? rest : run->unit_pages;
	const bool down = run->direction == FZ_DIRECTION_DOWN;
	const uint64_t first = down ? tail : run->unit_pages;
	const uint64_t last = down ? run->unit_pages : tail;
	const bool before = run->resched == FZ_RESCHED_BEFORE;

	if (before)
		stretch->open = 0;
	stretch_add(stretch, first);
	if (run->nr > first) {
		stretch->open = 0;
		stretch_add(stretch, last);
	}
	if (!before)
		stretch->open = 0;
}

uint64_t fz_plan_longest_stretch_pages(const struct fz_plan *plan,
				       enum fz_preempt model)
{
	const bool units_act = fz_op_acts(FZ_OP_COND_RESCHED, model);
	struct stretch stretch = { 0, 0 };

	for (size_t i = 0; i < plan->nr_runs; i++) {
		const struct fz_run *run = &plan->runs[i];

		if (run->op != FZ_OP_CLEAR) {
			if (fz_op_acts((enum fz_op)run->op, model))
				stretch.open = 0;
		} else if (units_act && run->resched != FZ_RESCHED_NONE) {
			stretch_add_units(&stretch, run);
		} else {
			stretch_add(&stretch, run->nr);
		}
	}
	return stretch.longest;
}
