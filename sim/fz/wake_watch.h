/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads that are woken while rows are measured, and how late they were. */
#ifndef FZ_WAKE_WATCH_H
#define FZ_WAKE_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fz/err.h>
#include <fz/hooks.h>
#include <fz/row.h>
#include <fz/stretches.h>
#include <fz/waker.h>

/**
 * struct fz_wake_source - one waker, and what its wake-ups take anyway
 * @waker: the thread; NULL = there is none
 * @kind: what it is
 * @interval_ns: mean time between wake-ups
 * @busy: latency while the thread that zeroes does what anybody may interrupt:
 *	it computes in user mode, or, for a flag, looks at the flag
 * @has_idle: @idle was measured
 * @idle: latency while that thread's CPU sleeps
 */
struct fz_wake_source {
	struct fz_waker *waker;
	enum fz_waker_kind kind;
	uint64_t interval_ns;
	struct fz_wakeup busy;
	bool has_idle;
	struct fz_wakeup idle;
};

/**
 * struct fz_wake_watch - who is woken, and when folios were zeroed
 * @timer: on the CPU of the thread that zeroes, for rows whose folios the
 *	kernel zeroes
 * @flag: on another CPU, for rows with resched points in user space
 * @running: the waker of the round; NULL = nobody is woken
 * @spans: [nr_spans] when folios of the round were zeroed
 * @nr_spans: folios so far
 * @max_spans: room in @spans
 */
struct fz_wake_watch {
	struct fz_wake_source timer;
	struct fz_wake_source flag;
	struct fz_waker *running;
	struct fz_tick_span *spans;
	size_t nr_spans;
	size_t max_spans;
};

/**
 * struct fz_wake_watch_params - a watch to open
 * @kind: of the timer: FIFO or FAIR
 * @interval_ns: as struct fz_waker_params
 * @cpu: of the thread that zeroes
 * @has_flag_cpu: there is another CPU
 * @flag_cpu: the other CPU
 * @max_folios: most folios of a round
 * @seed: of the run
 * @clock: rate of the ticks
 */
struct fz_wake_watch_params {
	enum fz_waker_kind kind;
	uint64_t interval_ns;
	unsigned int cpu;
	bool has_flag_cpu;
	unsigned int flag_cpu;
	size_t max_folios;
	uint64_t seed;
	struct fz_clock clock;
};

/**
 * fz_wake_watch_open() - start the wakers and measure their baselines
 * @watch: written on success
 * @hooks: the world; must outlive the watch
 * @params: what to open
 * @err: message on failure
 *
 * To be called by the thread that will zero, on its CPU. Takes about a second.
 *
 * Return: as fz_waker_open().
 */
int fz_wake_watch_open(struct fz_wake_watch *watch,
		       const struct fz_hooks *hooks,
		       const struct fz_wake_watch_params *params,
		       struct fz_err *err);

/**
 * fz_wake_watch_close() - end the wakers; what was measured stays
 * @watch: the watch
 */
void fz_wake_watch_close(struct fz_wake_watch *watch);

/**
 * fz_wake_watch_source() - who is woken while a row is measured
 * @watch: the watch
 * @config: the row
 *
 * Where the kernel zeroes, a task on the same CPU. Where a plan runs under a
 * model in which resched points act, the flag that stands for it. Elsewhere
 * nobody: the model says that no resched point is waited for.
 *
 * Return: the source, or NULL.
 */
struct fz_wake_source *fz_wake_watch_source(struct fz_wake_watch *watch,
					    const struct fz_row_config *config);

/**
 * fz_wake_watch_begin() - wake-ups from now on
 * @watch: the watch
 * @config: the row that is measured
 *
 * Return: the flag to look at while zeroing, or NULL.
 */
struct fz_resched_flag *fz_wake_watch_begin(struct fz_wake_watch *watch,
					    const struct fz_row_config *config);

/**
 * fz_wake_watch_span() - a folio was zeroed
 * @watch: the watch; NULL = nothing
 * @begin: clock before it
 * @end: clock after it
 */
void fz_wake_watch_span(struct fz_wake_watch *watch, uint64_t begin,
			uint64_t end);

/**
 * fz_wake_watch_end() - no more wake-ups
 * @watch: the watch
 *
 * Return: those since begin, valid until the next begin.
 */
struct fz_wakes fz_wake_watch_end(struct fz_wake_watch *watch);

/**
 * fz_row_is_interrupted() - did a timer take the CPU while it was measured?
 * @row: the row
 *
 * Its times hold the wake-ups. A flag only costs two stores.
 *
 * Return: true if so.
 */
bool fz_row_is_interrupted(const struct fz_row *row);

/**
 * fz_wakeup_of() - a distribution of latencies in four figures
 * @latency_ns: the latencies
 *
 * Return: the figures; all 0 if there are none.
 */
struct fz_wakeup fz_wakeup_of(const struct fz_histogram *latency_ns);

#endif
