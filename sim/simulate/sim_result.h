/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The result of a simulation, as it grows. */
#ifndef FZ_SIM_RESULT_H
#define FZ_SIM_RESULT_H

#include "sim_state.h"

/**
 * fz_sim_result_init() - nothing has happened
 * @result: written
 */
void fz_sim_result_init(struct fz_sim_result *result);

/**
 * fz_sim_result_bin() - a bin of bandwidth is full, or the last one is over
 * @sim: the simulation; rc is set without memory
 */
void fz_sim_result_bin(struct fz_sim *sim);

/**
 * fz_sim_result_end() - it is over now
 * @sim: the simulation
 */
void fz_sim_result_end(struct fz_sim *sim);

#endif
