// SPDX-License-Identifier: GPL-2.0-or-later
/* Touches no memory: a replay prices its plans. */
#include <fz/engine.h>

const struct fz_engine fz_engine_model = {
	.name = "model",
	.summary = "price the plan's steps: nothing is measured",
	.runs_plans = true,
	.records = true,
};
