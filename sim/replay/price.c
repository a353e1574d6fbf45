// SPDX-License-Identifier: GPL-2.0-or-later
/* Prices plans run by run. */
#include <fz/price.h>

#include <stdbool.h>

const struct fz_prices fz_prices_default = {
	.cached_page_ns = FZ_PRICE_CACHED_PAGE_NS,
	.streamed_page_ns = FZ_PRICE_STREAMED_PAGE_NS,
	.call_ns = FZ_PRICE_CALL_NS,
	.point_ns = FZ_PRICE_POINT_NS,
};

struct bill {
	const struct fz_prices *prices;
	struct fz_histogram *stretches;
	uint64_t nr;       /* faults */
	uint64_t total_ns; /* of one */
	uint64_t open_ns;  /* since the last point */
	bool cleared;      /* something, since then */
};

static void add_clear(struct bill *bill, uint64_t ns)
{
	bill->total_ns += ns;
	bill->open_ns += ns;
	bill->cleared = true;
}

static void close_stretch(struct bill *bill)
{
	if (bill->cleared)
		fz_histogram_add_many(bill->stretches, bill->open_ns, bill->nr);
	bill->open_ns = 0;
	bill->cleared = false;
}

static void add_point(struct bill *bill)
{
	bill->total_ns += bill->prices->point_ns;
	bill->open_ns += bill->prices->point_ns;
	close_stretch(bill);
}

/* So many stretches, each a clear that a point ends. */
static void add_closed(struct bill *bill, uint64_t clear_ns, uint64_t nr)
{
	const uint64_t ns = clear_ns + bill->prices->point_ns;

	bill->total_ns += nr * ns;
	fz_histogram_add_many(bill->stretches, ns, nr * bill->nr);
}

static uint64_t pages_ns(const struct fz_prices *prices,
			 const struct fz_run *run, uint64_t nr_pages)
{
	const uint64_t nr_calls =
		(nr_pages + run->call_pages - 1) / run->call_pages;
	const uint64_t page_ns = run->hint == FZ_HINT_STREAMING
					 ? prices->streamed_page_ns
					 : prices->cached_page_ns;

	return nr_calls * prices->call_ns + nr_pages * page_ns;
}

/* Only the last unit of a range may be short; going down it comes first. */
static void add_units(struct bill *bill, const struct fz_run *run, bool acts)
{
	const uint64_t nr_units =
		(run->nr + run->unit_pages - 1) / run->unit_pages;
	const uint64_t rest = run->nr - (nr_units - 1) * run->unit_pages;
	const bool down = run->direction == FZ_DIRECTION_DOWN;
	const uint64_t full_ns = pages_ns(bill->prices, run, run->unit_pages);
	const uint64_t rest_ns = pages_ns(bill->prices, run, rest);
	const uint64_t first_ns = down || nr_units == 1 ? rest_ns : full_ns;
	const uint64_t last_ns = down ? full_ns : rest_ns;
	const bool before = acts && run->resched == FZ_RESCHED_BEFORE;
	const bool after = acts && run->resched == FZ_RESCHED_AFTER;

	if (!before && !after) {
		add_clear(bill, (nr_units - 1) * full_ns + rest_ns);
		return;
	}
	if (before)
		add_point(bill);
	add_clear(bill, first_ns);
	if (nr_units > 1) {
		/* The point behind the first unit; the units between; the last.
		 */
		add_point(bill);
		add_closed(bill, full_ns, nr_units - 2);
		add_clear(bill, last_ns);
	}
	if (after)
		add_point(bill);
}

uint64_t fz_price_plan(const struct fz_plan *plan, enum fz_preempt model,
		       const struct fz_prices *prices, uint64_t nr,
		       struct fz_samples *samples)
{
	struct bill bill = {
		.prices = prices,
		.stretches = &samples->stretch_ns,
		.nr = nr,
	};
	const bool acts = fz_op_acts(FZ_OP_COND_RESCHED, model);

	for (size_t i = 0; i < plan->nr_runs; i++) {
		const struct fz_run *run = &plan->runs[i];

		if (run->op == FZ_OP_CLEAR)
			add_units(&bill, run, acts);
		else if (fz_op_acts((enum fz_op)run->op, model))
			for (uint64_t n = 0; n < run->nr; n++)
				add_point(&bill);
	}
	close_stretch(&bill);
	fz_histogram_add_many(&samples->fault_ns, bill.total_ns, nr);
	return bill.total_ns;
}
