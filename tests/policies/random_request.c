// SPDX-License-Identifier: GPL-2.0-or-later
/* Any folio to zero, for tests of policies. */
#include "random_request.h"

#include <inttypes.h>
#include <stdio.h>

static uint64_t random_nr_pages(struct fz_random *random)
{
	switch (fz_random_below(random, 4)) {
	case 0:
		return 1ull << fz_random_below(random, 12);
	case 1:
		return 1 + fz_random_below(random, 16);
	case 2:
		return 1020 + fz_random_below(random, 10);
	default:
		return 1 + fz_random_below(random, 1500);
	}
}

static uint64_t random_fault_page(struct fz_random *random, uint64_t nr_pages)
{
	uint64_t page = fz_random_below(random, nr_pages);

	switch (fz_random_below(random, 4)) {
	case 0:
		page %= 4; /* near the first page */
		return page < nr_pages ? page : 0;
	case 1:
		page = nr_pages - 1 - page % 4; /* near the last one */
		return page < nr_pages ? page : 0;
	default:
		return page;
	}
}

struct fz_zero_request random_request(struct fz_random *random)
{
	static const uint64_t batches[] = { 0, 0, 1, 2, 3, 7, 16, 512, 9999 };
	static const uint64_t radii[] = { 0, 1, 2, 2, 3, 8, 600, 1000000 };
	struct fz_zero_request request = {
		.nr_pages = random_nr_pages(random),
		.preempt =
			(enum fz_preempt)fz_random_below(random, FZ_NR_PREEMPT),
		.highmem = fz_random_below(random, 4) == 0,
		.per_page_clear = fz_random_below(random, 4) == 0,
	};

	request.fault_page = random_fault_page(random, request.nr_pages);
	request.batch_pages = batches[fz_random_below(
		random, sizeof(batches) / sizeof(batches[0]))];
	request.radius_pages = radii[fz_random_below(
		random, sizeof(radii) / sizeof(radii[0]))];
	if (fz_random_below(random, 4) == 0)
		request.radius_pages = fz_random_below(random, 40);
	if (fz_random_below(random, 4) == 0)
		request.batch_pages = fz_random_below(random, 70);
	return request;
}

void request_describe(const struct fz_zero_request *request, char *text,
		      size_t text_bytes)
{
	snprintf(text, text_bytes,
		 "%" PRIu64 " pages, fault %" PRIu64 ", %s, batch %" PRIu64
		 ", radius %" PRIu64 "%s%s",
		 request->nr_pages, request->fault_page,
		 fz_preempt_name(request->preempt), request->batch_pages,
		 request->radius_pages, request->highmem ? ", highmem" : "",
		 request->per_page_clear ? ", per-page-clear" : "");
}
