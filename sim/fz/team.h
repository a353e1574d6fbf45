/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Worker threads that take every step together. */
#ifndef FZ_TEAM_H
#define FZ_TEAM_H

#include <stdint.h>

#include <fz/err.h>
#include <fz/round.h>

struct fz_team;

/**
 * fz_team_open() - create workers, each pinned and with a bench of its own
 * @out: written on success
 * @lead: the bench that they share hooks, clock, seed and stop flag with; must
 *	outlive the team
 * @cpus: [@nr] CPU of each worker
 * @nr: workers, 1 to FZ_MAX_THREADS
 * @max_folio_pages: as fz_bench_open()
 * @err: message on failure
 *
 * Each worker opens its bench on its own CPU, so that what it touches first is
 * near. Signals are left to the calling thread.
 *
 * Return: 0; -ENOMEM; -EAGAIN (no more threads); what pinning gives.
 */
int fz_team_open(struct fz_team **out, const struct fz_bench *lead,
		 const unsigned int *cpus, unsigned int nr,
		 uint64_t max_folio_pages, struct fz_err *err);

/**
 * fz_team_close() - end the workers
 * @team: may be NULL
 */
void fz_team_close(struct fz_team *team);

/**
 * fz_team_bench() - a worker's own bench
 * @team: the team
 * @worker: below the number of workers
 *
 * Return: the bench, for that worker alone.
 */
struct fz_bench *fz_team_bench(struct fz_team *team, unsigned int worker);

/**
 * fz_team_size() - how many workers there are
 * @team: the team
 *
 * Return: at least 1.
 */
unsigned int fz_team_size(const struct fz_team *team);

/**
 * fz_team_run() - have workers take one step
 * @team: the team
 * @nr: the first @nr workers take it, the others sleep
 * @step: what they do
 * @arg: handed to it
 *
 * None begins before all of them are awake, unless they are more than their
 * CPUs. Returns when all have ended.
 */
void fz_team_run(struct fz_team *team, unsigned int nr,
		 void (*step)(void *arg, unsigned int worker), void *arg);

#endif
