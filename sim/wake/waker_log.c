// SPDX-License-Identifier: GPL-2.0-or-later
/* When a waker is to come, and when it came. */
#include <math.h>

#include "waker_thread.h"

/* Exponential, as the gaps of a Poisson process are. */
uint64_t waker_gap_ns(struct fz_waker *waker)
{
	const double unit = fz_random_unit(&waker->random);
	const double gap_ns = -log1p(-unit) * (double)waker->params.interval_ns;

	return (uint64_t)gap_ns + 1;
}

/* Two CPUs' clocks may be out of step: what would be negative is none. */
void waker_add(struct fz_waker *waker, uint64_t due_ticks, uint64_t seen_ticks)
{
	if (due_ticks < waker->newest_ticks)
		due_ticks = waker->newest_ticks;
	if (seen_ticks < due_ticks)
		seen_ticks = due_ticks;
	waker->newest_ticks = due_ticks;
	if (waker->nr == waker->params.max_wakes) {
		waker->dropped++;
		return;
	}
	waker->wake[waker->nr++] = (struct fz_wake){
		.due_ticks = due_ticks,
		.seen_ticks = seen_ticks,
	};
}
