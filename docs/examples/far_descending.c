// SPDX-License-Identifier: GPL-2.0-or-later
/* An example policy: far pages descending, then the fault's neighbourhood. */
#include <fz/folio.h>
#include <fz/policy.h>

static void far_descending_plan(struct fz_plan_builder *builder,
				const struct fz_zero_request *request)
{
	const struct fz_neighbourhood cut = fz_neighbourhood_of(
		request->nr_pages, request->fault_page, request->radius_pages);

	fz_plan_might_sleep(builder);
	fz_plan_add_pages(builder, cut.right, FZ_DIRECTION_DOWN,
			  FZ_RESCHED_BEFORE);
	fz_plan_add_pages(builder, cut.left, FZ_DIRECTION_DOWN,
			  FZ_RESCHED_BEFORE);
	fz_plan_add_pages(builder, cut.near, FZ_DIRECTION_UP,
			  FZ_RESCHED_BEFORE);
}

const struct fz_policy fz_policy_far_descending = {
	.name = "far-descending",
	.summary = "far pages descending, then the pages around the fault",
	.kernels = "none: an example",
	.uses = FZ_USES_FAULT | FZ_USES_RADIUS,
	.models = FZ_PREEMPT_ANY,
	.plan = far_descending_plan,
};
