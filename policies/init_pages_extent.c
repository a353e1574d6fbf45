// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kernel_init_pages() of 7.x, the allocator with init_on_alloc: the whole
 * allocation in one clear call, no resched call.
 */
#include <fz/policy.h>

static void init_pages_extent_plan(struct fz_plan_builder *builder,
				   const struct fz_zero_request *request)
{
	const struct fz_range allocation = { 0, request->nr_pages };

	/* It has no batch, so that the extent is one unit in every model. */
	fz_plan_add_extent(builder, request, allocation, FZ_HINT_CACHED,
			   FZ_RESCHED_NONE);
}

const struct fz_policy fz_policy_init_pages_extent = {
	.name = "init-pages-extent",
	.summary = "the allocator: the whole allocation in one clear call",
	.kernels = "allocator with init_on_alloc, 7.x",
	.uses = 0,
	.models = FZ_PREEMPT_PREEMPTIBLE,
	.plan = init_pages_extent_plan,
};
