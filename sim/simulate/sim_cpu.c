// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A CPU as a machine of four states. What has to be done at once is told by a
 * return value and done by drive(), so that nothing calls itself.
 */
#include "sim_cpu.h"

#include "sim_player.h"
#include "sim_segment.h"

/* What a CPU has to do at once. */
enum next {
	NEXT_NOTHING, /* wait for an event */
	NEXT_PICK,    /* choose a task */
	NEXT_RUN,     /* begin or continue the current task */
	NEXT_GO_ON,   /* go on in its program */
};

static void arm_slice(struct fz_sim *sim, struct fz_sim_cpu *cpu)
{
	const struct fz_sim_params *params = sim->params;
	uint64_t over_ns;

	if (cpu->slice_armed || cpu->state != FZ_SIM_CPU_RUNS ||
	    !params->slice_ns || sim->waiters[cpu->current].priority ||
	    !fz_run_queue_has_fair(&cpu->queue))
		return;
	over_ns = fz_ns_after(cpu->turn_ns,
			      fz_sim_current(sim, cpu)->slice_left_ns);
	/* A tick sees it, at that time or later, but not an earlier one. */
	if (over_ns <= sim->now_ns)
		over_ns = sim->now_ns + 1;
	cpu->slice_armed = true;
	fz_sim_event_add(sim, FZ_SIM_EVENT_SLICE,
			 fz_tick_after(params->profile->hz, over_ns - 1),
			 fz_sim_index_of(sim, cpu), cpu->pick);
}

/* It waits again, and goes on later: at once behind a winner, or in its turn.
 */
static void put_back(struct fz_sim *sim, struct fz_sim_cpu *cpu)
{
	struct fz_waiter *waiter = &sim->waiters[cpu->current];
	struct fz_sim_player *player = fz_sim_current(sim, cpu);
	const bool over = !waiter->priority && sim->params->slice_ns &&
			  !player->slice_left_ns;

	waiter->winner = false;
	if (!over) {
		fz_run_queue_add_first(&cpu->queue, sim->waiters, cpu->current);
		return;
	}
	player->slice_left_ns = sim->params->slice_ns;
	fz_run_queue_add_last(&cpu->queue, sim->waiters, cpu->current);
}

static void end_turn(struct fz_sim *sim, struct fz_sim_cpu *cpu)
{
	struct fz_sim_player *player = fz_sim_current(sim, cpu);
	const uint64_t ran_ns = sim->now_ns - cpu->turn_ns;

	player->slice_left_ns -=
		ran_ns < player->slice_left_ns ? ran_ns : player->slice_left_ns;
}

/* Whoever is in the way of a reschedule is put back by this. */
static enum next pick(struct fz_sim *sim, struct fz_sim_cpu *cpu)
{
	if (cpu->state == FZ_SIM_CPU_RUNS && cpu->current != FZ_NO_TASK)
		end_turn(sim, cpu);
	if (cpu->current != FZ_NO_TASK)
		put_back(sim, cpu);
	cpu->pick++;
	cpu->segment++;
	cpu->resched = cpu->lazy = cpu->slice_armed = false;
	cpu->current = fz_run_queue_take(&cpu->queue, sim->waiters);
	if (cpu->current == FZ_NO_TASK) {
		cpu->state = FZ_SIM_CPU_IDLE;
		fz_sim_do_now(sim, cpu, FZ_SIM_IDLE);
		return NEXT_NOTHING;
	}
	cpu->state = FZ_SIM_CPU_SWITCH;
	if (sim->params->profile->switch_ns == 0)
		return NEXT_RUN;
	fz_sim_do_now(sim, cpu, FZ_SIM_SPAN_SWITCH);
	fz_sim_event_in(sim, cpu, sim->params->profile->switch_ns);
	return NEXT_NOTHING;
}

static void count_latency(struct fz_sim *sim, struct fz_sim_cpu *cpu)
{
	struct fz_sim_player *player = fz_sim_current(sim, cpu);

	if (player->woken_ns == FZ_NEVER_NS)
		return;
	fz_histogram_add(&sim->result->wake_ns[player->task->class],
			 sim->now_ns - player->woken_ns);
	if (sim->observer.woken)
		sim->observer.woken(sim->observer.state,
				    fz_sim_index_of(sim, cpu), cpu->current,
				    player->woken_ns, sim->now_ns);
	player->woken_ns = FZ_NEVER_NS;
}

static enum next run(struct fz_sim *sim, struct fz_sim_cpu *cpu)
{
	struct fz_sim_player *player = fz_sim_current(sim, cpu);

	/* Somebody else won while it was switched to. */
	if (cpu->resched || (cpu->lazy && !fz_sim_player_in_kernel(player)))
		return NEXT_PICK;
	cpu->state = FZ_SIM_CPU_RUNS;
	cpu->turn_ns = sim->now_ns;
	player->place_ns = sim->now_ns;
	count_latency(sim, cpu);
	arm_slice(sim, cpu);
	if (!player->has_work)
		return NEXT_GO_ON;
	fz_sim_begin_segment(sim, cpu);
	return NEXT_NOTHING;
}

static enum next leave(struct fz_sim *sim, struct fz_sim_cpu *cpu, bool ends)
{
	sim->awaited -= ends && !fz_sim_current(sim, cpu)->task->background;
	cpu->current = FZ_NO_TASK;
	return NEXT_PICK;
}

static enum next go_on(struct fz_sim *sim, struct fz_sim_cpu *cpu)
{
	switch (fz_sim_player_next(sim, cpu->current)) {
	case FZ_SIM_MOVE_WORKS:
		fz_sim_begin_segment(sim, cpu);
		return NEXT_NOTHING;
	case FZ_SIM_MOVE_RETURNS:
		return cpu->resched || cpu->lazy ? NEXT_PICK : NEXT_GO_ON;
	case FZ_SIM_MOVE_SLEEPS:
		return leave(sim, cpu, false);
	case FZ_SIM_MOVE_ENDS:
		break;
	}
	return leave(sim, cpu, true);
}

static enum next end_work(struct fz_sim *sim, struct fz_sim_cpu *cpu)
{
	switch (fz_sim_end_segment(sim, cpu)) {
	case FZ_SIM_SEGMENT_WORK_OVER:
		return NEXT_GO_ON;
	case FZ_SIM_SEGMENT_AT_PLACE:
		return NEXT_PICK;
	case FZ_SIM_SEGMENT_PART_OVER:
		break;
	}
	fz_sim_begin_segment(sim, cpu);
	return NEXT_NOTHING;
}

static void drive(struct fz_sim *sim, struct fz_sim_cpu *cpu, enum next next)
{
	while (next != NEXT_NOTHING && !sim->rc)
		switch (next) {
		case NEXT_PICK:
			next = pick(sim, cpu);
			break;
		case NEXT_RUN:
			next = run(sim, cpu);
			break;
		case NEXT_GO_ON:
			next = go_on(sim, cpu);
			break;
		case NEXT_NOTHING:
			break;
		}
}

/* The CPU is in an interrupt, and reschedules when it returns. */
static void interrupt(struct fz_sim *sim, struct fz_sim_cpu *cpu)
{
	fz_sim_stop_segment(sim, cpu);
	end_turn(sim, cpu);
	cpu->state = FZ_SIM_CPU_IRQ;
	if (sim->params->profile->irq_ns == 0) {
		drive(sim, cpu, NEXT_PICK);
		return;
	}
	fz_sim_do_now(sim, cpu, FZ_SIM_SPAN_SWITCH);
	fz_sim_event_in(sim, cpu, sim->params->profile->irq_ns);
}

/* The first tick that sees the flag, and then the first one that had enough. */
static void arm_warning(struct fz_sim *sim, const struct fz_sim_cpu *cpu)
{
	const unsigned int hz = sim->params->profile->hz;
	const uint64_t warn_ns = sim->params->warn_ns;

	if (warn_ns)
		fz_sim_event_add(
			sim, FZ_SIM_EVENT_WARN,
			fz_tick_after(
				hz, fz_ns_after(fz_tick_after(hz, sim->now_ns),
						warn_ns)),
			fz_sim_index_of(sim, cpu), cpu->pick);
}

static void set_resched(struct fz_sim *sim, struct fz_sim_cpu *cpu)
{
	if (cpu->resched)
		return;
	cpu->resched = true;
	arm_warning(sim, cpu);
	if (cpu->state == FZ_SIM_CPU_RUNS)
		fz_sim_aim_at_place(sim, cpu);
}

static void set_lazy(struct fz_sim *sim, struct fz_sim_cpu *cpu)
{
	if (cpu->lazy)
		return;
	cpu->lazy = true;
	fz_sim_event_add(sim, FZ_SIM_EVENT_PROMOTE,
			 fz_tick_after(sim->params->profile->hz, sim->now_ns),
			 fz_sim_index_of(sim, cpu), cpu->pick);
}

/* Somebody shall have the CPU instead of its current task. */
static void ask(struct fz_sim *sim, struct fz_sim_cpu *cpu, bool lazy)
{
	struct fz_sim_player *player = fz_sim_current(sim, cpu);
	const bool kernel = fz_sim_player_in_kernel(player);

	if (cpu->state == FZ_SIM_CPU_IRQ)
		return;
	if (cpu->state == FZ_SIM_CPU_RUNS &&
	    (!kernel ||
	     (!lazy && fz_sim_player_way(sim, player).at_irq_return)))
		interrupt(sim, cpu);
	else if (lazy)
		set_lazy(sim, cpu);
	else
		set_resched(sim, cpu);
}

static bool wins(struct fz_sim *sim, const struct fz_sim_cpu *cpu,
		 uint32_t task)
{
	const unsigned int priority = sim->waiters[task].priority;
	struct fz_sim_player *player = &sim->players[task];

	if (priority || sim->waiters[cpu->current].priority)
		return priority > sim->waiters[cpu->current].priority;
	return !player->fresh &&
	       fz_random_unit(&player->wins_random) < sim->params->wins;
}

void fz_sim_wake(struct fz_sim *sim, uint32_t task)
{
	struct fz_sim_player *player = &sim->players[task];
	struct fz_sim_cpu *cpu = &sim->cpus[player->task->cpu];
	struct fz_waiter *waiter = &sim->waiters[task];
	bool won = false;

	if (!player->fresh)
		player->woken_ns = sim->now_ns;
	player->slice_left_ns = sim->params->slice_ns;
	if (cpu->state != FZ_SIM_CPU_IDLE)
		won = wins(sim, cpu, task);
	player->fresh = false;
	waiter->winner = won && !waiter->priority;
	fz_run_queue_add_last(&cpu->queue, sim->waiters, task);
	if (cpu->state == FZ_SIM_CPU_IDLE)
		drive(sim, cpu, NEXT_PICK);
	else if (won)
		ask(sim, cpu, sim->way.fair_is_lazy && !waiter->priority);
	else
		arm_slice(sim, cpu);
}

void fz_sim_flow_over(struct fz_sim *sim, uint32_t cpu)
{
	drive(sim, &sim->cpus[cpu], end_work(sim, &sim->cpus[cpu]));
}

static void cpu_over(struct fz_sim *sim, struct fz_sim_cpu *cpu)
{
	enum next next = NEXT_NOTHING;

	switch (cpu->state) {
	case FZ_SIM_CPU_IRQ:
		next = NEXT_PICK;
		break;
	case FZ_SIM_CPU_SWITCH:
		next = NEXT_RUN;
		break;
	case FZ_SIM_CPU_RUNS:
		next = end_work(sim, cpu);
		break;
	case FZ_SIM_CPU_IDLE:
		break;
	}
	drive(sim, cpu, next);
}

static void slice_over(struct fz_sim *sim, struct fz_sim_cpu *cpu)
{
	cpu->slice_armed = false;
	if (cpu->state == FZ_SIM_CPU_RUNS && fz_run_queue_has_fair(&cpu->queue))
		ask(sim, cpu, sim->way.fair_is_lazy);
}

void fz_sim_cpu_event(struct fz_sim *sim, const struct fz_event *event)
{
	struct fz_sim_cpu *cpu = &sim->cpus[event->subject];

	if (event->stamp !=
	    (event->kind == FZ_SIM_EVENT_CPU ? cpu->segment : cpu->pick))
		return;
	switch (event->kind) {
	case FZ_SIM_EVENT_CPU:
		cpu_over(sim, cpu);
		break;
	case FZ_SIM_EVENT_PROMOTE:
		ask(sim, cpu, false);
		break;
	case FZ_SIM_EVENT_SLICE:
		slice_over(sim, cpu);
		break;
	case FZ_SIM_EVENT_WARN:
		sim->result->warnings++;
		break;
	}
}

void fz_sim_cpu_init(struct fz_sim *sim, uint32_t cpu)
{
	const uint64_t node =
		(uint64_t)cpu * sim->bus.nr_nodes / sim->params->nr_cpus;

	sim->cpus[cpu] = (struct fz_sim_cpu){
		.current = FZ_NO_TASK,
		.memory = sim->bus.nodes[node],
		.doing = FZ_SIM_IDLE,
		.doing_for = FZ_NO_TASK,
	};
	fz_run_queue_init(&sim->cpus[cpu].queue);
}
