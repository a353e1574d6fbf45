// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * folio_zero_user() since 7.0: what lies right of the faulting page's
 * neighbourhood, then what lies left of it, then the neighbourhood, which so
 * stays in the caches. Each range is cleared a batch at a time, gigantic folios
 * alike.
 */
#include <fz/folio.h>
#include <fz/policy.h>

static void neighbourhood_last_plan(struct fz_plan_builder *builder,
				    const struct fz_zero_request *request)
{
	const struct fz_neighbourhood cut = fz_neighbourhood_of(
		request->nr_pages, request->fault_page, request->radius_pages);

	fz_plan_add_range(builder, request, cut.right, FZ_HINT_CACHED);
	fz_plan_add_range(builder, request, cut.left, FZ_HINT_CACHED);
	fz_plan_add_range(builder, request, cut.near, FZ_HINT_CACHED);
}

const struct fz_policy fz_policy_neighbourhood_last = {
	.name = "neighbourhood-last",
	.summary = "right, left, then the pages around the fault, in batches",
	.kernels = "7.0 on",
	.uses = FZ_USES_FAULT | FZ_USES_BATCH | FZ_USES_RADIUS,
	.models = FZ_PREEMPT_PREEMPTIBLE,
	.default_batch_pages = FZ_BATCH_PAGES,
	.plan = neighbourhood_last_plan,
};
