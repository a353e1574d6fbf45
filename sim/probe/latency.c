// SPDX-License-Identifier: GPL-2.0-or-later
/* Chases through a working set of each level. */
#include "latency.h"

#include <errno.h>
#include <math.h>

#include <fz/statistics.h>

#include "chase.h"
#include "stop_flag.h"

/* Filling a large set in takes some 10 ms. */
#define MANY_FILLS 31u
#define FEW_FILLS  9u
/* Readings after each. When another task has the CPU meanwhile, one of many
 * times is wrong, and their median is not. */
#define MAX_READINGS 64u

/* As pages are read, so that what the clock and the first load take beside
 * the others is in both. Return: readings. */
static size_t read_chain(const struct chase *chase, double clock_ticks,
			 const struct fz_hooks *hooks, double *ticks)
{
	uint64_t line = chase->first[CHASE_BEFORE];
	const size_t nr = chase->nr / CHASE_READING;
	size_t i = 0;

	chase_fill(chase);
	for (; i < MAX_READINGS && i < nr; i++)
		ticks[i] = chase_without_clock(chase_read(chase, &line,
							  CHASE_READING, hooks),
					       clock_ticks, 0.0) /
			   CHASE_READING;
	return i;
}

static double latency_of(const struct chase *chase, double clock_ticks,
			 const struct fz_hooks *hooks, const atomic_int *stop)
{
	const size_t fills = chase_is_sampled(chase) ? FEW_FILLS : MANY_FILLS;
	double ticks[MANY_FILLS * MAX_READINGS];
	size_t nr = 0;

	for (size_t i = 0; i < fills && !stop_flag_is_set(stop); i++)
		nr += read_chain(chase, clock_ticks, hooks, ticks + nr);
	return nr ? fz_median(ticks, nr) : NAN;
}

int latency_measure(struct fz_levels *levels, char *base, unsigned int *lines,
		    double clock_ticks, struct fz_random *random,
		    const struct fz_hooks *hooks, const atomic_int *stop)
{
	for (size_t i = 0; i < levels->nr; i++) {
		struct fz_level *level = &levels->level[i];
		struct chase chase;

		chase_build(&chase, base, level->set_bytes, lines, random);
		level->median_ticks =
			latency_of(&chase, clock_ticks, hooks, stop);
		if (stop_flag_is_set(stop))
			return -EINTR;
	}
	fz_levels_classify(levels);
	return 0;
}
