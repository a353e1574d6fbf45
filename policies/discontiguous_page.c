// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * clear_huge_page() up to 6.11 and folio_zero_user() up to 6.19: the far part
 * first, then from both ends towards the faulting page, one page at a time.
 */
#include <fz/folio.h>
#include <fz/policy.h>

static void discontiguous_page_plan(struct fz_plan_builder *builder,
				    const struct fz_zero_request *request)
{
	const uint64_t nr_pages = request->nr_pages;
	const uint64_t fault_page = request->fault_page;
	struct fz_range far, close;
	enum fz_direction far_direction;

	fz_plan_might_sleep(builder);
	if (fz_folio_is_gigantic(nr_pages)) {
		fz_plan_add_pages(builder, (struct fz_range){ 0, nr_pages },
				  FZ_DIRECTION_UP, FZ_RESCHED_BEFORE);
		return;
	}
	if (2 * fault_page <= nr_pages) {
		/* The fault is in the left half: the right end is far. */
		close = (struct fz_range){ 0, 2 * fault_page };
		far = (struct fz_range){ close.nr, nr_pages - close.nr };
		far_direction = FZ_DIRECTION_DOWN;
	} else {
		far = (struct fz_range){ 0, 2 * fault_page - nr_pages };
		close = (struct fz_range){ far.nr, nr_pages - far.nr };
		far_direction = FZ_DIRECTION_UP;
	}
	fz_plan_add_pages(builder, far, far_direction, FZ_RESCHED_BEFORE);
	fz_plan_add_pages(builder, close, FZ_DIRECTION_CONVERGE,
			  FZ_RESCHED_BEFORE);
}

const struct fz_policy fz_policy_discontiguous_page = {
	.name = "discontiguous-page",
	.summary = "one page at a time, converging on the faulting page",
	.kernels = "up to 6.19",
	.uses = FZ_USES_FAULT,
	.models = FZ_PREEMPT_ANY,
	.plan = discontiguous_page_plan,
};
