// SPDX-License-Identifier: GPL-2.0-or-later
/* Calibrates the tick counter. */
#include <fz/clock.h>

#define READING_TRIES 16u

/* Both clocks at one moment. */
struct reading {
	uint64_t ticks;
	uint64_t ns;
};

/* The host may step in between: the closest of some tries counts. */
static struct reading read_both(const struct fz_hooks *hooks)
{
	struct reading best = { 0, 0 };
	uint64_t narrowest = UINT64_MAX;

	for (unsigned int i = 0; i < READING_TRIES; i++) {
		const uint64_t before = hooks->ticks(hooks->state);
		const uint64_t ns = hooks->now_ns(hooks->state);
		const uint64_t after = hooks->ticks(hooks->state);

		if (after - before >= narrowest)
			continue;
		narrowest = after - before;
		best = (struct reading){ before + narrowest / 2, ns };
	}
	return best;
}

struct fz_clock fz_clock_calibrate(const struct fz_hooks *hooks,
				   uint64_t span_ns)
{
	const struct reading begin = read_both(hooks);
	struct reading end;

	do {
		end = read_both(hooks);
	} while (end.ns - begin.ns < span_ns || end.ticks == begin.ticks);
	return (struct fz_clock){
		.ns_per_tick = (double)(end.ns - begin.ns) /
			       (double)(end.ticks - begin.ticks),
	};
}

uint64_t fz_clock_ns(const struct fz_clock *clock, uint64_t ticks)
{
	return (uint64_t)((double)ticks * clock->ns_per_tick + 0.5);
}
