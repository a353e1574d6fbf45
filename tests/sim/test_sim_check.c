// SPDX-License-Identifier: GPL-2.0-or-later
/* What cannot be simulated is refused, with a reason; and other early ends. */
#include "sim_check.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <fz/policies.h>

#include "fz_test.h"
#include "made_machine.h"

static struct fz_profile machine;
static struct fz_sim_params params;
static struct fz_sim_phase phases[2];
static struct fz_sim_task task;
static struct fz_sim_result result;

/* The n-th allocation from now on fails; 0 = none does. */
static unsigned int fail_in;

void *__real_reallocarray(void *old, size_t nr, size_t bytes);
void *__wrap_reallocarray(void *old, size_t nr, size_t bytes);
void *__real_calloc(size_t nr, size_t bytes);
void *__wrap_calloc(size_t nr, size_t bytes);

static bool fails(void)
{
	return fail_in && --fail_in == 0;
}

void *__wrap_reallocarray(void *old, size_t nr, size_t bytes)
{
	return fails() ? NULL : __real_reallocarray(old, nr, bytes);
}

void *__wrap_calloc(size_t nr, size_t bytes)
{
	return fails() ? NULL : __real_calloc(nr, bytes);
}

static void setup(void)
{
	machine = made_machine();
	params = made_params(&machine);
	phases[0] = (struct fz_sim_phase){ .op = FZ_SIM_FAULT,
					   .bytes = 1 << 16,
					   .fault_page = 3 };
	phases[1] =
		(struct fz_sim_phase){ .op = FZ_SIM_ACCESS, .bytes = 1 << 16 };
	task = (struct fz_sim_task){
		.name = "T", .loops = 2, .phases = phases, .nr_phases = 2
	};
	params.tasks = &task;
	params.nr_tasks = 1;
}

/* Each changes one thing. */
static void no_cpus(void)
{
	params.nr_cpus = 0;
}

static void wins_2(void)
{
	params.wins = 2;
}

static void wins_nan(void)
{
	params.wins = NAN;
}

static void no_switch(void)
{
	machine.switch_ns = NAN;
}

static void negative_irq(void)
{
	machine.irq_ns = -1;
}

static void no_hz(void)
{
	machine.hz = 0;
}

static void no_nodes(void)
{
	machine.nr_nodes = 0;
}

static void no_bus(void)
{
	machine.memory.bps = 0;
}

static void no_read(void)
{
	machine.memory.read_bps = NAN;
}

static void no_call(void)
{
	machine.clears[1].call_ns[FZ_RELATION_DOWN] = NAN;
}

static void no_speed(void)
{
	machine.clears[0].bps = INFINITY;
}

static void no_elided(void)
{
	machine.clears[0].elided_bps = NAN;
}

static void no_interrupted(void)
{
	machine.clears[0].interrupted_ns = NAN;
	params.preempt = FZ_PREEMPT_LAZY;
}

static void no_stream(void)
{
	params.stream = NULL;
	params.policy = fz_policy_find("streaming-neighbourhood-last");
}

static void no_clear(void)
{
	params.clear = NULL;
}

static void wrong_cpu(void)
{
	task.cpu = 1;
}

static void wrong_priority(void)
{
	task.class = FZ_SIM_RT;
	task.priority = 100;
}

static void no_phases(void)
{
	task.nr_phases = 0;
}

static void no_end(void)
{
	task.loops = 0;
}

static void only_background(void)
{
	task.background = true;
}

static void no_tasks(void)
{
	params.nr_tasks = 0;
}

static void no_bytes(void)
{
	phases[1].bytes = 0;
}

static void no_time(void)
{
	phases[1] = (struct fz_sim_phase){ .op = FZ_SIM_SLEEP };
}

static void part_of_a_page(void)
{
	phases[0].bytes = 4097;
}

static void page_beyond(void)
{
	phases[0].fault_page = 16;
}

static const struct {
	void (*change)(void);
	const char *message;
} refused[] = {
	{ no_cpus, "cannot simulate 0 CPUs" },
	{ wins_2, "cannot win with probability 2: give 0 to 1" },
	{ wins_nan, "cannot win with probability nan: give 0 to 1" },
	{ no_switch,
	  "cannot simulate profile 'made': 'switch_ns' is not known" },
	{ negative_irq, "cannot simulate profile 'made': 'irq_ns' is -1" },
	{ no_hz, "cannot simulate profile 'made': 'hz' is 0" },
	{ no_nodes, "cannot simulate profile 'made': 'nr_nodes' is not known" },
	{ no_bus, "cannot simulate profile 'made': 'memory.bps' is 0" },
	{ no_read,
	  "cannot simulate profile 'made': 'memory.read_bps' is not known" },
	{ no_call,
	  "cannot simulate profile 'made': 'movnti.call_ns.down' is not "
	  "known" },
	{ no_speed, "cannot simulate profile 'made': 'stosb.bps' is inf" },
	{ no_elided,
	  "cannot simulate profile 'made': 'stosb.elided_bps' is not known" },
	{ no_interrupted,
	  "cannot simulate profile 'made': 'stosb.interrupted_ns' is not "
	  "known" },
	{ no_stream,
	  "cannot simulate policy 'streaming-neighbourhood-last': it needs a "
	  "primitive of a kind that is not given" },
	{ no_clear,
	  "cannot simulate policy 'discontiguous-page': it needs a primitive "
	  "of a kind that is not given" },
	{ wrong_cpu, "task 'T' cannot run on CPU 1: the last one is 0" },
	{ wrong_priority, "task 'T' cannot have priority 100: give 1 to 99" },
	{ no_phases, "task 'T' does nothing" },
	{ no_end,
	  "task 'T' has no end: give it loops, or the simulation a time" },
	{ only_background,
	  "nothing ends the simulation: give it a task that is not in the "
	  "background, or a time" },
	{ no_tasks,
	  "nothing ends the simulation: give it a task that is not in the "
	  "background, or a time" },
	{ no_bytes, "phase 2 of task 'T' does nothing: give it at least 1" },
	{ no_time, "phase 2 of task 'T' does nothing: give it at least 1" },
	{ part_of_a_page,
	  "task 'T' cannot fault 4097 bytes: they are no multiple of a page" },
	{ page_beyond, "task 'T' cannot fault at page 16 of 16: the first is "
		       "0" },
};

START_TEST(refuses)
{
	struct fz_err err = { .msg = "" };

	refused[_i].change();
	ck_assert_int_eq(fz_simulate(&params, NULL, &result, &err), -EINVAL);
	ck_assert_str_eq(err.msg, refused[_i].message);
	ck_assert_int_eq(fz_simulate(&params, NULL, &result, NULL), -EINVAL);
}
END_TEST

/* What is not needed need not be known. */
static void unknown_read(void)
{
	machine.memory.read_bps = NAN;
	task.nr_phases = 1;
}

static void unknown_interruption(void)
{
	machine.clears[0].interrupted_ns = NAN;
}

static void unknown_elision(void)
{
	machine.clears[0].threshold_bytes = 0;
	machine.clears[0].elided_bps = NAN;
	machine.clears[0].elided_share = NAN;
}

static void unknown_stream(void)
{
	params.stream = NULL;
}

static void unknown_caches(void)
{
	machine.cache.nr_levels = 0;
}

static void (*const accepted[])(void) = {
	unknown_read,   unknown_interruption, unknown_elision,
	unknown_stream, unknown_caches,
};

START_TEST(accepts)
{
	accepted[_i]();
	ck_assert_int_eq(fz_simulate(&params, NULL, &result, NULL), 0);
	ck_assert_uint_eq(result.faults, 2);
}
END_TEST

START_TEST(ends_when_told)
{
	atomic_int stop = 1;
	struct fz_err err;

	params.stop = &stop;
	ck_assert_int_eq(fz_simulate(&params, NULL, &result, &err), -EINTR);
	ck_assert_uint_eq(result.wall_ns, 0);
	ck_assert_uint_eq(result.unfinished, 1);
	fz_sim_result_fini(&result);
	params.stop = NULL;
	params.max_events = 3;
	ck_assert_int_eq(fz_simulate(&params, NULL, &result, &err), -E2BIG);
	ck_assert_str_eq(err.msg, "the simulation has more than 3 events");
	params.max_events = 1;
	ck_assert_int_eq(fz_simulate(&params, NULL, &result, &err), -E2BIG);
	ck_assert_str_eq(err.msg, "the simulation has more than 1 event");
	params.max_events = 0;
	params.until_ns = 1000;
	task.loops = 0;
	ck_assert_int_eq(fz_simulate(&params, NULL, &result, &err), 0);
	ck_assert_uint_eq(result.wall_ns, 1000);
	ck_assert_uint_eq(result.stime_ns, 1000);
	ck_assert_uint_eq(result.unfinished, 1);
	/* Everything has ended long before, or is in the background. */
	params.until_ns = 1000000000;
	task.loops = 1;
	ck_assert_int_eq(fz_simulate(&params, NULL, &result, &err), 0);
	ck_assert_uint_eq(result.wall_ns, 4096 + 8000);
	/* At the same time. */
	params.until_ns = 4096 + 8000;
	ck_assert_int_eq(fz_simulate(&params, NULL, &result, &err), 0);
	ck_assert_uint_eq(result.unfinished, 0);
	params.until_ns = 1000000000;
	task.background = true;
	ck_assert_int_eq(fz_simulate(&params, NULL, &result, &err), 0);
	ck_assert_uint_eq(result.wall_ns, 1000000000);
	ck_assert_uint_eq(result.idle_ns, 1000000000 - 4096 - 8000);
	/* A sleep that is longer than time. */
	task.background = false;
	params.until_ns = UINT64_MAX;
	phases[0] =
		(struct fz_sim_phase){ .op = FZ_SIM_SLEEP, .ns = UINT64_MAX };
	ck_assert_int_eq(fz_simulate(&params, NULL, &result, &err), -EINVAL);
	ck_assert_str_eq(err.msg, "the simulation does not end: 1 task waits "
				  "for what never comes");
}
END_TEST

static const struct fz_sim_phase short_sleep[] = {
	{ .op = FZ_SIM_SLEEP, .ns = 15 },
	{ .op = FZ_SIM_COMPUTE, .ns = 1 },
};

/* Beside T: a timer that is back before T has got on, or just not. */
static const struct {
	enum fz_preempt preempt;
	enum fz_sim_class class;
	double switch_ns, interrupted_ns;
	int rc;
} timers[] = {
	{ FZ_PREEMPT_NONE, FZ_SIM_RT, 15, 0, -EDEADLK },
	{ FZ_PREEMPT_NONE, FZ_SIM_FAIR, 15, 0, -EDEADLK },
	{ FZ_PREEMPT_NONE, FZ_SIM_RT, 14, 0, 0 },
	{ FZ_PREEMPT_FULL, FZ_SIM_RT, 14, 2, -EDEADLK },
	{ FZ_PREEMPT_FULL, FZ_SIM_RT, 12, 2, 0 },
};

START_TEST(nobody_gets_on)
{
	struct fz_sim_task both[2];
	struct fz_err err = { .msg = "" };
	int rc;

	machine.switch_ns = timers[_i].switch_ns;
	machine.clears[0].interrupted_ns = timers[_i].interrupted_ns;
	params.preempt = timers[_i].preempt;
	phases[0].bytes = 4096;
	phases[0].fault_page = 0;
	task.nr_phases = 1;
	both[0] = (struct fz_sim_task){ .name = "timer",
					.class = timers[_i].class,
					.priority = 1,
					.background = true,
					.phases = short_sleep,
					.nr_phases = 2 };
	both[1] = task;
	params.tasks = both;
	params.nr_tasks = 2;
	rc = fz_simulate(&params, NULL, &result, &err);
	ck_assert_int_eq(rc, timers[_i].rc);
	if (!rc) {
		fz_sim_result_fini(&result);
		return;
	}
	ck_assert_str_eq(err.msg,
			 "the simulation does not end: others have CPU 0 all "
			 "the time, and task 'T' does not get on");
	params.until_ns = 1000000;
	ck_assert_int_eq(fz_simulate(&params, NULL, &result, &err), 0);
	ck_assert_uint_eq(result.unfinished, 1);
	fz_sim_result_fini(&result);
}
END_TEST

/* Slowly is not never: it computes 1 ns between two timers. */
START_TEST(somebody_gets_on_slowly)
{
	static const struct fz_sim_phase long_one = { .op = FZ_SIM_COMPUTE,
						      .ns = 1 << 18 };
	struct fz_sim_task both[2] = {
		{ .name = "timer",
		  .class = FZ_SIM_RT,
		  .priority = 1,
		  .background = true,
		  .phases = short_sleep,
		  .nr_phases = 2 },
		{ .name = "T",
		  .loops = 1,
		  .phases = &long_one,
		  .nr_phases = 1 },
	};

	machine.switch_ns = 14;
	params.tasks = both;
	params.nr_tasks = 2;
	ck_assert_int_eq(fz_simulate(&params, NULL, &result, NULL), 0);
	ck_assert_uint_eq(result.unfinished, 0);
	fz_sim_result_fini(&result);
}
END_TEST

/* Whatever allocation fails: no result, and nothing is lost. */
START_TEST(without_memory)
{
	struct fz_err err = { .msg = "" };
	unsigned int nr = 0;
	int rc;

	params.bandwidth_bin_ns = 100;
	do {
		fail_in = ++nr;
		rc = fz_simulate(&params, NULL, &result, &err);
		if (rc)
			ck_assert_int_eq(rc, -ENOMEM);
	} while (rc);
	fail_in = 0;
	ck_assert_uint_gt(nr, 8);
	ck_assert_str_eq(err.msg, "no memory for the simulation");
	ck_assert_uint_eq(result.faults, 2);
	fz_sim_result_fini(&result);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("sim_check");
	TCase *tcase = tcase_create("sim_check");

	tcase_add_checked_fixture(tcase, setup, NULL);
	tcase_add_loop_test(tcase, refuses, 0,
			    sizeof(refused) / sizeof(refused[0]));
	tcase_add_loop_test(tcase, accepts, 0,
			    sizeof(accepted) / sizeof(accepted[0]));
	tcase_add_test(tcase, ends_when_told);
	tcase_add_loop_test(tcase, nobody_gets_on, 0,
			    sizeof(timers) / sizeof(timers[0]));
	tcase_add_test(tcase, somebody_gets_on_slowly);
	tcase_add_test(tcase, without_memory);
	suite_add_tcase(suite, tcase);
	return suite;
}
