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

/* An exponential variate of mean 1 is at most 53 ln 2 here (random.h). */
#define MAX_EXPONENTIAL 37

/* A switch to another task takes its time, and who is woken by then is next. */
static bool lets_others_run(const struct fz_sim_phase *phase, double switch_ns)
{
	const double ns = (double)phase->ns;

	switch (phase->op) {
	case FZ_SIM_SLEEP:
	case FZ_SIM_SLEEP_PERIOD:
		return !(ns <= switch_ns);
	case FZ_SIM_SLEEP_POISSON:
		return !(MAX_EXPONENTIAL * ns <= switch_ns);
	default:
		return false;
	}
}

/* Of real time, without end, and no time left by it. */
static bool is_hog(const struct fz_sim_task *task, double switch_ns)
{
	if (task->class != FZ_SIM_RT || task->loops)
		return false;
	for (size_t i = 0; i < task->nr_phases; i++)
		if (lets_others_run(&task->phases[i], switch_ns))
			return false;
	return true;
}

static bool is_below(const struct fz_sim_task *task,
		     const struct fz_sim_task *other)
{
	return task->class != FZ_SIM_RT || task->priority <= other->priority;
}

static const struct fz_sim_task *find_victim(const struct fz_workload *workload,
					     const struct fz_sim_task *hog)
{
	for (size_t i = 0; i < workload->nr_tasks; i++) {
		const struct fz_sim_task *task = &workload->tasks[i];

		if (task != hog && task->loops && task->cpu == hog->cpu &&
		    is_below(task, hog))
			return task;
	}
	return NULL;
}

int fz_workload_check_end(const struct fz_workload *workload, double switch_ns,
			  struct fz_err *err)
{
	bool ends = false;

	for (size_t i = 0; i < workload->nr_tasks; i++) {
		const struct fz_sim_task *task = &workload->tasks[i];
		const struct fz_sim_task *victim;

		ends = ends || task->loops;
		if (!is_hog(task, switch_ns))
			continue;
		victim = find_victim(workload, task);
		if (victim)
			return fz_err_set(
				err, -EINVAL,
				"task '%s' never leaves CPU %u to "
				"task '%s': let it sleep longer than a "
				"switch takes, or end the simulation "
				"with --until T",
				task->name, task->cpu, victim->name);
	}
	return ends ? 0
		    : fz_err_set(err, -EINVAL,
				 "no task ends: give one 'loops', or end the "
				 "simulation with --until T");
}
