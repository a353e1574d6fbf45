// SPDX-License-Identifier: GPL-2.0-or-later
/* A plan carried out on a modelled cache. */
#include <fz/cache_plan.h>

#include <fz/folio.h>

/*
 * Accesses that are held back as long as the next ones go on where they end:
 * the cache is quicker with one long run than with a run for every page.
 */
struct held_run {
	struct fz_cache *cache;
	enum fz_cache_access access;
	uint64_t first;
	uint64_t nr;
};

static void hand_over(struct held_run *held)
{
	if (held->nr)
		fz_cache_run(held->cache, held->access, held->first, held->nr,
			     false);
	held->nr = 0;
}

static void hold(struct held_run *held, enum fz_cache_access access,
		 uint64_t first, uint64_t nr)
{
	if (held->access != access || held->first + held->nr != first) {
		hand_over(held);
		held->access = access;
		held->first = first;
	}
	held->nr += nr;
}

/* How many of a clear's lines are allocated. */
static uint64_t allocated_lines(const struct fz_cache_spec *spec,
				const struct fz_step *step, uint64_t nr_lines)
{
	const struct fz_string_store *store = &spec->store;
	const uint64_t bytes = step->nr << FZ_PAGE_SHIFT;
	uint64_t ramp_lines;

	if (step->hint == FZ_HINT_STREAMING)
		return 0;
	if (!store->threshold_bytes || bytes < store->threshold_bytes)
		return nr_lines;
	ramp_lines = store->ramp_bytes / spec->geometry.line_bytes;
	return ramp_lines < nr_lines ? ramp_lines : nr_lines;
}

uint64_t fz_cache_page_lines(const struct fz_cache_geometry *geometry)
{
	return FZ_PAGE_BYTES / geometry->line_bytes;
}

void fz_cache_clear_folio(struct fz_cache *cache,
			  const struct fz_cache_spec *spec,
			  const struct fz_plan *plan, uint64_t first_line)
{
	const uint64_t page_lines = fz_cache_page_lines(&spec->geometry);
	struct held_run held = { .cache = cache };
	struct fz_walker walker;
	struct fz_step step;

	fz_walker_begin(&walker, plan);
	while (fz_walker_next(&walker, &step)) {
		const uint64_t first = first_line + step.first * page_lines;
		const uint64_t nr = step.nr * page_lines;
		uint64_t allocated;

		if (step.op != FZ_OP_CLEAR)
			continue;
		allocated = allocated_lines(spec, &step, nr);
		if (allocated)
			hold(&held, FZ_CACHE_ZERO, first, allocated);
		if (allocated < nr)
			hold(&held, FZ_CACHE_STREAM, first + allocated,
			     nr - allocated);
	}
	hand_over(&held);
}
