// SPDX-License-Identifier: GPL-2.0-or-later
/* Studies a plan for who reads the folio afterwards. */
#include "zero_left.h"

#include <fz/cache_study.h>
#include <fz/use_price.h>

#define NR_PARTS 8u

bool fz_zero_left_has_price(const struct fz_profile *profile)
{
	const struct fz_cache_geometry *cache = &profile->cache;
	bool known = cache->nr_levels && profile->cycle_ns > 0;

	for (unsigned int i = 0; i < cache->nr_levels; i++)
		known = known && cache->level[i].read_cycles > 0;
	return known;
}

uint64_t fz_zero_left_page(uint64_t nr_pages, uint64_t fault_page)
{
	uint64_t part;

	if (nr_pages <= 2 * NR_PARTS || fault_page == 0 ||
	    fault_page == nr_pages - 1)
		return fault_page;
	part = fault_page * NR_PARTS / nr_pages;
	return (2 * part + 1) * nr_pages / (2 * NR_PARTS);
}

static bool streams(const struct fz_profile_clear *clear)
{
	return clear && clear->streaming;
}

int fz_zero_left_study(const struct fz_prices *prices, struct fz_plan *plan,
		       struct fz_zero_left *left, struct fz_err *err)
{
	const struct fz_profile *profile = prices->profile;
	const struct fz_cache_geometry *cache = &profile->cache;
	const struct fz_cache_spec spec =
		fz_use_caches(profile, prices->cached);
	const struct fz_cache_question question = {
		.spec = &spec,
		.plan = plan,
		.no_fault_page = true, /* only the whole folio is used */
		.no_victims = true,
	};
	const bool hint_streams[] = {
		[FZ_HINT_CACHED] = streams(prices->cached),
		[FZ_HINT_STREAMING] = streams(prices->streaming),
	};
	struct fz_cache_study study;
	double cycles = 0;
	int rc;

	fz_plan_set_hints(plan, hint_streams);
	rc = fz_cache_study_plan(&question, &study, err);
	if (rc)
		return rc;
	*left = (struct fz_zero_left){ 0 };
	for (unsigned int i = 0; i < cache->nr_levels; i++) {
		const double loads = (double)study.folio_loads[i + 1];

		left->bytes += loads * cache->line_bytes;
		cycles += loads * cache->level[i].read_cycles;
	}
	if (left->bytes > 0)
		left->ns_per_byte = cycles * profile->cycle_ns / left->bytes;
	return 0;
}
