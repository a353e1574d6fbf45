// SPDX-License-Identifier: GPL-2.0-or-later
/* Random flows through the fluid and through one that is done flow by flow. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <fz/random.h>

#include "either_fluid.h"
#include "fz_test.h"

#define NR(array) ((int)(sizeof(array) / sizeof((array)[0])))

#define MAX_FLOWS   1500u
#define MAX_ACTIONS (3 * MAX_FLOWS)
#define MAX_CLASSES 64

enum kind {
	BEGIN,
	STOP,
	RETARGET
};

/* What is done from outside, whenever flows end. */
struct action {
	uint64_t time_ns;
	enum kind kind;
	bool first;     /* before flows that end at that time are taken */
	uint32_t owner; /* of the flow: flows are numbered as they begin */
	int class;
	double bytes; /* RETARGET: beyond what it has moved */
};

/* A sort of workload. Times in ns, bandwidths in bytes a ns. */
struct shape {
	double bus;
	int nr_classes;
	double cap;        /* of the fastest class; others have down to 1/8 */
	double bytes;      /* of a flow at most */
	double step_bytes; /* they are multiples */
	uint64_t gap_ns;   /* between actions, at most */
	unsigned int nr_flows;
};

static const struct shape shapes[] = {
	/* All have their cap. */
	{ 1e6, 3, 12, 65536, 1, 2000, 1500 },
	/* Sometimes they have, sometimes not. */
	{ 60, 3, 12, 65536, 1, 2000, 1500 },
	{ 60, 6, 12, 65536, 4096, 2000, 1500 },
	/* Hardly ever, and more flows all the time. */
	{ 20, 4, 12, 65536, 1, 1000, 400 },
	{ 20, 64, 12, 65536, 0.001, 1000, 400 },
	/* In step: equal pages, all at once, then many at a time. */
	{ 32, 1, 8, 4096, 4096, 0, 300 },
	{ 32, 2, 8, 4096, 4096, 360, 1000 },
	/* Several end in one ns. */
	{ 100, 5, 50, 200, 1, 3, 800 },
	{ 10, 5, 50, 3, 0.25, 1, 1500 },
	/* Slow, large. */
	{ 0.05, 4, 0.02, 1e6, 1, 40000000, 400 },
	{ 100, 4, 20, 1e12, 1, 15000000000, 400 },
};

#define NR_SEEDS 4

struct workload {
	struct shape shape;
	double cap[MAX_CLASSES];
	double cost[MAX_CLASSES];
	struct action actions[MAX_ACTIONS];
	size_t nr_actions;
	uint32_t nr_flows;
};

static void workload_init(struct workload *load, const struct shape *shape,
			  uint64_t seed)
{
	struct fz_random random = fz_random_begin(seed, 1);
	uint64_t now_ns = 0;

	load->shape = *shape;
	for (int i = 0; i < shape->nr_classes; i++) {
		load->cap[i] =
			shape->cap / (1 + (double)fz_random_below(&random, 8));
		load->cost[i] = 0.5 * (double)(1 + fz_random_below(&random, 5));
	}
	while (load->nr_flows < shape->nr_flows) {
		struct action *action = &load->actions[load->nr_actions++];
		const uint64_t dice = fz_random_below(&random, 10);
		const double steps = ceil(fz_random_unit(&random) *
					  shape->bytes / shape->step_bytes);

		now_ns += fz_random_below(&random, shape->gap_ns + 1);
		action->time_ns = now_ns;
		action->first = fz_random_below(&random, 2);
		action->class = (int)fz_random_below(
			&random, (uint64_t)shape->nr_classes);
		action->bytes = fmax(steps, 1) * shape->step_bytes;
		action->kind = dice < 7 || !load->nr_flows ? BEGIN
			       : dice < 8                  ? STOP
							   : RETARGET;
		/* One of the last 50, of which some are there. */
		if (action->kind == BEGIN)
			action->owner = load->nr_flows++;
		else
			action->owner =
				load->nr_flows - 1 -
				(uint32_t)fz_random_below(
					&random, load->nr_flows < 50
							 ? load->nr_flows
							 : 50);
		if (action->kind == RETARGET &&
		    fz_random_below(&random, 4) == 0)
			action->bytes = -action->bytes;
		if (load->nr_actions == MAX_ACTIONS)
			break;
	}
}

/* What became of each flow, and what must hold in any case. */
struct outcome {
	uint64_t end_ns[MAX_FLOWS];
	double bytes[MAX_FLOWS];   /* moved in all */
	double to_move[MAX_FLOWS]; /* as told */
	double bus_bytes;
	double bus_bytes_moved; /* the sum over flows */
	uint64_t last_ns;
	unsigned int bus_exceeded;
	unsigned int bytes_wrong; /* flows that ended with others than told */
	unsigned int order_wrong; /* taken before one that began earlier */
	unsigned int most_flows;
	unsigned int nr_ended, nr_stopped, nr_retargeted;
};

struct run {
	struct either_fluid fluid;
	const struct workload *load;
	struct outcome *out;
	int class[MAX_CLASSES];
	int class_of[MAX_FLOWS];
	bool there[MAX_FLOWS];
	fz_flow flows[MAX_FLOWS];
	unsigned int nr;
	uint64_t now_ns;
	double bus_bytes;
	bool curious; /* asks for what nobody needs to know */
};

/* The bus carries what it can at most since it was looked at last. */
static void look_at_bus(struct run *run, uint64_t now_ns)
{
	const double bytes = either_bus_bytes(run->fluid, now_ns);
	const double most =
		run->load->shape.bus * (double)(now_ns - run->now_ns);

	if (bytes < run->bus_bytes * (1 - 1e-12) ||
	    bytes - run->bus_bytes > most + 1e-12 * bytes)
		run->out->bus_exceeded++;
	run->bus_bytes = bytes;
	run->now_ns = now_ns;
}

static void be_curious(struct run *run, uint64_t now_ns)
{
	double moved = 0;

	look_at_bus(run, now_ns);
	for (uint32_t i = 0; i < run->load->nr_flows; i += 7)
		if (run->there[i])
			moved +=
				either_moved(run->fluid, now_ns, run->flows[i]);
	if (!(moved >= 0))
		run->out->bytes_wrong++;
}

static void gone(struct run *run, uint32_t owner, double bytes)
{
	run->there[owner] = false;
	run->nr--;
	run->out->bytes[owner] = bytes;
	run->out->end_ns[owner] = run->now_ns;
	run->out->bus_bytes_moved +=
		bytes * run->load->cost[run->class_of[owner]];
}

static void take_all(struct run *run)
{
	struct outcome *out = run->out;
	int64_t last = -1;
	uint32_t owner;

	while (either_take(run->fluid, run->now_ns, &owner)) {
		if ((int64_t)owner < last)
			out->order_wrong++;
		last = owner;
		gone(run, owner, out->to_move[owner]);
		out->nr_ended++;
	}
}

static void stop(struct run *run, uint32_t owner)
{
	const double moved =
		either_stop(run->fluid, run->now_ns, run->flows[owner]);

	gone(run, owner, moved);
	run->out->nr_stopped++;
	if (moved < 0 || moved > run->out->to_move[owner] * (1 + 1e-12))
		run->out->bytes_wrong++;
}

static void retarget(struct run *run, const struct action *action)
{
	const fz_flow flow = run->flows[action->owner];
	const double moved = either_moved(run->fluid, run->now_ns, flow);
	const double bytes = moved + action->bytes;

	either_retarget(run->fluid, run->now_ns, flow, bytes);
	run->out->nr_retargeted++;
	run->out->to_move[action->owner] = fmax(bytes, moved);
}

static void act(struct run *run, const struct action *action)
{
	const uint32_t owner = action->owner;

	if (action->kind == BEGIN) {
		run->flows[owner] = either_begin(run->fluid, run->now_ns,
						 run->class[action->class],
						 action -> bytes, owner);
		run->there[owner] = true;
		run->class_of[owner] = action->class;
		run->out->to_move[owner] = action->bytes;
		run->nr++;
	} else if (run->there[owner] && action->kind == STOP) {
		stop(run, owner);
	} else if (run->there[owner]) {
		retarget(run, action);
	}
	if (run->nr > run->out->most_flows)
		run->out->most_flows = run->nr;
}

/* To the next time at which something happens, and all that happens then. */
static const struct action *step(struct run *run, const struct action *action,
				 const struct action *end)
{
	uint64_t now_ns = either_next(run->fluid);

	if (action < end && action->time_ns < now_ns)
		now_ns = action->time_ns;
	if (run->curious && now_ns > run->now_ns + 1)
		be_curious(run, run->now_ns + (now_ns - run->now_ns) / 2);
	if (run->curious)
		be_curious(run, now_ns);
	look_at_bus(run, now_ns);
	while (action < end && action->time_ns == now_ns && action->first)
		act(run, action++);
	take_all(run);
	while (action < end && action->time_ns == now_ns) {
		act(run, action++);
		if (run->curious)
			be_curious(run, now_ns);
	}
	return action;
}

static struct outcome *run_load(const struct workload *load, bool fast,
				bool curious)
{
	const struct action *action = load->actions;
	const struct action *const end = action + load->nr_actions;
	struct run *run = calloc(1, sizeof(*run));
	struct outcome *out = calloc(1, sizeof(*out));

	if (!run || !out)
		abort();
	run->fluid = either_open(fast, load->shape.bus * 1e9);
	run->load = load;
	run->out = out;
	run->curious = curious;
	for (int i = 0; i < load->shape.nr_classes; i++)
		run->class[i] = either_class(run->fluid, load->cap[i] * 1e9,
					     load->cost[i]);
	while (action < end || run->nr)
		action = step(run, action, end);
	out->last_ns = run->now_ns;
	out->bus_bytes = either_bus_bytes(run->fluid, run->now_ns);
	either_close(run->fluid);
	free(run);
	return out;
}

static struct workload *make_load(int i)
{
	struct workload *load = calloc(1, sizeof(*load));

	if (!load)
		abort();
	workload_init(load, &shapes[i / NR_SEEDS], (uint64_t)(i % NR_SEEDS));
	return load;
}

static void check_outcome(const struct workload *load,
			  const struct outcome *out)
{
	/* What a flow may be short of, each, and the rounding of sums. */
	const double rounding =
		3 * FZ_FLUID_ROUNDING * load->nr_flows + 1e-12 * out->bus_bytes;

	ck_assert_uint_eq(out->nr_ended + out->nr_stopped, load->nr_flows);
	ck_assert_uint_eq(out->bus_exceeded, 0);
	ck_assert_uint_eq(out->bytes_wrong, 0);
	ck_assert_uint_eq(out->order_wrong, 0);
	ck_assert_double_eq_tol(out->bus_bytes, out->bus_bytes_moved, rounding);
	ck_assert_double_le(out->bus_bytes, load->shape.bus *
						    (double)out->last_ns *
						    (1 + 1e-12));
}

static unsigned int nr_far_ends(const struct workload *load,
				const struct outcome *a,
				const struct outcome *b)
{
	unsigned int nr = 0;

	for (uint32_t i = 0; i < load->nr_flows; i++) {
		const double x = (double)a->end_ns[i], y = (double)b->end_ns[i];

		nr += fabs(x - y) > fmax(1, 1e-9 * x);
		nr += fabs(a->bytes[i] - b->bytes[i]) >
		      fmax(load->shape.bus, 1e-9 * a->bytes[i]);
	}
	return nr;
}

START_TEST(like_flow_by_flow)
{
	struct workload *load = make_load(_i);
	struct outcome *fast = run_load(load, true, false);
	struct outcome *naive = run_load(load, false, false);

	check_outcome(load, fast);
	check_outcome(load, naive);
	ck_assert_uint_eq(nr_far_ends(load, fast, naive), 0);
	ck_assert_double_eq_tol(fast->bus_bytes, naive->bus_bytes,
				1e-9 * naive->bus_bytes + load->shape.bus);
	free(load);
	free(fast);
	free(naive);
}
END_TEST

/* The order, all the times, all the bytes: to the last bit. */
START_TEST(questions_change_nothing)
{
	struct workload *load = make_load(_i);
	struct outcome *asked = run_load(load, true, true);
	struct outcome *quiet = run_load(load, true, false);

	ck_assert_mem_eq(asked, quiet, sizeof(*asked));
	free(load);
	free(asked);
	free(quiet);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("fluid_naive");
	TCase *tcase = tcase_create("fluid_naive");

	tcase_add_loop_test(tcase, like_flow_by_flow, 0, NR(shapes) * NR_SEEDS);
	tcase_add_loop_test(tcase, questions_change_nothing, 0,
			    NR(shapes) * NR_SEEDS);
	suite_add_tcase(suite, tcase);
	return suite;
}
