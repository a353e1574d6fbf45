/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A simulation while it runs: what the files of the simulator share. */
#ifndef FZ_SIM_STATE_H
#define FZ_SIM_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fz/random.h>
#include <fz/simulate.h>

#include "bus.h"
#include "event_queue.h"
#include "give_way.h"
#include "kernel_tick.h"
#include "run_queue.h"
#include "work.h"
#include "zero_cache.h"

/* What CPUs do besides enum fz_sim_span. */
#define FZ_SIM_IDLE     (FZ_SIM_SPAN_SWITCH + 1)
#define FZ_SIM_NR_DOING (FZ_SIM_IDLE + 1)

/**
 * enum fz_sim_event - kinds of events in the queue
 * @FZ_SIM_EVENT_WAKE: subject: a task
 * @FZ_SIM_EVENT_CPU: subject: a CPU, whose interrupt, switch or work is over
 * @FZ_SIM_EVENT_PROMOTE: a CPU's tick that sees the lazy flag
 * @FZ_SIM_EVENT_SLICE: a CPU's tick that sees that a slice is over
 * @FZ_SIM_EVENT_WARN: a CPU's tick that has seen the full flag for long
 * @FZ_SIM_EVENT_BIN: a bin of bandwidth is full
 */
enum fz_sim_event {
	FZ_SIM_EVENT_WAKE,
	FZ_SIM_EVENT_CPU,
	FZ_SIM_EVENT_PROMOTE,
	FZ_SIM_EVENT_SLICE,
	FZ_SIM_EVENT_WARN,
	FZ_SIM_EVENT_BIN,
};

/**
 * struct fz_sim_mark - how far a task had come when it last got on
 * @loops: ended
 * @phase: of its program
 * @next_work: of the folio that it zeroes
 * @left_ns: of its work
 * @pick: of its CPU
 */
struct fz_sim_mark {
	uint64_t loops;
	size_t phase;
	size_t next_work;
	double left_ns;
	uint64_t pick;
};

/**
 * struct fz_sim_player - a task while it is simulated
 * @task: what it does
 * @page_random: fault pages
 * @sleep_random: lengths of sleeps
 * @wins_random: does it win?
 * @phase: the next one of its program
 * @loops: ended
 * @has_work: there is something in @work
 * @work: what it is at, maybe off the CPU
 * @done_ns: of @work alone
 * @begun: it is behind what is at the start of @work
 * @span: what @work is
 * @zeroing: the folio of the fault that it is in; NULL = in none
 * @next_work: of @zeroing
 * @fault_ns: when the fault began
 * @zeroed_bytes: in it so far
 * @left: what the last fault left in the caches and nobody read yet
 * @place_ns: its last place to reschedule in the kernel
 * @woken_ns: when it was woken, as long as it has not run since; FZ_NEVER_NS
 * @fresh: it is runnable for the first time
 * @slice_left_ns: of its turn
 * @mark: see sim_watch.h
 */
struct fz_sim_player {
	const struct fz_sim_task *task;
	struct fz_random page_random;
	struct fz_random sleep_random;
	struct fz_random wins_random;
	size_t phase;
	uint64_t loops;
	bool has_work;
	struct fz_work work;
	double done_ns;
	bool begun;
	enum fz_sim_span span;
	const struct fz_zeroing *zeroing;
	size_t next_work;
	uint64_t fault_ns;
	uint64_t zeroed_bytes;
	struct fz_zero_left left;
	uint64_t place_ns;
	uint64_t woken_ns;
	bool fresh;
	uint64_t slice_left_ns;
	struct fz_sim_mark mark;
};

/**
 * enum fz_sim_cpu_state - what a CPU is in
 * @FZ_SIM_CPU_IDLE: nothing
 * @FZ_SIM_CPU_IRQ: an interrupt, at whose return it reschedules
 * @FZ_SIM_CPU_SWITCH: the switch to its current task
 * @FZ_SIM_CPU_RUNS: its current task
 */
enum fz_sim_cpu_state {
	FZ_SIM_CPU_IDLE,
	FZ_SIM_CPU_IRQ,
	FZ_SIM_CPU_SWITCH,
	FZ_SIM_CPU_RUNS,
};

/**
 * struct fz_sim_cpu - a CPU
 * @state: enum fz_sim_cpu_state
 * @current: its task; FZ_NO_TASK if idle
 * @queue: who waits for it
 * @memory: of its node
 * @resched: the full flag: a reschedule is due
 * @lazy: the lazy flag
 * @slice_armed: a tick will look at the slice
 * @segment: stamp of FZ_SIM_EVENT_CPU
 * @pick: stamp of the ticks
 * @began_ns: of the work between two events
 * @until_ns: of the work alone: how far it gets by the next one
 * @flow: of it
 * @is_flow: it has one
 * @turn_ns: when its task began to run
 * @doing: enum fz_sim_span or FZ_SIM_IDLE
 * @doing_for: a task
 * @since_ns: it is
 */
struct fz_sim_cpu {
	enum fz_sim_cpu_state state;
	uint32_t current;
	struct fz_run_queue queue;
	struct fz_fluid *memory;
	bool resched;
	bool lazy;
	bool slice_armed;
	uint64_t segment;
	uint64_t pick;
	uint64_t began_ns;
	double until_ns;
	fz_flow flow;
	bool is_flow;
	uint64_t turn_ns;
	unsigned int doing;
	uint32_t doing_for;
	uint64_t since_ns;
};

/**
 * struct fz_sim - a simulation
 * @params: what
 * @observer: is told; all members NULL if nobody is
 * @now_ns: the time
 * @rc: what went wrong; nothing goes on then
 * @events: so far
 * @queue: of events
 * @bus: the memory
 * @zero: works of zeroing
 * @way: outside of locks
 * @zero_way: while it zeroes
 * @read_class: of flows that read
 * @cpus: [params->nr_cpus]
 * @players: [params->nr_tasks]
 * @waiters: [params->nr_tasks]
 * @awaited: tasks that the end waits for
 * @doing_ns: [FZ_SIM_NR_DOING] over all CPUs
 * @bin_bytes: on the bus until the last full bin
 * @max_bins: room in the result's bandwidth
 * @result: so far
 */
struct fz_sim {
	const struct fz_sim_params *params;
	struct fz_sim_observer observer;
	uint64_t now_ns;
	int rc;
	uint64_t events;
	struct fz_event_queue queue;
	struct fz_bus bus;
	struct fz_zero_cache zero;
	struct fz_give_way way;
	struct fz_give_way zero_way;
	int read_class;
	struct fz_sim_cpu *cpus;
	struct fz_sim_player *players;
	struct fz_waiter *waiters;
	size_t awaited;
	uint64_t doing_ns[FZ_SIM_NR_DOING];
	double bin_bytes;
	size_t max_bins;
	struct fz_sim_result *result;
};

/**
 * fz_sim_event_add() - something will happen
 * @sim: the simulation; rc is set without memory
 * @kind: what
 * @time_ns: when; FZ_NEVER_NS = it will not
 * @subject: to whom
 * @stamp: see struct fz_event
 */
void fz_sim_event_add(struct fz_sim *sim, enum fz_sim_event kind,
		      uint64_t time_ns, uint32_t subject, uint64_t stamp);

#endif
