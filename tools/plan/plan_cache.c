// SPDX-License-Identifier: GPL-2.0-or-later
/* Studies a plan on modelled caches. */
#include "plan_cache.h"

#include <errno.h>

#include "command.h"
#include "options.h"

int fz_plan_cache_study(struct fz_plan_cache *cache, const struct fz_plan *plan)
{
	const struct fz_cache_question question = {
		.spec = &cache->spec,
		.plan = plan,
		.fault_page = cache->fault_page,
		.no_fault_page = !cache->has_fault_page,
	};
	struct fz_err err = { "no memory" };
	int code;

	cache->nr_pages = plan->nr_pages;
	code = fz_cache_study_plan(&question, &cache->study, &err);
	if (!code)
		return FZ_EXIT_DONE;
	fz_complain("--cache: %s", err.msg);
	return code == -ENOMEM ? FZ_EXIT_FAILED : fz_usage("plan");
}
