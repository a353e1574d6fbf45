// SPDX-License-Identifier: GPL-2.0-or-later
/* Bandwidth sharing with a virtual clock for each class of flows. */
#include "fluid.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "fluid_heap.h"

#define NS_PER_S   1e9
#define FIRST_ROOM 16u

/* Times that far away, 292 years, are never. */
#define NEVER_NS 0x1p63

struct flow_class {
	double cap;      /* of a flow, bytes a ns */
	double cost;     /* bytes on the bus a byte */
	double demand;   /* of a flow on the bus at its cap, bytes a ns */
	double speed;    /* of a flow now, bytes a ns */
	double clock;    /* bytes since the class was empty last, at since_ns */
	uint64_t end_ns; /* of the flow that ends first */
	uint32_t nr;     /* flows that are running or ended, not yet taken */
	struct fz_fluid_heap running; /* by tag: the clock at their end */
};

struct flow {
	double begin;  /* the clock of its class then */
	double bytes;  /* to move, or that it moved if it has ended */
	double number; /* in the order of beginning */
	uint32_t owner;
	uint32_t class;
	bool ended;
};

struct fz_fluid {
	double bus;        /* bytes a ns */
	double used;       /* of it now */
	double bus_bytes;  /* until since_ns */
	uint64_t since_ns; /* of the last change */
	uint64_t next_ns;  /* of the next end of a running flow */
	double next_number;
	struct fz_fluid_heap ended; /* by number */
	struct flow *flows;         /* [max_flows] */
	uint32_t *place; /* [max_flows] in a heap; if unused, the next unused */
	uint32_t max_flows;
	uint32_t unused; /* flow, or FZ_NO_FLOW */
	uint32_t nr_running;
	int nr_classes;
	struct flow_class classes[FZ_FLUID_MAX_CLASSES];
	int by_demand[FZ_FLUID_MAX_CLASSES]; /* [nr_classes] lowest first */
};

int fz_fluid_open(struct fz_fluid **out, double bus_bps)
{
	struct fz_fluid *fluid = calloc(1, sizeof(*fluid));

	assert(bus_bps > 0);
	if (!fluid)
		return -ENOMEM;
	fluid->bus = bus_bps / NS_PER_S;
	fluid->next_ns = UINT64_MAX;
	fluid->unused = FZ_NO_FLOW;
	*out = fluid;
	return 0;
}

void fz_fluid_close(struct fz_fluid *fluid)
{
	if (!fluid)
		return;
	for (int i = 0; i < fluid->nr_classes; i++)
		fz_fluid_heap_fini(&fluid->classes[i].running);
	fz_fluid_heap_fini(&fluid->ended);
	free(fluid->flows);
	free(fluid->place);
	free(fluid);
}

static void sort_in(struct fz_fluid *fluid, int class)
{
	const double demand = fluid->classes[class].demand;
	int i = class;

	for (; i > 0; i--) {
		const int before = fluid->by_demand[i - 1];

		if (fluid->classes[before].demand <= demand)
			break;
		fluid->by_demand[i] = before;
	}
	fluid->by_demand[i] = class;
}

int fz_fluid_class(struct fz_fluid *fluid, double cap_bps, double cost)
{
	const double cap = cap_bps / NS_PER_S;
	int class = 0;

	assert(cap > 0 && cost > 0);
	for (; class < fluid->nr_classes; class ++)
		if (fluid->classes[class].cap == cap &&
		    fluid->classes[class].cost == cost)
			return class;
	if (class == FZ_FLUID_MAX_CLASSES)
		return -ENOSPC;
	fluid->classes[class] = (struct flow_class){
		.cap = cap,
		.cost = cost,
		.demand = cap * cost,
		.end_ns = UINT64_MAX,
	};
	sort_in(fluid, class);
	fluid->nr_classes++;
	return class;
}

/* Water filling: whom the level does not reach have their cap, the others it.
 */
static void share_bus(struct fz_fluid *fluid)
{
	double nr = fluid->nr_running, level;
	int i = 0;

	fluid->used = 0;
	for (; i < fluid->nr_classes; i++) {
		struct flow_class *class = &fluid->classes[fluid->by_demand[i]];

		if (class->demand * nr > fluid->bus - fluid->used)
			break;
		class->speed = class->cap;
		fluid->used += class->demand * class->running.nr;
		nr -= class->running.nr;
	}
	if (i == fluid->nr_classes)
		return;
	level = (fluid->bus - fluid->used) / nr;
	fluid->used = fluid->bus;
	for (; i < fluid->nr_classes; i++) {
		struct flow_class *class = &fluid->classes[fluid->by_demand[i]];

		class->speed = level / class->cost;
	}
}

/* The first whole ns at which the first flow of a class has moved its bytes. */
static uint64_t first_end_ns(const struct flow_class *class, uint64_t since_ns)
{
	double left, ns;

	if (!class->running.nr)
		return UINT64_MAX;
	left = class->running.at[0].key - class->clock - FZ_FLUID_ROUNDING;
	if (left <= 0)
		return since_ns;
	ns = ceil(left / class->speed);
	return ns < NEVER_NS ? since_ns + (uint64_t)ns : UINT64_MAX;
}

/* Who is running, or until when, has changed. */
static void work_out(struct fz_fluid *fluid)
{
	share_bus(fluid);
	fluid->next_ns = UINT64_MAX;
	for (int i = 0; i < fluid->nr_classes; i++) {
		struct flow_class *class = &fluid->classes[i];

		class->end_ns = first_end_ns(class, fluid->since_ns);
		if (class->end_ns < fluid->next_ns)
			fluid->next_ns = class->end_ns;
	}
}

static double clock_at(const struct fz_fluid *fluid,
		       const struct flow_class *class, uint64_t now_ns)
{
	return class->clock + class->speed * (double)(now_ns - fluid->since_ns);
}

static void advance(struct fz_fluid *fluid, uint64_t now_ns)
{
	if (now_ns == fluid->since_ns)
		return;
	for (int i = 0; i < fluid->nr_classes; i++) {
		struct flow_class *class = &fluid->classes[i];

		if (class->running.nr)
			class->clock = clock_at(fluid, class, now_ns);
	}
	fluid->bus_bytes += fluid->used * (double)(now_ns - fluid->since_ns);
	fluid->since_ns = now_ns;
}

static void run(struct fz_fluid *fluid, fz_flow flow)
{
	struct flow *f = &fluid->flows[flow];
	struct flow_class *class = &fluid->classes[f->class];

	f->ended = false;
	fluid->nr_running++;
	fz_fluid_heap_add(&class->running, fluid->place,
			  (struct fz_fluid_entry){ f->begin + f->bytes, flow });
}

static void run_no_more(struct fz_fluid *fluid, fz_flow flow)
{
	struct flow_class *class = &fluid->classes[fluid->flows[flow].class];

	fz_fluid_heap_remove(&class->running, fluid->place, flow);
	fluid->nr_running--;
	/* Small numbers are exact. */
	if (!class->running.nr)
		class->clock = 0;
}

/* The first flow ends now, and others that have no more bytes to go. */
static void end_flows(struct fz_fluid *fluid, struct flow_class *class)
{
	const struct fz_fluid_entry *first = class->running.at;
	const double clock = class->clock;

	do {
		const fz_flow flow = first->flow;
		struct flow *f = &fluid->flows[flow];

		/* Its last ns was longer than its bytes. */
		fluid->bus_bytes -= fmax(clock - first->key, 0) * class->cost;
		run_no_more(fluid, flow);
		f->ended = true;
		fz_fluid_heap_add(&fluid->ended, fluid->place,
				  (struct fz_fluid_entry){ f->number, flow });
	} while (class->running.nr && first->key - clock <= FZ_FLUID_ROUNDING);
}

/* Nothing that is due by now stays undone. */
static void settle(struct fz_fluid *fluid, uint64_t now_ns)
{
	assert(now_ns >= fluid->since_ns);
	assert(now_ns <= fz_fluid_next(fluid));
	if (now_ns < fluid->next_ns)
		return;
	advance(fluid, now_ns);
	for (int i = 0; i < fluid->nr_classes; i++)
		if (fluid->classes[i].running.nr &&
		    fluid->classes[i].end_ns <= now_ns)
			end_flows(fluid, &fluid->classes[i]);
	work_out(fluid);
}

static int add_flows(struct fz_fluid *fluid)
{
	const uint32_t old = fluid->max_flows;
	const uint32_t max = old ? 2 * old : FIRST_ROOM;
	struct flow *flows;
	uint32_t *place;

	flows = reallocarray(fluid->flows, max, sizeof(*flows));
	if (!flows)
		return -ENOMEM;
	fluid->flows = flows;
	place = reallocarray(fluid->place, max, sizeof(*place));
	if (!place)
		return -ENOMEM;
	fluid->place = place;
	for (uint32_t i = old; i < max; i++)
		place[i] = i + 1 < max ? i + 1 : fluid->unused;
	fluid->unused = old;
	fluid->max_flows = max;
	return 0;
}

/* Wherever flows go until they are taken, there is room. */
static int make_room(struct fz_fluid *fluid, struct flow_class *class)
{
	int rc = 0;

	if (fluid->unused == FZ_NO_FLOW)
		rc = add_flows(fluid);
	if (!rc)
		rc = fz_fluid_heap_reserve(&fluid->ended, fluid->max_flows);
	if (!rc)
		rc = fz_fluid_heap_reserve(&class->running, class->nr + 1);
	return rc;
}

static void release(struct fz_fluid *fluid, fz_flow flow)
{
	fluid->classes[fluid->flows[flow].class].nr--;
	fluid->place[flow] = fluid->unused;
	fluid->unused = flow;
}

int fz_fluid_begin(struct fz_fluid *fluid, uint64_t now_ns, int class,
		   double bytes, uint32_t owner, fz_flow *flow)
{
	struct flow_class *c = &fluid->classes[class];
	int rc;

	assert(class >= 0 && class < fluid->nr_classes && bytes > 0);
	rc = make_room(fluid, c);
	if (rc)
		return rc;
	settle(fluid, now_ns);
	advance(fluid, now_ns);
	*flow = fluid->unused;
	fluid->unused = fluid->place[*flow];
	fluid->flows[*flow] = (struct flow){
		.begin = c->clock,
		.bytes = bytes,
		.number = fluid->next_number++,
		.owner = owner,
		.class = (uint32_t) class,
	};
	c->nr++;
	run(fluid, *flow);
	work_out(fluid);
	return 0;
}

double fz_fluid_moved(struct fz_fluid *fluid, uint64_t now_ns, fz_flow flow)
{
	const struct flow *f = &fluid->flows[flow];

	settle(fluid, now_ns);
	if (f->ended)
		return f->bytes;
	return clock_at(fluid, &fluid->classes[f->class], now_ns) - f->begin;
}

/* It was done, and now it has more to do. */
static void resume(struct fz_fluid *fluid, fz_flow flow, double bytes)
{
	struct flow *f = &fluid->flows[flow];

	fz_fluid_heap_remove(&fluid->ended, fluid->place, flow);
	f->begin = fluid->classes[f->class].clock - f->bytes;
	f->bytes = bytes;
	run(fluid, flow);
}

void fz_fluid_retarget(struct fz_fluid *fluid, uint64_t now_ns, fz_flow flow,
		       double bytes)
{
	struct flow *f = &fluid->flows[flow];
	const double moved = fz_fluid_moved(fluid, now_ns, flow);
	struct flow_class *class = &fluid->classes[f->class];

	advance(fluid, now_ns);
	if (!f->ended) {
		const double tag = fmax(f->begin + bytes, class->clock);

		f->bytes = fmax(bytes, moved);
		fz_fluid_heap_change(&class->running, fluid->place,
				     (struct fz_fluid_entry){ tag, flow });
	} else if (bytes > moved) {
		resume(fluid, flow, bytes);
	}
	work_out(fluid);
}

double fz_fluid_stop(struct fz_fluid *fluid, uint64_t now_ns, fz_flow flow)
{
	const double moved = fz_fluid_moved(fluid, now_ns, flow);

	advance(fluid, now_ns);
	if (fluid->flows[flow].ended)
		fz_fluid_heap_remove(&fluid->ended, fluid->place, flow);
	else
		run_no_more(fluid, flow);
	release(fluid, flow);
	work_out(fluid);
	return moved;
}

uint64_t fz_fluid_next(const struct fz_fluid *fluid)
{
	return fluid->ended.nr ? fluid->since_ns : fluid->next_ns;
}

bool fz_fluid_take(struct fz_fluid *fluid, uint64_t now_ns, uint32_t *owner)
{
	fz_flow flow;

	settle(fluid, now_ns);
	if (!fluid->ended.nr)
		return false;
	flow = fluid->ended.at[0].flow;
	*owner = fluid->flows[flow].owner;
	fz_fluid_heap_remove(&fluid->ended, fluid->place, flow);
	release(fluid, flow);
	return true;
}

double fz_fluid_bus_bytes(struct fz_fluid *fluid, uint64_t now_ns)
{
	settle(fluid, now_ns);
	return fluid->bus_bytes +
	       fluid->used * (double)(now_ns - fluid->since_ns);
}
