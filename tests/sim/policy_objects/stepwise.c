// SPDX-License-Identifier: GPL-2.0-or-later
/* A policy object that plans step by step. */
#include <fz/policy.h>

static void stepwise_plan(struct fz_plan_builder *builder,
			  const struct fz_zero_request *request)
{
	for (uint64_t page = request->nr_pages; page-- > 0;) {
		fz_plan_add_step(builder,
				 (struct fz_step){ .op = FZ_OP_CLEAR,
						   .hint = FZ_HINT_STREAMING,
						   .first = page,
						   .nr = 1 });
		fz_plan_add_step(builder,
				 (struct fz_step){ .op = FZ_OP_COND_RESCHED });
	}
	fz_plan_conditional(builder);
}

const struct fz_policy fz_policy = {
	FZ_POLICY_HEAD,
	.name = "step.wise_1",
	.summary = "all pages descending",
	.kernels = "none",
	.models = FZ_PREEMPT_ANY,
	.plan = stepwise_plan,
};
