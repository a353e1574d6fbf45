/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Many CPUs that fault, zero, compute and wake each other, simulated. */
#ifndef FZ_SIMULATE_H
#define FZ_SIMULATE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fz/context.h>
#include <fz/err.h>
#include <fz/histogram.h>
#include <fz/policy.h>
#include <fz/preempt.h>
#include <fz/profile.h>

/**
 * DOC: the simulator
 *
 * A deterministic queue of events, keyed (time, sequence), in whole ns. Nothing
 * is measured: prices come from a machine profile, and the memory of each NUMA
 * node is a fluid that its CPUs share (fluid.h). The same parameters and seed
 * give the same result to the last bit.
 *
 * **Tasks** stay on one CPU. Each repeats a program of phases: fault (zero a
 * folio, in the kernel), access (read memory, in user mode), compute (in user
 * mode), sleep. A task that sleeps until a random instant and then computes for
 * a moment is a source of wake-ups.
 *
 * **A fault** is fault_ns and drain_ns on the CPU, which take no part of the
 * bus, then its zeroing, which is one flow for each run of the plan
 * (zero_work.h). Alone on its node it takes what the profile says that the plan
 * costs (profile_price.h), each run in whole ns; it takes longer if the
 * profile's core wants more than its node's memory can do.
 *
 * **An access** finds what the task's last fault left in its core's caches
 * there, once, and first, and reads the rest over the bus. Where the profile
 * says what a line costs that comes from each level, a study of the plan in the
 * profile's caches tells how much is found in which (zero_left.h); else it is
 * what allocating stores wrote, at most the size of the outermost level, read
 * as fast as memory.
 *
 * **A wake-up** of T while R runs on its CPU: T wins if it is of a higher class
 * or priority (RT above fair), or if both are fair and the draw says so
 * (wins). One that does not win waits for its turn, as does a task that is
 * runnable for the first time, unless it is of a higher class. With the CPU
 * idle it runs at once. Its latency is the time from the wake-up to its first
 * instruction, the context switch included.
 *
 * A winner asks for a reschedule. R gives way
 *
 * - in user mode: at the return from the interrupt, irq_ns later;
 * - in the kernel, models none and voluntary: at the next acting resched point,
 *   or at the return to user mode;
 * - full and rt-full: at the return from the interrupt, irq_ns later, if the
 *   context is preemptible (preempt_count 0, interrupts on); else at its end;
 * - lazy and rt-lazy: an RT winner as in full. A fair one sets the lazy flag,
 *   which acts at the return to user mode, or is promoted by the next tick and
 *   then acts as in full.
 *
 * The entry of a fault can be preempted like any code of its model, but has no
 * resched point; the context is that of the zeroing. Where sleeping is illegal
 * a resched point does not act, but is counted. An interrupt that makes nobody
 * give way takes no time. One that does stops R, and is counted as switching.
 * A wake-up during a context switch acts when that is over.
 *
 * **An interrupted clear** goes on with the rest: its flow stops and another
 * one begins, interrupted_ns longer. A call that was elided goes on as one of
 * the bytes that are left: it pays its ramp again, or is no longer elided.
 *
 * **Turns.** Fair tasks run for a slice each, first come first served, but
 * winners first. A slice that is over asks for a reschedule like a fair winner,
 * at the first tick that sees it while another fair task waits. Who gave way
 * before its slice was over has the rest of it next.
 *
 * **Ticks** come at multiples of 1/hz, on every CPU at the same time. One is an
 * event only if it matters: a lazy flag is set, a slice is over while another
 * fair task waits, or a reschedule is due since long. warn_ns counts what the
 * kernel's resched_latency_warn does: from the first tick that sees the full
 * flag to the first that is more than warn_ns behind it, once each.
 *
 * **A clear** in progress is one flow of its run; its resched points are worked
 * out only while a reschedule is pending, from the bytes that have been moved.
 *
 * Not modelled: hardware threads that share a core, migration, what other tasks
 * do to a core's caches, the time of ticks, and EEVDF's choice of whose turn it
 * is.
 */

/**
 * enum fz_sim_class - scheduling class
 * @FZ_SIM_FAIR: SCHED_OTHER; tasks take turns of a slice
 * @FZ_SIM_RT: SCHED_FIFO
 * @FZ_NR_SIM_CLASSES: how many there are
 */
enum fz_sim_class {
	FZ_SIM_FAIR,
	FZ_SIM_RT,
	FZ_NR_SIM_CLASSES,
};

/**
 * enum fz_sim_op - what a phase does
 * @FZ_SIM_FAULT: zero a folio of @bytes
 * @FZ_SIM_ACCESS: read @bytes in user mode; what the last fault left in the
 *	caches is found there
 * @FZ_SIM_COMPUTE: @ns in user mode
 * @FZ_SIM_SLEEP: until @ns after it began
 * @FZ_SIM_SLEEP_POISSON: exponentially distributed, mean @ns
 * @FZ_SIM_SLEEP_PERIOD: until the next multiple of @ns since the task began
 * @FZ_SIM_SLEEP_UNTIL: until @ns since the simulation began; not at all if that
 *	is over
 */
enum fz_sim_op {
	FZ_SIM_FAULT,
	FZ_SIM_ACCESS,
	FZ_SIM_COMPUTE,
	FZ_SIM_SLEEP,
	FZ_SIM_SLEEP_POISSON,
	FZ_SIM_SLEEP_PERIOD,
	FZ_SIM_SLEEP_UNTIL,
};

/* Bins of bandwidth over time, at most. */
#define FZ_SIM_MAX_BINS ((size_t)1 << 16)

/* The fault page is another one each time. */
#define FZ_SIM_RANDOM_PAGE UINT64_MAX

/**
 * struct fz_sim_phase - a part of a program
 * @op: enum fz_sim_op
 * @bytes: of fault (a multiple of a page) and access; above 0
 * @ns: of the others; above 0
 * @fault_page: of fault: in the folio, or FZ_SIM_RANDOM_PAGE
 */
struct fz_sim_phase {
	enum fz_sim_op op;
	uint64_t bytes;
	uint64_t ns;
	uint64_t fault_page;
};

/**
 * struct fz_sim_task - a task
 * @name: for reports
 * @cpu: where it runs
 * @class: enum fz_sim_class
 * @priority: of RT: 1 (lowest) to 99
 * @start_ns: when it first is runnable
 * @loops: how often the program is run; 0 = until the simulation ends
 * @background: the simulation does not wait for its end
 * @phases: [nr_phases], not owned; shared by tasks that do the same
 * @nr_phases: at least 1
 */
struct fz_sim_task {
	const char *name;
	unsigned int cpu;
	enum fz_sim_class class;
	unsigned int priority;
	uint64_t start_ns;
	uint64_t loops;
	bool background;
	const struct fz_sim_phase *phases;
	size_t nr_phases;
};

/**
 * struct fz_sim_params - what to simulate
 * @profile: the machine; all prices that are needed must be known
 * @nr_cpus: CPUs, shared out over the profile's nodes in order, as evenly as it
 *	goes; its nr_cores and smt do not matter
 * @policy: how folios are zeroed
 * @clear: primitive of cached steps, in @profile; NULL if the policy has none
 * @stream: of streaming steps; NULL if the policy has none
 * @preempt: preemption model
 * @context: where faults zero
 * @batch_pages: 0 = the policy's
 * @radius_pages: see struct fz_zero_request
 * @slice_ns: turn of a fair task; 0 = until it sleeps
 * @wins: probability that a fair wake-up wins, 0 to 1
 * @warn_ns: resched_latency_warn_ms; 0 = off
 * @until_ns: ends the simulation; UINT64_MAX = when all tasks but background
 *	ones have ended; if there are none but those, it must be less
 * @max_events: more of them end it too, as a failure; 0 = no limit
 * @bandwidth_bin_ns: width of a bin of bandwidth over time, doubled whenever
 *	there would be more than FZ_SIM_MAX_BINS; 0 = none
 * @seed: random draws: streams 0 to 3 @nr_tasks - 1 of it, see random.h
 * @stop: set by a signal handler; NULL = never
 * @tasks: [nr_tasks]
 * @nr_tasks: their number
 */
struct fz_sim_params {
	const struct fz_profile *profile;
	unsigned int nr_cpus;
	const struct fz_policy *policy;
	const struct fz_profile_clear *clear;
	const struct fz_profile_clear *stream;
	enum fz_preempt preempt;
	const struct fz_context *context;
	uint64_t batch_pages;
	uint64_t radius_pages;
	uint64_t slice_ns;
	double wins;
	uint64_t warn_ns;
	uint64_t until_ns;
	uint64_t max_events;
	uint64_t bandwidth_bin_ns;
	uint64_t seed;
	const atomic_int *stop;
	const struct fz_sim_task *tasks;
	size_t nr_tasks;
};

/**
 * enum fz_sim_span - what a CPU does for a while
 * @FZ_SIM_SPAN_ENTRY: fault entry and exit
 * @FZ_SIM_SPAN_ZERO: zeroing
 * @FZ_SIM_SPAN_ACCESS: user mode, memory
 * @FZ_SIM_SPAN_COMPUTE: user mode
 * @FZ_SIM_SPAN_SWITCH: context switch
 */
enum fz_sim_span {
	FZ_SIM_SPAN_ENTRY,
	FZ_SIM_SPAN_ZERO,
	FZ_SIM_SPAN_ACCESS,
	FZ_SIM_SPAN_COMPUTE,
	FZ_SIM_SPAN_SWITCH,
};

/**
 * struct fz_sim_observer - told what happens, in order of its end
 * @state: handed to all
 * @span: a CPU did something for a task: longer than 0, and joined with what it
 *	did before if that was the same. Spans of a CPU do not overlap; between
 *	them it is idle. FZ_SIM_SPAN_SWITCH has the interrupt before a switch,
 *	which is for the task that gave way, in a span of its own
 * @woken: a task was woken at @at_ns and ran at @ran_ns
 * @fault: a task's fault began and ended; what preempted it is in between
 *
 * Tasks are indices into fz_sim_params.tasks. Each function may be NULL.
 */
struct fz_sim_observer {
	void *state;
	void (*span)(void *state, unsigned int cpu, size_t task,
		     enum fz_sim_span what, uint64_t begin_ns, uint64_t end_ns);
	void (*woken)(void *state, unsigned int cpu, size_t task,
		      uint64_t at_ns, uint64_t ran_ns);
	void (*fault)(void *state, unsigned int cpu, size_t task,
		      uint64_t begin_ns, uint64_t end_ns);
};

/**
 * struct fz_sim_result - what came of it
 * @wall_ns: when the last task but background ones ended, or until_ns
 * @stime_ns: in the kernel, over all tasks
 * @utime_ns: in user mode
 * @switch_ns: switching, interrupts that lead to it included
 * @idle_ns: of all CPUs; with the three above nr_cpus times @wall_ns
 * @faults: ended
 * @bytes_zeroed: by them
 * @events: taken from the queue and from the fluids
 * @wake_ns: [FZ_NR_SIM_CLASSES] latencies of wake-ups
 * @fault_ns: of faults, preemption included
 * @longest_stretch_ns: longest time in the kernel without a place to
 *	reschedule, the entry of the fault included; resched points are taken to
 *	have been passed at the mean speed of their flow. 0 where any
 *	interrupt's return is such a place
 * @warnings: as resched_latency_warn counts
 * @illegal_sleeps: resched calls where sleeping is illegal, of all faults that
 *	began to zero
 * @conditional: the plan of one of these was, see struct fz_plan
 * @bus_bytes: over all nodes
 * @bandwidth: [nr_bandwidth] bytes on the bus in each bin, the last of which
 *	may be cut short by the end; owned
 * @nr_bandwidth: bins
 * @bandwidth_bin_ns: their width
 * @unfinished: tasks that had not ended, but for background ones
 */
struct fz_sim_result {
	uint64_t wall_ns;
	uint64_t stime_ns;
	uint64_t utime_ns;
	uint64_t switch_ns;
	uint64_t idle_ns;
	uint64_t faults;
	uint64_t bytes_zeroed;
	uint64_t events;
	struct fz_histogram wake_ns[FZ_NR_SIM_CLASSES];
	struct fz_histogram fault_ns;
	uint64_t longest_stretch_ns;
	uint64_t warnings;
	uint64_t illegal_sleeps;
	bool conditional;
	double bus_bytes;
	double *bandwidth;
	size_t nr_bandwidth;
	uint64_t bandwidth_bin_ns;
	size_t unfinished;
};

/**
 * fz_simulate() - run to the end
 * @params: what; nothing of it is changed
 * @observer: NULL = nobody
 * @result: written; give it to fz_sim_result_fini() on success and with
 *	-EINTR, which is a simulation until then. It means nothing otherwise
 * @err: message on failure
 *
 * Return: 0; -EINTR if stop was set; -EINVAL (an impossible parameter, a price
 * that is not known, a task without end where nothing else ends the
 * simulation); -E2BIG (max_events); -EDEADLK (without until_ns: others have the
 * CPUs of all tasks that are waited for so often that none gets on); -ENOMEM.
 */
int fz_simulate(const struct fz_sim_params *params,
		const struct fz_sim_observer *observer,
		struct fz_sim_result *result, struct fz_err *err);

/**
 * fz_sim_result_fini() - free what it owns
 * @result: the result
 */
void fz_sim_result_fini(struct fz_sim_result *result);

#endif
