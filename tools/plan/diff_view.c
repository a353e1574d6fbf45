// SPDX-License-Identifier: GPL-2.0-or-later
/* What the views of a comparison share. */
#include "diff_view.h"

static uint64_t window_first(const struct fz_plan_pair *pair)
{
	return pair->diff.seq > FZ_DIFF_CONTEXT
		       ? pair->diff.seq - FZ_DIFF_CONTEXT
		       : 0;
}

/* One plan's side of the window. */
static void take_side(struct fz_diff_window *window, int side,
		      const struct fz_plan *plan, uint64_t first, uint64_t end)
{
	struct fz_walker walker;
	struct fz_step step;

	fz_walker_begin(&walker, plan);
	for (uint64_t seq = 0; seq < end && fz_walker_next(&walker, &step);
	     seq++) {
		struct fz_plan_diff *at;

		if (seq < first)
			continue;
		at = &window->at[seq - first];
		at->has[side] = true;
		at->step[side] = step;
		if (window->nr <= seq - first)
			window->nr = (size_t)(seq - first) + 1;
	}
}

int fz_diff_window_find(const struct fz_diff_view *view,
			const struct fz_plan_pair *pair,
			struct fz_diff_window *window)
{
	const uint64_t first = window_first(pair);
	const uint64_t end = pair->diff.seq + FZ_DIFF_CONTEXT + 1;
	struct fz_zero_request request = view->question->request;

	request.fault_page = pair->fault_page;
	request.preempt = pair->preempt;
	*window = (struct fz_diff_window){ .nr = 0 };
	for (int i = 0; i < 2; i++) {
		struct fz_plan plan;
		const int code = fz_policy_plan(view->question->policy[i],
						&request, &plan, NULL);

		if (code)
			return code;
		take_side(window, i, &plan, first, end);
		fz_plan_fini(&plan);
	}
	for (size_t i = 0; i < window->nr; i++)
		window->at[i].seq = first + i;
	return 0;
}

bool fz_diff_is_shared(const struct fz_plan_diff *at)
{
	return at->has[0] && at->has[1] &&
	       fz_step_equals(&at->step[0], &at->step[1]);
}

size_t fz_diff_count_conditional(const struct fz_diff_view *view, int policy)
{
	size_t nr = 0;

	for (size_t i = 0; i < view->diff->nr_pairs; i++)
		nr += view->diff->pairs[i].conditional[policy];
	return nr;
}

size_t fz_diff_count_illegal(const struct fz_diff_view *view, int policy)
{
	size_t nr = 0;

	for (size_t i = 0; i < view->diff->nr_pairs; i++)
		nr += view->diff->pairs[i].illegal_sleeps[policy] != 0;
	return nr;
}
