/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A CPU: runs, is interrupted, switches. */
#ifndef FZ_SIM_CPU_H
#define FZ_SIM_CPU_H

#include <stdint.h>

#include "sim_state.h"

/**
 * fz_sim_cpu_init() - an idle CPU
 * @sim: the simulation
 * @cpu: its index
 */
void fz_sim_cpu_init(struct fz_sim *sim, uint32_t cpu);

/**
 * fz_sim_wake() - a task is woken, or begins
 * @sim: the simulation
 * @task: its index
 */
void fz_sim_wake(struct fz_sim *sim, uint32_t task);

/**
 * fz_sim_flow_over() - the flow of a CPU has ended
 * @sim: the simulation
 * @cpu: its index
 */
void fz_sim_flow_over(struct fz_sim *sim, uint32_t cpu);

/**
 * fz_sim_cpu_event() - FZ_SIM_EVENT_CPU, _PROMOTE, _SLICE or _WARN
 * @sim: the simulation
 * @event: the event, which may be out of date
 */
void fz_sim_cpu_event(struct fz_sim *sim, const struct fz_event *event);

#endif
