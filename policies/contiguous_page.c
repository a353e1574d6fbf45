// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * An intermediate step of the series that led to 7.0: all pages ascending, one
 * page a clear call, a resched call before each.
 */
#include <fz/policy.h>

static void contiguous_page_plan(struct fz_plan_builder *builder,
				 const struct fz_zero_request *request)
{
	const struct fz_range folio = { 0, request->nr_pages };

	fz_plan_might_sleep(builder);
	fz_plan_add_pages(builder, folio, FZ_DIRECTION_UP, FZ_RESCHED_BEFORE);
}

const struct fz_policy fz_policy_contiguous_page = {
	.name = "contiguous-page",
	.summary = "all pages ascending, one page at a time",
	.kernels = "an intermediate step of the series for 7.0",
	.uses = FZ_USES_FAULT,
	.models = FZ_PREEMPT_ANY,
	.plan = contiguous_page_plan,
};
