/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a CPU does between two events. */
#ifndef FZ_SIM_SEGMENT_H
#define FZ_SIM_SEGMENT_H

#include <stdint.h>

#include "sim_state.h"

/**
 * DOC: segments
 *
 * The current task of a CPU goes on in its work until the end of a part, or
 * until the next place if a reschedule is due. That is one segment. While it
 * lasts, a reschedule that becomes due can end it earlier (aim), and an
 * interrupt can stop it anywhere.
 */

/**
 * fz_sim_current() - the task of a CPU
 * @sim: the simulation
 * @cpu: not idle
 *
 * Return: the task.
 */
static inline struct fz_sim_player *fz_sim_current(struct fz_sim *sim,
						   const struct fz_sim_cpu *cpu)
{
	return &sim->players[cpu->current];
}

/**
 * fz_sim_index_of() - the number of a CPU
 * @sim: the simulation
 * @cpu: the CPU
 *
 * Return: its index.
 */
static inline uint32_t fz_sim_index_of(const struct fz_sim *sim,
				       const struct fz_sim_cpu *cpu)
{
	return (uint32_t)(cpu - sim->cpus);
}

/**
 * fz_sim_event_in() - an FZ_SIM_EVENT_CPU
 * @sim: the simulation
 * @cpu: whose
 * @ns: from now; rounded up to whole ns, but for what rounding adds
 */
void fz_sim_event_in(struct fz_sim *sim, struct fz_sim_cpu *cpu, double ns);

/**
 * fz_sim_settle() - count what a CPU has been doing until now
 * @sim: the simulation
 * @cpu: the CPU
 */
void fz_sim_settle(struct fz_sim *sim, struct fz_sim_cpu *cpu);

/**
 * fz_sim_do_now() - a CPU does something from now on
 * @sim: the simulation
 * @cpu: the CPU
 * @what: enum fz_sim_span or FZ_SIM_IDLE
 */
void fz_sim_do_now(struct fz_sim *sim, struct fz_sim_cpu *cpu,
		   unsigned int what);

/**
 * fz_sim_begin_segment() - the current task goes on in its work
 * @sim: the simulation; rc is set without memory
 * @cpu: whose task has work
 */
void fz_sim_begin_segment(struct fz_sim *sim, struct fz_sim_cpu *cpu);

/**
 * enum fz_sim_segment_end - where a segment ended
 * @FZ_SIM_SEGMENT_WORK_OVER: at the end of all work
 * @FZ_SIM_SEGMENT_PART_OVER: at the end of a part
 * @FZ_SIM_SEGMENT_AT_PLACE: at a place, where a reschedule was due
 */
enum fz_sim_segment_end {
	FZ_SIM_SEGMENT_WORK_OVER,
	FZ_SIM_SEGMENT_PART_OVER,
	FZ_SIM_SEGMENT_AT_PLACE,
};

/**
 * fz_sim_end_segment() - it has come to its end
 * @sim: the simulation
 * @cpu: whose
 *
 * Return: where that is.
 */
enum fz_sim_segment_end fz_sim_end_segment(struct fz_sim *sim,
					   struct fz_sim_cpu *cpu);

/**
 * fz_sim_stop_segment() - it stops now, in the middle
 * @sim: the simulation
 * @cpu: whose task keeps what is left of its work
 */
void fz_sim_stop_segment(struct fz_sim *sim, struct fz_sim_cpu *cpu);

/**
 * fz_sim_aim_at_place() - a reschedule is due
 * @sim: the simulation
 * @cpu: its segment ends at the next place, if that is nearer
 */
void fz_sim_aim_at_place(struct fz_sim *sim, struct fz_sim_cpu *cpu);

#endif
