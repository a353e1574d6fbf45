// SPDX-License-Identifier: GPL-2.0-or-later
/* A resched point in user space, and its price. */
#include <fz/resched_point.h>

#define POINT_CALLS  20000u
#define POINT_TRIALS 15u

__attribute__((noinline)) bool
fz_resched_point(const _Atomic uint32_t *need_resched)
{
	return atomic_load_explicit(need_resched, memory_order_relaxed) != 0;
}

static uint64_t loop_ticks(const struct fz_hooks *hooks, bool with_call)
{
	const _Atomic uint32_t need_resched = 0;
	const uint64_t begin = hooks->ticks(hooks->state);

	for (unsigned int i = 0; i < POINT_CALLS; i++) {
		if (with_call)
			fz_resched_point(&need_resched);
		__asm__ volatile("" ::: "memory");
	}
	return hooks->ticks(hooks->state) - begin;
}

static uint64_t fastest_ticks(const struct fz_hooks *hooks, bool with_call)
{
	uint64_t fastest = UINT64_MAX;

	for (unsigned int i = 0; i < POINT_TRIALS; i++) {
		const uint64_t ticks = loop_ticks(hooks, with_call);

		if (ticks < fastest)
			fastest = ticks;
	}
	return fastest;
}

double fz_resched_point_cost_ns(const struct fz_hooks *hooks,
				const struct fz_clock *clock)
{
	const uint64_t empty = fastest_ticks(hooks, false);
	const uint64_t called = fastest_ticks(hooks, true);

	if (called <= empty)
		return 0.0;
	return (double)(called - empty) * clock->ns_per_tick / POINT_CALLS;
}
