// SPDX-License-Identifier: GPL-2.0-or-later
/* Turns the phases of a program into work. */
#include "sim_player.h"

#include <errno.h>
#include <math.h>

#include <fz/folio.h>

#define NS_PER_S 1e9

/* Streams of random numbers that a task has. */
enum {
	STREAM_PAGE,
	STREAM_SLEEP,
	STREAM_WINS,
	NR_STREAMS
};

static struct fz_random stream(const struct fz_sim *sim, uint32_t index,
			       unsigned int which)
{
	return fz_random_begin(sim->params->seed,
			       (uint64_t)index * NR_STREAMS + which);
}

void fz_sim_player_init(struct fz_sim *sim, uint32_t index)
{
	const struct fz_sim_task *task = &sim->params->tasks[index];

	sim->players[index] = (struct fz_sim_player){
		.task = task,
		.page_random = stream(sim, index, STREAM_PAGE),
		.sleep_random = stream(sim, index, STREAM_SLEEP),
		.wins_random = stream(sim, index, STREAM_WINS),
		.woken_ns = FZ_NEVER_NS,
		.fresh = true,
	};
	sim->waiters[index].priority =
		task->class == FZ_SIM_RT ? task->priority : 0;
	sim->awaited += !task->background;
	fz_sim_event_add(sim, FZ_SIM_EVENT_WAKE, task->start_ns, index, 0);
}

bool fz_sim_player_in_kernel(const struct fz_sim_player *player)
{
	return player->zeroing != NULL;
}

bool fz_sim_player_is_zeroing(const struct fz_sim_player *player)
{
	return player->zeroing && player->next_work > 0;
}

struct fz_give_way fz_sim_player_way(const struct fz_sim *sim,
				     const struct fz_sim_player *player)
{
	return fz_sim_player_is_zeroing(player) ? sim->zero_way : sim->way;
}

static void set_work(struct fz_sim_player *player, enum fz_sim_span span,
		     struct fz_work work)
{
	player->has_work = true;
	player->work = work;
	player->done_ns = 0;
	player->begun = false;
	player->span = span;
}

void fz_sim_player_stretch(struct fz_sim *sim, struct fz_sim_player *player,
			   uint64_t now_ns)
{
	const uint64_t ns = now_ns - player->place_ns;

	/* Where any interrupt's return is a place there are no stretches. */
	if (fz_sim_player_way(sim, player).at_irq_return)
		return;
	if (ns > sim->result->longest_stretch_ns)
		sim->result->longest_stretch_ns = ns;
	player->place_ns = now_ns;
}

/* The longest of the stretches between places of this work. */
static void stretches_between(struct fz_sim *sim,
			      const struct fz_places *places, double first,
			      double last, double ns_per_ns)
{
	const double second = fz_place_after(places, first);
	double longest = 0;

	if (second <= last)
		longest = second - first;
	if (fz_place_after(places, second) <= last)
		longest = fmax(longest, places->step_ns);
	longest *= ns_per_ns;
	if (longest > (double)sim->result->longest_stretch_ns)
		sim->result->longest_stretch_ns = (uint64_t)longest;
}

void fz_sim_player_passed(struct fz_sim *sim, struct fz_sim_player *player,
			  uint64_t began_ns, double until_ns)
{
	const struct fz_places *places = &player->work.places;
	const double done_ns = player->done_ns;
	const double first =
		fz_place_after(places, player->begun ? done_ns : -1);
	const double last = fz_place_by(places, until_ns);
	double ns_per_ns;

	if (first > last || !sim->zero_way.at_points)
		return;
	ns_per_ns = until_ns > done_ns ? (double)(sim->now_ns - began_ns) /
						 (until_ns - done_ns)
				       : 0;
	fz_sim_player_stretch(
		sim, player,
		began_ns + (uint64_t)((first - done_ns) * ns_per_ns));
	stretches_between(sim, places, first, last, ns_per_ns);
	player->place_ns = began_ns + (uint64_t)((last - done_ns) * ns_per_ns);
}

static uint64_t fault_page(struct fz_sim_player *player,
			   const struct fz_sim_phase *phase)
{
	if (phase->fault_page != FZ_SIM_RANDOM_PAGE)
		return phase->fault_page;
	return fz_random_below(&player->page_random,
			       phase->bytes / FZ_PAGE_BYTES);
}

static enum fz_sim_move begin_fault(struct fz_sim *sim,
				    struct fz_sim_player *player,
				    const struct fz_sim_phase *phase)
{
	sim->rc =
		fz_zero_cache_get(&sim->zero, phase->bytes / FZ_PAGE_BYTES,
				  fault_page(player, phase), &player->zeroing);
	if (sim->rc)
		return FZ_SIM_MOVE_ENDS;
	player->next_work = 0;
	player->zeroed_bytes = 0;
	player->fault_ns = sim->now_ns;
	player->place_ns = sim->now_ns;
	set_work(player, FZ_SIM_SPAN_ENTRY,
		 fz_work_on_cpu(sim->params->profile->fault_ns +
				player->zeroing->works.drain_ns));
	return FZ_SIM_MOVE_WORKS;
}

static enum fz_sim_move end_fault(struct fz_sim *sim, uint32_t index)
{
	struct fz_sim_player *player = &sim->players[index];
	struct fz_sim_result *result = sim->result;

	fz_sim_player_stretch(sim, player, sim->now_ns);
	result->faults++;
	result->bytes_zeroed += player->zeroed_bytes;
	fz_histogram_add(&result->fault_ns, sim->now_ns - player->fault_ns);
	if (sim->observer.fault)
		sim->observer.fault(sim->observer.state, player->task->cpu,
				    index, player->fault_ns, sim->now_ns);
	player->left = player->zeroing->left;
	fz_zero_cache_put(player->zeroing);
	player->zeroing = NULL;
	return FZ_SIM_MOVE_RETURNS;
}

static enum fz_sim_move go_on_zeroing(struct fz_sim *sim, uint32_t index)
{
	struct fz_sim_player *player = &sim->players[index];
	const struct fz_zeroing *zeroing = player->zeroing;
	const struct fz_work *work;

	if (player->next_work == zeroing->works.nr)
		return end_fault(sim, index);
	if (player->next_work == 0) {
		sim->result->illegal_sleeps += zeroing->illegal_sleeps;
		sim->result->conditional |= zeroing->conditional;
		/* Up to here it could be preempted, if it can at all. */
		if (sim->way.at_irq_return)
			player->place_ns = sim->now_ns;
	}
	work = &zeroing->works.work[player->next_work++];
	player->zeroed_bytes += work->bytes;
	set_work(player, FZ_SIM_SPAN_ZERO, *work);
	return FZ_SIM_MOVE_WORKS;
}

/* What the caches still have comes first, and not over the bus. */
static enum fz_sim_move begin_access(struct fz_sim *sim,
				     struct fz_sim_player *player,
				     const struct fz_sim_phase *phase)
{
	const double bytes_per_ns =
		sim->params->profile->memory.read_bps / NS_PER_S;
	const double bytes = (double)phase->bytes;
	const double cached = fmin(bytes, player->left.bytes);
	struct fz_work work = fz_work_on_cpu(cached * player->left.ns_per_byte);

	work.part[1] = (struct fz_work_part){ (bytes - cached) / bytes_per_ns,
					      bytes_per_ns, sim->read_class };
	player->left.bytes -= cached;
	set_work(player, FZ_SIM_SPAN_ACCESS, work);
	return FZ_SIM_MOVE_WORKS;
}

/* Inverse transform: 1 - u is never 0. */
static uint64_t draw_exponential(struct fz_random *random, uint64_t mean_ns)
{
	const double ns = -(double)mean_ns * log1p(-fz_random_unit(random));

	return ns < 0x1p63 ? (uint64_t)ns : FZ_NEVER_NS;
}

static uint64_t next_multiple(uint64_t now_ns, uint64_t start_ns,
			      uint64_t period_ns)
{
	const uint64_t since_ns = now_ns - start_ns;

	return fz_ns_after(now_ns, period_ns - since_ns % period_ns);
}

static enum fz_sim_move sleep_until(struct fz_sim *sim, uint32_t index,
				    uint64_t ns)
{
	fz_sim_event_add(sim, FZ_SIM_EVENT_WAKE, ns, index, 0);
	return FZ_SIM_MOVE_SLEEPS;
}

static enum fz_sim_move begin_phase(struct fz_sim *sim, uint32_t index,
				    const struct fz_sim_phase *phase)
{
	struct fz_sim_player *player = &sim->players[index];
	const uint64_t now_ns = sim->now_ns;

	switch (phase->op) {
	case FZ_SIM_FAULT:
		return begin_fault(sim, player, phase);
	case FZ_SIM_ACCESS:
		return begin_access(sim, player, phase);
	case FZ_SIM_COMPUTE:
		set_work(player, FZ_SIM_SPAN_COMPUTE,
			 fz_work_on_cpu((double)phase->ns));
		return FZ_SIM_MOVE_WORKS;
	case FZ_SIM_SLEEP:
		return sleep_until(sim, index, fz_ns_after(now_ns, phase->ns));
	case FZ_SIM_SLEEP_POISSON:
		return sleep_until(
			sim, index,
			fz_ns_after(now_ns,
				    draw_exponential(&player->sleep_random,
						     phase->ns)));
	case FZ_SIM_SLEEP_UNTIL:
		return phase->ns > now_ns ? sleep_until(sim, index, phase->ns)
					  : FZ_SIM_MOVE_RETURNS;
	case FZ_SIM_SLEEP_PERIOD:
		break;
	}
	return sleep_until(
		sim, index,
		next_multiple(now_ns, player->task->start_ns, phase->ns));
}

enum fz_sim_move fz_sim_player_next(struct fz_sim *sim, uint32_t index)
{
	struct fz_sim_player *player = &sim->players[index];
	const struct fz_sim_task *task = player->task;

	if (player->zeroing)
		return go_on_zeroing(sim, index);
	if (player->phase == task->nr_phases) {
		player->phase = 0;
		if (++player->loops == task->loops)
			return FZ_SIM_MOVE_ENDS;
	}
	return begin_phase(sim, index, &task->phases[player->phase++]);
}
