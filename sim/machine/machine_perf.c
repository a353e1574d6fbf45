// SPDX-License-Identifier: GPL-2.0-or-later
/* Can hardware counters be had here, and if not, why? */
#include "machine_parts.h"

#include <linux/perf_event.h>
#include <stdio.h>

#include <fz/counters.h>

static const struct fz_perf_event cycles = {
	.name = "cycles",
	.source = FZ_PERF_PMU,
	.perf = { .type = PERF_TYPE_HARDWARE,
		  .config = PERF_COUNT_HW_CPU_CYCLES },
};

static void paranoid_read(const struct fz_hooks *hooks,
			  struct fz_machine *machine)
{
	char text[16], last;

	machine->perf_event_paranoid = INT32_MIN;
	if (fz_read_text(hooks, "/proc/sys/kernel/perf_event_paranoid", text,
			 sizeof(text)) > 0 &&
	    sscanf(text, "%d%c", &machine->perf_event_paranoid, &last) != 1)
		machine->perf_event_paranoid = INT32_MIN;
}

struct fz_perf_rights fz_machine_perf_rights(const struct fz_machine *machine)
{
	return (struct fz_perf_rights){
		.paranoid = machine->perf_event_paranoid,
		.virtualised = machine->virtualised,
		.has_pmu = machine->has_pmu,
	};
}

void fz_machine_read_perf(const struct fz_hooks *hooks,
			  struct fz_machine *machine)
{
	struct fz_perf_rights rights;
	struct fz_counter tried;

	paranoid_read(hooks, machine);
	rights = fz_machine_perf_rights(machine);
	tried = fz_counter_try(hooks, &cycles, &rights);
	machine->has_pmu = tried.code == 0;
	if (tried.code)
		snprintf(machine->pmu, sizeof(machine->pmu), "%s",
			 tried.reason);
	else if (fz_read_text(hooks,
			      "/sys/bus/event_source/devices/cpu/caps/pmu_name",
			      machine->pmu, sizeof(machine->pmu)) < 0)
		machine->pmu[0] = '\0';
}
