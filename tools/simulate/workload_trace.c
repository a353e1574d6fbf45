// SPDX-License-Identifier: GPL-2.0-or-later
/* Recorded faults as tasks: each process takes its own at their times. */
#include "workload_trace.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include <fz/folio.h>

#include "hash.h"

/* A process that faulted; phases are pairs of sleep and fault. */
struct process {
	uint32_t pid;
	struct fz_sim_phase *phases; /* [nr], of max */
	size_t nr, max;
	UT_hash_handle hh; /* in order of their first faults */
};

struct fz_workload_trace {
	struct process *processes;
};

int fz_workload_trace_open(struct fz_workload_trace **out)
{
	struct fz_workload_trace *trace = calloc(1, sizeof(*trace));

	if (!trace)
		return -ENOMEM;
	*out = trace;
	return 0;
}

static void process_free(struct fz_workload_trace *trace,
			 struct process *process)
{
	HASH_DEL(trace->processes, process);
	free(process->phases);
	free(process);
}

void fz_workload_trace_close(struct fz_workload_trace *trace)
{
	struct process *process, *next;

	if (!trace)
		return;
	HASH_ITER (hh, trace->processes, process, next) {
		process_free(trace, process);
	}
	free(trace);
}

static struct process *process_add(struct fz_workload_trace *trace,
				   uint32_t pid)
{
	struct process *process = calloc(1, sizeof(*process));

	if (!process)
		return NULL;
	process->pid = pid;
	HASH_ADD(hh, trace->processes, pid, sizeof(process->pid), process);
	if (process->hh.tbl)
		return process;
	free(process);
	return NULL;
}

static bool add_phase(struct process *process, struct fz_sim_phase phase)
{
	if (process->nr == process->max) {
		const size_t larger = process->max ? 2 * process->max : 64;
		struct fz_sim_phase *grown =
			realloc(process->phases, larger * sizeof(*grown));

		if (!grown)
			return false;
		process->phases = grown;
		process->max = larger;
	}
	process->phases[process->nr++] = phase;
	return true;
}

static int collect(void *state, const struct fz_folio_fault *fault,
		   struct fz_err *err)
{
	struct fz_workload_trace *trace = state;
	const struct fz_sim_phase sleep = { .op = FZ_SIM_SLEEP_UNTIL,
					    .ns = fault->time_ns };
	const struct fz_sim_phase zero = { .op = FZ_SIM_FAULT,
					   .bytes = FZ_PAGE_BYTES
						    << fault->order,
					   .fault_page = fault->page };
	struct process *process;

	HASH_FIND(hh, trace->processes, &fault->pid, sizeof(fault->pid),
		  process);
	if (!process)
		process = process_add(trace, fault->pid);
	if (process && add_phase(process, sleep) && add_phase(process, zero))
		return 0;
	return fz_err_set(err, -ENOMEM, "out of memory for recorded faults");
}

struct fz_folio_sink fz_workload_trace_sink(struct fz_workload_trace *trace)
{
	return (struct fz_folio_sink){ .state = trace, .fault = collect };
}

/* From the first fault of all on; the process begins with its own first one. */
static size_t shift_times(struct process *process, uint64_t first_ns)
{
	size_t kept = 0;

	for (size_t i = 0; i < process->nr; i++) {
		struct fz_sim_phase phase = process->phases[i];

		if (phase.op == FZ_SIM_SLEEP_UNTIL)
			phase.ns =
				phase.ns > first_ns ? phase.ns - first_ns : 0;
		if (i && phase.op == FZ_SIM_SLEEP_UNTIL && !phase.ns)
			continue;
		process->phases[kept++] = phase;
	}
	return kept;
}

static int add_task(struct fz_workload *workload, struct process *process,
		    uint64_t first_ns, unsigned int cpu)
{
	struct fz_sim_phase *phases = process->phases;
	const size_t nr_phases = shift_times(process, first_ns);
	struct fz_sim_task task = {
		.cpu = cpu,
		.class = FZ_SIM_FAIR,
		.loops = 1,
		.phases = phases + 1,
		.nr_phases = nr_phases - 1,
		.start_ns = phases[0].ns,
	};
	char *name = NULL;
	int code;

	process->phases = NULL;
	code = fz_workload_keep(workload, phases);
	if (code)
		return code;
	if (asprintf(&name, "pid %u", process->pid) < 0)
		name = NULL;
	task.name = name;
	code = fz_workload_keep(workload, name);
	return code ? code : fz_workload_add(workload, task);
}

int fz_workload_trace_finish(struct fz_workload_trace *trace,
			     struct fz_workload *workload, uint64_t first_ns)
{
	struct process *process, *next;
	unsigned int nr = 0;
	int code = 0;

	HASH_ITER (hh, trace->processes, process, next) {
		if (!code)
			code = add_task(workload, process, first_ns,
					nr++ % workload->nr_cpus);
		process_free(trace, process);
	}
	return code;
}
