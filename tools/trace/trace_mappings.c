// SPDX-License-Identifier: GPL-2.0-or-later
/* Keeps mappings of processes. */
#include "trace_mappings.h"

#include <fz/folio.h>
#include <fz/population.h>

#include "trace_tasks.h"

static int change(struct fz_population *population,
		  const struct fz_fault *record)
{
	const uint32_t pid = fz_trace_process_of(record);

	switch ((enum fz_event)record->event) {
	case FZ_EVENT_EXEC:
		fz_population_clear(population, pid);
		return 0;
	case FZ_EVENT_EXIT:
		/* The end of a thread leaves the process as it is. */
		if (record->tid == pid)
			fz_population_clear(population, pid);
		return 0;
	case FZ_EVENT_FORK:
		return fz_population_fork(population, (uint32_t)record->value,
					  pid);
	case FZ_EVENT_MMAP:
		return fz_population_map(
			population, pid, record->addr, record->value,
			(enum fz_fault_backing)record->backing);
	default:
		return 0;
	}
}

void fz_trace_mappings_add(struct fz_trace_mappings *mappings,
			   const struct fz_fault *record)
{
	const struct fz_folio_choice any = { .order = 0 };

	/* Before the first mapping there is nothing to change. */
	if (!mappings->population) {
		if (record->event != FZ_EVENT_MMAP || mappings->failed)
			return;
		mappings->failed = fz_population_open(&mappings->population,
						      &any, 1, FZ_PAGE_BYTES);
	}
	if (!mappings->failed)
		mappings->failed = change(mappings->population, record);
}

enum fz_fault_class
fz_trace_mappings_class(const struct fz_trace_mappings *mappings,
			const struct fz_fault *fault)
{
	struct fz_fault known = *fault;

	if (mappings->population && fault->backing == FZ_BACKING_UNKNOWN &&
	    !(fault->addr >> 63))
		known.backing = (uint8_t)fz_population_backing(
			mappings->population, fz_trace_process_of(fault),
			fault->addr);
	return fz_fault_class_of(&known);
}

void fz_trace_mappings_fini(struct fz_trace_mappings *mappings)
{
	fz_population_close(mappings->population);
	mappings->population = NULL;
}
