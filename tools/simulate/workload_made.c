// SPDX-License-Identifier: GPL-2.0-or-later
/* Workloads that are built in. */
#include "workload_made.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What a woken task does: as long as it takes to read a clock and store it. */
#define WAKER_COMPUTE_NS 1000u
#define WAKER_PRIORITY   99u

const char *fz_workload_name_at(size_t i)
{
	return i == 0 ? "anon-w-seq-hugetlb" : NULL;
}

/* The same task on every CPU. */
static int add_everywhere(struct fz_workload *workload, struct fz_sim_task task,
			  const struct fz_sim_phase *program, size_t nr_phases)
{
	struct fz_sim_phase *phases = malloc(nr_phases * sizeof(*phases));
	int code = fz_workload_keep(workload, phases);

	if (code)
		return code;
	memcpy(phases, program, nr_phases * sizeof(*phases));
	task.phases = phases;
	task.nr_phases = nr_phases;
	for (task.cpu = 0; task.cpu < workload->nr_cpus && !code; task.cpu++)
		code = fz_workload_add(workload, task);
	return code;
}

int fz_workload_make_anon(struct fz_workload *workload, uint64_t bytes,
			  uint64_t folio_bytes)
{
	const struct fz_sim_phase program[] = {
		{ .op = FZ_SIM_FAULT, .bytes = folio_bytes },
		{ .op = FZ_SIM_ACCESS, .bytes = folio_bytes },
	};
	const struct fz_sim_task task = {
		.name = "writer",
		.class = FZ_SIM_FAIR,
		.loops = bytes / folio_bytes,
	};

	return add_everywhere(workload, task, program, 2);
}

/* Tasks from `first` on come before the others. */
static int to_front(struct fz_workload *workload, size_t first)
{
	const size_t nr = workload->nr_tasks - first;
	struct fz_sim_task *moved = malloc(nr * sizeof(*moved) + 1);

	if (!moved)
		return -ENOMEM;
	memcpy(moved, workload->tasks + first, nr * sizeof(*moved));
	memmove(workload->tasks + nr, workload->tasks, first * sizeof(*moved));
	memcpy(workload->tasks, moved, nr * sizeof(*moved));
	free(moved);
	return 0;
}

int fz_workload_add_wakers(struct fz_workload *workload,
			   enum fz_sim_class class, uint64_t interval_ns)
{
	const struct fz_sim_phase program[] = {
		{ .op = FZ_SIM_SLEEP_POISSON, .ns = interval_ns },
		{ .op = FZ_SIM_COMPUTE, .ns = WAKER_COMPUTE_NS },
	};
	const struct fz_sim_task task = {
		.name = class == FZ_SIM_RT ? "rt-waker" : "fair-waker",
		.class = class,
		.priority = class == FZ_SIM_RT ? WAKER_PRIORITY : 0,
		.background = true,
	};

	const size_t nr_before = workload->nr_tasks;
	const int code = add_everywhere(workload, task, program, 2);

	return code ? code : to_front(workload, nr_before);
}
