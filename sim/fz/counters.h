/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counters of the threads that zero. */
#ifndef FZ_COUNTERS_H
#define FZ_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>

#include <fz/counts.h>
#include <fz/err.h>
#include <fz/hooks.h>
#include <fz/perf_event.h>
#include <fz/perf_rights.h>

/**
 * DOC: counters
 *
 * They are opened once, run from then on, and are read twice a round: before
 * the first folio and after the last one, so never between two clock readings.
 *
 * Those of the PMU make one group, which the kernel counts at the same time,
 * or, if the CPU has too few counters for that, several that take turns;
 * software counters are a group of their own. Where the kernel's part may not
 * be counted, user mode is, and the counter says so.
 */

/**
 * struct fz_counter - what became of an event
 * @event: the event, as it is counted
 * @code: 0 = it is counted, else -errno of the thread that could not open it
 * @user_only: user mode alone is counted, for want of the right to more
 * @reason: with a code or @user_only: why
 */
struct fz_counter {
	struct fz_perf_event event;
	int code;
	bool user_only;
	char reason[128];
};

/**
 * struct fz_counter_list - the counters of a run
 * @counter: [nr]
 * @nr: their number
 * @read_ns: what reading all of them once takes a thread; 0 = none is counted
 */
struct fz_counter_list {
	struct fz_counter counter[FZ_MAX_COUNTERS];
	size_t nr;
	uint64_t read_ns;
};

/**
 * enum fz_counter_status - what there is of a counter in a row
 * @FZ_COUNTER_COUNTED: the value
 * @FZ_COUNTER_SCALED: a part of the time was counted, and stands for the rest
 * @FZ_COUNTER_UNSUPPORTED: nothing: there is no such counter, or it never ran
 * @FZ_COUNTER_DENIED: nothing: the right is missing
 */
enum fz_counter_status {
	FZ_COUNTER_COUNTED,
	FZ_COUNTER_SCALED,
	FZ_COUNTER_UNSUPPORTED,
	FZ_COUNTER_DENIED,
};

/**
 * fz_counter_status() - of a row
 * @counter: the counter
 * @count: what it counted
 *
 * Return: the status.
 */
enum fz_counter_status fz_counter_status(const struct fz_counter *counter,
					 const struct fz_count *count);

/**
 * fz_counter_status_name() - "counted" and so on
 * @status: a status
 *
 * Return: its name.
 */
const char *fz_counter_status_name(enum fz_counter_status status);

/**
 * fz_counter_mode() - which modes of the CPU are counted
 * @counter: the counter
 *
 * Return: "user+kernel", "user" or "kernel".
 */
const char *fz_counter_mode(const struct fz_counter *counter);

/**
 * fz_counter_explain() - say why, if anything is missing
 * @counter: its reason is written
 * @rights: what a refusal is explained with
 */
void fz_counter_explain(struct fz_counter *counter,
			const struct fz_perf_rights *rights);

/**
 * fz_counter_try() - can the calling thread count an event?
 * @hooks: the world
 * @event: the event
 * @rights: what a refusal is explained with
 *
 * It is opened and closed again.
 *
 * Return: what would become of it.
 */
struct fz_counter fz_counter_try(const struct fz_hooks *hooks,
				 const struct fz_perf_event *event,
				 const struct fz_perf_rights *rights);

struct fz_counters;

/**
 * fz_counters_open() - start counters of the calling thread
 * @out: written on success
 * @hooks: the world; must outlive them
 * @list: events; those with a code are left out; codes, user_only and read_ns
 *	are written
 * @err: message on failure
 *
 * Counters that cannot be had are no failure.
 *
 * Return: 0 or -ENOMEM.
 */
int fz_counters_open(struct fz_counters **out, const struct fz_hooks *hooks,
		     struct fz_counter_list *list, struct fz_err *err);

/**
 * fz_counters_close() - end them
 * @counters: may be NULL; any thread may do that
 */
void fz_counters_close(struct fz_counters *counters);

/**
 * fz_counters_begin() - count from here
 * @counters: the calling thread's; NULL = nothing
 */
void fz_counters_begin(struct fz_counters *counters);

/**
 * fz_counters_end() - count up to here
 * @counters: the calling thread's; NULL = nothing
 * @counts: since begin; written unless there are no counters
 */
void fz_counters_end(struct fz_counters *counters, struct fz_counts *counts);

struct fz_bench;

/**
 * fz_bench_count() - start the counters of all threads of a bench
 * @bench: gets them, or, if it has a team, each worker's bench; they are closed
 *	with it
 * @list: events; what became of them is written: of a counter that one thread
 *	cannot have there is no sum
 * @rights: what a refusal is explained with
 * @err: message on failure
 *
 * Return: 0 or -ENOMEM.
 */
int fz_bench_count(struct fz_bench *bench, struct fz_counter_list *list,
		   const struct fz_perf_rights *rights, struct fz_err *err);

#endif
