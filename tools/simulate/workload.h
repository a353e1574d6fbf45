/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is simulated: tasks and their programs, wherever they are from. */
#ifndef FZ_WORKLOAD_H
#define FZ_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fz/cpu_list.h>
#include <fz/err.h>
#include <fz/simulate.h>

/* Beyond these a number is a mistake. */
#define FZ_WORKLOAD_MAX_CPUS         FZ_MAX_CPUS_LISTED
#define FZ_WORKLOAD_MAX_TASKS        ((size_t)1 << 20)
#define FZ_WORKLOAD_MAX_FOLIO_BYTES  (1ull << 34) /* arm64 has 16G ones */
#define FZ_WORKLOAD_MAX_ACCESS_BYTES (1ull << 40)
#define FZ_WORKLOAD_MAX_NS           1000000000000000ull /* 11 days */
#define FZ_WORKLOAD_MAX_LOOPS        (1ull << 53)

/**
 * struct fz_workload - tasks; zero it at the start
 * @nr_cpus: CPUs; 0 = nobody said
 * @tasks: [nr_tasks]
 * @nr_tasks: their number
 * @max_tasks: room in @tasks
 * @kept: [nr_kept], memory that tasks point into
 * @nr_kept: pieces of it
 */
struct fz_workload {
	unsigned int nr_cpus;
	struct fz_sim_task *tasks;
	size_t nr_tasks;
	size_t max_tasks;
	void **kept;
	size_t nr_kept;
};

void fz_workload_fini(struct fz_workload *workload);

/*
 * Give memory of malloc() to the workload: names and programs. NULL stands for
 * an allocation that failed. It is freed on failure too. Return: 0 or -ENOMEM.
 */
int fz_workload_keep(struct fz_workload *workload, void *memory);

/* Return: 0 or -ENOMEM. */
int fz_workload_add(struct fz_workload *workload, struct fz_sim_task task);

/* Has any program such a phase? */
bool fz_workload_does(const struct fz_workload *workload, enum fz_sim_op op);

/*
 * Is there an end, where no time is given? Tasks without end are not waited
 * for, and one of real time that never sleeps for longer than a switch to
 * another task takes, switch_ns, leaves no time for those below it. NAN is a
 * switch of no time. Return: 0; -EINVAL with a sentence that names --until.
 */
int fz_workload_check_end(const struct fz_workload *workload, double switch_ns,
			  struct fz_err *err);

#endif
