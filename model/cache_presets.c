// SPDX-License-Identifier: GPL-2.0-or-later
/* Cores whose caches are public. */
#include <fz/cache_spec.h>

/*
 * Sizes, ways, relations and latencies (L3: average) from AMD's software
 * optimization guides for Zen 4 and Zen 3; memory's latency depends on the
 * machine. What string stores do, and the prefetcher, are in no guide: loads,
 * ramp and degree are what comes nearest to published counters of Genoa, see
 * tests/bench/published_counters.c.
 */
#define STRING_STORES "elide=32M/10.5M,loads=2.157"
#define PREFETCHER    "prefetch=16/2/1"

const struct fz_cache_preset fz_cache_presets[] = {
	{ "genoa", "AMD Zen 4, EPYC 9004",
	  "32K/8@4,1M/8:inclusive@14,32M/16:victim@50," PREFETCHER
	  "," STRING_STORES },
	{ "milan", "AMD Zen 3, EPYC 7003",
	  "32K/8@4,512K/8:inclusive@12,32M/16:victim@46," PREFETCHER
	  "," STRING_STORES },
	{ NULL, NULL, NULL },
};
