// SPDX-License-Identifier: GPL-2.0-or-later
/* The waker that sets a flag. */
#include "waker_thread.h"

#include "ticks.h"

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#endif
}

static uint64_t gap_ticks(struct fz_waker *waker)
{
	const double ticks =
		(double)waker_gap_ns(waker) / waker->params.clock.ns_per_tick;

	return ticks < 1 ? 1 : (uint64_t)ticks;
}

/* Return: false if it was stopped before. */
static bool spin_until(const struct fz_waker *waker, uint64_t due_ticks)
{
	const struct fz_hooks *hooks = waker->hooks;

	while (hooks->ticks(hooks->state) < due_ticks) {
		if (waker_must_stop(waker))
			return false;
		relax();
	}
	return !waker_must_stop(waker);
}

/*
 * Due is the clock once the store has left this CPU: whoever reads the clock
 * later than that also finds the flag set.
 */
static uint64_t set(struct fz_waker *waker)
{
	atomic_store_explicit(&waker->flag.need_resched, 1,
			      memory_order_relaxed);
	return ticks_after_stores(waker->hooks);
}

/* Stop does not end it: who stops the waker answers. */
static uint64_t wait_for_answer(const struct fz_waker *waker)
{
	const struct fz_resched_flag *flag = &waker->flag;

	while (atomic_load_explicit(&flag->need_resched, memory_order_acquire))
		relax();
	return atomic_load_explicit(&flag->seen_ticks, memory_order_relaxed);
}

/* Whoever spins may be put off its CPU: what fell due then never came. So many
 * it was on average. */
static void count_missed(struct fz_waker *waker, uint64_t planned_ticks,
			 uint64_t due_ticks)
{
	const double late_ns = (double)(due_ticks - planned_ticks) *
			       waker->params.clock.ns_per_tick;

	waker->dropped +=
		(uint64_t)(late_ns / (double)waker->params.interval_ns);
}

void waker_run_flag(struct fz_waker *waker)
{
	const struct fz_hooks *hooks = waker->hooks;
	uint64_t due_ticks = hooks->ticks(hooks->state) + gap_ticks(waker);

	sem_post(&waker->ready);
	while (spin_until(waker, due_ticks)) {
		const uint64_t planned_ticks = due_ticks;
		uint64_t seen_ticks;

		due_ticks = set(waker);
		count_missed(waker, planned_ticks, due_ticks);
		seen_ticks = wait_for_answer(waker);
		do {
			waker_add(waker, due_ticks, seen_ticks);
			due_ticks += gap_ticks(waker);
		} while (due_ticks <= seen_ticks);
	}
}
