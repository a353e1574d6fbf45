// SPDX-License-Identifier: GPL-2.0-or-later
/* Loads, counted by where they come from, times what they cost there. */
#include <fz/use_price.h>

#include <math.h>

/* Costs of a load in cycles: [0] from memory, [level] from there. */
struct costs {
	double cycles[FZ_CACHE_MAX_LEVELS + 1];
};

static struct costs costs_of_latency(const struct fz_cache_geometry *cache)
{
	struct costs costs = { { cache->memory_cycles } };

	for (unsigned int i = 0; i < cache->nr_levels; i++)
		costs.cycles[i + 1] = cache->level[i].latency_cycles;
	return costs;
}

static struct costs costs_of_reading(const struct fz_cache_geometry *cache)
{
	struct costs costs = { { cache->memory_read_cycles } };

	for (unsigned int i = 0; i < cache->nr_levels; i++)
		costs.cycles[i + 1] = cache->level[i].read_cycles;
	return costs;
}

/* With the readings of the clock around them. */
static double loads_ns(const struct fz_profile *profile,
		       const struct costs *costs, const uint64_t *loads)
{
	double cycles = 0;

	for (unsigned int i = 0; i <= FZ_CACHE_MAX_LEVELS; i++) {
		if (loads[i] && !(costs->cycles[i] > 0))
			return NAN;
		cycles += (double)loads[i] * costs->cycles[i];
	}
	return profile->clock_ns + cycles * profile->cycle_ns;
}

bool fz_use_has_price(const struct fz_profile *profile)
{
	return profile->cache.nr_levels && profile->cycle_ns > 0 &&
	       profile->clock_ns >= 0;
}

struct fz_cache_spec fz_use_caches(const struct fz_profile *profile,
				   const struct fz_profile_clear *clear)
{
	struct fz_cache_spec spec = { .geometry = profile->cache };

	spec.geometry.prefetcher = (struct fz_cache_prefetcher){ 0 };
	if (clear && !(clear->elided_share < 0.5))
		spec.store = (struct fz_string_store){
			.threshold_bytes = clear->threshold_bytes,
			.ramp_bytes = clear->ramp_bytes,
		};
	return spec;
}

struct fz_use_price fz_use_price(const struct fz_profile *profile,
				 const struct fz_cache_study *study)
{
	const struct costs latency = costs_of_latency(&profile->cache);
	const struct costs reading = costs_of_reading(&profile->cache);
	struct fz_use_price price;

	price.line_ns = loads_ns(profile, &latency, study->line_loads);
	price.near_ns =
		price.line_ns + loads_ns(profile, &reading, study->near_loads);
	price.folio_ns =
		price.near_ns + loads_ns(profile, &reading, study->folio_loads);
	return price;
}
