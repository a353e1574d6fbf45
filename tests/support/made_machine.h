/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A machine whose prices are easy to work with. */
#ifndef FZ_MADE_MACHINE_H
#define FZ_MADE_MACHINE_H

#include <fz/profile.h>
#include <fz/simulate.h>

/*
 * One node, whose memory never is short. Its primitives: [0] stosb, 256 ns a
 * page, elided from 1 MiB on; [1] movnti, 128 ns a page. Faults, points,
 * switches and interrupts take no time, and 250 ticks a second.
 */
struct fz_profile made_machine(void);

/*
 * On that machine: one CPU, discontiguous-page, model none, user-fault, a slice
 * of 3 ms, seed 1, until all has ended.
 */
struct fz_sim_params made_params(const struct fz_profile *machine);

#endif
