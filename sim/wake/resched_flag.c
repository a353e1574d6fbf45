// SPDX-License-Identifier: GPL-2.0-or-later
/* The answer to a set flag. */
#include <fz/resched_flag.h>

__attribute__((noinline, cold)) void
fz_resched_flag_answer(struct fz_resched_flag *flag,
		       const struct fz_hooks *hooks)
{
	atomic_store_explicit(&flag->seen_ticks, hooks->ticks(hooks->state),
			      memory_order_relaxed);
	atomic_store_explicit(&flag->need_resched, 0, memory_order_release);
}
