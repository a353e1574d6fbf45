/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The CPUs that the threads of a bench run get. */
#ifndef FZ_BENCH_CPUS_H
#define FZ_BENCH_CPUS_H

#include <stdbool.h>

#include <fz/hooks.h>
#include <fz/round.h>

#include "bench_options.h"

/*
 * `nr` CPUs in turn, of which some may come more than once. Without threads the
 * first one is the main thread's; a second one, where there is one, is for who
 * disturbs it.
 */
struct fz_bench_cpus {
	unsigned int cpu[FZ_MAX_THREADS]; /* [nr] */
	unsigned int nr;
	unsigned int nr_different;
};

/*
 * From --cpu and --node, or chosen. Return: FZ_EXIT_DONE, or FZ_EXIT_USAGE or
 * FZ_EXIT_FAILED after a complaint. Notes go to stderr.
 */
int fz_bench_cpus_choose(struct fz_bench_cpus *cpus,
			 const struct fz_bench_options *options,
			 const struct fz_hooks *hooks);

/*
 * Pin the main thread to the first one. Return: FZ_EXIT_DONE, or FZ_EXIT_USAGE
 * after a complaint.
 */
int fz_bench_cpus_pin(const struct fz_bench_cpus *cpus,
		      const struct fz_bench_options *options,
		      const struct fz_hooks *hooks);

#endif
