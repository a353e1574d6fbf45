// SPDX-License-Identifier: GPL-2.0-or-later
/* What the units of a run cost. */
#include <fz/profile_price.h>

#include <math.h>

#include <fz/folio.h>

#include "run.h"

enum fz_relation fz_relation_of(struct fz_range before, struct fz_range call)
{
	if (before.nr && before.first + before.nr == call.first)
		return FZ_RELATION_UP;
	if (before.nr && call.first + call.nr == before.first)
		return FZ_RELATION_DOWN;
	return FZ_RELATION_OTHER;
}

static double call_ns(const struct fz_prices *prices, const struct fz_run *run,
		      uint64_t nr_pages, enum fz_relation relation)
{
	const struct fz_profile_clear *clear = run->hint == FZ_HINT_STREAMING
						       ? prices->streaming
						       : prices->cached;

	return clear ? fz_profile_call_ns(clear, nr_pages << FZ_PAGE_SHIFT,
					  relation)
		     : NAN;
}

/* Calls of a unit, ascending: only the first may be anything but adjacent. */
static double unit_ns(const struct fz_prices *prices, const struct fz_run *run,
		      uint64_t nr_pages, enum fz_relation relation)
{
	const uint64_t nr_calls = fz_calls_for(nr_pages, run->call_pages);
	const uint64_t rest = nr_pages - (nr_calls - 1) * run->call_pages;
	double ns;

	if (nr_calls == 1)
		return call_ns(prices, run, rest, relation);
	ns = call_ns(prices, run, run->call_pages, relation) +
	     call_ns(prices, run, rest, FZ_RELATION_UP);
	if (nr_calls > 2)
		ns += (double)(nr_calls - 2) *
		      call_ns(prices, run, run->call_pages, FZ_RELATION_UP);
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
static struct fz_run_price price_up(const struct fz_prices *prices,
				    const struct fz_run *run,
				    struct fz_range *latest)
{
	const uint64_t nr = fz_calls_for(run->nr, run->unit_pages);
	const uint64_t before = (nr - 1) * run->unit_pages;
	const uint64_t last = run->nr - before;
	const uint64_t first = nr == 1 ? last : run->unit_pages;
	const enum fz_relation relation =
		fz_relation_of(*latest, first_call(run, run->first, first));

	*latest = last_call(run, run->first + before, last);
	return (struct fz_run_price){
		.nr = nr,
		.first_ns = unit_ns(prices, run, first, relation),
		.between_ns =
			unit_ns(prices, run, run->unit_pages, FZ_RELATION_UP),
		.last_ns = unit_ns(prices, run, last, FZ_RELATION_UP),
	};
}

/*
 * The short unit comes first. A unit of several calls ends above where the next
 * one starts.
 */
static struct fz_run_price price_down(const struct fz_prices *prices,
				      const struct fz_run *run,
				      struct fz_range *latest)
{
	const uint64_t nr = fz_calls_for(run->nr, run->unit_pages);
	const uint64_t before = (nr - 1) * run->unit_pages;
	const uint64_t first = run->nr - before;
	const enum fz_relation relation = fz_relation_of(
		*latest, first_call(run, run->first + before, first));
	const enum fz_relation next = run->call_pages < run->unit_pages
					      ? FZ_RELATION_OTHER
					      : FZ_RELATION_DOWN;
	const double next_ns = unit_ns(prices, run, run->unit_pages, next);

	*latest = last_call(run, run->first, run->unit_pages);
	return (struct fz_run_price){
		.nr = nr,
		.first_ns = unit_ns(prices, run, first, relation),
		.between_ns = next_ns,
		.last_ns = next_ns,
	};
}

/* From side to side; in the middle the last two pages are neighbours. */
static struct fz_run_price price_converging(const struct fz_prices *prices,
					    const struct fz_run *run,
					    struct fz_range *latest)
{
	const struct fz_range first = { run->first, 1 };
	const enum fz_relation relation = fz_relation_of(*latest, first);

	*latest = (struct fz_range){ fz_run_converging_page(run, run->nr - 1),
				     1 };
	return (struct fz_run_price){
		.nr = run->nr,
		.first_ns = unit_ns(prices, run, 1, relation),
		.between_ns = unit_ns(prices, run, 1, FZ_RELATION_OTHER),
		.last_ns = unit_ns(prices, run, 1,
				   run->nr % 2 ? FZ_RELATION_DOWN
					       : FZ_RELATION_UP),
	};
}

struct fz_run_price fz_run_price(const struct fz_prices *prices,
				 const struct fz_run *run,
				 struct fz_range *latest)
{
	switch ((enum fz_direction)run->direction) {
	case FZ_DIRECTION_UP:
		return price_up(prices, run, latest);
	case FZ_DIRECTION_DOWN:
		return price_down(prices, run, latest);
	case FZ_DIRECTION_CONVERGE:
		break;
	}
	return price_converging(prices, run, latest);
}
