// SPDX-License-Identifier: GPL-2.0-or-later
/* Bandwidth sharing, flow by flow. */
#include "naive_fluid.h"

#include <math.h>
#include <stdlib.h>

#define FIRST_ROOM 16u

struct naive_flow {
	bool exists;
	bool at_cap;  /* the level does not reach it */
	double cap;   /* bytes a ns */
	double cost;  /* bytes on the bus a byte */
	double speed; /* bytes a ns */
	double moved;
	double left; /* 0: it has ended */
	uint64_t end_ns;
	uint64_t number;
	uint32_t owner;
};

struct naive_fluid {
	double bus; /* bytes a ns */
	double bus_bytes;
	uint64_t now_ns;
	uint64_t next_ns; /* of an end; now_ns if one is not taken yet */
	uint64_t next_number;
	struct naive_flow *flows; /* [nr] */
	fz_flow nr;
	int nr_classes;
	double cap[FZ_FLUID_MAX_CLASSES];
	double cost[FZ_FLUID_MAX_CLASSES];
};

struct naive_fluid *naive_fluid_open(double bus_bps)
{
	struct naive_fluid *fluid = calloc(1, sizeof(*fluid));

	if (!fluid)
		abort();
	fluid->bus = bus_bps / 1e9;
	fluid->next_ns = UINT64_MAX;
	return fluid;
}

void naive_fluid_close(struct naive_fluid *fluid)
{
	free(fluid->flows);
	free(fluid);
}

int naive_fluid_class(struct naive_fluid *fluid, double cap_bps, double cost)
{
	for (int i = 0; i < fluid->nr_classes; i++)
		if (fluid->cap[i] == cap_bps / 1e9 && fluid->cost[i] == cost)
			return i;
	fluid->cap[fluid->nr_classes] = cap_bps / 1e9;
	fluid->cost[fluid->nr_classes] = cost;
	return fluid->nr_classes++;
}

static bool is_running(const struct naive_flow *flow)
{
	return flow->exists && flow->left > 0;
}

/* Level after level, those below it are put to their cap; then it rises. */
static void share_bus(struct naive_fluid *fluid)
{
	double bus = fluid->bus, level = 0;
	unsigned int nr = 0, nr_before;

	for (fz_flow i = 0; i < fluid->nr; i++) {
		fluid->flows[i].at_cap = false;
		nr += is_running(&fluid->flows[i]);
	}
	do {
		nr_before = nr;
		level = bus / nr;
		for (fz_flow i = 0; i < fluid->nr; i++) {
			struct naive_flow *flow = &fluid->flows[i];

			if (!is_running(flow) || flow->at_cap ||
			    flow->cap * flow->cost > level)
				continue;
			flow->at_cap = true;
			bus -= flow->cap * flow->cost;
			nr--;
		}
	} while (nr && nr < nr_before);
	for (fz_flow i = 0; i < fluid->nr; i++) {
		struct naive_flow *flow = &fluid->flows[i];

		flow->speed = flow->at_cap ? flow->cap : level / flow->cost;
	}
}

static uint64_t end_of(const struct naive_flow *flow, uint64_t now_ns)
{
	const double left = flow->left - FZ_FLUID_ROUNDING;

	return left <= 0 ? now_ns : now_ns + (uint64_t)ceil(left / flow->speed);
}

static void find_next(struct naive_fluid *fluid)
{
	fluid->next_ns = UINT64_MAX;
	for (fz_flow i = 0; i < fluid->nr; i++)
		if (fluid->flows[i].exists &&
		    fluid->flows[i].end_ns < fluid->next_ns)
			fluid->next_ns = fluid->flows[i].end_ns;
}

/* Who is running, or until when, has changed. */
static void work_out(struct naive_fluid *fluid)
{
	share_bus(fluid);
	for (fz_flow i = 0; i < fluid->nr; i++)
		if (fluid->flows[i].exists)
			fluid->flows[i].end_ns =
				end_of(&fluid->flows[i], fluid->now_ns);
	find_next(fluid);
}

static void move(struct naive_flow *flow, double *bus_bytes, uint64_t from_ns,
		 uint64_t now_ns)
{
	const double bytes =
		fmin(flow->speed * (double)(now_ns - from_ns), flow->left);

	*bus_bytes += bytes * flow->cost;
	flow->moved += bytes;
	flow->left -= bytes;
	if (now_ns < flow->end_ns)
		return;
	flow->moved += flow->left;
	flow->left = 0;
}

static void advance(struct naive_fluid *fluid, uint64_t now_ns)
{
	const bool due = now_ns >= fluid->next_ns;

	if (now_ns == fluid->now_ns && !due)
		return;
	for (fz_flow i = 0; i < fluid->nr; i++)
		if (is_running(&fluid->flows[i]))
			move(&fluid->flows[i], &fluid->bus_bytes, fluid->now_ns,
			     now_ns);
	fluid->now_ns = now_ns;
	if (due)
		work_out(fluid);
}

static fz_flow find_unused(struct naive_fluid *fluid)
{
	const fz_flow old = fluid->nr;

	for (fz_flow i = 0; i < old; i++)
		if (!fluid->flows[i].exists)
			return i;
	fluid->nr = old ? 2 * old : FIRST_ROOM;
	fluid->flows = realloc(fluid->flows, fluid->nr * sizeof(*fluid->flows));
	if (!fluid->flows)
		abort();
	for (fz_flow i = old; i < fluid->nr; i++)
		fluid->flows[i] = (struct naive_flow){ .exists = false };
	return old;
}

fz_flow naive_fluid_begin(struct naive_fluid *fluid, uint64_t now_ns, int class,
			  double bytes, uint32_t owner)
{
	const fz_flow flow = find_unused(fluid);

	advance(fluid, now_ns);
	fluid->flows[flow] = (struct naive_flow){
		.exists = true,
		.cap = fluid->cap[class],
		.cost = fluid->cost[class],
		.left = bytes,
		.number = fluid->next_number++,
		.owner = owner,
	};
	work_out(fluid);
	return flow;
}

double naive_fluid_moved(struct naive_fluid *fluid, uint64_t now_ns,
			 fz_flow flow)
{
	advance(fluid, now_ns);
	return fluid->flows[flow].moved;
}

void naive_fluid_retarget(struct naive_fluid *fluid, uint64_t now_ns,
			  fz_flow flow, double bytes)
{
	const double moved = naive_fluid_moved(fluid, now_ns, flow);

	fluid->flows[flow].left = fmax(bytes - moved, 0);
	work_out(fluid);
}

double naive_fluid_stop(struct naive_fluid *fluid, uint64_t now_ns,
			fz_flow flow)
{
	const double moved = naive_fluid_moved(fluid, now_ns, flow);

	fluid->flows[flow].exists = false;
	work_out(fluid);
	return moved;
}

uint64_t naive_fluid_next(const struct naive_fluid *fluid)
{
	return fluid->next_ns;
}

bool naive_fluid_take(struct naive_fluid *fluid, uint64_t now_ns,
		      uint32_t *owner)
{
	struct naive_flow *first = NULL;

	if (now_ns < fluid->next_ns)
		return false;
	advance(fluid, now_ns);
	for (fz_flow i = 0; i < fluid->nr; i++) {
		struct naive_flow *flow = &fluid->flows[i];

		if (flow->exists && flow->left <= 0 &&
		    (!first || flow->number < first->number))
			first = flow;
	}
	if (!first)
		return false;
	*owner = first->owner;
	first->exists = false;
	find_next(fluid);
	return true;
}

double naive_fluid_bus_bytes(struct naive_fluid *fluid, uint64_t now_ns)
{
	advance(fluid, now_ns);
	return fluid->bus_bytes;
}
