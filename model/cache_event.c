// SPDX-License-Identifier: GPL-2.0-or-later
/* What a PMU would call the figures of the model. */
#include <fz/cache_plan.h>

#include <string.h>

static double l1_loads(const struct fz_cache_counts *counts,
		       const struct fz_string_store *store)
{
	return (double)counts->loads +
	       (double)counts->zeroed * store->loads_per_line;
}

/* A miss is one line, however many loads the string store counts as. */
static double l1_load_misses(const struct fz_cache_counts *counts,
			     const struct fz_string_store *store)
{
	const uint64_t zero_misses =
		store->loads_per_line > 0 ? counts->zero_misses : 0;

	return (double)(counts->load_misses + zero_misses);
}

static double l2_prefetch_hits(const struct fz_cache_counts *counts,
			       const struct fz_string_store *store)
{
	(void)store;
	return (double)counts->pf_hit_l2;
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
