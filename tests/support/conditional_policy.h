/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A policy whose plans are conditional at one faulting page only. */
#ifndef CONDITIONAL_POLICY_H
#define CONDITIONAL_POLICY_H

#include <fz/policy.h>

#define CONDITIONAL_PAGE 1u

/* Else as contiguous-page. */
static void plan_conditional(struct fz_plan_builder *builder,
			     const struct fz_zero_request *request)
{
	fz_plan_might_sleep(builder);
	fz_plan_add_pages(builder, (struct fz_range){ 0, request->nr_pages },
			  FZ_DIRECTION_UP, FZ_RESCHED_BEFORE);
	if (request->fault_page == CONDITIONAL_PAGE)
		fz_plan_conditional(builder);
}

static const struct fz_policy conditional_policy = {
	.name = "made-conditional",
	.summary = "made by a test",
	.kernels = "none",
	.uses = FZ_USES_FAULT,
	.models = FZ_PREEMPT_ANY,
	.plan = plan_conditional,
};

#endif
