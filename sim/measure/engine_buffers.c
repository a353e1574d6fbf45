// SPDX-License-Identifier: GPL-2.0-or-later
/* Clears real memory and reads the clock at each acting resched point. */
#include "plan_run.h"

static size_t zero(const struct fz_zero_job *job)
{
	return run_plan(job, true);
}

const struct fz_engine fz_engine_buffers = {
	.name = "buffers",
	.summary =
		"run the plan on real memory, a clock reading a resched point",
	.runs_plans = true,
	.records = true,
	.zero = zero,
};
