/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The program of a task, piece by piece. */
#ifndef FZ_SIM_PLAYER_H
#define FZ_SIM_PLAYER_H

#include <stdbool.h>
#include <stdint.h>

#include "sim_state.h"

/**
 * enum fz_sim_move - what a task does next
 * @FZ_SIM_MOVE_WORKS: it has work
 * @FZ_SIM_MOVE_RETURNS: it returns to user mode
 * @FZ_SIM_MOVE_SLEEPS: until an event that is in the queue
 * @FZ_SIM_MOVE_ENDS: for ever
 */
enum fz_sim_move {
	FZ_SIM_MOVE_WORKS,
	FZ_SIM_MOVE_RETURNS,
	FZ_SIM_MOVE_SLEEPS,
	FZ_SIM_MOVE_ENDS,
};

/**
 * fz_sim_player_init() - a task that has not begun
 * @sim: the simulation
 * @index: of the task
 */
void fz_sim_player_init(struct fz_sim *sim, uint32_t index);

/**
 * fz_sim_player_next() - go on in the program
 * @sim: the simulation
 * @index: of a task without work
 *
 * Return: what it does.
 */
enum fz_sim_move fz_sim_player_next(struct fz_sim *sim, uint32_t index);

/**
 * fz_sim_player_in_kernel() - is it in the kernel, or was when it stopped?
 * @player: the task
 *
 * Return: true between the beginning and the end of a fault.
 */
bool fz_sim_player_in_kernel(const struct fz_sim_player *player);

/**
 * fz_sim_player_is_zeroing() - is it in the part of a fault that zeroes?
 * @player: the task
 *
 * Return: true from the entry of the fault to its end.
 */
bool fz_sim_player_is_zeroing(const struct fz_sim_player *player);

/**
 * fz_sim_player_way() - how it gives way in the kernel
 * @sim: the simulation
 * @player: in the kernel
 *
 * Return: what it would do at points and interrupts now.
 */
struct fz_give_way fz_sim_player_way(const struct fz_sim *sim,
				     const struct fz_sim_player *player);

/**
 * fz_sim_player_passed() - it went on in its work
 * @sim: the simulation
 * @player: in a fault
 * @began_ns: since when
 * @until_ns: to there, of the work alone; done_ns is where it was
 *
 * Where kernel code reschedules at points, stretches between those that it came
 * by are counted, as if all of the way took its mean speed.
 */
void fz_sim_player_passed(struct fz_sim *sim, struct fz_sim_player *player,
			  uint64_t began_ns, double until_ns);

/**
 * fz_sim_player_stretch() - it has come to a place to reschedule
 * @sim: the simulation
 * @player: in a fault
 * @now_ns: when
 */
void fz_sim_player_stretch(struct fz_sim *sim, struct fz_sim_player *player,
			   uint64_t now_ns);

#endif
