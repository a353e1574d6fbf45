/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The round: the one measuring loop that all engines share. */
#ifndef FZ_ROUND_H
#define FZ_ROUND_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <fz/arena.h>
#include <fz/clock.h>
#include <fz/err.h>
#include <fz/hooks.h>
#include <fz/plan_cache.h>
#include <fz/recorder.h>
#include <fz/row.h>

/**
 * DOC: the round
 *
 * 1. Dirty the whole buffer with non-zero bytes.
 * 2. Let the engine prepare: `kernel` gives all pages back and maps anew.
 * 3. For every folio in ascending order, once: get its plan (not timed), read
 *    the clock, zero it, read the clock, use it (timed apart).
 * 4. With FZ_USE_PHASE: read the whole buffer, timed.
 * 5. Turn the readings into samples.
 *
 * With threads each worker of the team does this with a buffer of its own, and
 * all begin a step when all have ended the one before it.
 *
 * Zeroing through the cache pushes out what dirtying left there, so that a
 * folio's own dirtying is gone when its turn comes, as long as the buffer is
 * several times the last-level cache. Streaming stores push nothing out: the
 * last part of the buffer, at most the size of the cache, is still dirty in it
 * then, which is to the disadvantage of streaming.
 */

/* More threads than this are refused. */
#define FZ_MAX_THREADS 1024u

/* The reason of rows that a signal cut short. */
#define FZ_STOPPED "stopped by a signal"

struct fz_counters;
struct fz_team;
struct fz_wake_watch;

/**
 * struct fz_bench - what rounds need besides a row; for one thread
 * @hooks: the world
 * @clock: rate of its ticks
 * @arena: where cache and recorder live
 * @plans: plan cache
 * @recorder: readings
 * @samples: of the round that is being measured
 * @threads: [FZ_MAX_THREADS], of the round measured last; NULL in the benches
 *	of a team
 * @team: for rows with threads; not owned; NULL = there are none
 * @watch: who is woken meanwhile; not owned; NULL = nobody
 * @counters: of the thread, see fz_bench_count(); owned; NULL = none
 * @seed: random faulting pages and the order of rows come from it
 * @stop: set by a signal handler, read by all threads; NULL = never
 */
struct fz_bench {
	const struct fz_hooks *hooks;
	struct fz_clock clock;
	struct fz_arena *arena;
	struct fz_plan_cache *plans;
	struct fz_recorder recorder;
	struct fz_samples *samples;
	struct fz_round_thread *threads;
	struct fz_team *team;
	struct fz_wake_watch *watch;
	struct fz_counters *counters;
	uint64_t seed;
	const atomic_int *stop;
};

/**
 * fz_bench_open() - calibrate the clock and set up arena, cache and recorder
 * @bench: written on success
 * @hooks: the world; must outlive it
 * @seed: random seed
 * @max_folio_pages: pages of the largest folio: each may be a resched point
 * @err: message on failure
 *
 * Return: 0 or -ENOMEM.
 */
int fz_bench_open(struct fz_bench *bench, const struct fz_hooks *hooks,
		  uint64_t seed, uint64_t max_folio_pages, struct fz_err *err);

/**
 * fz_bench_open_like() - the same for one of many threads, with less memory
 * @bench: written on success
 * @lead: hooks, clock, seed and stop flag come from it
 * @max_folio_pages: as fz_bench_open()
 * @err: message on failure
 *
 * Return: 0 or -ENOMEM.
 */
int fz_bench_open_like(struct fz_bench *bench, const struct fz_bench *lead,
		       uint64_t max_folio_pages, struct fz_err *err);

/**
 * fz_bench_like_bytes() - memory that fz_bench_open_like() takes
 * @max_folio_pages: as fz_bench_open()
 *
 * Return: bytes, about.
 */
uint64_t fz_bench_like_bytes(uint64_t max_folio_pages);

/**
 * fz_bench_close() - free it all
 * @bench: the bench
 */
void fz_bench_close(struct fz_bench *bench);

/**
 * struct fz_round_result - one round of one row
 * @seconds: sum of the timed sections; with threads from the first start to the
 *	last end
 * @use_seconds: reading the buffers afterwards, from the first start to the
 *	last end; 0 = they were not read
 * @threads: [fz_row_nr_buffers()]; valid until the next round of the bench
 * @points: acting resched points
 * @conditional: some plan was, see struct fz_plan
 * @noise: what disturbed it; steal time is the machine's, the rest is summed
 *	over the threads
 * @counts: of the bench's counters, summed over the threads
 */
struct fz_round_result {
	double seconds;
	double use_seconds;
	const struct fz_round_thread *threads;
	uint64_t points;
	bool conditional;
	struct fz_noise noise;
	struct fz_counts counts;
};

/**
 * fz_round_run() - one round of one row
 * @bench: the bench
 * @config: the row
 * @buffers: [fz_row_nr_buffers()] its memory
 * @round: number of the round: with the seed it decides random faulting pages
 * @samples: added to; NULL for a warm-up round
 * @result: written on success
 * @err: message on failure
 *
 * Return: 0; -EINTR if stop was set meanwhile; -ENOMEM (pages were lost or came
 * smaller than asked for, or no memory for a plan); -EINVAL (a plan that
 * leaves its folio).
 */
int fz_round_run(struct fz_bench *bench, const struct fz_row_config *config,
		 struct fz_buffer *const *buffers, uint64_t round,
		 struct fz_samples *samples, struct fz_round_result *result,
		 struct fz_err *err);

/**
 * fz_row_keep() - add a round to a row
 * @row: begun, and not full
 * @result: the round
 */
void fz_row_keep(struct fz_row *row, const struct fz_round_result *result);

/**
 * struct fz_round_part - which folios of which round
 * @first: index of the first folio in the buffer
 * @nr: how many
 * @in_place: zero the first folio @nr times, so that it stays in a cache
 * @round: number of the round: with the seed it decides random faulting pages
 * @thread: which of the row's buffers
 */
struct fz_round_part {
	uint64_t first;
	uint64_t nr;
	bool in_place;
	uint64_t round;
	unsigned int thread;
};

/**
 * fz_round_zero() - steps 3 to 5 of a round, for some folios of one buffer
 * @bench: the bench
 * @config: the row
 * @buffer: its memory
 * @part: which folios
 * @samples: added to; NULL throws the readings away
 * @result: written on success
 * @err: message on failure
 *
 * Return: as fz_round_run().
 */
int fz_round_zero(struct fz_bench *bench, const struct fz_row_config *config,
		  struct fz_buffer *buffer, struct fz_round_part part,
		  struct fz_samples *samples, struct fz_round_result *result,
		  struct fz_err *err);

/**
 * fz_round_fault_page() - the faulting page of a folio
 * @config: the row
 * @seed: random seed
 * @round: number of the round
 * @thread: which of the row's buffers
 * @folio: index of the folio in its buffer
 *
 * Return: a page index in the folio; 0 for FZ_FAULT_NONE.
 */
uint64_t fz_round_fault_page(const struct fz_row_config *config, uint64_t seed,
			     uint64_t round, unsigned int thread,
			     uint64_t folio);

#endif
