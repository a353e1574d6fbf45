// SPDX-License-Identifier: GPL-2.0-or-later
/* How long loads take from each cache, into the profile. */
#include "cache_latency.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <fz/probe_levels.h>

#include "cache_read.h"
#include "chase.h"
#include "latency.h"

/* A profile has no other unit, and a load takes no less. */
static double known(double ticks)
{
	return isnan(ticks) ? 0 : fmax(ticks, 1);
}

void cache_latency_keep(struct calibration *c, const struct fz_levels *levels)
{
	struct fz_cache_geometry *cache = &c->out->profile.cache;

	for (size_t i = 0; i < cache->nr_levels; i++)
		cache->level[i].latency_cycles =
			known(levels->level[i].median_ticks);
	calibration_note(c, "latency_cycles",
			 "chained loads, in ticks of the time-stamp counter, "
			 "whatever the core's frequency");
	if (levels->exceeds_llc)
		cache->memory_cycles =
			known(levels->level[levels->nr - 1].median_ticks);
	else
		calibration_unknown(c, "memory_cycles",
				    "the memory that is measured on is not "
				    "twice as large as the last cache");
}

/* The unit of the others, and what timing them takes. */
static void keep_clock(struct calibration *c, double clock_ticks)
{
	struct fz_profile *profile = &c->out->profile;

	profile->cycle_ns = c->bench->clock.ns_per_tick;
	profile->clock_ns = clock_ticks * profile->cycle_ns;
	calibration_note(c, "cycle_ns",
			 "a tick of the time-stamp counter: that of bench");
	calibration_note(c, "clock_ns",
			 "reading it twice, with nothing in between");
}

/* Each cache of the profile is a level, and memory is the last one. */
static bool fits(const struct calibration *c, const struct fz_levels *levels)
{
	const struct fz_cache_geometry *cache = &c->out->profile.cache;

	for (size_t i = 0; i < cache->nr_levels; i++)
		if (i + 1 >= levels->nr ||
		    levels->level[i].cache_bytes != cache->level[i].bytes)
			return false;
	return cache->nr_levels > 0;
}

int calibrate_latency(struct calibration *c)
{
	struct fz_buffer *buffer = c->params->buffer;
	const struct fz_hooks *hooks = c->bench->hooks;
	const double clock_ticks = chase_clock_ticks(hooks);
	char *const base = fz_buffer_base(buffer);
	double read_ticks[FZ_MAX_LEVELS];
	struct fz_levels levels;
	unsigned int *order;
	int code;

	fz_levels_plan(&levels, &c->params->machine->topology,
		       fz_buffer_bytes(buffer));
	if (!fits(c, &levels))
		return 0;
	if (strcmp(c->params->machine->clock, "tsc") != 0) {
		calibration_unknown(c, "latency_cycles",
				    "the clock here is too coarse for a load");
		return 0;
	}
	order = malloc(CHASE_MAX_LINES * sizeof(*order));
	if (!order)
		return -ENOMEM;
	calibration_late(c, 1, "caches");
	/* What chains are written to is not cold any more. */
	c->cold.next = fz_buffer_bytes(buffer);
	code = latency_measure(&levels, base, order, clock_ticks, &c->random,
			       hooks, c->bench->stop);
	free(order);
	if (!code)
		code = cache_read_measure(read_ticks, &levels, base,
					  clock_ticks, hooks, c->bench->stop);
	if (code)
		return code;
	cache_latency_keep(c, &levels);
	cache_read_keep(c, &levels, read_ticks);
	keep_clock(c, clock_ticks);
	return 0;
}
