// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads --cache, and studies a plan on it. */
#include "plan_cache.h"

#include <errno.h>
#include <string.h>

#include <fz/topology.h>

#include "command.h"
#include "options.h"

/* What hwloc says of this machine's caches; relation and latency are not part
 * of that. */
static bool spec_of(const struct fz_topology *topology,
		    struct fz_cache_spec *spec)
{
	struct fz_cache_geometry *geometry = &spec->geometry;

	*spec = (struct fz_cache_spec){ 0 };
	for (size_t i = 0; i < topology->nr_caches; i++) {
		const struct fz_cpu_cache *is = &topology->caches[i];

		if (!is->bytes || !is->line_bytes || !is->ways ||
		    i == FZ_CACHE_MAX_LEVELS ||
		    is->line_bytes != topology->caches[0].line_bytes)
			return false;
		geometry->level[i].bytes = is->bytes;
		geometry->level[i].ways = is->ways;
		geometry->nr_levels++;
	}
	geometry->line_bytes = topology->caches[0].line_bytes;
	return geometry->nr_levels > 0;
}

static int read_here(struct fz_cache_spec *here)
{
	struct fz_topology topology;
	struct fz_err err;

	if (fz_topology_read(&topology, &err)) {
		fz_complain("--cache: %s", err.msg);
		return FZ_EXIT_CANNOT_RUN;
	}
	if (spec_of(&topology, here))
		return FZ_EXIT_DONE;
	fz_complain("--cache: size, line or associativity of this machine's "
		    "caches is not known: give them, as in "
		    "--cache=32K/8,1M/8,32M/16");
	return FZ_EXIT_CANNOT_RUN;
}

static bool begins_with_here(const char *text)
{
	const size_t length = strcspn(text, ",");

	return length == strlen("here") && strncmp(text, "here", length) == 0;
}

int fz_plan_cache_parse(const char *text, struct fz_cache_spec *spec)
{
	struct fz_cache_spec here = { 0 };
	struct fz_err err;

	if (begins_with_here(text)) {
		const int status = read_here(&here);

		if (status)
			return status;
	}
	if (fz_cache_spec_parse(text, &here, spec, &err) == 0)
		return FZ_EXIT_DONE;
	fz_complain("--cache: %s", err.msg);
	return fz_usage("plan");
}

int fz_plan_cache_study(struct fz_plan_cache *cache, const struct fz_plan *plan,
			uint64_t fault_page)
{
	const struct fz_cache_question question = {
		.spec = &cache->spec,
		.plan = plan,
		.fault_page = fault_page,
	};
	struct fz_err err = { "no memory" };
	int code;

	cache->fault_page = fault_page;
	cache->nr_pages = plan->nr_pages;
	code = fz_cache_study_plan(&question, &cache->study, &err);
	if (!code)
		return FZ_EXIT_DONE;
	fz_complain("--cache: %s", err.msg);
	return code == -ENOMEM ? FZ_EXIT_FAILED : fz_usage("plan");
}
