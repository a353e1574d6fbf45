// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How long it takes to simulate many CPUs that all write a mapping of 2 MiB
 * pages from one end to the other: each faults a page at its first byte, reads
 * what it has, and goes on to the next. They do so at the same time to the ns,
 * which is the hard case for the queues.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include <fz/policies.h>
#include <fz/simulate.h>
#include <fz/statistics.h>

#include "made_machine.h"

#define ROUNDS     5u
#define PAGE_BYTES (2ull << 20)
#define NR_PAGES   512u
#define NR_CPUS    384u

static const char *const policies[] = {
	"discontiguous-page",
	"contiguous-page",
	"neighbourhood-last",
	"streaming-neighbourhood-last",
};

static const unsigned int sizes[] = { 2, 6, 24, 96, 384, 1536 };

static const struct fz_sim_phase program[] = {
	{ .op = FZ_SIM_FAULT, .bytes = PAGE_BYTES },
	{ .op = FZ_SIM_ACCESS, .bytes = PAGE_BYTES },
};

/* Wakes about ten times in a fault. */
static const struct fz_sim_phase wakes[] = {
	{ .op = FZ_SIM_SLEEP_POISSON, .ns = 100000 },
	{ .op = FZ_SIM_COMPUTE, .ns = 2000 },
};

/* Of the CPU: others may use the machine too. */
static double cpu_seconds(void)
{
	struct timespec at;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
	return (double)at.tv_sec + (double)at.tv_nsec * 1e-9;
}

/* A machine with so little memory bandwidth a core that the bus is full. */
static struct fz_profile scale_machine(void)
{
	struct fz_profile machine = made_machine();

	machine.fault_ns = 1000;
	machine.point_ns = 1;
	machine.switch_ns = 1000;
	machine.nr_nodes = 2;
	machine.memory.bps = 400e9;
	machine.clears[0].call_ns[FZ_RELATION_DOWN] = 40;
	machine.clears[0].threshold_bytes = 0;
	return machine;
}

static double seconds_of(const struct fz_sim_params *params,
			 struct fz_sim_result *result)
{
	struct fz_err err = { .msg = "" };
	const double start = cpu_seconds();

	if (fz_simulate(params, NULL, result, &err)) {
		fprintf(stderr, "simulate_scale: %s\n", err.msg);
		exit(1);
	}
	fz_sim_result_fini(result);
	return cpu_seconds() - start;
}

static double median_seconds(const struct fz_sim_params *params,
			     struct fz_sim_result *result)
{
	double seconds[ROUNDS];

	for (unsigned int i = 0; i < ROUNDS; i++)
		seconds[i] = seconds_of(params, result);
	return fz_median(seconds, ROUNDS);
}

/* [2 * nr_cpus] writers first, then who wakes beside each. */
static struct fz_sim_task *tasks_of(unsigned int nr_cpus)
{
	struct fz_sim_task *tasks = calloc(2ul * nr_cpus, sizeof(*tasks));

	if (!tasks)
		exit(1);
	for (unsigned int i = 0; i < nr_cpus; i++) {
		tasks[i] = (struct fz_sim_task){
			.name = "writer",
			.cpu = i,
			.loops = NR_PAGES,
			.phases = program,
			.nr_phases = 2,
		};
		tasks[nr_cpus + i] = (struct fz_sim_task){
			.name = "waker",
			.cpu = i,
			.class = FZ_SIM_RT,
			.priority = 1,
			.background = true,
			.phases = wakes,
			.nr_phases = 2,
		};
	}
	return tasks;
}

static void by_policy(struct fz_sim_params params)
{
	static struct fz_sim_result result;
	double total = 0;

	printf("%u CPUs, %u faults each%s; medians of %u rounds\n\n"
	       "| policy | simulated | stime | utime | events | seconds | "
	       "million events a second |\n"
	       "|---|---|---|---|---|---|---|\n",
	       NR_CPUS, (unsigned int)params.tasks[0].loops,
	       params.nr_tasks > NR_CPUS ? ", and wake-ups" : "", ROUNDS);
	for (size_t i = 0; i < sizeof(policies) / sizeof(*policies); i++) {
		double seconds;

		params.policy = fz_policy_find(policies[i]);
		seconds = median_seconds(&params, &result);
		total += seconds;
		printf("| %s | %.3f s | %.3f s | %.3f s | %llu | %.3f | %.1f "
		       "|\n",
		       policies[i], (double)result.wall_ns * 1e-9,
		       (double)result.stime_ns * 1e-9,
		       (double)result.utime_ns * 1e-9,
		       (unsigned long long)result.events, seconds,
		       (double)result.events * 1e-6 / seconds);
	}
	printf("| all | | | | | %.3f | |\n\n", total);
}

static void by_size(struct fz_sim_params params)
{
	static struct fz_sim_result result;

	printf("%s by the number of CPUs; N log N would leave the last column "
	       "as it is\n\n"
	       "| CPUs | events | seconds | ns an event | ns / log2(2 CPUs) "
	       "|\n"
	       "|---|---|---|---|---|\n",
	       policies[0]);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		struct fz_sim_task *tasks = tasks_of(sizes[i]);
		double seconds, ns;

		params.nr_cpus = sizes[i];
		params.tasks = tasks;
		params.nr_tasks = sizes[i];
		seconds = median_seconds(&params, &result);
		ns = seconds * 1e9 / (double)result.events;
		printf("| %u | %llu | %.4f | %.0f | %.1f |\n", sizes[i],
		       (unsigned long long)result.events, seconds, ns,
		       ns / log2(2.0 * sizes[i]));
		free(tasks);
	}
}

int main(void)
{
	const struct fz_profile machine = scale_machine();
	struct fz_sim_task *tasks = tasks_of(NR_CPUS);
	struct fz_sim_params params = made_params(&machine);
	struct rusage usage;

	params.nr_cpus = NR_CPUS;
	params.tasks = tasks;
	params.nr_tasks = NR_CPUS;
	by_policy(params);
	/* Far more events, so fewer faults. */
	for (unsigned int i = 0; i < NR_CPUS; i++)
		tasks[i].loops = NR_PAGES / 8;
	params.nr_tasks = 2 * NR_CPUS;
	by_policy(params);
	by_size(params);
	getrusage(RUSAGE_SELF, &usage);
	printf("\nAt most %.1f MiB of memory.\n",
	       (double)usage.ru_maxrss / 1024);
	free(tasks);
	return 0;
}
