/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks that others never let get on. */
#ifndef FZ_SIM_WATCH_H
#define FZ_SIM_WATCH_H

#include <stdint.h>

#include "sim_state.h"

/**
 * fz_sim_watch() - does nobody that the end waits for get on any more?
 * @sim: the simulation; called again and again, well below FZ_SIM_MAX_PICKS
 *	events apart
 *
 * Whoever sleeps gets on, and so does whose CPU is not given to others all the
 * time. Work that grows with each interrupt as fast as it is done does not.
 *
 * Return: one of those that do not, or FZ_NO_TASK.
 */
uint32_t fz_sim_watch(struct fz_sim *sim);

/* Choices of a task for a CPU, after which whoever waits there waits for ever.
 */
#define FZ_SIM_MAX_PICKS (1u << 18)

#endif
