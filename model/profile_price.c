// SPDX-License-Identifier: GPL-2.0-or-later
/* Prices plans run by run. */
#include <fz/profile_price.h>

#include <math.h>
#include <stdbool.h>

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

/* What does not happen costs nothing, known or not. */
static double times(uint64_t nr, double ns)
{
	return nr ? (double)nr * ns : 0;
}

static void add_run(struct bill *bill, const struct fz_run *run, bool acts)
{
	const struct fz_run_price units =
		fz_run_price(bill->prices, run, &bill->last);
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

double fz_drain_ns(const struct fz_prices *prices, const struct fz_plan *plan)
{
	for (size_t i = plan->nr_runs; i-- > 0;) {
		const struct fz_run *run = &plan->runs[i];
		const struct fz_profile_clear *clear =
			run->hint == FZ_HINT_STREAMING ? prices->streaming
						       : prices->cached;

		if (run->op == FZ_OP_CLEAR)
			return clear && !isnan(clear->drain_ns)
				       ? clear->drain_ns
				       : 0;
	}
	return 0;
}

double fz_profile_price(const struct fz_prices *prices,
			const struct fz_plan *plan, enum fz_preempt model,
			struct fz_histogram *stretches, uint64_t nr)
{
	struct bill bill = {
		.prices = prices,
		.stretches = stretches,
		.nr = nr,
		.total_ns =
			prices->profile->fault_ns + fz_drain_ns(prices, plan),
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
