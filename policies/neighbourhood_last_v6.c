// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The v6 posting of what became 7.0's folio_zero_user(): the same three ranges
 * with smaller batches, the resched call after each, and gigantic folios in one
 * straight pass.
 */
#include <fz/folio.h>
#include <fz/policy.h>

static void add_range(struct fz_plan_builder *builder,
		      const struct fz_zero_request *request,
		      struct fz_range range)
{
	fz_plan_add_extent(builder, request, range, FZ_HINT_CACHED,
			   FZ_RESCHED_AFTER);
}

static void neighbourhood_last_v6_plan(struct fz_plan_builder *builder,
				       const struct fz_zero_request *request)
{
	const struct fz_neighbourhood cut = fz_neighbourhood_of(
		request->nr_pages, request->fault_page, request->radius_pages);

	if (fz_folio_is_gigantic(request->nr_pages)) {
		add_range(builder, request,
			  (struct fz_range){ 0, request->nr_pages });
		return;
	}
	add_range(builder, request, cut.right);
	add_range(builder, request, cut.left);
	add_range(builder, request, cut.near);
}

const struct fz_policy fz_policy_neighbourhood_last_v6 = {
	.name = "neighbourhood-last-v6",
	.summary =
		"8M batches, resched after each, gigantic folios straight through",
	.kernels = "posted v6 of the series for 7.0",
	.uses = FZ_USES_FAULT | FZ_USES_BATCH | FZ_USES_RADIUS,
	.models = FZ_PREEMPT_ANY,
	/* 8 MiB: about 1 ms at 10 GB/s. */
	.default_batch_pages = 2048,
	.plan = neighbourhood_last_v6_plan,
};
