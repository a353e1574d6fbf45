// SPDX-License-Identifier: GPL-2.0-or-later
/* How long wake-ups wait, against what stretches and ticks say. */
#include <fz/simulate.h>

#include <math.h>
#include <stdlib.h>

#include <fz/folio.h>
#include <fz/policies.h>
#include <fz/profile_price.h>
#include <fz/stretches.h>

#include "fz_test.h"
#include "kernel_tick.h"
#include "made_machine.h"
#include "sanitized.h"

#define NR(array)   (sizeof(array) / sizeof((array)[0]))
#define FOLIO_PAGES 512u
#define MAX_NS      200000u

#ifdef __OPTIMIZE__
#define IS_SLOW (FZ_SANITIZED || FZ_EMULATED)
#else
#define IS_SLOW 1
#endif

static uint64_t waits[MAX_NS]; /* wake-ups that waited so long */
static uint64_t nr_waits;

static void count_wait(void *state, unsigned int cpu, size_t task,
		       uint64_t at_ns, uint64_t ran_ns)
{
	const uint64_t ns = ran_ns - at_ns;

	(void)state;
	(void)cpu;
	(void)task;
	waits[ns < MAX_NS ? ns : MAX_NS - 1]++;
	nr_waits++;
}

/* Whole ns, all of them different. */
static struct fz_profile whole_machine(void)
{
	struct fz_profile machine = made_machine();

	machine.point_ns = 3;
	machine.clears[0].threshold_bytes = 0;
	for (int i = 0; i < FZ_NR_RELATIONS; i++) {
		machine.clears[0].call_ns[i] = 10 + 7 * i;
		machine.clears[1].call_ns[i] = 20 + 5 * i;
	}
	return machine;
}

static uint64_t nr_stretches[MAX_NS]; /* of that length */

/*
 * The stretches of a fault, step by step. Points that have nothing between them
 * are one place, at the end of the last; a fault ends with the return to user
 * mode, which is one.
 */
static uint64_t add_stretches(const struct fz_profile *machine,
			      const struct fz_plan *plan, enum fz_preempt model)
{
	struct fz_range latest = { 0, 0 };
	uint64_t open = 0, total = 0;
	struct fz_walker walker;
	struct fz_step step;
	bool point = false;

	fz_walker_begin(&walker, plan);
	while (fz_walker_next(&walker, &step)) {
		const struct fz_range call = { step.first, step.nr };
		uint64_t ns = 0;

		if (step.op == FZ_OP_CLEAR) {
			ns = (uint64_t)fz_profile_call_ns(
				&machine->clears[step.hint],
				step.nr << FZ_PAGE_SHIFT,
				fz_relation_of(latest, call));
			latest = call;
			nr_stretches[open] += point;
			open = point ? 0 : open;
			point = false;
		} else if (fz_op_acts(step.op, model)) {
			ns = (uint64_t)machine->point_ns;
			point = true;
		}
		open += ns;
		total += ns;
	}
	nr_stretches[open]++;
	return total;
}

/* Of all fault pages; the mean length of a fault. */
static double find_stretches(const struct fz_sim_params *params)
{
	double total = 0;

	for (size_t i = 0; i < MAX_NS; i++)
		nr_stretches[i] = 0;
	for (uint64_t page = 0; page < FOLIO_PAGES; page++) {
		const struct fz_zero_request request = {
			.nr_pages = FOLIO_PAGES,
			.fault_page = page,
			.preempt = params->preempt,
			.batch_pages = params->batch_pages,
			.radius_pages = params->radius_pages,
		};
		struct fz_plan plan;

		ck_assert_int_eq(
			fz_policy_plan(params->policy, &request, &plan, NULL),
			0);
		total += (double)add_stretches(params->profile, &plan,
					       params->preempt);
		fz_plan_fini(&plan);
	}
	return total / FOLIO_PAGES;
}

/*
 * Kolmogorov and Smirnov's D of the waits against P(wait <= x) = E[min(L, x)] /
 * E[L]: a wait is 1 to L whole ns, for what happens at a place comes after it.
 */
static double distance(void)
{
	double total = 0, expected = 0, seen = 0, worst = 0;
	uint64_t longer = 0;

	for (size_t i = 0; i < MAX_NS; i++) {
		total += (double)i * (double)nr_stretches[i];
		longer += nr_stretches[i];
	}
	for (size_t i = 0; i < MAX_NS; i++) {
		expected += i ? (double)longer / total : 0;
		seen += (double)waits[i] / (double)nr_waits;
		worst = fmax(worst, fabs(expected - seen));
		longer -= nr_stretches[i];
	}
	return worst;
}

/* Mean and longest are those of the closed form; whole ns are 0.5 later. */
static void expect_closed_form(void)
{
	static struct fz_histogram stretches;
	struct fz_wakeup wakeup;
	double mean = 0;
	size_t longest = 0;

	fz_histogram_init(&stretches);
	for (size_t i = 0; i < MAX_NS; i++) {
		fz_histogram_add_many(&stretches, i, nr_stretches[i]);
		mean += (double)i * (double)waits[i] / (double)nr_waits;
		if (waits[i])
			longest = i;
	}
	ck_assert(fz_wakeup_from_stretches(&stretches, &wakeup));
	ck_assert_double_eq_tol(mean, wakeup.mean_ns + 0.5,
				5 * wakeup.mean_ns / sqrt((double)nr_waits));
	ck_assert_double_le((double)longest, wakeup.max_ns);
	ck_assert_double_ge((double)longest, 0.95 * wakeup.max_ns);
}

static void simulate_wakes(struct fz_sim_params *params,
			   const struct fz_sim_task *tasks, size_t nr,
			   struct fz_sim_observer observer)
{
	static struct fz_sim_result result;
	struct fz_err err = { .msg = "" };

	params->tasks = tasks;
	params->nr_tasks = nr;
	ck_assert_msg(fz_simulate(params, &observer, &result, &err) == 0, "%s",
		      err.msg);
}

static const struct fz_sim_phase folio = {
	.op = FZ_SIM_FAULT,
	.bytes = FOLIO_PAGES << FZ_PAGE_SHIFT,
	.fault_page = FZ_SIM_RANDOM_PAGE,
};

static const struct {
	const char *policy;
	enum fz_preempt model;
	enum fz_sim_class class;
	uint64_t batch_pages;
	uint64_t nr_wakes;
} cases[] = {
	{ "neighbourhood-last", FZ_PREEMPT_NONE, FZ_SIM_RT, 0, 1000000 },
	{ "neighbourhood-last", FZ_PREEMPT_VOLUNTARY, FZ_SIM_FAIR, 0, 100000 },
	{ "neighbourhood-last", FZ_PREEMPT_NONE, FZ_SIM_FAIR, 37, 100000 },
	{ "neighbourhood-last-v6", FZ_PREEMPT_NONE, FZ_SIM_RT, 100, 100000 },
	{ "discontiguous-page", FZ_PREEMPT_VOLUNTARY, FZ_SIM_RT, 0, 100000 },
	{ "streaming-neighbourhood-last", FZ_PREEMPT_NONE, FZ_SIM_RT, 64,
	  100000 },
	{ "init-pages", FZ_PREEMPT_VOLUNTARY, FZ_SIM_RT, 0, 100000 },
};

/*
 * One wake-up in each golden section's multiple of a fault, so never two in
 * one, and at all places of it alike.
 */
START_TEST(as_the_stretches_say)
{
	const struct fz_sim_observer observer = { .woken = count_wait };
	const struct fz_profile machine = whole_machine();
	struct fz_sim_params params = made_params(&machine);
	struct fz_sim_phase wakes[] = {
		{ .op = FZ_SIM_SLEEP_PERIOD },
		{ .op = FZ_SIM_COMPUTE, .ns = 1 },
	};
	struct fz_sim_task tasks[2] = {
		{ .name = "faults",
		  .background = true,
		  .phases = &folio,
		  .nr_phases = 1,
		  .start_ns = 100 },
		{ .name = "wakes",
		  .class = cases[_i].class,
		  .priority = 1,
		  .loops = cases[_i].nr_wakes / (IS_SLOW ? 20 : 1),
		  .phases = wakes,
		  .nr_phases = 2 },
	};

	params.policy = fz_policy_find(cases[_i].policy);
	params.preempt = cases[_i].model;
	params.batch_pages = cases[_i].batch_pages;
	params.slice_ns = 0;
	params.seed = 5;
	wakes[0].ns = (uint64_t)(find_stretches(&params) * 1.6180339887);
	nr_waits = 0;
	simulate_wakes(&params, tasks, 2, observer);
	ck_assert_uint_eq(nr_waits, tasks[1].loops);
	/* A larger D comes by chance once in a thousand times. */
	ck_assert_double_lt(distance(), 1.95 / sqrt((double)nr_waits));
	expect_closed_form();
}
END_TEST

#define MEAN_NS   1000000
#define NR_BINS   1000u
#define NR_SLEEPS 20000u

/* Sleeps of two tasks on two CPUs, by how likely a shorter one is. */
struct sleep_watch {
	uint64_t ran_ns[2];
	uint64_t bins[2][NR_BINS];
	uint64_t nr_same; /* as the last one of the other task */
	uint64_t last_ns[2];
};

static void watch_sleep(void *state, unsigned int cpu, size_t task,
			uint64_t at_ns, uint64_t ran_ns)
{
	struct sleep_watch *watch = state;
	const uint64_t ns = at_ns - watch->ran_ns[task];
	const double shorter = -expm1(-(double)ns / MEAN_NS);

	(void)cpu;
	watch->bins[task][(size_t)(shorter * NR_BINS)]++;
	watch->last_ns[task] = ns;
	watch->nr_same += watch->last_ns[0] == watch->last_ns[1];
	watch->ran_ns[task] = ran_ns + 1;
}

static double bins_distance(const uint64_t *bins)
{
	double seen = 0, worst = 0;

	for (size_t i = 0; i < NR_BINS; i++) {
		seen += (double)bins[i] / NR_SLEEPS;
		worst = fmax(worst, fabs(seen - (double)(i + 1) / NR_BINS));
	}
	return worst;
}

START_TEST(sleeps_are_exponential)
{
	static const struct fz_sim_phase phases[] = {
		{ .op = FZ_SIM_SLEEP_POISSON, .ns = MEAN_NS },
		{ .op = FZ_SIM_COMPUTE, .ns = 1 },
	};
	static struct sleep_watch watch;
	const struct fz_sim_observer observer = { .state = &watch,
						  .woken = watch_sleep };
	const struct fz_profile machine = made_machine();
	struct fz_sim_params params = made_params(&machine);
	struct fz_sim_task tasks[2] = { { .name = "sleeps",
					  .loops = NR_SLEEPS,
					  .phases = phases,
					  .nr_phases = 2 } };

	tasks[1] = tasks[0];
	tasks[1].cpu = 1;
	params.nr_cpus = 2;
	simulate_wakes(&params, tasks, 2, observer);
	ck_assert_double_lt(bins_distance(watch.bins[0]),
			    1.95 / sqrt(NR_SLEEPS));
	ck_assert_double_lt(bins_distance(watch.bins[1]),
			    1.95 / sqrt(NR_SLEEPS));
	ck_assert_uint_lt(watch.nr_same, 10);
}
END_TEST

/* What a lazy kernel may do with a fair wake-up, and what each did. */
struct lazy_watch {
	uint64_t fault_end_ns;
	uint64_t nr_at_tick;
	uint64_t nr_at_return;
	uint64_t nr_wrong;
};

#define IRQ_NS    20
#define SWITCH_NS 5
#define HZ        20000

static void watch_fault(void *state, unsigned int cpu, size_t task,
			uint64_t begin_ns, uint64_t end_ns)
{
	struct lazy_watch *watch = state;

	(void)cpu;
	(void)task;
	(void)begin_ns;
	watch->fault_end_ns = end_ns;
}

static void watch_woken(void *state, unsigned int cpu, size_t task,
			uint64_t at_ns, uint64_t ran_ns)
{
	struct lazy_watch *watch = state;
	const uint64_t tick_ns = fz_tick_after(HZ, at_ns) + IRQ_NS + SWITCH_NS;

	(void)cpu;
	(void)task;
	if (ran_ns == tick_ns)
		watch->nr_at_tick++;
	else if (ran_ns == watch->fault_end_ns + SWITCH_NS && ran_ns < tick_ns)
		watch->nr_at_return++;
	else
		watch->nr_wrong++;
}

static struct fz_profile switching_machine(void)
{
	struct fz_profile machine = whole_machine();

	machine.hz = HZ;
	machine.irq_ns = IRQ_NS;
	machine.switch_ns = SWITCH_NS;
	machine.clears[0].interrupted_ns = 9;
	return machine;
}

static const struct fz_sim_phase now_and_then[] = {
	{ .op = FZ_SIM_SLEEP_POISSON, .ns = 400000 },
	{ .op = FZ_SIM_COMPUTE, .ns = 300 },
};

static struct fz_sim_task waker(enum fz_sim_class class)
{
	return (struct fz_sim_task){
		.name = "wakes",
		.class = class,
		.priority = 1,
		.loops = 3000,
		.phases = now_and_then,
		.nr_phases = 2,
	};
}

static const struct fz_sim_task faulter = { .name = "faults",
					    .background = true,
					    .start_ns = 100,
					    .phases = &folio,
					    .nr_phases = 1 };

START_TEST(lazy_fair_ones_wait_for_tick_or_return)
{
	struct lazy_watch watch = { 0 };
	const struct fz_sim_observer observer = { .state = &watch,
						  .woken = watch_woken,
						  .fault = watch_fault };
	const struct fz_sim_task tasks[] = { faulter, waker(FZ_SIM_FAIR) };
	const struct fz_profile machine = switching_machine();
	struct fz_sim_params params = made_params(&machine);

	params.preempt = _i ? FZ_PREEMPT_RT_LAZY : FZ_PREEMPT_LAZY;
	params.slice_ns = 0;
	simulate_wakes(&params, tasks, 2, observer);
	ck_assert_uint_eq(watch.nr_wrong, 0);
	ck_assert_uint_gt(watch.nr_at_tick, 500);
	ck_assert_uint_gt(watch.nr_at_return, 100);
}
END_TEST

static const struct {
	enum fz_preempt model;
	enum fz_sim_class class;
} at_once[] = {
	{ FZ_PREEMPT_FULL, FZ_SIM_RT },      { FZ_PREEMPT_FULL, FZ_SIM_FAIR },
	{ FZ_PREEMPT_RT_FULL, FZ_SIM_FAIR }, { FZ_PREEMPT_LAZY, FZ_SIM_RT },
	{ FZ_PREEMPT_RT_LAZY, FZ_SIM_RT },
};

/* One that comes while the CPU switches back waits for that, and no interrupt.
 */
START_TEST(others_run_after_the_interrupt)
{
	const struct fz_sim_observer observer = { .woken = count_wait };
	const struct fz_sim_task tasks[] = { faulter,
					     waker(at_once[_i].class) };
	const struct fz_profile machine = switching_machine();
	struct fz_sim_params params = made_params(&machine);
	uint64_t nr_early = 0;

	params.preempt = at_once[_i].model;
	params.slice_ns = 0;
	nr_waits = 0;
	for (size_t i = 0; i < MAX_NS; i++)
		waits[i] = 0;
	simulate_wakes(&params, tasks, 2, observer);
	for (size_t i = SWITCH_NS; i <= 2 * SWITCH_NS; i++)
		nr_early += waits[i];
	ck_assert_uint_eq(nr_waits, 3000);
	ck_assert_uint_eq(waits[IRQ_NS + SWITCH_NS] + nr_early, 3000);
	ck_assert_uint_lt(nr_early, 10);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("simulate_wakeups");
	TCase *tcase = tcase_create("simulate_wakeups");

	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, as_the_stretches_say, 0, NR(cases));
	tcase_add_test(tcase, sleeps_are_exponential);
	tcase_add_loop_test(tcase, lazy_fair_ones_wait_for_tick_or_return, 0,
			    2);
	tcase_add_loop_test(tcase, others_run_after_the_interrupt, 0,
			    NR(at_once));
	suite_add_tcase(suite, tcase);
	return suite;
}
