// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes one flow of a run, two of a call that is elided. */
#include "zero_work.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include <fz/folio.h>

#define NS_PER_S   1e9
#define FIRST_ROOM 4u

int fz_zero_kinds_init(struct fz_zero_kinds *kinds)
{
	const struct fz_profile_memory *memory = &kinds->prices.profile->memory;

	for (int hint = 0; hint <= FZ_HINT_STREAMING; hint++) {
		struct fz_clear_kind *kind = &kinds->kind[hint];
		const struct fz_profile_clear *clear =
			hint == FZ_HINT_STREAMING ? kinds->prices.streaming
						  : kinds->prices.cached;

		*kind = (struct fz_clear_kind){ .clear = clear };
		if (!clear)
			continue;
		kind->cost = clear->streaming ? memory->stream_cost
					      : memory->allocate_cost;
		kind->class = fz_bus_class(kinds->bus, clear->bps, kind->cost);
		if (clear->threshold_bytes && clear->elided_share > 0)
			kind->elided_class =
				fz_bus_class(kinds->bus, clear->elided_bps,
					     memory->stream_cost);
		if (kind->class < 0 || kind->elided_class < 0)
			return -ENOSPC;
	}
	return 0;
}

static bool is_elided(const struct fz_profile_clear *clear, uint64_t bytes)
{
	return clear->threshold_bytes && clear->elided_share > 0 &&
	       bytes >= clear->threshold_bytes;
}

/* Of a call that is elided, in the mean. */
static double allocated_bytes(const struct fz_profile_clear *clear,
			      uint64_t bytes)
{
	const double all = (double)bytes;
	const double ramp = fmin((double)clear->ramp_bytes, all);

	return ramp + (1 - clear->elided_share) * (all - ramp);
}

static struct fz_work_part flow_part(double ns, double bps, int class)
{
	return (struct fz_work_part){ ns, bps / NS_PER_S, class };
}

/* One call, before whose first byte something else takes overhead_ns. */
static struct fz_work call_work(const struct fz_clear_kind *kind,
				uint64_t bytes, double overhead_ns)
{
	const struct fz_profile_clear *clear = kind->clear;
	const bool elided = is_elided(clear, bytes);
	const double allocated =
		elided ? allocated_bytes(clear, bytes) : (double)bytes;
	struct fz_work work = {
		.kind = kind,
		.bytes = bytes,
		.places.lead_ns = -1,
		.overhead_ns = elided ? overhead_ns : -1,
	};

	work.part[0] =
		flow_part(overhead_ns + allocated / clear->bps * NS_PER_S,
			  clear->bps, kind->class);
	if (elided)
		work.part[1] = flow_part(((double)bytes - allocated) /
						 clear->elided_bps * NS_PER_S,
					 clear->elided_bps, kind->elided_class);
	return work;
}

struct maker {
	const struct fz_zero_kinds *kinds;
	struct fz_zero_works works;
	size_t max;
	struct fz_range latest; /* clear call */
	double lead_ns;         /* of points that the next work begins with */
	bool led;               /* there are such points */
	int rc;
};

static void add(struct maker *maker, struct fz_work work)
{
	struct fz_zero_works *works = &maker->works;

	if (works->nr == maker->max) {
		const size_t max = maker->max ? 2 * maker->max : FIRST_ROOM;
		struct fz_work *more =
			reallocarray(works->work, max, sizeof(*more));

		if (!more) {
			maker->rc = -ENOMEM;
			return;
		}
		works->work = more;
		maker->max = max;
	}
	works->work[works->nr++] = work;
	maker->lead_ns = 0;
	maker->led = false;
}

static void lead_with_points(struct maker *maker, enum fz_op op, uint64_t nr)
{
	if (!nr || !fz_op_acts(op, maker->kinds->preempt))
		return;
	maker->lead_ns += (double)nr * maker->kinds->prices.profile->point_ns;
	maker->led = true;
}

static const struct fz_clear_kind *kind_of(const struct maker *maker,
					   const struct fz_run *run)
{
	return &maker->kinds->kind[run->hint];
}

static void leave_in_caches(struct maker *maker,
			    const struct fz_profile_clear *clear,
			    uint64_t bytes)
{
	if (!clear->streaming)
		maker->works.cached_bytes +=
			is_elided(clear, bytes) ? allocated_bytes(clear, bytes)
						: (double)bytes;
}

/* Long calls one by one. */
static void add_calls(struct maker *maker, struct fz_run *run)
{
	const struct fz_clear_kind *kind = kind_of(maker, run);
	const struct fz_plan alone = {
		.runs = run,
		.nr_runs = 1,
		.nr_pages = run->first + run->nr,
	};
	struct fz_walker walker;
	struct fz_step step;

	fz_walker_begin(&walker, &alone);
	while (!maker->rc && fz_walker_next(&walker, &step)) {
		const struct fz_range call = { step.first, step.nr };
		const uint64_t bytes = step.nr << FZ_PAGE_SHIFT;
		struct fz_work work;

		if (step.op != FZ_OP_CLEAR) {
			lead_with_points(maker, step.op, 1);
			continue;
		}
		work = call_work(kind, bytes,
				 maker->lead_ns +
					 kind->clear->call_ns[fz_relation_of(
						 maker->latest, call)]);
		work.places.lead_ns = maker->led ? maker->lead_ns : -1;
		maker->latest = call;
		leave_in_caches(maker, kind->clear, bytes);
		add(maker, work);
	}
}

/* The flow of a run that takes run_ns alone, from the price of its units. */
static struct fz_work_part run_part(const struct maker *maker,
				    const struct fz_run *run, double run_ns,
				    double unit_ns, uint64_t nr_units)
{
	const struct fz_clear_kind *kind = kind_of(maker, run);
	const uint64_t pages = nr_units > 2 ? run->unit_pages : run->nr;
	const double bps = (double)(pages << FZ_PAGE_SHIFT) /
			   (nr_units > 2 ? unit_ns : run_ns) * NS_PER_S;
	int class = -ENOSPC;

	if (run->call_pages <= FZ_SHORT_CALL_PAGES)
		class = fz_bus_class(maker->kinds->bus, bps, kind->cost);
	return class < 0 ? flow_part(run_ns, kind->clear->bps, kind->class)
			 : flow_part(run_ns, bps, class);
}

/* Points stand between units; what is before the first one leads. */
static void add_run(struct maker *maker, const struct fz_run *run)
{
	const struct fz_run_price price =
		fz_run_price(&maker->kinds->prices, run, &maker->latest);
	const bool points =
		run->resched != FZ_RESCHED_NONE &&
		fz_op_acts(FZ_OP_COND_RESCHED, maker->kinds->preempt);
	const double point_ns =
		points ? maker->kinds->prices.profile->point_ns : 0;
	struct fz_work work = {
		.kind = kind_of(maker, run),
		.bytes = run->nr << FZ_PAGE_SHIFT,
		.overhead_ns = -1,
	};
	double ns = price.first_ns;

	if (price.nr > 1)
		ns += point_ns + price.last_ns;
	if (price.nr > 2)
		ns += (double)(price.nr - 2) * (price.between_ns + point_ns);
	if (run->resched == FZ_RESCHED_BEFORE)
		lead_with_points(maker, FZ_OP_COND_RESCHED, 1);
	work.places = (struct fz_places){
		.lead_ns = maker->led ? maker->lead_ns : -1,
		.first_ns = maker->lead_ns + price.first_ns + point_ns,
		.step_ns = price.between_ns + point_ns,
		.nr = points ? price.nr - 1 : 0,
	};
	work.part[0] =
		run_part(maker, run, ns, price.between_ns + point_ns, price.nr);
	work.part[0].ns += maker->lead_ns;
	if (!work.kind->clear->streaming)
		maker->works.cached_bytes += (double)work.bytes;
	add(maker, work);
	if (run->resched == FZ_RESCHED_AFTER)
		lead_with_points(maker, FZ_OP_COND_RESCHED, 1);
}

/* Behind the last of them is the return to user mode, a better place. */
static void add_last_points(struct maker *maker)
{
	const struct fz_zero_works *works = &maker->works;
	struct fz_work_part *part;

	if (!works->nr)
		return;
	part = works->work[works->nr - 1].part;
	part[part[1].ns > 0].ns += maker->lead_ns;
}

int fz_zero_works_make(const struct fz_zero_kinds *kinds,
		       const struct fz_plan *plan, struct fz_zero_works *works)
{
	struct maker maker = {
		.kinds = kinds,
		.works.drain_ns = fz_drain_ns(&kinds->prices, plan),
	};

	for (size_t i = 0; !maker.rc && i < plan->nr_runs; i++) {
		struct fz_run *run = &plan->runs[i];

		if (run->op != FZ_OP_CLEAR)
			lead_with_points(&maker, (enum fz_op)run->op, run->nr);
		else if (is_elided(kind_of(&maker, run)->clear,
				   run->call_pages << FZ_PAGE_SHIFT))
			add_calls(&maker, run);
		else
			add_run(&maker, run);
	}
	add_last_points(&maker);
	if (maker.rc)
		fz_zero_works_fini(&maker.works);
	else
		*works = maker.works;
	return maker.rc;
}

void fz_zero_works_fini(struct fz_zero_works *works)
{
	free(works->work);
	*works = (struct fz_zero_works){ 0 };
}

/* Bytes of an elided call that are behind it. */
static double bytes_done(const struct fz_work *work, double done_ns)
{
	const double first_ns = work->part[0].ns;
	const double move_ns = fmin(done_ns, first_ns) - work->overhead_ns;
	double bytes = fmax(move_ns, 0) * work->part[0].bytes_per_ns;

	if (done_ns > first_ns)
		bytes += (done_ns - first_ns) * work->part[1].bytes_per_ns;
	return bytes;
}

struct fz_work fz_zero_work_rest(const struct fz_work *work, double done_ns)
{
	const double interrupted_ns = work->kind->clear->interrupted_ns;
	const double left = (double)work->bytes - bytes_done(work, done_ns);
	struct fz_work rest = *work;

	if (work->overhead_ns >= 0)
		return call_work(work->kind, left > 1 ? (uint64_t)left : 1,
				 fmax(work->overhead_ns - done_ns, 0) +
					 interrupted_ns);
	rest.part[0].ns += interrupted_ns - done_ns;
	rest.places = (struct fz_places){ .lead_ns = -1 };
	return rest;
}
