// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A patch that was proposed for kernel_init_pages(): a batch at a time with a
 * resched call before each, which is illegal where the allocator is called in
 * atomic context.
 */
#include <fz/policy.h>

static void init_pages_batched_plan(struct fz_plan_builder *builder,
				    const struct fz_zero_request *request)
{
	const struct fz_range allocation = { 0, request->nr_pages };

	fz_plan_add_extent(builder, request, allocation, FZ_HINT_CACHED,
			   FZ_RESCHED_BEFORE);
}

const struct fz_policy fz_policy_init_pages_batched = {
	.name = "init-pages-batched",
	.summary = "the allocator: all pages ascending, a batch at a time",
	.kernels = "a patch proposed for the 7.x allocator",
	.uses = FZ_USES_BATCH,
	.models = FZ_PREEMPT_PREEMPTIBLE,
	.default_batch_pages = FZ_BATCH_PAGES,
	.plan = init_pages_batched_plan,
};
