// SPDX-License-Identifier: GPL-2.0-or-later
/* The policies once more, step by step, sharing no code with policies/. */
#include "naive_policies.h"

#include <string.h>

#define MIB_PAGES 256 /* pages of 4 KiB in a MiB */

enum where {
	NO_POINT,
	POINT_BEFORE,
	POINT_AFTER
};

static bool is_cooperative(const struct fz_zero_request *request)
{
	return request->preempt == FZ_PREEMPT_NONE ||
	       request->preempt == FZ_PREEMPT_VOLUNTARY;
}

static uint64_t batch_or(const struct fz_zero_request *request,
			 uint64_t default_pages)
{
	if (request->batch_pages)
		return request->batch_pages;
	return request->highmem ? 1 : default_pages;
}

/* Pages [first, end) in units; every unit is one clear call or single pages. */
static void clear_units(struct steps *steps,
			const struct fz_zero_request *request, uint64_t first,
			uint64_t end, uint64_t batch, enum fz_hint hint,
			enum where where)
{
	const bool single = request->highmem || request->per_page_clear;

	while (first < end) {
		uint64_t unit = end - first;

		if (is_cooperative(request) && unit > batch)
			unit = batch;
		if (where == POINT_BEFORE)
			steps_call(steps, FZ_OP_COND_RESCHED);
		if (single)
			for (uint64_t i = 0; i < unit; i++)
				steps_clear(steps, first + i, 1, hint);
		else
			steps_clear(steps, first, unit, hint);
		if (where == POINT_AFTER)
			steps_call(steps, FZ_OP_COND_RESCHED);
		first += unit;
	}
}

static void clear_page(struct steps *steps, uint64_t page)
{
	steps_call(steps, FZ_OP_COND_RESCHED);
	steps_clear(steps, page, 1, FZ_HINT_CACHED);
}

static void discontiguous_page(struct steps *steps,
			       const struct fz_zero_request *request)
{
	const uint64_t nr = request->nr_pages, n = request->fault_page;
	uint64_t base = 0, l = n;

	steps_call(steps, FZ_OP_MIGHT_SLEEP);
	if (nr > 1024) {
		for (uint64_t i = 0; i < nr; i++)
			clear_page(steps, i);
		return;
	}
	if (2 * n <= nr) {
		for (uint64_t i = nr; i > 2 * n; i--)
			clear_page(steps, i - 1);
	} else {
		base = nr - 2 * (nr - n);
		l = nr - n;
		for (uint64_t i = 0; i < base; i++)
			clear_page(steps, i);
	}
	for (uint64_t i = 0; i < l; i++) {
		clear_page(steps, base + i);
		clear_page(steps, base + 2 * l - 1 - i);
	}
}

static void contiguous_page(struct steps *steps,
			    const struct fz_zero_request *request)
{
	steps_call(steps, FZ_OP_MIGHT_SLEEP);
	for (uint64_t i = 0; i < request->nr_pages; i++)
		clear_page(steps, i);
}

static void batched_pages(struct steps *steps,
			  const struct fz_zero_request *request)
{
	steps_call(steps, FZ_OP_MIGHT_SLEEP);
	clear_units(steps, request, 0, request->nr_pages,
		    batch_or(request, 32 * MIB_PAGES), FZ_HINT_CACHED,
		    POINT_BEFORE);
}

/* The near range, [first, end). */
static void find_near(const struct fz_zero_request *request, uint64_t *first,
		      uint64_t *end)
{
	*first = request->fault_page;
	*end = request->fault_page + 1;
	for (uint64_t i = 0; i<request->radius_pages && * first> 0; i++)
		(*first)--;
	for (uint64_t i = 0;
	     i < request->radius_pages && *end < request->nr_pages; i++)
		(*end)++;
}

static void clear_range(struct steps *steps,
			const struct fz_zero_request *request, uint64_t first,
			uint64_t end, enum fz_hint hint)
{
	if (first == end)
		return;
	steps_call(steps, FZ_OP_MIGHT_SLEEP);
	clear_units(steps, request, first, end,
		    batch_or(request, 32 * MIB_PAGES), hint, POINT_BEFORE);
}

static void three_ranges(struct steps *steps,
			 const struct fz_zero_request *request,
			 enum fz_hint far_hint)
{
	uint64_t first, end;

	find_near(request, &first, &end);
	clear_range(steps, request, end, request->nr_pages, far_hint);
	clear_range(steps, request, 0, first, far_hint);
	clear_range(steps, request, first, end, FZ_HINT_CACHED);
}

static void neighbourhood_last(struct steps *steps,
			       const struct fz_zero_request *request)
{
	three_ranges(steps, request, FZ_HINT_CACHED);
}

static void streaming_neighbourhood_last(struct steps *steps,
					 const struct fz_zero_request *request)
{
	three_ranges(steps, request, FZ_HINT_STREAMING);
}

static void neighbourhood_last_v6(struct steps *steps,
				  const struct fz_zero_request *request)
{
	const uint64_t batch = batch_or(request, 8 * MIB_PAGES);
	const uint64_t nr = request->nr_pages;
	uint64_t first = nr, end = nr;

	if (nr <= 1024)
		find_near(request, &first, &end);
	clear_units(steps, request, end, nr, batch, FZ_HINT_CACHED,
		    POINT_AFTER);
	clear_units(steps, request, 0, first, batch, FZ_HINT_CACHED,
		    POINT_AFTER);
	clear_units(steps, request, first, end, batch, FZ_HINT_CACHED,
		    POINT_AFTER);
}

static void init_pages(struct steps *steps,
		       const struct fz_zero_request *request)
{
	for (uint64_t i = 0; i < request->nr_pages; i++)
		steps_clear(steps, i, 1, FZ_HINT_CACHED);
}

static void init_pages_extent(struct steps *steps,
			      const struct fz_zero_request *request)
{
	if (request->highmem || request->per_page_clear)
		init_pages(steps, request);
	else
		steps_clear(steps, 0, request->nr_pages, FZ_HINT_CACHED);
}

static void init_pages_batched(struct steps *steps,
			       const struct fz_zero_request *request)
{
	clear_units(steps, request, 0, request->nr_pages,
		    batch_or(request, 32 * MIB_PAGES), FZ_HINT_CACHED,
		    POINT_BEFORE);
}

static const struct {
	const char *name;
	void (*append)(struct steps *steps,
		       const struct fz_zero_request *request);
} naive_policies[] = {
	{ "discontiguous-page", discontiguous_page },
	{ "contiguous-page", contiguous_page },
	{ "batched-pages", batched_pages },
	{ "neighbourhood-last", neighbourhood_last },
	{ "neighbourhood-last-v6", neighbourhood_last_v6 },
	{ "streaming-neighbourhood-last", streaming_neighbourhood_last },
	{ "init-pages", init_pages },
	{ "init-pages-extent", init_pages_extent },
	{ "init-pages-batched", init_pages_batched },
};

#define NR_POLICIES (sizeof(naive_policies) / sizeof(naive_policies[0]))

bool naive_steps(struct steps *steps, const char *policy,
		 const struct fz_zero_request *request)
{
	for (size_t i = 0; i < NR_POLICIES; i++) {
		if (strcmp(policy, naive_policies[i].name) != 0)
			continue;
		naive_policies[i].append(steps, request);
		return true;
	}
	return false;
}

const char *naive_policy(size_t i)
{
	return i < NR_POLICIES ? naive_policies[i].name : NULL;
}
