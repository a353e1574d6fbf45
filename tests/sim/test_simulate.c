// SPDX-License-Identifier: GPL-2.0-or-later
/* Simulations that can be worked out by hand. */
#include <fz/simulate.h>

#include <errno.h>
#include <math.h>
#include <string.h>

#include <fz/folio.h>
#include <fz/policies.h>
#include <fz/profile_price.h>

#include "conditional_policy.h"
#include "fz_test.h"
#include "made_machine.h"
#include "sim_log.h"

#define NR(array) (sizeof(array) / sizeof((array)[0]))
#define MIB       (1ull << 20)
#define MS        1000000ull

#define ENTRY   FZ_SIM_SPAN_ENTRY
#define ZERO    FZ_SIM_SPAN_ZERO
#define ACCESS  FZ_SIM_SPAN_ACCESS
#define COMPUTE FZ_SIM_SPAN_COMPUTE
#define SWITCH  FZ_SIM_SPAN_SWITCH

static struct sim_log sim_log;
static struct fz_sim_result result;

static struct fz_sim_phase fault(uint64_t bytes, uint64_t page)
{
	return (struct fz_sim_phase){ .op = FZ_SIM_FAULT,
				      .bytes = bytes,
				      .fault_page = page };
}

static struct fz_sim_phase lasting(enum fz_sim_op op, uint64_t ns)
{
	return (struct fz_sim_phase){ .op = op, .ns = ns };
}

static struct fz_sim_task once(const struct fz_sim_phase *phases, size_t nr)
{
	return (struct fz_sim_task){
		.name = "once", .loops = 1, .phases = phases, .nr_phases = nr
	};
}

static void simulate(struct fz_sim_params *params,
		     const struct fz_sim_task *tasks, size_t nr)
{
	params->tasks = tasks;
	params->nr_tasks = nr;
	log_simulation(params, &sim_log, &result);
}

static void expect_spans(const struct logged_span *spans, size_t nr)
{
	ck_assert_uint_eq(sim_log.nr_spans, nr);
	for (size_t i = 0; i < nr; i++) {
		const struct logged_span *span = &sim_log.span[i];

		ck_assert_msg(span->cpu == spans[i].cpu &&
				      span->task == spans[i].task &&
				      span->what == spans[i].what &&
				      span->begin_ns == spans[i].begin_ns &&
				      span->end_ns == spans[i].end_ns,
			      "span %zu: CPU %u, task %zu, %d, %llu to %llu", i,
			      span->cpu, span->task, (int)span->what,
			      (unsigned long long)span->begin_ns,
			      (unsigned long long)span->end_ns);
	}
}

/* 16 pages of 256 ns; 4 MiB at 8.192 bytes a ns, of which 64 KiB are cached. */
START_TEST(a_task_alone)
{
	const struct fz_sim_phase phases[] = {
		lasting(FZ_SIM_COMPUTE, 700),
		fault(64 << 10, 3),
		{ .op = FZ_SIM_ACCESS, .bytes = 4 * MIB },
		lasting(FZ_SIM_SLEEP, 5000),
		lasting(FZ_SIM_COMPUTE, 10),
	};
	const struct logged_span spans[] = {
		{ 0, 0, SWITCH, 0, 50 },
		{ 0, 0, COMPUTE, 50, 750 },
		{ 0, 0, ENTRY, 750, 1750 },
		{ 0, 0, ZERO, 1750, 5846 },
		{ 0, 0, ACCESS, 5846, 517846 },
		{ 0, 0, SWITCH, 522846, 522896 },
		{ 0, 0, COMPUTE, 522896, 522906 },
	};
	const struct fz_sim_task task = once(phases, NR(phases));
	struct fz_profile machine = made_machine();
	struct fz_sim_params params = made_params(&machine);

	machine.fault_ns = 1000;
	machine.switch_ns = 50;
	machine.cache.nr_levels = 1;
	machine.cache.level[0].bytes = 1 << 20;
	simulate(&params, &task, 1);
	expect_spans(spans, NR(spans));
	ck_assert_uint_eq(result.wall_ns, 522906);
	ck_assert_uint_eq(result.stime_ns, 1000 + 4096);
	ck_assert_uint_eq(result.utime_ns, 700 + 512000 + 10);
	ck_assert_uint_eq(result.switch_ns, 100);
	ck_assert_uint_eq(result.idle_ns, 5000);
	ck_assert_uint_eq(result.faults, 1);
	ck_assert_uint_eq(result.bytes_zeroed, 64 << 10);
	ck_assert_uint_eq(result.fault_ns.count, 1);
	ck_assert_uint_eq(result.fault_ns.max, 5096);
	ck_assert_uint_eq(result.wake_ns[FZ_SIM_FAIR].count, 1);
	ck_assert_uint_eq(result.wake_ns[FZ_SIM_FAIR].max, 50);
	ck_assert_double_eq_tol(result.bus_bytes,
				2 * (64 << 10) + 4 * MIB - (64 << 10), 1);
	ck_assert_uint_eq(result.unfinished, 0);
	ck_assert_uint_eq(result.longest_stretch_ns, 1000);
}
END_TEST

/* The time is that of the simulation, and one that is over is no sleep. */
START_TEST(until_a_time)
{
	const struct fz_sim_phase phases[] = {
		lasting(FZ_SIM_COMPUTE, 700),
		lasting(FZ_SIM_SLEEP_UNTIL, 5000),
		lasting(FZ_SIM_COMPUTE, 700),
		lasting(FZ_SIM_SLEEP_UNTIL, 5700),
		lasting(FZ_SIM_SLEEP_UNTIL, 300),
		lasting(FZ_SIM_COMPUTE, 10),
	};
	const struct logged_span spans[] = {
		{ 0, 0, COMPUTE, 1000, 1700 },
		{ 0, 0, COMPUTE, 5000, 5710 },
	};
	struct fz_sim_task task = once(phases, NR(phases));
	struct fz_profile machine = made_machine();
	struct fz_sim_params params = made_params(&machine);
	struct fz_err err = { "" };

	task.start_ns = 1000;
	simulate(&params, &task, 1);
	expect_spans(spans, NR(spans));
	ck_assert_uint_eq(result.wake_ns[FZ_SIM_FAIR].count, 1);
	fz_sim_result_fini(&result);

	/* What nothing but such sleeps would do takes no time. */
	task.phases = &phases[3];
	task.nr_phases = 2;
	ck_assert_int_eq(fz_simulate(&params, NULL, &result, &err), -EINVAL);
	ck_assert_str_eq(err.msg, "task 'once' does nothing but sleep until a "
				  "time");
}
END_TEST

/* What the caches have is found there once, and then it must come anew. */
START_TEST(caches_are_read_once)
{
	const struct fz_sim_phase phases[] = {
		fault(2 * MIB, 0),
		{ .op = FZ_SIM_ACCESS, .bytes = MIB },
		{ .op = FZ_SIM_ACCESS, .bytes = MIB },
		{ .op = FZ_SIM_ACCESS, .bytes = MIB },
	};
	const struct fz_sim_task task = once(phases, NR(phases));
	struct fz_profile machine = made_machine();
	struct fz_sim_params params = made_params(&machine);

	machine.cache.nr_levels = 2;
	machine.cache.level[0].bytes = 1 << 15;
	machine.cache.level[1].bytes = 3 * MIB / 2;
	simulate(&params, &task, 1);
	ck_assert_double_eq_tol(result.bus_bytes, 4 * MIB + 3 * MIB / 2, 4);
	/* Of what was streamed nothing is in the caches but five pages. */
	params.policy = fz_policy_find("streaming-neighbourhood-last");
	simulate(&params, &task, 1);
	ck_assert_double_eq_tol(result.bus_bytes,
				2 * MIB + 3 * 4096 + 3 * MIB - 3 * 4096, 4);
}
END_TEST

/* Levels that hold four and 64 pages. A line takes 4 ns from the first, 8 ns
 * from the second, and a page 500 ns from memory. */
static void give_caches(struct fz_profile *machine, unsigned int nr_levels)
{
	machine->cycle_ns = 0.5;
	machine->cache = (struct fz_cache_geometry){
		.line_bytes = 64,
		.nr_levels = nr_levels,
		.level = { { .bytes = 4 << 12, .ways = 4, .read_cycles = 8 },
			   { .bytes = 64 << 12,
			     .ways = 16,
			     .read_cycles = 16 } },
	};
}

/* Eight pages are zeroed and read in ascending order. Of the order in which
 * they were zeroed the first level has the last four; those that it has the
 * reader needs first, or pushes out before it gets there. */
static const struct {
	const char *policy;
	uint64_t page;
	unsigned int nr_levels;
	bool streams; /* the primitive for all pages */
	uint64_t utime_ns;
} readers[] = {
	{ "contiguous-page", 0, 1, false, 8 * 500 },
	{ "discontiguous-page", 7, 1, false, 8 * 500 },
	{ "discontiguous-page", 0, 1, false, 4 * 64 * 4 + 4 * 500 },
	{ "discontiguous-page", 0, 1, true, 8 * 500 },
	{ "streaming-neighbourhood-last", 0, 1, false, 3 * 64 * 4 + 5 * 500 },
	{ "contiguous-page", 0, 2, false, 8 * 64 * 8 },
	{ "discontiguous-page", 0, 2, false, 4 * 64 * 4 + 4 * 64 * 8 },
};

START_TEST(order_decides_what_a_reader_finds)
{
	const struct fz_sim_phase phases[] = {
		fault(32 << 10, readers[_i].page),
		{ .op = FZ_SIM_ACCESS, .bytes = 32 << 10 },
	};
	const struct fz_sim_task task = once(phases, NR(phases));
	struct fz_profile machine = made_machine();
	struct fz_sim_params params = made_params(&machine);

	give_caches(&machine, readers[_i].nr_levels);
	params.policy = fz_policy_find(readers[_i].policy);
	params.clear = &machine.clears[readers[_i].streams];
	simulate(&params, &task, 1);
	ck_assert_uint_eq(result.utime_ns, readers[_i].utime_ns);
}
END_TEST

static void set_flag(void *state, unsigned int cpu, size_t task,
		     uint64_t begin_ns, uint64_t end_ns)
{
	(void)cpu, (void)task, (void)begin_ns, (void)end_ns;
	atomic_store((atomic_int *)state, 1);
}

/* A study takes long; the flag is set when the fault before it has ended. */
START_TEST(no_second_study_after_a_stop)
{
	const struct fz_sim_phase phases[] = {
		fault(32 << 10, 0), { .op = FZ_SIM_ACCESS, .bytes = 4096 },
		fault(32 << 10, 7), { .op = FZ_SIM_ACCESS, .bytes = 4096 },
		fault(32 << 10, 3), { .op = FZ_SIM_ACCESS, .bytes = 4096 },
	};
	const struct fz_sim_task task = once(phases, NR(phases));
	struct fz_profile machine = made_machine();
	struct fz_sim_params params = made_params(&machine);
	atomic_int stop = 0;
	const struct fz_sim_observer observer = { .state = &stop,
						  .fault = set_flag };
	struct fz_err err;

	give_caches(&machine, 2);
	params.tasks = &task;
	params.nr_tasks = 1;
	params.stop = &stop;
	ck_assert_int_eq(fz_simulate(&params, &observer, &result, &err),
			 -EINTR);
	ck_assert_uint_eq(result.faults, 1);
}
END_TEST

/* A prefetcher brings lines over the bus as well. */
START_TEST(a_prefetcher_takes_nothing_off_the_bus)
{
	const struct fz_sim_phase phases[] = {
		fault(32 << 10, 0),
		{ .op = FZ_SIM_ACCESS, .bytes = 32 << 10 },
	};
	const struct fz_sim_task task = once(phases, NR(phases));
	struct fz_profile machine = made_machine();
	struct fz_sim_params params = made_params(&machine);

	give_caches(&machine, 2);
	machine.cache.prefetcher = (struct fz_cache_prefetcher){ 16, 2, 1 };
	params.policy = fz_policy_find("contiguous-page");
	params.clear = &machine.clears[1];
	simulate(&params, &task, 1);
	ck_assert_uint_eq(result.utime_ns, 8 * 500);
	ck_assert_double_eq_tol(result.bus_bytes, 2 * (32 << 10), 1);
}
END_TEST

/* Without the price of one level all are read as memory is, off the bus. */
START_TEST(levels_without_prices)
{
	const struct fz_sim_phase phases[] = {
		fault(32 << 10, 0),
		{ .op = FZ_SIM_ACCESS, .bytes = 32 << 10 },
	};
	const struct fz_sim_task task = once(phases, NR(phases));
	struct fz_profile machine = made_machine();
	struct fz_sim_params params = made_params(&machine);

	give_caches(&machine, 2);
	machine.cache.level[1].read_cycles = 0;
	simulate(&params, &task, 1);
	ck_assert_uint_eq(result.utime_ns, 8 * 500);
	ck_assert_double_eq_tol(result.bus_bytes, 2 * (32 << 10), 1);
}
END_TEST

/* A bus for three pages of 256 ns a time: two CPUs that want four. */
START_TEST(a_bus_is_shared)
{
	const struct fz_sim_phase phase = fault(64 << 10, 0);
	struct fz_sim_task tasks[4] = { once(&phase, 1), once(&phase, 1),
					once(&phase, 1), once(&phase, 1) };
	struct fz_profile machine = made_machine();
	struct fz_sim_params params = made_params(&machine);

	machine.memory.bps = 48e9;
	for (unsigned int i = 0; i < 4; i++)
		tasks[i].cpu = i;
	params.nr_cpus = 4;
	simulate(&params, tasks, 2);
	ck_assert_uint_eq(result.wall_ns, 4096 * 4 / 3 + 1);
	/* On two nodes each has its own; with one task more, one shares. */
	machine.nr_nodes = 2;
	tasks[1].cpu = 2;
	simulate(&params, tasks, 2);
	ck_assert_uint_eq(result.wall_ns, 4096);
	tasks[2].cpu = 3;
	simulate(&params, tasks, 3);
	ck_assert_uint_eq(result.wall_ns, 4096 * 4 / 3 + 1);
	ck_assert_uint_eq(result.fault_ns.min, 4096);
}
END_TEST

#define FAIR FZ_SIM_FAIR
#define RT   FZ_SIM_RT

/*
 * R begins at 0 to fault 2 MiB: 5 ns of a switch, 1000 of the entry, 131,072 of
 * zeroing, of which neighbourhood-last spends 130,304 on 509 pages first.
 * Points take no time. T is woken, with an interrupt of 20 ns. The next tick is
 * at 4 ms, or with 100,000 of them a second at 10 us.
 */
static const struct {
	const char *policy;
	enum fz_preempt model;
	const char *context;
	enum fz_sim_class class;
	unsigned int hz;
	uint64_t wake_ns;
	uint64_t latency_ns;
} latencies[] = {
#define P "contiguous-page"
#define N "neighbourhood-last"
	{ P, FZ_PREEMPT_NONE, "user-fault", FAIR, 250, 2000, 29 + 5 },
	{ P, FZ_PREEMPT_NONE, "user-fault", RT, 250, 2000, 29 + 5 },
	{ P, FZ_PREEMPT_VOLUNTARY, "user-fault", RT, 250, 2029, 256 + 5 },
	{ P, FZ_PREEMPT_FULL, "user-fault", FAIR, 250, 2000, 25 },
	{ P, FZ_PREEMPT_RT_FULL, "user-fault", FAIR, 250, 2000, 25 },
	{ P, FZ_PREEMPT_LAZY, "user-fault", RT, 250, 2000, 25 },
	/* To the end, then to the next tick. */
	{ P, FZ_PREEMPT_LAZY, "user-fault", FAIR, 250, 2077, 130000 + 5 },
	{ P, FZ_PREEMPT_LAZY, "user-fault", FAIR, 100000, 12000, 8000 + 25 },
	{ P, FZ_PREEMPT_RT_LAZY, "user-fault", FAIR, 100000, 12000, 8000 + 25 },
	{ P, FZ_PREEMPT_LAZY, "user-fault", FAIR, 100000, 20000, 10000 + 25 },
	{ P, FZ_PREEMPT_LAZY, "user-fault", FAIR, 100000, 131077, 1000 + 5 },
	/* While it zeroes it cannot be preempted, or only by sleeping locks. */
	{ P, FZ_PREEMPT_FULL, "alloc-pte-lock", RT, 250, 2077, 130000 + 5 },
	{ P, FZ_PREEMPT_LAZY, "alloc-pte-lock", RT, 250, 2077, 130000 + 5 },
	{ P, FZ_PREEMPT_LAZY, "alloc-pte-lock", FAIR, 100000, 2077,
	  130000 + 5 },
	{ P, FZ_PREEMPT_NONE, "alloc-pte-lock", RT, 250, 2077, 130000 + 5 },
	{ P, FZ_PREEMPT_RT_FULL, "alloc-pte-lock", RT, 250, 2077, 25 },
	{ P, FZ_PREEMPT_RT_FULL, "alloc-irq", RT, 250, 2077, 130000 + 5 },
	{ P, FZ_PREEMPT_FULL, "alloc-sleepable", RT, 250, 2077, 25 },
	/* The entry: before the lock, and without a point. */
	{ P, FZ_PREEMPT_FULL, "alloc-pte-lock", RT, 250, 1004, 25 },
	{ P, FZ_PREEMPT_NONE, "user-fault", RT, 250, 1004, 1 + 5 },
	/* While the CPU switches to R. */
	{ P, FZ_PREEMPT_FULL, "user-fault", RT, 250, 3, 2 + 5 },
	{ P, FZ_PREEMPT_NONE, "user-fault", RT, 250, 3, 2 + 5 },
	/* Three pages are left: the left and the near range. */
	{ N, FZ_PREEMPT_NONE, "user-fault", RT, 250, 2000, 129309 + 5 },
	{ N, FZ_PREEMPT_NONE, "user-fault", RT, 250, 131309, 768 + 5 },
	{ N, FZ_PREEMPT_FULL, "user-fault", FAIR, 250, 131309, 25 },
};
#undef P
#undef N

#define START_NS (4 * MS)

START_TEST(latency)
{
	const struct fz_sim_phase folio = fault(2 * MIB, 0);
	const struct fz_sim_phase phases[] = {
		/* It begins to sleep at 5. */
		lasting(FZ_SIM_SLEEP, START_NS + latencies[_i].wake_ns - 5),
		lasting(FZ_SIM_COMPUTE, 100),
	};
	struct fz_sim_task tasks[2] = { once(&folio, 1), once(phases, 2) };
	struct fz_profile machine = made_machine();
	struct fz_sim_params params = made_params(&machine);

	machine.hz = latencies[_i].hz;
	machine.fault_ns = 1000;
	machine.switch_ns = 5;
	machine.irq_ns = 20;
	machine.clears[0].threshold_bytes = 0;
	tasks[0].start_ns = START_NS;
	tasks[1].class = latencies[_i].class;
	tasks[1].priority = 1;
	params.policy = fz_policy_find(latencies[_i].policy);
	params.preempt = latencies[_i].model;
	params.context = fz_context_find(latencies[_i].context);
	simulate(&params, tasks, 2);
	ck_assert_uint_eq(result.wake_ns[latencies[_i].class].count, 1);
	ck_assert_uint_eq(result.wake_ns[latencies[_i].class].max,
			  latencies[_i].latency_ns);
	ck_assert_uint_eq(result.bytes_zeroed, 2 * MIB);
}
END_TEST

/*
 * T is woken at 1000: 20 ns of an interrupt, 5 of a switch. In the middle of
 * that U is, and has the CPU when it is over. T waits for its end.
 */
START_TEST(a_wake_up_during_a_switch)
{
	const struct fz_sim_phase computes = lasting(FZ_SIM_COMPUTE, 50000);
	const struct fz_sim_phase t_phases[] = {
		lasting(FZ_SIM_SLEEP, 995),
		lasting(FZ_SIM_COMPUTE, 100),
	};
	const struct fz_sim_phase u_phases[] = {
		lasting(FZ_SIM_SLEEP, 1012),
		lasting(FZ_SIM_COMPUTE, 100),
	};
	const struct logged_time woken[] = {
		{ 2, 1022, 1030 },
		{ 1, 1000, 1135 },
	};
	struct fz_sim_task tasks[3] = { once(&computes, 1), once(t_phases, 2),
					once(u_phases, 2) };
	struct fz_profile machine = made_machine();
	struct fz_sim_params params = made_params(&machine);

	machine.switch_ns = 5;
	machine.irq_ns = 20;
	tasks[0].start_ns = 100;
	params.preempt = (enum fz_preempt)_i;
	simulate(&params, tasks, 3);
	ck_assert_uint_eq(sim_log.nr_woken, 2);
	for (size_t i = 0; i < 2; i++) {
		ck_assert_uint_eq(sim_log.woken[i].task, woken[i].task);
		ck_assert_uint_eq(sim_log.woken[i].begin_ns, woken[i].begin_ns);
		ck_assert_uint_eq(sim_log.woken[i].end_ns, woken[i].end_ns);
	}
}
END_TEST

/* What cannot be preempted begins behind the entry, where the lock is taken. */
START_TEST(a_lock_makes_a_stretch)
{
	const struct fz_sim_phase folio = fault(16 << 12, 0);
	const struct fz_sim_task task = once(&folio, 1);
	struct fz_profile machine = made_machine();
	struct fz_sim_params params = made_params(&machine);

	machine.fault_ns = 1000;
	params.preempt = FZ_PREEMPT_FULL;
	simulate(&params, &task, 1);
	ck_assert_uint_eq(result.longest_stretch_ns, 0);
	params.context = fz_context_find("alloc-pte-lock");
	simulate(&params, &task, 1);
	ck_assert_uint_eq(result.longest_stretch_ns, 4096);
	params.preempt = FZ_PREEMPT_NONE;
	simulate(&params, &task, 1);
	ck_assert_uint_eq(result.longest_stretch_ns, 5096);
}
END_TEST

/* Of pages that are 256 ns long, the first after the wake-up is waited for. */
START_TEST(it_stops_at_a_point_and_goes_on)
{
	const struct fz_sim_phase folio = fault(16 << 12, 0);
	const struct fz_sim_phase phases[] = {
		lasting(FZ_SIM_SLEEP, 1000),
		lasting(FZ_SIM_COMPUTE, 100),
	};
	const struct logged_span spans[] = {
		{ 0, 0, ZERO, 0, 1024 },
		{ 0, 1, COMPUTE, 1024, 1124 },
		{ 0, 0, ZERO, 1124, 4196 },
	};
	struct fz_sim_task tasks[2] = { once(&folio, 1), once(phases, 2) };
	const struct fz_profile machine = made_machine();
	struct fz_sim_params params = made_params(&machine);

	tasks[1].class = FZ_SIM_RT;
	tasks[1].priority = 1;
	simulate(&params, tasks, 2);
	expect_spans(spans, NR(spans));
	ck_assert_uint_eq(result.fault_ns.max, 4196);
	ck_assert_uint_eq(result.longest_stretch_ns, 256);
}
END_TEST

/*
 * 2 MiB in one call: 16,384 ns of ramp, then 28,672 elided, 64 bytes a ns. It
 * is interrupted for 100 ns, which costs 50 more.
 */
static const struct {
	uint64_t wake_ns;
	uint64_t end_ns;
} elisions[] = {
	/* 1,425,408 bytes are left: 16,384 of ramp and 18,176. */
	{ 16384 + 6400, 16384 + 6400 + 150 + 16384 + 18176 },
	/* 555,008 are: not elided any more. */
	{ 16384 + 20000, 16384 + 20000 + 150 + 34688 },
};

START_TEST(an_elided_call_is_interrupted)
{
	const struct fz_sim_phase folio = fault(2 * MIB, 0);
	const struct fz_sim_phase phases[] = {
		lasting(FZ_SIM_SLEEP, elisions[_i].wake_ns),
		lasting(FZ_SIM_COMPUTE, 100),
	};
	struct fz_sim_task tasks[2] = { once(&folio, 1), once(phases, 2) };
	struct fz_profile machine = made_machine();
	struct fz_sim_params params = made_params(&machine);

	machine.clears[0].interrupted_ns = 50;
	tasks[1].class = FZ_SIM_RT;
	tasks[1].priority = 1;
	params.policy = fz_policy_find("batched-pages");
	params.preempt = FZ_PREEMPT_FULL;
	simulate(&params, tasks, 2);
	ck_assert_uint_eq(result.fault_ns.max, elisions[_i].end_ns);
	ck_assert_uint_eq(result.wake_ns[FZ_SIM_RT].max, 0);
}
END_TEST

/* Between what it allocates and what it elides a call is one call. */
START_TEST(an_elided_call_has_no_place)
{
	const struct fz_sim_phase folio = fault(2 * MIB, 0);
	const struct fz_sim_phase phases[] = {
		lasting(FZ_SIM_SLEEP, 1000),
		lasting(FZ_SIM_COMPUTE, 100),
	};
	struct fz_sim_task tasks[2] = { once(&folio, 1), once(phases, 2) };
	const struct fz_profile machine = made_machine();
	struct fz_sim_params params = made_params(&machine);

	tasks[1].class = FZ_SIM_RT;
	tasks[1].priority = 1;
	params.policy = fz_policy_find("batched-pages");
	simulate(&params, tasks, 2);
	ck_assert_uint_eq(result.wake_ns[FZ_SIM_RT].max, 16384 + 28672 - 1000);
	/* Between calls there is one. */
	params.batch_pages = 256;
	simulate(&params, tasks, 2);
	ck_assert_uint_eq(result.wake_ns[FZ_SIM_RT].max, 16384 + 12288 - 1000);
}
END_TEST

/* Ticks at 4, 8, 12 ms ... look at slices of 3 ms. */
START_TEST(turns_end_at_ticks)
{
	const struct fz_sim_phase phase = lasting(FZ_SIM_COMPUTE, 10 * MS);
	const struct logged_span spans[] = {
		{ 0, 0, COMPUTE, 0, 4 * MS },
		{ 0, 1, COMPUTE, 4 * MS, 8 * MS },
		{ 0, 0, COMPUTE, 8 * MS, 12 * MS },
		{ 0, 1, COMPUTE, 12 * MS, 16 * MS },
		{ 0, 0, COMPUTE, 16 * MS, 18 * MS },
		{ 0, 1, COMPUTE, 18 * MS, 20 * MS },
	};
	const struct fz_sim_task tasks[2] = { once(&phase, 1),
					      once(&phase, 1) };
	const struct fz_profile machine = made_machine();
	struct fz_sim_params params = made_params(&machine);

	simulate(&params, tasks, 2);
	expect_spans(spans, NR(spans));
	/* Without turns. */
	params.slice_ns = 0;
	simulate(&params, tasks, 2);
	ck_assert_uint_eq(sim_log.nr_spans, 2);
	/* A slice that is over at a tick ends there. */
	params.slice_ns = 4 * MS;
	simulate(&params, tasks, 2);
	expect_spans(spans, NR(spans));
}
END_TEST

/* One that does not win waits for its turn; 250 ticks a second. */
START_TEST(losers_wait)
{
	const struct fz_sim_phase computes = lasting(FZ_SIM_COMPUTE, 20 * MS);
	const struct fz_sim_phase phases[] = {
		lasting(FZ_SIM_SLEEP, 5 * MS),
		lasting(FZ_SIM_COMPUTE, 100),
	};
	struct fz_sim_task tasks[2] = { once(&computes, 1), once(phases, 2) };
	const struct fz_profile machine = made_machine();
	struct fz_sim_params params = made_params(&machine);

	tasks[0].start_ns = 1000;
	params.wins = 0;
	simulate(&params, tasks, 2);
	ck_assert_uint_eq(result.wake_ns[FZ_SIM_FAIR].max, 3 * MS);
	params.slice_ns = 0;
	simulate(&params, tasks, 2);
	ck_assert_uint_eq(result.wake_ns[FZ_SIM_FAIR].max, 15 * MS + 1000);
	params.wins = 1;
	simulate(&params, tasks, 2);
	ck_assert_uint_eq(result.wake_ns[FZ_SIM_FAIR].max, 0);
}
END_TEST

/* Who was preempted before its slice was over has the rest of it next. */
START_TEST(the_rest_of_a_slice)
{
	const struct fz_sim_phase computes = lasting(FZ_SIM_COMPUTE, 6 * MS);
	const struct fz_sim_phase phases[] = {
		lasting(FZ_SIM_SLEEP, MS),
		lasting(FZ_SIM_COMPUTE, MS),
	};
	const struct logged_span spans[] = {
		{ 0, 0, COMPUTE, 0, MS },
		{ 0, 2, COMPUTE, MS, 2 * MS },
		{ 0, 0, COMPUTE, 2 * MS, 4 * MS },
		{ 0, 1, COMPUTE, 4 * MS, 8 * MS },
		{ 0, 0, COMPUTE, 8 * MS, 11 * MS },
		{ 0, 1, COMPUTE, 11 * MS, 13 * MS },
	};
	struct fz_sim_task tasks[3] = { once(&computes, 1), once(&computes, 1),
					once(phases, 2) };
	const struct fz_profile machine = made_machine();
	struct fz_sim_params params = made_params(&machine);

	tasks[2].class = FZ_SIM_RT;
	tasks[2].priority = 7;
	simulate(&params, tasks, 3);
	expect_spans(spans, NR(spans));
}
END_TEST

/* FIFO: the highest first, equals in order; who gives way is first again. */
START_TEST(priorities)
{
	const struct fz_sim_phase computes = lasting(FZ_SIM_COMPUTE, 1000);
	const struct fz_sim_phase soon[] = {
		lasting(FZ_SIM_SLEEP, 1500),
		lasting(FZ_SIM_COMPUTE, 100),
	};
	const struct fz_sim_phase later[] = {
		lasting(FZ_SIM_SLEEP, 1600),
		lasting(FZ_SIM_COMPUTE, 100),
	};
	const struct logged_span spans[] = {
		{ 0, 0, COMPUTE, 1000, 1500 }, { 0, 2, COMPUTE, 1500, 1600 },
		{ 0, 0, COMPUTE, 1600, 2100 }, { 0, 1, COMPUTE, 2100, 3100 },
		{ 0, 3, COMPUTE, 3100, 3200 }, { 0, 4, COMPUTE, 3200, 4200 },
	};
	struct fz_sim_task tasks[5] = {
		once(&computes, 1), once(&computes, 1), once(soon, 2),
		once(later, 2),     once(&computes, 1),
	};
	const struct fz_profile machine = made_machine();
	struct fz_sim_params params = made_params(&machine);

	for (unsigned int i = 0; i < 4; i++) {
		tasks[i].class = FZ_SIM_RT;
		tasks[i].priority = i == 2 ? 99 : 10;
	}
	tasks[0].start_ns = 1000;
	tasks[1].start_ns = 1100;
	tasks[4].start_ns = 1200;
	simulate(&params, tasks, 5);
	expect_spans(spans, NR(spans));
	ck_assert_uint_eq(result.wake_ns[FZ_SIM_RT].max, 1500);
}
END_TEST

/*
 * No point in 65,536 pages of 256 ns, or 16.777 ms. Somebody is woken at 1 ms;
 * the tick at 4 ms sees that, and the first one more than warn_ns later warns.
 */
static const struct {
	uint64_t warn_ns;
	uint64_t warnings;
} warnings[] = {
	{ 0, 0 },           { 1, 1 },       { 8 * MS, 1 },
	{ 12 * MS - 1, 1 }, { 12 * MS, 0 }, { 100 * MS, 0 },
};

START_TEST(late_reschedules_are_counted)
{
	const struct fz_sim_phase folio = fault(65536ull << 12, 0);
	const struct fz_sim_phase phases[] = {
		lasting(FZ_SIM_SLEEP, MS),
		lasting(FZ_SIM_COMPUTE, 100),
		lasting(FZ_SIM_SLEEP, 100),
		lasting(FZ_SIM_COMPUTE, 100),
	};
	struct fz_sim_task tasks[2] = { once(&folio, 1), once(phases, 4) };
	const struct fz_profile machine = made_machine();
	struct fz_sim_params params = made_params(&machine);

	tasks[0].start_ns = 1;
	params.slice_ns = 0;
	params.policy = fz_policy_find("init-pages");
	params.warn_ns = warnings[_i].warn_ns;
	simulate(&params, tasks, 2);
	ck_assert_uint_eq(result.warnings, warnings[_i].warnings);
	ck_assert_uint_eq(result.longest_stretch_ns, 65536 * 256);
}
END_TEST

static const struct {
	const char *policy;
	const char *context;
	enum fz_preempt model;
	uint64_t batch_pages;
	uint64_t nr; /* a fault of 512 pages */
} sleeps[] = {
	{ "init-pages-batched", "alloc-pte-lock", FZ_PREEMPT_FULL, 0, 1 },
	{ "init-pages-batched", "alloc-pte-lock", FZ_PREEMPT_NONE, 16, 32 },
	{ "init-pages-batched", "alloc-pte-lock", FZ_PREEMPT_RT_LAZY, 0, 1 },
	{ "init-pages-batched", "alloc-sleepable", FZ_PREEMPT_NONE, 16, 0 },
	{ "init-pages", "alloc-pte-lock", FZ_PREEMPT_FULL, 0, 0 },
	{ "discontiguous-page", "alloc-irq", FZ_PREEMPT_FULL, 0, 513 },
};

START_TEST(illegal_sleeps_are_counted)
{
	const struct fz_sim_phase folio = fault(2 * MIB, 0);
	struct fz_sim_task task = once(&folio, 1);
	const struct fz_profile machine = made_machine();
	struct fz_sim_params params = made_params(&machine);

	params.policy = fz_policy_find(sleeps[_i].policy);
	params.context = fz_context_find(sleeps[_i].context);
	params.preempt = sleeps[_i].model;
	params.batch_pages = sleeps[_i].batch_pages;
	task.loops = 3;
	simulate(&params, &task, 1);
	ck_assert_uint_eq(result.illegal_sleeps, 3 * sleeps[_i].nr);
}
END_TEST

/* Of two nodes: 16 pages are 4096 ns, 131,072 bytes on the bus. */
/* Of the faults that began to zero. */
START_TEST(conditional_plans_are_told)
{
	const struct fz_profile machine = made_machine();
	struct fz_sim_params params = made_params(&machine);
	const struct fz_sim_phase phases[] = {
		fault(16 * FZ_PAGE_BYTES, 0),
		fault(16 * FZ_PAGE_BYTES, CONDITIONAL_PAGE),
	};
	const struct fz_sim_task task = once(phases, 1 + (size_t)_i);

	params.policy = &conditional_policy;
	simulate(&params, &task, 1);
	ck_assert_int_eq(result.conditional, _i == 1);
}
END_TEST

START_TEST(bandwidth_over_time)
{
	const struct fz_sim_phase folio = fault(64 << 10, 0);
	struct fz_sim_task tasks[2] = { once(&folio, 1), once(&folio, 1) };
	struct fz_profile machine = made_machine();
	struct fz_sim_params params = made_params(&machine);

	machine.nr_nodes = 2;
	tasks[1].cpu = 1;
	tasks[1].start_ns = 2000;
	params.nr_cpus = 2;
	params.bandwidth_bin_ns = 1000;
	simulate(&params, tasks, 2);
	ck_assert_uint_eq(result.nr_bandwidth, 7);
	ck_assert_double_eq_tol(result.bandwidth[0], 32000, 0.1);
	ck_assert_double_eq_tol(result.bandwidth[2], 64000, 0.1);
	ck_assert_double_eq_tol(result.bandwidth[4], 32000 + 96 * 32, 0.1);
	ck_assert_double_eq_tol(result.bandwidth[6], 96 * 32, 0.1);
	fz_sim_result_fini(&result);
}
END_TEST

/* The end is an older event than that of the last bin, which is full. */
START_TEST(last_bin_is_full)
{
	const struct fz_sim_phase phase = lasting(FZ_SIM_COMPUTE, 3000);
	const struct fz_sim_task task = once(&phase, 1);
	const struct fz_profile machine = made_machine();
	struct fz_sim_params params = made_params(&machine);

	params.bandwidth_bin_ns = 1000;
	simulate(&params, &task, 1);
	ck_assert_uint_eq(result.wall_ns % 1000, 0);
	ck_assert_uint_eq(result.nr_bandwidth, result.wall_ns / 1000);
	fz_sim_result_fini(&result);
}
END_TEST

/* Doubled twice: a bin of 1 ns holds for 65,536 ns only. */
START_TEST(long_simulations_have_wider_bins)
{
	const struct fz_sim_phase phases[] = {
		fault(64 << 10, 0),
		lasting(FZ_SIM_COMPUTE, 3 * FZ_SIM_MAX_BINS),
	};
	const struct fz_sim_task task = once(phases, 2);
	const struct fz_profile machine = made_machine();
	struct fz_sim_params params = made_params(&machine);
	double bytes = 0;

	params.bandwidth_bin_ns = 1;
	simulate(&params, &task, 1);
	ck_assert_uint_eq(result.bandwidth_bin_ns, 4);
	ck_assert_uint_eq(result.nr_bandwidth, (result.wall_ns + 3) / 4);
	ck_assert_double_eq_tol(result.bandwidth[0], 4 * 32, 0.1);
	for (size_t i = 0; i < result.nr_bandwidth; i++)
		bytes += result.bandwidth[i];
	ck_assert_double_eq_tol(bytes, result.bus_bytes, 0.1);
	fz_sim_result_fini(&result);
}
END_TEST

static struct fz_profile uneven_machine(void)
{
	struct fz_profile machine = made_machine();

	machine.fault_ns = 1234.5;
	machine.point_ns = 3.3;
	machine.clears[0].elided_share = 0.7;
	machine.clears[0].threshold_bytes = 1 << 16;
	machine.clears[0].ramp_bytes = 20000;
	for (int i = 0; i < FZ_NR_RELATIONS; i++)
		machine.clears[0].call_ns[i] = machine.clears[1].call_ns[i] =
			17.3 + 11.1 * i;
	machine.clears[0].drain_ns = 171.9;
	machine.clears[1].drain_ns = 57.1;
	return machine;
}

/* Of one fault, each flow in whole ns. */
static bool takes_the_price(struct fz_sim_params params,
			    const struct fz_zero_request *request)
{
	const struct fz_prices prices = fz_prices_of(params.profile);
	const struct fz_sim_phase folio =
		fault(request->nr_pages << FZ_PAGE_SHIFT, request->fault_page);
	const struct fz_sim_task task = once(&folio, 1);
	struct fz_plan plan;
	double late_ns;

	params.preempt = request->preempt;
	params.batch_pages = request->batch_pages;
	ck_assert_int_eq(fz_policy_plan(params.policy, request, &plan, NULL),
			 0);
	simulate(&params, &task, 1);
	late_ns = (double)result.fault_ns.max -
		  fz_profile_price(&prices, &plan, request->preempt, NULL, 0);
	fz_plan_fini(&plan);
	/* Its events are its beginning, the entry and the flows. */
	return late_ns > -0.01 &&
	       late_ns < (double)(result.events - 1) + 0.01 &&
	       result.events <= 8 + request->nr_pages / 4 &&
	       result.bytes_zeroed == request->nr_pages << FZ_PAGE_SHIFT;
}

START_TEST(alone_it_takes_the_price)
{
	static const uint64_t nr_pages[] = { 1, 2, 16, 512, 768, 16384 };
	const struct fz_profile machine = uneven_machine();
	struct fz_sim_params params = made_params(&machine);
	struct fz_zero_request request = { .radius_pages = 2 };
	unsigned int wrong = 0;

	params.policy = fz_policies[_i];
	for (size_t i = 0; i < NR(nr_pages) * FZ_NR_PREEMPT * 6; i++) {
		const size_t rest = i / NR(nr_pages) / FZ_NR_PREEMPT;

		request.nr_pages = nr_pages[i % NR(nr_pages)];
		request.fault_page = rest % 3 * (request.nr_pages - 1) / 2;
		request.preempt = i / NR(nr_pages) % FZ_NR_PREEMPT;
		request.batch_pages = rest < 3 ? 0 : 100;
		wrong += !takes_the_price(params, &request);
	}
	ck_assert_uint_eq(wrong, 0);
}
END_TEST

/* The longest stretch of the plan, of random fault pages, is that of them all.
 */
START_TEST(longest_stretch_is_the_plans)
{
	static const char *const names[] = { "discontiguous-page",
					     "neighbourhood-last",
					     "neighbourhood-last-v6",
					     "streaming-neighbourhood-last",
					     "init-pages" };
	static struct fz_histogram stretches;
	struct fz_profile machine = made_machine();
	struct fz_sim_params params = made_params(&machine);
	const struct fz_prices prices = fz_prices_of(&machine);
	const struct fz_sim_phase folio = fault(2 * MIB, 77);
	const struct fz_sim_task task = once(&folio, 1);
	struct fz_zero_request request = { .nr_pages = 512,
					   .fault_page = 77,
					   .radius_pages = 2,
					   .batch_pages = 40 };
	struct fz_plan plan;

	machine.point_ns = 3;
	machine.clears[0].call_ns[FZ_RELATION_UP] = 70;
	machine.clears[0].call_ns[FZ_RELATION_DOWN] = 40;
	params.batch_pages = 40;
	params.policy = fz_policy_find(names[_i]);
	ck_assert_int_eq(fz_policy_plan(params.policy, &request, &plan, NULL),
			 0);
	fz_histogram_init(&stretches);
	fz_profile_price(&prices, &plan, params.preempt, &stretches, 1);
	simulate(&params, &task, 1);
	/* A point after the last clear is not counted where the kernel ends. */
	ck_assert_uint_ge(result.longest_stretch_ns + 1, stretches.max);
	ck_assert_uint_le(result.longest_stretch_ns, stretches.max + 1);
	fz_plan_fini(&plan);
}
END_TEST

static int nr_policies(void)
{
	int nr = 0;

	while (fz_policies[nr])
		nr++;
	return nr;
}

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("simulate");
	TCase *tcase = tcase_create("simulate");

	tcase_add_test(tcase, a_task_alone);
	tcase_add_test(tcase, until_a_time);
	tcase_add_test(tcase, caches_are_read_once);
	tcase_add_loop_test(tcase, order_decides_what_a_reader_finds, 0,
			    NR(readers));
	tcase_add_test(tcase, no_second_study_after_a_stop);
	tcase_add_test(tcase, a_prefetcher_takes_nothing_off_the_bus);
	tcase_add_test(tcase, levels_without_prices);
	tcase_add_test(tcase, a_bus_is_shared);
	tcase_add_loop_test(tcase, latency, 0, NR(latencies));
	tcase_add_loop_test(tcase, a_wake_up_during_a_switch, 0, FZ_NR_PREEMPT);
	tcase_add_test(tcase, a_lock_makes_a_stretch);
	tcase_add_test(tcase, it_stops_at_a_point_and_goes_on);
	tcase_add_loop_test(tcase, an_elided_call_is_interrupted, 0,
			    NR(elisions));
	tcase_add_test(tcase, an_elided_call_has_no_place);
	tcase_add_test(tcase, turns_end_at_ticks);
	tcase_add_test(tcase, losers_wait);
	tcase_add_test(tcase, the_rest_of_a_slice);
	tcase_add_test(tcase, priorities);
	tcase_add_loop_test(tcase, late_reschedules_are_counted, 0,
			    NR(warnings));
	tcase_add_loop_test(tcase, illegal_sleeps_are_counted, 0, NR(sleeps));
	tcase_add_loop_test(tcase, conditional_plans_are_told, 0, 2);
	tcase_add_test(tcase, bandwidth_over_time);
	tcase_add_test(tcase, last_bin_is_full);
	tcase_add_test(tcase, long_simulations_have_wider_bins);
	tcase_add_loop_test(tcase, alone_it_takes_the_price, 0, nr_policies());
	tcase_add_loop_test(tcase, longest_stretch_is_the_plans, 0, 5);
	suite_add_tcase(suite, tcase);
	return suite;
}
