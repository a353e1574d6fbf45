// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kernel_init_pages() up to 6.19, the allocator with init_on_alloc: every page
 * ascending, one page a clear call, no resched call.
 */
#include <fz/policy.h>

static void init_pages_plan(struct fz_plan_builder *builder,
			    const struct fz_zero_request *request)
{
	const struct fz_range allocation = { 0, request->nr_pages };

	fz_plan_add_pages(builder, allocation, FZ_DIRECTION_UP,
			  FZ_RESCHED_NONE);
}

const struct fz_policy fz_policy_init_pages = {
	.name = "init-pages",
	.summary = "the allocator: all pages ascending, one page at a time",
	.kernels = "allocator with init_on_alloc, up to 6.19",
	.uses = 0,
	.models = FZ_PREEMPT_ANY,
	.plan = init_pages_plan,
};
