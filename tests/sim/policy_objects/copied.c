// SPDX-License-Identifier: GPL-2.0-or-later
/* A policy of foliosim's, COPIED_FILE, as a policy object. */
#include <fz/policy.h>

#include COPIED_FILE

static void copied_plan(struct fz_plan_builder *builder,
			const struct fz_zero_request *request)
{
	fz_policy_copied.plan(builder, request);
}

const struct fz_policy fz_policy = {
	FZ_POLICY_HEAD,
	.name = "copied",
	.summary = "what another policy does",
	.kernels = "those of the other one",
	.uses = FZ_USES_FAULT | FZ_USES_BATCH | FZ_USES_RADIUS,
	.models = FZ_PREEMPT_PREEMPTIBLE,
	.default_batch_pages = FZ_BATCH_PAGES,
	.plan = copied_plan,
};
