// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Patch 7 of the series that led to 7.0: all pages ascending, a batch a clear
 * call, a resched call before each batch.
 */
#include <fz/policy.h>

static void batched_pages_plan(struct fz_plan_builder *builder,
			       const struct fz_zero_request *request)
{
	const struct fz_range folio = { 0, request->nr_pages };

	fz_plan_add_range(builder, request, folio, FZ_HINT_CACHED);
}

const struct fz_policy fz_policy_batched_pages = {
	.name = "batched-pages",
	.summary = "all pages ascending, a batch at a time",
	.kernels = "patch 7 of the series for 7.0",
	.uses = FZ_USES_FAULT | FZ_USES_BATCH,
	.models = FZ_PREEMPT_ANY,
	.default_batch_pages = FZ_BATCH_PAGES,
	.plan = batched_pages_plan,
};
