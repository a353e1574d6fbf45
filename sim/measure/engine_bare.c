// SPDX-License-Identifier: GPL-2.0-or-later
/* Clears real memory without clock readings: what recording costs. */
#include "plan_run.h"

static size_t zero(const struct fz_zero_job *job)
{
	return run_plan(job, false);
}

const struct fz_engine fz_engine_bare = {
	.name = "bare",
	.summary =
		"as buffers without the clock readings: what recording costs",
	.runs_plans = true,
	.zero = zero,
};
