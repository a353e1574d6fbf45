// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * No kernel's: as neighbourhood-last, but what is far from the faulting page is
 * cleared around the caches, so that only its neighbourhood is left in them.
 */
#include <fz/folio.h>
#include <fz/policy.h>

static void
streaming_neighbourhood_last_plan(struct fz_plan_builder *builder,
				  const struct fz_zero_request *request)
{
	const struct fz_neighbourhood cut = fz_neighbourhood_of(
		request->nr_pages, request->fault_page, request->radius_pages);

	fz_plan_add_range(builder, request, cut.right, FZ_HINT_STREAMING);
	fz_plan_add_range(builder, request, cut.left, FZ_HINT_STREAMING);
	fz_plan_add_range(builder, request, cut.near, FZ_HINT_CACHED);
}

const struct fz_policy fz_policy_streaming_neighbourhood_last = {
	.name = "streaming-neighbourhood-last",
	.summary = "as neighbourhood-last, far pages with streaming stores",
	.kernels = "none: foliosim's own",
	.uses = FZ_USES_FAULT | FZ_USES_BATCH | FZ_USES_RADIUS,
	.models = FZ_PREEMPT_PREEMPTIBLE,
	.default_batch_pages = FZ_BATCH_PAGES,
	.plan = streaming_neighbourhood_last_plan,
};
