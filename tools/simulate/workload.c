// SPDX-License-Identifier: GPL-2.0-or-later
/* What is simulated: tasks and their programs, wherever they are from. */
#include "workload.h"

#include <errno.h>
#include <stdlib.h>

void fz_workload_fini(struct fz_workload *workload)
{
	for (size_t i = 0; i < workload->nr_kept; i++)
		free(workload->kept[i]);
	free(workload->kept);
	free(workload->tasks);
	*workload = (struct fz_workload){ .nr_cpus = 0 };
}

/* Room for one more in an array that grows by doubling. */
static bool has_room(void **array, size_t nr, size_t *max, size_t bytes)
{
	const size_t larger = *max ? 2 * *max : 16;
	void *grown;

	if (nr < *max)
		return true;
	grown = realloc(*array, larger * bytes);
	if (!grown)
		return false;
	*array = grown;
	*max = larger;
	return true;
}

int fz_workload_keep(struct fz_workload *workload, void *memory)
{
	void **larger;

	if (!memory)
		return -ENOMEM;
	larger = realloc(workload->kept,
			 (workload->nr_kept + 1) * sizeof(*larger));
	if (!larger) {
		free(memory);
		return -ENOMEM;
	}
	workload->kept = larger;
	workload->kept[workload->nr_kept++] = memory;
	return 0;
}

int fz_workload_add(struct fz_workload *workload, struct fz_sim_task task)
{
	void *tasks = workload->tasks;

	if (!has_room(&tasks, workload->nr_tasks, &workload->max_tasks,
		      sizeof(task)))
		return -ENOMEM;
	workload->tasks = tasks;
	workload->tasks[workload->nr_tasks++] = task;
	return 0;
}

static bool task_does(const struct fz_sim_task *task, enum fz_sim_op op)
{
	for (size_t i = 0; i < task->nr_phases; i++)
		if (task->phases[i].op == op)
			return true;
	return false;
}

bool fz_workload_does(const struct fz_workload *workload, enum fz_sim_op op)
{
	for (size_t i = 0; i < workload->nr_tasks; i++)
		if (task_does(&workload->tasks[i], op))
			return true;
	return false;
}

/* Of a program; saturates, as the sums of phases are small. */
static uint64_t times(uint64_t loops, uint64_t ns)
{
	return ns && loops > UINT64_MAX / ns ? UINT64_MAX : loops * ns;
}

/* Of a phase, where nothing comes between. */
static uint64_t phase_ns(const struct fz_sim_phase *phase)
{
	switch (phase->op) {
	case FZ_SIM_FAULT:
	case FZ_SIM_ACCESS:
	case FZ_SIM_SLEEP_PERIOD: /* may come at once */
	case FZ_SIM_SLEEP_UNTIL:  /* is no length */
		return 0;
	default:
		break;
	}
	return phase->ns;
}

static uint64_t task_ns(const struct fz_sim_task *task)
{
	uint64_t once_ns = 0, period_ns = 0, until_ns = 0, loops_ns;

	for (size_t i = 0; i < task->nr_phases; i++) {
		once_ns += phase_ns(&task->phases[i]);
		if (task->phases[i].op == FZ_SIM_SLEEP_PERIOD)
			period_ns += task->phases[i].ns;
		if (task->phases[i].op == FZ_SIM_SLEEP_UNTIL)
			until_ns = task->phases[i].ns;
	}
	loops_ns =
		times(task->loops, once_ns > period_ns ? once_ns : period_ns);
	if (loops_ns > UINT64_MAX - task->start_ns)
		return UINT64_MAX;
	loops_ns += task->start_ns;
	return loops_ns > until_ns ? loops_ns : until_ns;
}

uint64_t fz_workload_least_ns(const struct fz_workload *workload)
{
	uint64_t most_ns = 0;

	for (size_t i = 0; i < workload->nr_tasks; i++) {
		const uint64_t ns = task_ns(&workload->tasks[i]);

		most_ns = ns > most_ns ? ns : most_ns;
	}
	return most_ns;
}

/* Of real time, without end, and no time left by it. */
static bool is_hog(const struct fz_sim_task *task)
{
	uint64_t busy_ns = 0, period_ns = 0;

	if (task->class != FZ_SIM_RT || task->loops)
		return false;
	for (size_t i = 0; i < task->nr_phases; i++) {
		const struct fz_sim_phase *phase = &task->phases[i];

		if (phase->op == FZ_SIM_SLEEP ||
		    phase->op == FZ_SIM_SLEEP_POISSON)
			return false;
		if (phase->op == FZ_SIM_COMPUTE)
			busy_ns += phase->ns;
		if (phase->op == FZ_SIM_SLEEP_PERIOD)
			period_ns += phase->ns;
	}
	return !period_ns || busy_ns >= period_ns;
}

static const struct fz_sim_task *find_victim(const struct fz_workload *workload,
					     const struct fz_sim_task *hog)
{
	for (size_t i = 0; i < workload->nr_tasks; i++) {
		const struct fz_sim_task *task = &workload->tasks[i];

		if (task != hog && task->loops && task->cpu == hog->cpu)
			return task;
	}
	return NULL;
}

int fz_workload_check_end(const struct fz_workload *workload,
			  struct fz_err *err)
{
	bool ends = false;

	for (size_t i = 0; i < workload->nr_tasks; i++) {
		const struct fz_sim_task *task = &workload->tasks[i];
		const struct fz_sim_task *victim;

		ends = ends || task->loops;
		if (!is_hog(task))
			continue;
		victim = find_victim(workload, task);
		if (victim)
			return fz_err_set(err, -EINVAL,
					  "task '%s' never leaves CPU %u to "
					  "task '%s': let it sleep, or end the "
					  "simulation with --until T",
					  task->name, task->cpu, victim->name);
	}
	return ends ? 0
		    : fz_err_set(err, -EINVAL,
				 "no task ends: give one 'loops', or end the "
				 "simulation with --until T");
}
