// SPDX-License-Identifier: GPL-2.0-or-later
/* Preemption models and their names. */
#include <fz/preempt.h>

#include <string.h>

static const char *const preempt_names[FZ_NR_PREEMPT] = {
	[FZ_PREEMPT_NONE] = "none",       [FZ_PREEMPT_VOLUNTARY] = "voluntary",
	[FZ_PREEMPT_FULL] = "full",       [FZ_PREEMPT_LAZY] = "lazy",
	[FZ_PREEMPT_RT_FULL] = "rt-full", [FZ_PREEMPT_RT_LAZY] = "rt-lazy",
};

const char *fz_preempt_name(enum fz_preempt model)
{
	return preempt_names[model];
}

bool fz_preempt_find(const char *name, enum fz_preempt *model)
{
	for (unsigned int m = 0; m < FZ_NR_PREEMPT; m++) {
		if (strcmp(name, preempt_names[m]) == 0) {
			*model = (enum fz_preempt)m;
			return true;
		}
	}
	return false;
}

bool fz_preempt_is_preemptible(enum fz_preempt model)
{
	return FZ_PREEMPT_BIT(model) & FZ_PREEMPT_PREEMPTIBLE;
}

bool fz_preempt_is_rt(enum fz_preempt model)
{
	return model == FZ_PREEMPT_RT_FULL || model == FZ_PREEMPT_RT_LAZY;
}
