// SPDX-License-Identifier: GPL-2.0-or-later
/* The loop: what happens next, in the queue or on a bus, until the end. */
#include <fz/simulate.h>

#include <errno.h>
#include <stdlib.h>

#include "sim_check.h"
#include "sim_cpu.h"
#include "sim_player.h"
#include "sim_result.h"
#include "sim_watch.h"
#include "stop_flag.h"

/* Between two looks at who gets on. */
#define EVENTS_A_WATCH (FZ_SIM_MAX_PICKS / 4)

void fz_sim_event_add(struct fz_sim *sim, enum fz_sim_event kind,
		      uint64_t time_ns, uint32_t subject, uint64_t stamp)
{
	int rc;

	if (time_ns == FZ_NEVER_NS)
		return;
	rc = fz_event_queue_add(&sim->queue, (struct fz_event){
						     .time_ns = time_ns,
						     .kind = kind,
						     .subject = subject,
						     .stamp = stamp,
					     });
	if (rc)
		sim->rc = rc;
}

static bool is_any_read(const struct fz_sim_params *params)
{
	for (size_t i = 0; i < params->nr_tasks; i++)
		for (size_t j = 0; j < params->tasks[i].nr_phases; j++)
			if (params->tasks[i].phases[j].op == FZ_SIM_ACCESS)
				return true;
	return false;
}

static int open_memory(struct fz_sim *sim)
{
	const struct fz_sim_params *params = sim->params;
	const struct fz_profile_memory *memory = &params->profile->memory;
	int rc = fz_bus_open(&sim->bus, params->profile->nr_nodes, memory->bps);

	sim->zero = (struct fz_zero_cache){
		.kinds = { .prices = { params->profile, params->clear,
				       params->stream },
			   .preempt = params->preempt,
			   .bus = &sim->bus },
		.policy = params->policy,
		.request = { .preempt = params->preempt,
			     .batch_pages = params->batch_pages,
			     .radius_pages = params->radius_pages },
		.context = params->context,
		.is_read = is_any_read(params),
	};
	if (!rc && memory->read_bps > 0 && memory->read_cost > 0)
		sim->read_class = fz_bus_class(&sim->bus, memory->read_bps,
					       memory->read_cost);
	return rc ? rc : fz_zero_kinds_init(&sim->zero.kinds);
}

static int open_all(struct fz_sim *sim)
{
	const struct fz_sim_params *params = sim->params;
	int rc = open_memory(sim);

	if (rc)
		return rc;
	sim->cpus = calloc(params->nr_cpus, sizeof(*sim->cpus));
	sim->players = calloc(params->nr_tasks + 1, sizeof(*sim->players));
	sim->waiters = calloc(params->nr_tasks + 1, sizeof(*sim->waiters));
	if (!sim->cpus || !sim->players || !sim->waiters)
		return -ENOMEM;
	for (uint32_t i = 0; i < params->nr_cpus; i++)
		fz_sim_cpu_init(sim, i);
	for (uint32_t i = 0; i < params->nr_tasks; i++)
		fz_sim_player_init(sim, i);
	sim->result->bandwidth_bin_ns = params->bandwidth_bin_ns;
	if (params->bandwidth_bin_ns)
		fz_sim_event_add(sim, FZ_SIM_EVENT_BIN,
				 params->bandwidth_bin_ns, 0, 0);
	return sim->rc;
}

static void close_all(struct fz_sim *sim)
{
	fz_event_queue_fini(&sim->queue);
	fz_zero_cache_fini(&sim->zero);
	fz_bus_fini(&sim->bus);
	free(sim->cpus);
	free(sim->players);
	free(sim->waiters);
}

static void end_flows(struct fz_sim *sim, unsigned int node)
{
	uint32_t cpu;

	while (!sim->rc &&
	       fz_fluid_take(sim->bus.nodes[node], sim->now_ns, &cpu)) {
		sim->events++;
		fz_sim_flow_over(sim, cpu);
	}
}

static void fill_bin(struct fz_sim *sim)
{
	fz_sim_result_bin(sim);
	fz_sim_event_add(
		sim, FZ_SIM_EVENT_BIN,
		fz_ns_after(sim->now_ns, sim->result->bandwidth_bin_ns), 0, 0);
}

static void take_event(struct fz_sim *sim)
{
	struct fz_event event;

	if (!fz_event_queue_take(&sim->queue, &event))
		return;
	sim->events += event.kind != FZ_SIM_EVENT_BIN;
	if (event.kind == FZ_SIM_EVENT_WAKE)
		fz_sim_wake(sim, event.subject);
	else if (event.kind == FZ_SIM_EVENT_BIN)
		fill_bin(sim);
	else
		fz_sim_cpu_event(sim, &event);
}

/* Something happens, unless nothing more does. Ends of flows come first. */
static bool step(struct fz_sim *sim)
{
	const struct fz_event *event = fz_event_queue_peek(&sim->queue);
	const uint64_t event_ns = event ? event->time_ns : FZ_NEVER_NS;
	unsigned int node;
	const uint64_t flow_ns = fz_bus_next(&sim->bus, &node);
	const uint64_t next_ns = flow_ns < event_ns ? flow_ns : event_ns;

	if (next_ns == FZ_NEVER_NS || next_ns > sim->params->until_ns)
		return false;
	sim->now_ns = next_ns;
	if (flow_ns <= event_ns)
		end_flows(sim, node);
	else
		take_event(sim);
	return true;
}

/* Whatever is left to be done is never done. */
static int end_of_events(struct fz_sim *sim, struct fz_err *err)
{
	if (sim->params->until_ns == UINT64_MAX)
		return fz_err_set(err, -EINVAL,
				  "the simulation does not end: %zu task%s for "
				  "what never comes",
				  sim->awaited,
				  sim->awaited == 1 ? " waits" : "s wait");
	sim->now_ns = sim->params->until_ns;
	return 0;
}

static int too_many(const struct fz_sim *sim, struct fz_err *err)
{
	const unsigned long long max = sim->params->max_events;

	if (!max || sim->events <= max)
		return 0;
	return fz_err_set(err, -E2BIG,
			  "the simulation has more than %llu event%s", max,
			  max == 1 ? "" : "s");
}

/* Only where nothing else ends it. */
static int is_endless(struct fz_sim *sim, uint64_t *watch_at,
		      struct fz_err *err)
{
	uint32_t stuck;

	if (sim->params->until_ns != UINT64_MAX || sim->events < *watch_at)
		return 0;
	*watch_at = sim->events + EVENTS_A_WATCH;
	stuck = fz_sim_watch(sim);
	if (stuck == FZ_NO_TASK)
		return 0;
	return fz_err_set(err, -EDEADLK,
			  "the simulation does not end: others have CPU %u all "
			  "the time, and task '%s' does not get on",
			  sim->params->tasks[stuck].cpu,
			  sim->params->tasks[stuck].name);
}

static int loop(struct fz_sim *sim, struct fz_err *err)
{
	const bool awaits = sim->awaited > 0;
	uint64_t watch_at = EVENTS_A_WATCH;
	int code;

	while (!awaits || sim->awaited) {
		/* One event may be a study of caches, which takes a while. */
		if (stop_flag_is_set(sim->params->stop))
			return -EINTR;
		if (!step(sim))
			return end_of_events(sim, err);
		if (sim->rc)
			return sim->rc;
		code = too_many(sim, err);
		if (!code)
			code = is_endless(sim, &watch_at, err);
		if (code)
			return code;
	}
	return 0;
}

static int explain(const struct fz_sim *sim, int rc, struct fz_err *err)
{
	const char *policy = sim->params->policy->name;

	if (rc == -ENOMEM)
		return fz_err_set(err, rc, "no memory for the simulation");
	if (rc == -ENOTSUP)
		return fz_err_set(err, -EINVAL,
				  "cannot simulate policy '%s': it needs a "
				  "primitive of a kind that is not given",
				  policy);
	if ((rc == -EINVAL || rc == -ERANGE) && sim->rc)
		return fz_err_set(err, rc, "%s", sim->zero.why.msg);
	return rc;
}

int fz_simulate(const struct fz_sim_params *params,
		const struct fz_sim_observer *observer,
		struct fz_sim_result *result, struct fz_err *err)
{
	struct fz_sim sim = {
		.params = params,
		.result = result,
		.way = fz_give_way_of(params->preempt),
		.zero_way = fz_give_way_in(params->context, params->preempt),
	};
	int rc = fz_sim_check(params, err);

	if (rc)
		return rc;
	if (observer)
		sim.observer = *observer;
	fz_sim_result_init(result);
	rc = open_all(&sim);
	if (!rc)
		rc = loop(&sim, err);
	if (!rc || rc == -EINTR) {
		fz_sim_result_end(&sim);
		rc = sim.rc ? sim.rc : rc;
	}
	if (rc && rc != -EINTR)
		fz_sim_result_fini(result);
	rc = explain(&sim, rc, err);
	close_all(&sim);
	return rc;
}
