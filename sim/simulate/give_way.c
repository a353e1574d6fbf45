// SPDX-License-Identifier: GPL-2.0-or-later
/* The preemption models as a table. */
#include "give_way.h"

static const struct fz_give_way table[FZ_NR_PREEMPT] = {
	[FZ_PREEMPT_NONE] = { .at_points = true },
	[FZ_PREEMPT_VOLUNTARY] = { .at_points = true },
	[FZ_PREEMPT_FULL] = { .at_irq_return = true },
	[FZ_PREEMPT_LAZY] = { .at_irq_return = true, .fair_is_lazy = true },
	[FZ_PREEMPT_RT_FULL] = { .at_irq_return = true },
	[FZ_PREEMPT_RT_LAZY] = { .at_irq_return = true, .fair_is_lazy = true },
};

struct fz_give_way fz_give_way_of(enum fz_preempt model)
{
	return table[model];
}

struct fz_give_way fz_give_way_in(const struct fz_context *context,
				  enum fz_preempt model)
{
	const unsigned int preempt_count = fz_preempt_is_rt(model)
						   ? context->preempt_count_rt
						   : context->preempt_count;
	const bool preemptible = !preempt_count && !context->irqs_disabled;
	struct fz_give_way way = table[model];

	way.at_points = way.at_points && preemptible && !context->rcu_depth;
	way.at_irq_return = way.at_irq_return && preemptible;
	return way;
}
