// SPDX-License-Identifier: GPL-2.0-or-later
/* What a PMU would call the figures of the model. */
#include <fz/cache_plan.h>

#include <math.h>
#include <string.h>

/* Does nobody say how many loads a zeroed line is, and does it matter? */
static bool is_unknown(const struct fz_cache_counts *counts,
		       const struct fz_cache_spec *spec)
{
	return counts->zeroed && !(spec->store.loads_per_line > 0);
}

static double l1_loads(const struct fz_cache_counts *counts,
		       const struct fz_cache_spec *spec)
{
	if (is_unknown(counts, spec))
		return NAN;
	return (double)counts->loads +
	       (double)counts->zeroed * spec->store.loads_per_line;
}

/* A miss is one line, however many loads the string store counts as. */
static double l1_load_misses(const struct fz_cache_counts *counts,
			     const struct fz_cache_spec *spec)
{
	if (is_unknown(counts, spec))
		return NAN;
	return (double)(counts->load_misses + counts->zero_misses);
}

static double l2_prefetch_hits(const struct fz_cache_counts *counts,
			       const struct fz_cache_spec *spec)
{
	return spec->geometry.prefetcher.streams ? (double)counts->pf_hit_l2
						 : NAN;
}

const struct fz_cache_event fz_cache_events[] = {
	{ "L1-dcache-loads", l1_loads },
	{ "L1-dcache-load-misses", l1_load_misses },
	{ "l2_pf_hit_l2.all", l2_prefetch_hits },
	{ NULL, NULL },
};

const struct fz_cache_event *fz_cache_event_find(const char *name)
{
	for (const struct fz_cache_event *event = fz_cache_events; event->name;
	     event++)
		if (strcmp(event->name, name) == 0)
			return event;
	return NULL;
}
