// SPDX-License-Identifier: GPL-2.0-or-later
/* Calibrates the tick counter. */
#include <fz/clock.h>

struct fz_clock fz_clock_calibrate(const struct fz_hooks *hooks,
				   uint64_t span_ns)
{
	const uint64_t begin_ns = hooks->now_ns(hooks->state);
	const uint64_t begin = hooks->ticks(hooks->state);
	uint64_t end_ns, end;

	do {
		end_ns = hooks->now_ns(hooks->state);
		end = hooks->ticks(hooks->state);
	} while (end_ns - begin_ns < span_ns || end == begin);
	return (struct fz_clock){
		.ns_per_tick =
			(double)(end_ns - begin_ns) / (double)(end - begin),
	};
}

uint64_t fz_clock_ns(const struct fz_clock *clock, uint64_t ticks)
{
	return (uint64_t)((double)ticks * clock->ns_per_tick + 0.5);
}
