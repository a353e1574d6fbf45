// SPDX-License-Identifier: GPL-2.0-or-later
/* Prices plans run by run. */
#include <fz/profile_price.h>

#include <math.h>
#include <stdbool.h>

#include <fz/folio.h>

#include "run.h"

struct bill {
	const struct fz_prices *prices;
	struct fz_histogram *stretches; /* or NULL */
	uint64_t nr;                    /* faults */
	double total_ns;                /* of one */
	double open_ns;                 /* since the last point */
	bool cleared;                   /* something, since then */
	struct fz_range last;           /* clear call; nr 0 = none yet */
};

struct fz_prices fz_prices_of(const struct fz_profile *profile)
{
	struct fz_prices prices = { .profile = profile };

	for (size_t i = profile->nr_clears; i-- > 0;)
		if (profile->clears[i].streaming)
			prices.streaming = &profile->clears[i];
		else
			prices.cached = &profile->clears[i];
	return prices;
}

static void add_stretches(struct bill *bill, double ns, uint64_t nr)
{
	/* False for NAN too. */
	if (bill->stretches && ns < 0x1p63)
		fz_histogram_add_many(bill->stretches, (uint64_t)llround(ns),
				      nr * bill->nr);
}

static void add_clear(struct bill *bill, double ns)
{
	bill->total_ns += ns;
	bill->open_ns += ns;
	bill->cleared = true;
}

static void close_stretch(struct bill *bill)
{
	if (bill->cleared)
		add_stretches(bill, bill->open_ns, 1);
	bill->open_ns = 0;
	bill->cleared = false;
}

/* So many points in a row: the first one ends a stretch, if there is one. */
static void add_points(struct bill *bill, uint64_t nr)
{
	const double point_ns = bill->prices->profile->point_ns;

	bill->total_ns += (double)nr * point_ns;
	bill->open_ns += point_ns;
	close_stretch(bill);
}

/* So many stretches, each a clear that a point ends. */
static void add_closed(struct bill *bill, double clear_ns, uint64_t nr)
{
	const double ns = clear_ns + bill->prices->profile->point_ns;

	bill->total_ns += (double)nr * ns;
	add_stretches(bill, ns, nr);
}

static enum fz_relation relation_of(struct fz_range before,
				    struct fz_range call)
{
	if (before.nr && before.first + before.nr == call.first)
		return FZ_RELATION_UP;
	if (before.nr && call.first + call.nr == before.first)
		return FZ_RELATION_DOWN;
	return FZ_RELATION_OTHER;
}

/* Units of one run: what the first, each between and the last one cost. */
struct units {
	uint64_t nr;
	double first_ns;
	double between_ns;
	double last_ns;
};

static double call_ns(const struct bill *bill, const struct fz_run *run,
		      uint64_t nr_pages, enum fz_relation relation)
{
	const struct fz_profile_clear *clear = run->hint == FZ_HINT_STREAMING
						       ? bill->prices->streaming
						       : bill->prices->cached;

	return clear ? fz_profile_call_ns(clear, nr_pages << FZ_PAGE_SHIFT,
					  relation)
		     : NAN;
}

/* Calls of a unit, ascending: only the first may be anything but adjacent. */
static double unit_ns(const struct bill *bill, const struct fz_run *run,
		      uint64_t nr_pages, enum fz_relation relation)
{
	const uint64_t nr_calls = fz_calls_for(nr_pages, run->call_pages);
	const uint64_t rest = nr_pages - (nr_calls - 1) * run->call_pages;
	double ns;

	if (nr_calls == 1)
		return call_ns(bill, run, rest, relation);
	ns = call_ns(bill, run, run->call_pages, relation) +
	     call_ns(bill, run, rest, FZ_RELATION_UP);
	if (nr_calls > 2)
		ns += (double)(nr_calls - 2) *
		      call_ns(bill, run, run->call_pages, FZ_RELATION_UP);
	return ns;
}

static struct fz_range first_call(const struct fz_run *run, uint64_t first,
				  uint64_t unit_pages)
{
	return (struct fz_range){ first, run->call_pages < unit_pages
						 ? run->call_pages
						 : unit_pages };
}

static struct fz_range last_call(const struct fz_run *run, uint64_t first,
				 uint64_t unit_pages)
{
	const uint64_t before =
		(fz_calls_for(unit_pages, run->call_pages) - 1) *
		run->call_pages;

	return (struct fz_range){ first + before, unit_pages - before };
}

/* Only the last unit of a run is short. */
static struct units price_up(struct bill *bill, const struct fz_run *run)
{
	const uint64_t nr = fz_calls_for(run->nr, run->unit_pages);
	const uint64_t before = (nr - 1) * run->unit_pages;
	const uint64_t last = run->nr - before;
	const uint64_t first = nr == 1 ? last : run->unit_pages;
	const enum fz_relation relation =
		relation_of(bill->last, first_call(run, run->first, first));

	bill->last = last_call(run, run->first + before, last);
	return (struct units){
		.nr = nr,
		.first_ns = unit_ns(bill, run, first, relation),
		.between_ns =
			unit_ns(bill, run, run->unit_pages, FZ_RELATION_UP),
		.last_ns = unit_ns(bill, run, last, FZ_RELATION_UP),
	};
}

/*
 * The short unit comes first. A unit of several calls ends above where the next
 * one starts.
 */
static struct units price_down(struct bill *bill, const struct fz_run *run)
{
	const uint64_t nr = fz_calls_for(run->nr, run->unit_pages);
	const uint64_t before = (nr - 1) * run->unit_pages;
	const uint64_t first = run->nr - before;
	const enum fz_relation relation = relation_of(
		bill->last, first_call(run, run->first + before, first));
	const enum fz_relation next = run->call_pages < run->unit_pages
					      ? FZ_RELATION_OTHER
					      : FZ_RELATION_DOWN;
	const double next_ns = unit_ns(bill, run, run->unit_pages, next);

	bill->last = last_call(run, run->first, run->unit_pages);
	return (struct units){
		.nr = nr,
		.first_ns = unit_ns(bill, run, first, relation),
		.between_ns = next_ns,
		.last_ns = next_ns,
	};
}

/* From side to side; in the middle the last two pages are neighbours. */
static struct units price_converging(struct bill *bill,
				     const struct fz_run *run)
{
	const struct fz_range first = { run->first, 1 };
	const enum fz_relation relation = relation_of(bill->last, first);

	bill->last =
		(struct fz_range){ fz_run_converging_page(run, run->nr - 1),
				   1 };
	return (struct units){
		.nr = run->nr,
		.first_ns = unit_ns(bill, run, 1, relation),
		.between_ns = unit_ns(bill, run, 1, FZ_RELATION_OTHER),
		.last_ns = unit_ns(bill, run, 1,
				   run->nr % 2 ? FZ_RELATION_DOWN
					       : FZ_RELATION_UP),
	};
}

static struct units price_units(struct bill *bill, const struct fz_run *run)
{
	switch ((enum fz_direction)run->direction) {
	case FZ_DIRECTION_UP:
		return price_up(bill, run);
	case FZ_DIRECTION_DOWN:
		return price_down(bill, run);
	case FZ_DIRECTION_CONVERGE:
		break;
	}
	return price_converging(bill, run);
}

/* What does not happen costs nothing, known or not. */
static double times(uint64_t nr, double ns)
{
	return nr ? (double)nr * ns : 0;
}

static void add_run(struct bill *bill, const struct fz_run *run, bool acts)
{
	const struct units units = price_units(bill, run);
	const bool before = acts && run->resched == FZ_RESCHED_BEFORE;
	const bool after = acts && run->resched == FZ_RESCHED_AFTER;
	const uint64_t nr_between = units.nr > 2 ? units.nr - 2 : 0;

	if (before)
		add_points(bill, 1);
	add_clear(bill, units.first_ns);
	if (units.nr > 1 && (before || after)) {
		/* The point behind the first unit; the units between; the last.
		 */
		add_points(bill, 1);
		if (nr_between)
			add_closed(bill, units.between_ns, nr_between);
		add_clear(bill, units.last_ns);
	} else if (units.nr > 1) {
		add_clear(bill,
			  times(nr_between, units.between_ns) + units.last_ns);
	}
	if (after)
		add_points(bill, 1);
}

double fz_profile_price(const struct fz_prices *prices,
			const struct fz_plan *plan, enum fz_preempt model,
			struct fz_histogram *stretches, uint64_t nr)
{
	struct bill bill = {
		.prices = prices,
		.stretches = stretches,
		.nr = nr,
		.total_ns = prices->profile->fault_ns,
	};
	const bool acts = fz_op_acts(FZ_OP_COND_RESCHED, model);

	for (size_t i = 0; i < plan->nr_runs; i++) {
		const struct fz_run *run = &plan->runs[i];

		if (run->op == FZ_OP_CLEAR)
			add_run(&bill, run, acts);
		else if (fz_op_acts((enum fz_op)run->op, model))
			add_points(&bill, run->nr);
	}
	close_stretch(&bill);
	return bill.total_ns;
}
