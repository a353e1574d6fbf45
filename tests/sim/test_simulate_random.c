// SPDX-License-Identifier: GPL-2.0-or-later
/* What holds for any workload on any machine. */
#include <fz/simulate.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <fz/folio.h>
#include <fz/policies.h>
#include <fz/random.h>

#include "fz_test.h"
#include "made_machine.h"
#include "sanitized.h"

#define NR_WORKLOADS (FZ_SANITIZED || FZ_EMULATED ? 60u : 400u)
#define MAX_CPUS     6u
#define MAX_TASKS    12u
#define MAX_PHASES   5u
#define FNV_OFFSET   14695981039346656037ull
#define FNV_PRIME    1099511628211ull

struct workload {
	struct fz_profile machine;
	struct fz_sim_params params;
	struct fz_sim_task tasks[MAX_TASKS];
	struct fz_sim_phase phases[MAX_TASKS][MAX_PHASES];
};

/* What an observer adds up, and what it finds wrong. */
struct watch {
	const struct workload *load;
	uint64_t now_ns;
	uint64_t cpu_ns[MAX_CPUS]; /* end of its last span */
	uint64_t span_ns[FZ_SIM_SPAN_SWITCH + 1];
	uint64_t nr_faults;
	uint64_t nr_woken;
	uint64_t hash;
	unsigned int wrong;
};

static uint64_t below(struct fz_random *random, uint64_t n)
{
	return fz_random_below(random, n);
}

static void add_to_hash(struct watch *watch, uint64_t value)
{
	watch->hash = (watch->hash ^ value) * FNV_PRIME;
}

static void pass(struct watch *watch, uint64_t ns)
{
	watch->wrong += ns < watch->now_ns;
	watch->now_ns = ns;
	add_to_hash(watch, ns);
}

static void watch_span(void *state, unsigned int cpu, size_t task,
		       enum fz_sim_span what, uint64_t begin_ns,
		       uint64_t end_ns)
{
	struct watch *watch = state;

	watch->wrong += cpu >= watch->load->params.nr_cpus;
	watch->wrong += task >= watch->load->params.nr_tasks ||
			watch->load->tasks[task].cpu != cpu;
	watch->wrong += begin_ns >= end_ns || begin_ns < watch->cpu_ns[cpu];
	watch->cpu_ns[cpu] = end_ns;
	watch->span_ns[what] += end_ns - begin_ns;
	pass(watch, end_ns);
	add_to_hash(watch, begin_ns + what);
}

static void watch_woken(void *state, unsigned int cpu, size_t task,
			uint64_t at_ns, uint64_t ran_ns)
{
	struct watch *watch = state;

	watch->wrong += at_ns > ran_ns || watch->load->tasks[task].cpu != cpu;
	watch->nr_woken++;
	pass(watch, ran_ns);
}

static void watch_fault(void *state, unsigned int cpu, size_t task,
			uint64_t begin_ns, uint64_t end_ns)
{
	struct watch *watch = state;

	watch->wrong +=
		begin_ns > end_ns || watch->load->tasks[task].cpu != cpu;
	watch->nr_faults++;
	pass(watch, end_ns);
}

/* Prices with all that makes times uneven. */
static void draw_machine(struct fz_random *random, struct fz_profile *machine)
{
	*machine = made_machine();
	machine->fault_ns = 0.7 * (double)below(random, 2000);
	machine->point_ns = 0.3 * (double)below(random, 20);
	machine->switch_ns = 1.1 * (double)below(random, 2) * 500;
	machine->irq_ns = 0.9 * (double)below(random, 2) * 300;
	machine->hz =
		(unsigned int[]){ 100, 300, 1000, 99999 }[below(random, 4)];
	machine->nr_nodes = 1 + (unsigned int)below(random, 3);
	machine->memory.bps = 20e9 + 1e9 * (double)below(random, 200);
	machine->cache.nr_levels = (unsigned int)below(random, 2);
	machine->cache.line_bytes = 64;
	machine->cache.level[0] = (struct fz_cache_level){ .bytes = 1 << 17,
							   .ways = 8,
							   .read_cycles = 3.3 };
	/* 0: it does not say. */
	machine->cycle_ns = 0.3 * (double)below(random, 2);
	machine->clears[0].bps = 5e9 + 1e8 * (double)below(random, 100);
	machine->clears[0].threshold_bytes = below(random, 2) << 17;
	machine->clears[0].ramp_bytes = 30000;
	machine->clears[0].elided_share = 0.5 * (double)below(random, 3);
	machine->clears[0].interrupted_ns = 33.3;
	for (int i = 0; i < FZ_NR_RELATIONS; i++)
		machine->clears[0].call_ns[i] =
			0.1 * (double)below(random, 500);
}

static struct fz_sim_phase draw_phase(struct fz_random *random)
{
	struct fz_sim_phase phase = {
		.op = (enum fz_sim_op)below(random, FZ_SIM_SLEEP_PERIOD + 1),
		.ns = 1 + below(random, 300000),
	};
	const uint64_t nr_pages = 1 + below(random, 600);

	/* Faults are what it is about. */
	if (below(random, 3) == 0)
		phase.op = FZ_SIM_FAULT;
	phase.bytes = phase.op == FZ_SIM_FAULT ? nr_pages << FZ_PAGE_SHIFT
					       : 1 + below(random, 1 << 22);
	phase.fault_page =
		below(random, 2) ? FZ_SIM_RANDOM_PAGE : below(random, nr_pages);
	return phase;
}

static void draw_task(struct fz_random *random, struct workload *load, size_t i)
{
	struct fz_sim_task *task = &load->tasks[i];

	*task = (struct fz_sim_task){
		.name = "drawn",
		.cpu = (unsigned int)below(random, load->params.nr_cpus),
		.class = below(random, 3) ? FZ_SIM_FAIR : FZ_SIM_RT,
		.priority = 1 + (unsigned int)below(random, 3),
		.start_ns = below(random, 2) * below(random, 100000),
		.loops = 1 + below(random, 30),
		.phases = load->phases[i],
		.nr_phases = 1 + below(random, MAX_PHASES),
	};
	for (size_t j = 0; j < task->nr_phases; j++)
		load->phases[i][j] = draw_phase(random);
}

static unsigned int nr_policies(void)
{
	unsigned int nr = 0;

	while (fz_policies[nr])
		nr++;
	return nr;
}

static void draw_workload(struct fz_random *random, struct workload *load)
{
	struct fz_sim_params *params = &load->params;

	draw_machine(random, &load->machine);
	*params = made_params(&load->machine);
	params->nr_cpus = 1 + (unsigned int)below(random, MAX_CPUS);
	params->policy = fz_policies[below(random, nr_policies())];
	params->preempt = (enum fz_preempt)below(random, FZ_NR_PREEMPT);
	params->context = &fz_contexts[below(random, fz_nr_contexts)];
	params->batch_pages = below(random, 2) * (1 + below(random, 100));
	params->slice_ns = below(random, 3) * 700000;
	params->wins = 0.5 * (double)below(random, 3);
	params->warn_ns = below(random, 2) * 50000;
	params->bandwidth_bin_ns = 100000;
	params->seed = fz_random_next(random);
	if (below(random, 3) == 0)
		params->until_ns = 1 + below(random, 5000000);
	params->tasks = load->tasks;
	params->nr_tasks = 1 + below(random, MAX_TASKS);
	for (size_t i = 0; i < params->nr_tasks; i++)
		draw_task(random, load, i);
}

static void simulate(const struct workload *load, struct watch *watch,
		     struct fz_sim_result *result)
{
	const struct fz_sim_observer observer = {
		.state = watch,
		.span = watch_span,
		.woken = watch_woken,
		.fault = watch_fault,
	};
	struct fz_err err = { .msg = "" };

	*watch = (struct watch){ .load = load, .hash = FNV_OFFSET };
	ck_assert_msg(fz_simulate(&load->params, &observer, result, &err) == 0,
		      "%s", err.msg);
}

/* All times add up, to the ns. */
static unsigned int wrong_times(const struct watch *watch,
				const struct fz_sim_result *result)
{
	const uint64_t *ns = watch->span_ns;
	const uint64_t all = result->stime_ns + result->utime_ns +
			     result->switch_ns + result->idle_ns;
	unsigned int wrong = watch->wrong;

	wrong += all != watch->load->params.nr_cpus * result->wall_ns;
	wrong += result->stime_ns !=
		 ns[FZ_SIM_SPAN_ENTRY] + ns[FZ_SIM_SPAN_ZERO];
	wrong += result->utime_ns !=
		 ns[FZ_SIM_SPAN_ACCESS] + ns[FZ_SIM_SPAN_COMPUTE];
	wrong += result->switch_ns != ns[FZ_SIM_SPAN_SWITCH];
	wrong += watch->now_ns > result->wall_ns;
	wrong += result->wall_ns > watch->load->params.until_ns;
	return wrong;
}

/* What all tasks fault, if they end. */
static uint64_t faulted_bytes(const struct workload *load, uint64_t *nr_faults)
{
	uint64_t bytes = 0;

	*nr_faults = 0;
	for (size_t i = 0; i < load->params.nr_tasks; i++)
		for (size_t j = 0; j < load->tasks[i].nr_phases; j++)
			if (load->phases[i][j].op == FZ_SIM_FAULT) {
				bytes += load->tasks[i].loops *
					 load->phases[i][j].bytes;
				*nr_faults += load->tasks[i].loops;
			}
	return bytes;
}

static unsigned int wrong_counts(const struct watch *watch,
				 const struct fz_sim_result *result)
{
	uint64_t nr_faults;
	const uint64_t bytes = faulted_bytes(watch->load, &nr_faults);
	unsigned int wrong = 0;

	wrong += result->faults != watch->nr_faults;
	wrong += result->faults != result->fault_ns.count;
	wrong += watch->nr_woken != result->wake_ns[FZ_SIM_FAIR].count +
					    result->wake_ns[FZ_SIM_RT].count;
	if (result->unfinished)
		return wrong + (watch->load->params.until_ns == UINT64_MAX ||
				result->bytes_zeroed > bytes);
	return wrong +
	       (result->faults != nr_faults || result->bytes_zeroed != bytes);
}

/* The bus carries what was asked of it, and not more than it can. */
static unsigned int wrong_bandwidth(const struct workload *load,
				    const struct fz_sim_result *result)
{
	const double bin_bytes = load->machine.memory.bps * 1e-9 *
				 load->machine.nr_nodes *
				 (double)load->params.bandwidth_bin_ns;
	double total = 0;
	unsigned int wrong = 0;

	for (size_t i = 0; i < result->nr_bandwidth; i++) {
		wrong += result->bandwidth[i] < -1e-3;
		wrong += result->bandwidth[i] > bin_bytes * (1 + 1e-9);
		total += result->bandwidth[i];
	}
	wrong += fabs(total - result->bus_bytes) > 1e-6 * (1 + total);
	wrong += result->nr_bandwidth !=
		 (result->wall_ns + load->params.bandwidth_bin_ns - 1) /
			 load->params.bandwidth_bin_ns;
	return wrong;
}

static unsigned int wrong_stretches(const struct workload *load,
				    const struct fz_sim_result *result)
{
	const struct fz_context *context = load->params.context;
	const bool anywhere = fz_preempt_is_preemptible(load->params.preempt) &&
			      !context->irqs_disabled &&
			      (!context->preempt_count ||
			       fz_preempt_is_rt(load->params.preempt));

	if (!result->faults)
		return 0;
	return anywhere ? result->longest_stretch_ns != 0
			: result->longest_stretch_ns == 0 ||
				  result->longest_stretch_ns > result->wall_ns;
}

START_TEST(any_workload)
{
	struct fz_random random = fz_random_begin(11, (uint64_t)_i);
	static struct fz_sim_result result;
	static struct workload load;
	unsigned int wrong = 0;
	uint64_t faults = 0;

	for (unsigned int i = 0; i < NR_WORKLOADS; i++) {
		struct watch watch;

		draw_workload(&random, &load);
		simulate(&load, &watch, &result);
		wrong += wrong_times(&watch, &result);
		wrong += wrong_counts(&watch, &result);
		wrong += wrong_bandwidth(&load, &result);
		wrong += wrong_stretches(&load, &result);
		faults += result.faults;
		fz_sim_result_fini(&result);
	}
	ck_assert_uint_eq(wrong, 0);
	ck_assert_uint_gt(faults, 50 * NR_WORKLOADS);
}
END_TEST

static bool same_results(struct fz_sim_result *a, struct fz_sim_result *b)
{
	const bool same_bins =
		a->nr_bandwidth == b->nr_bandwidth &&
		(!a->nr_bandwidth ||
		 memcmp(a->bandwidth, b->bandwidth,
			a->nr_bandwidth * sizeof(*a->bandwidth)) == 0);

	fz_sim_result_fini(a);
	fz_sim_result_fini(b);
	return same_bins && memcmp(a, b, sizeof(*a)) == 0;
}

/* The same again, and with an event more in the queue (bins of bandwidth). */
START_TEST(same_seed_same_bytes)
{
	struct fz_random random = fz_random_begin(12, 0);
	static struct fz_sim_result first, second;
	static struct workload load;
	unsigned int wrong = 0, nr_other = 0;

	for (unsigned int i = 0; i < NR_WORKLOADS / 4; i++) {
		struct watch watch, again, other;

		draw_workload(&random, &load);
		simulate(&load, &watch, &first);
		simulate(&load, &again, &second);
		wrong += !same_results(&first, &second);
		wrong += watch.hash != again.hash;
		load.params.bandwidth_bin_ns = 0;
		simulate(&load, &again, &second);
		wrong += watch.hash != again.hash;
		load.params.seed++;
		simulate(&load, &other, &second);
		nr_other += watch.hash != other.hash;
	}
	ck_assert_uint_eq(wrong, 0);
	/* Not all draw anything. */
	ck_assert_uint_gt(nr_other, NR_WORKLOADS / 8);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("simulate_random");
	TCase *tcase = tcase_create("simulate_random");

	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, any_workload, 0, 3);
	tcase_add_test(tcase, same_seed_same_bytes);
	suite_add_tcase(suite, tcase);
	return suite;
}
