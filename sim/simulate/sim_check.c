// SPDX-License-Identifier: GPL-2.0-or-later
/* Refuses what cannot be simulated. */
#include "sim_check.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>

#include <fz/folio.h>

#include "run_queue.h"

/* A number of the profile that is needed. */
struct need {
	const char *name;
	double value;
	bool above_zero;
};

static int check_need(const struct fz_profile *profile,
		      const struct fz_profile_clear *clear,
		      const struct need *need, struct fz_err *err)
{
	const char *of = clear ? clear->name : "";
	const char *dot = clear ? "." : "";

	if (isnan(need->value))
		return fz_err_set(err, -EINVAL,
				  "cannot simulate profile '%s': '%s%s%s' is "
				  "not known",
				  profile->name, of, dot, need->name);
	if (!isfinite(need->value) || need->value < 0 ||
	    (need->above_zero && need->value == 0))
		return fz_err_set(err, -EINVAL,
				  "cannot simulate profile '%s': '%s%s%s' is "
				  "%g",
				  profile->name, of, dot, need->name,
				  need->value);
	return 0;
}

static int check_needs(const struct fz_profile *profile,
		       const struct fz_profile_clear *clear,
		       const struct need *needs, size_t nr, struct fz_err *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < nr; i++)
		rc = check_need(profile, clear, &needs[i], err);
	return rc;
}

#define NR(array) (sizeof(array) / sizeof((array)[0]))

static int check_profile(const struct fz_profile *profile, struct fz_err *err)
{
	const struct fz_profile_memory *memory = &profile->memory;
	const struct need needs[] = {
		{ "fault_ns", profile->fault_ns, false },
		{ "point_ns", profile->point_ns, false },
		{ "switch_ns", profile->switch_ns, false },
		{ "irq_ns", profile->irq_ns, false },
		{ "memory.bps", memory->bps, true },
		{ "memory.allocate_cost", memory->allocate_cost, true },
		{ "memory.stream_cost", memory->stream_cost, true },
	};

	if (!profile->hz || profile->hz > 1000000000)
		return fz_err_set(err, -EINVAL,
				  "cannot simulate profile '%s': 'hz' is %u",
				  profile->name, profile->hz);
	if (!profile->nr_nodes)
		return fz_err_set(err, -EINVAL,
				  "cannot simulate profile '%s': 'nr_nodes' is "
				  "not known",
				  profile->name);
	return check_needs(profile, NULL, needs, NR(needs), err);
}

static int check_clear(const struct fz_sim_params *params,
		       const struct fz_profile_clear *clear, struct fz_err *err)
{
	const bool long_ones = clear->threshold_bytes != 0;
	const bool interrupted = fz_preempt_is_preemptible(params->preempt);
	const struct need needs[] = {
		{ "call_ns.up", clear->call_ns[FZ_RELATION_UP], false },
		{ "call_ns.down", clear->call_ns[FZ_RELATION_DOWN], false },
		{ "call_ns.other", clear->call_ns[FZ_RELATION_OTHER], false },
		{ "drain_ns", isnan(clear->drain_ns) ? 0 : clear->drain_ns,
		  false },
		{ "bps", clear->bps, true },
		{ "interrupted_ns", interrupted ? clear->interrupted_ns : 0,
		  false },
		{ "elided_bps", long_ones ? clear->elided_bps : 1, true },
		{ "elided_share", long_ones ? clear->elided_share : 0, false },
	};

	return check_needs(params->profile, clear, needs, NR(needs), err);
}

static int check_fault(const struct fz_sim_task *task,
		       const struct fz_sim_phase *phase, struct fz_err *err)
{
	if (phase->bytes % FZ_PAGE_BYTES)
		return fz_err_set(err, -EINVAL,
				  "task '%s' cannot fault %llu bytes: they are "
				  "no multiple of a page",
				  task->name, (unsigned long long)phase->bytes);
	if (phase->fault_page != FZ_SIM_RANDOM_PAGE &&
	    phase->fault_page >= phase->bytes / FZ_PAGE_BYTES)
		return fz_err_set(
			err, -EINVAL,
			"task '%s' cannot fault at page %llu of "
			"%llu: the first is 0",
			task->name, (unsigned long long)phase->fault_page,
			(unsigned long long)(phase->bytes / FZ_PAGE_BYTES));
	return 0;
}

static int check_access(const struct fz_sim_params *params, struct fz_err *err)
{
	const struct fz_profile_memory *memory = &params->profile->memory;
	const struct need needs[] = {
		{ "memory.read_bps", memory->read_bps, true },
		{ "memory.read_cost", memory->read_cost, true },
	};

	return check_needs(params->profile, NULL, needs, NR(needs), err);
}

static int check_phase(const struct fz_sim_params *params,
		       const struct fz_sim_task *task,
		       const struct fz_sim_phase *phase, struct fz_err *err)
{
	const bool moves =
		phase->op == FZ_SIM_FAULT || phase->op == FZ_SIM_ACCESS;

	if (!(moves ? phase->bytes : phase->ns))
		return fz_err_set(err, -EINVAL,
				  "phase %zu of task '%s' does nothing: give "
				  "it at least 1",
				  (size_t)(phase - task->phases) + 1,
				  task->name);
	if (phase->op == FZ_SIM_FAULT)
		return check_fault(task, phase, err);
	if (phase->op == FZ_SIM_ACCESS)
		return check_access(params, err);
	return 0;
}

static int check_task(const struct fz_sim_params *params,
		      const struct fz_sim_task *task, struct fz_err *err)
{
	bool does = false;
	int rc = 0;

	if (task->cpu >= params->nr_cpus)
		return fz_err_set(err, -EINVAL,
				  "task '%s' cannot run on CPU %u: the last "
				  "one is %u",
				  task->name, task->cpu, params->nr_cpus - 1);
	if (task->class == FZ_SIM_RT &&
	    (task->priority < 1 || task->priority > 99))
		return fz_err_set(err, -EINVAL,
				  "task '%s' cannot have priority %u: give 1 "
				  "to 99",
				  task->name, task->priority);
	if (!task->nr_phases)
		return fz_err_set(err, -EINVAL, "task '%s' does nothing",
				  task->name);
	if (!task->loops && !task->background && params->until_ns == UINT64_MAX)
		return fz_err_set(err, -EINVAL,
				  "task '%s' has no end: give it loops, or the "
				  "simulation a time",
				  task->name);
	for (size_t i = 0; !rc && i < task->nr_phases; i++) {
		rc = check_phase(params, task, &task->phases[i], err);
		does |= task->phases[i].op != FZ_SIM_SLEEP_UNTIL;
	}
	if (!rc && !does)
		return fz_err_set(err, -EINVAL,
				  "task '%s' does nothing but sleep until a "
				  "time",
				  task->name);
	return rc;
}

static int check_tasks(const struct fz_sim_params *params, struct fz_err *err)
{
	bool awaited = false;
	int rc = 0;

	if (params->nr_tasks >= FZ_NO_TASK)
		return fz_err_set(err, -EINVAL,
				  "cannot simulate %zu tasks: too many",
				  params->nr_tasks);
	for (size_t i = 0; !rc && i < params->nr_tasks; i++) {
		rc = check_task(params, &params->tasks[i], err);
		awaited = awaited || !params->tasks[i].background;
	}
	if (!rc && !awaited && params->until_ns == UINT64_MAX)
		return fz_err_set(err, -EINVAL,
				  "nothing ends the simulation: give it a task "
				  "that is not in the background, or a time");
	return rc;
}

int fz_sim_check(const struct fz_sim_params *params, struct fz_err *err)
{
	int rc;

	if (!params->nr_cpus || params->nr_cpus > INT32_MAX)
		return fz_err_set(err, -EINVAL, "cannot simulate %u CPUs",
				  params->nr_cpus);
	if (!(params->wins >= 0 && params->wins <= 1))
		return fz_err_set(err, -EINVAL,
				  "cannot win with probability %g: give 0 to 1",
				  params->wins);
	rc = check_profile(params->profile, err);
	if (!rc && params->clear)
		rc = check_clear(params, params->clear, err);
	if (!rc && params->stream)
		rc = check_clear(params, params->stream, err);
	return rc ? rc : check_tasks(params, err);
}
