// SPDX-License-Identifier: GPL-2.0-or-later
/* Work of a CPU between two events: on the CPU alone, or a flow. */
#include "sim_segment.h"

#include <math.h>

#include "sim_player.h"

/* Times in ns, from now, are whole: rounded up, but for what rounding adds. */
static uint64_t in_ns(const struct fz_sim *sim, double ns)
{
	const double whole = ceil(ns - FZ_FLUID_ROUNDING);

	return whole < 0x1p63 ? fz_ns_after(sim->now_ns, (uint64_t)whole)
			      : FZ_NEVER_NS;
}

void fz_sim_event_in(struct fz_sim *sim, struct fz_sim_cpu *cpu, double ns)
{
	fz_sim_event_add(sim, FZ_SIM_EVENT_CPU, in_ns(sim, ns),
			 fz_sim_index_of(sim, cpu), cpu->segment);
}

void fz_sim_settle(struct fz_sim *sim, struct fz_sim_cpu *cpu)
{
	if (cpu->since_ns == sim->now_ns)
		return;
	sim->doing_ns[cpu->doing] += sim->now_ns - cpu->since_ns;
	if (sim->observer.span && cpu->doing != FZ_SIM_IDLE)
		sim->observer.span(sim->observer.state,
				   fz_sim_index_of(sim, cpu), cpu->doing_for,
				   (enum fz_sim_span)cpu->doing, cpu->since_ns,
				   sim->now_ns);
	cpu->since_ns = sim->now_ns;
}

void fz_sim_do_now(struct fz_sim *sim, struct fz_sim_cpu *cpu,
		   unsigned int what)
{
	if (cpu->doing == what && cpu->doing_for == cpu->current)
		return;
	fz_sim_settle(sim, cpu);
	cpu->doing = what;
	cpu->doing_for = cpu->current;
}

/* How far the work gets before something has to be decided. */
static double segment_end(struct fz_sim *sim, const struct fz_sim_cpu *cpu,
			  const struct fz_sim_player *player, double part_end)
{
	double place;

	if (!cpu->resched || !fz_sim_player_way(sim, player).at_points)
		return part_end;
	place = fz_place_after(&player->work.places,
			       player->begun ? player->done_ns : -1);
	return fmin(place, part_end);
}

void fz_sim_begin_segment(struct fz_sim *sim, struct fz_sim_cpu *cpu)
{
	struct fz_sim_player *player = fz_sim_current(sim, cpu);
	const struct fz_work_part *part;
	double end, ns;
	int rc = 0;

	part = fz_work_part_at(&player->work, player->done_ns, &end);
	cpu->until_ns = segment_end(sim, cpu, player, end);
	cpu->began_ns = sim->now_ns;
	ns = cpu->until_ns - player->done_ns;
	cpu->is_flow = part->class != FZ_ON_CPU && ns > 0;
	fz_sim_do_now(sim, cpu, player->span);
	if (cpu->is_flow)
		rc = fz_fluid_begin(cpu->memory, sim->now_ns, part->class,
				    ns * part->bytes_per_ns,
				    fz_sim_index_of(sim, cpu), &cpu->flow);
	else
		fz_sim_event_in(sim, cpu, ns);
	/* An event that there was no memory for may have failed before. */
	if (rc)
		sim->rc = rc;
}

enum fz_sim_segment_end fz_sim_end_segment(struct fz_sim *sim,
					   struct fz_sim_cpu *cpu)
{
	struct fz_sim_player *player = fz_sim_current(sim, cpu);
	const double first_end = player->work.part[0].ns;

	cpu->segment++;
	if (fz_sim_player_in_kernel(player))
		fz_sim_player_passed(sim, player, cpu->began_ns, cpu->until_ns);
	player->done_ns = cpu->until_ns;
	player->begun = true;
	if (player->done_ns >= fz_work_ns(&player->work)) {
		player->has_work = false;
		return FZ_SIM_SEGMENT_WORK_OVER;
	}
	return player->done_ns == first_end ? FZ_SIM_SEGMENT_PART_OVER
					    : FZ_SIM_SEGMENT_AT_PLACE;
}

/* Stop in the middle of a segment. */
void fz_sim_stop_segment(struct fz_sim *sim, struct fz_sim_cpu *cpu)
{
	struct fz_sim_player *player = fz_sim_current(sim, cpu);
	double ns = (double)(sim->now_ns - cpu->began_ns), end;
	const struct fz_work_part *part =
		fz_work_part_at(&player->work, player->done_ns, &end);

	cpu->segment++;
	if (cpu->is_flow)
		ns = fz_fluid_stop(cpu->memory, sim->now_ns, cpu->flow) /
		     part->bytes_per_ns;
	player->done_ns = fmin(player->done_ns + ns, cpu->until_ns);
	player->begun = true;
	if (player->done_ns >= fz_work_ns(&player->work)) {
		player->has_work = false;
	} else if (player->work.kind && player->done_ns > 0) {
		player->work =
			fz_zero_work_rest(&player->work, player->done_ns);
		player->done_ns = 0;
	}
}

/* The next place is nearer than the end of the segment. */
void fz_sim_aim_at_place(struct fz_sim *sim, struct fz_sim_cpu *cpu)
{
	const struct fz_sim_player *player = fz_sim_current(sim, cpu);
	const struct fz_work_part *part;
	double ns, end;

	if (!cpu->is_flow || !fz_sim_player_way(sim, player).at_points)
		return;
	part = fz_work_part_at(&player->work, player->done_ns, &end);
	ns = fz_fluid_moved(cpu->memory, sim->now_ns, cpu->flow) /
	     part->bytes_per_ns;
	end = fz_place_after(&player->work.places, player->done_ns + ns);
	if (end >= cpu->until_ns)
		return;
	cpu->until_ns = end;
	fz_fluid_retarget(cpu->memory, sim->now_ns, cpu->flow,
			  (end - player->done_ns) * part->bytes_per_ns);
}
