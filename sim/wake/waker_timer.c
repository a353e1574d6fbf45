// SPDX-License-Identifier: GPL-2.0-or-later
/* The waker that sleeps until an instant. */
#include "waker_thread.h"

/* A sleeper looks this often whether it is to stop. */
#define SLICE_NS 10000000u

static uint64_t now(const struct fz_waker *waker)
{
	return waker->hooks->now_ns(waker->hooks->state);
}

/* From now_ns to due_ns, later, or in slices until stop. Return: the time. */
static uint64_t sleep_until(const struct fz_waker *waker, uint64_t now_ns,
			    uint64_t due_ns)
{
	const struct fz_hooks *hooks = waker->hooks;

	do {
		hooks->sleep_until_ns(hooks->state, due_ns - now_ns > SLICE_NS
							    ? now_ns + SLICE_NS
							    : due_ns);
		now_ns = now(waker);
	} while (now_ns < due_ns && !waker_must_stop(waker));
	return now_ns;
}

/*
 * The instant that the thread slept for, and those that fell due since. One
 * that fell due within the floor before now would not have had its interrupt
 * yet: that wake-up would have come later, nobody knows when.
 */
static void add_due(struct fz_waker *waker, uint64_t due_ns, uint64_t now_ns)
{
	const uint64_t now_ticks = waker->hooks->ticks(waker->hooks->state);
	const double ns_per_tick = waker->params.clock.ns_per_tick;
	uint64_t floor_ns = 0;

	for (; due_ns <= now_ns; due_ns += waker_gap_ns(waker)) {
		const uint64_t late_ns = now_ns - due_ns;

		if (late_ns < floor_ns)
			continue;
		waker_add(waker,
			  now_ticks - (uint64_t)((double)late_ns / ns_per_tick),
			  now_ticks);
		floor_ns = waker->floor_ns;
	}
}

/*
 * Each gap begins when the thread is about to sleep, so that no instant falls
 * into the time in which it has the CPU itself. Under a Poisson process the
 * time to the next instant does not depend on where one begins to wait.
 */
void waker_run_timer(struct fz_waker *waker)
{
	sem_post(&waker->ready);
	while (!waker_must_stop(waker)) {
		const uint64_t begin_ns = now(waker);
		const uint64_t due_ns = begin_ns + waker_gap_ns(waker);

		add_due(waker, due_ns, sleep_until(waker, begin_ns, due_ns));
	}
}
