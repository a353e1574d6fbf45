// SPDX-License-Identifier: GPL-2.0-or-later
/* Can hardware counters be had here, and if not, why? */
#include "machine_parts.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

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

/* A sentence that begins with the name of the error, as perf users know it. */
static void refusal_format(struct fz_machine *machine, int code)
{
	char reason[96];

	switch (code) {
	case -EACCES:
	case -EPERM:
		if (machine->perf_event_paranoid == INT32_MIN)
			strcpy(reason, "needs CAP_PERFMON");
		else
			snprintf(reason, sizeof(reason),
				 "perf_event_paranoid is %d; needs CAP_PERFMON",
				 machine->perf_event_paranoid);
		break;
	case -ENOENT:
	case -EOPNOTSUPP:
	case -ENODEV:
		snprintf(reason, sizeof(reason), "no hardware counters%s",
			 machine->virtualised ? " (virtual machine)" : "");
		break;
	case -ENOSYS:
		strcpy(reason, "the kernel has no perf events");
		break;
	default:
		snprintf(reason, sizeof(reason), "%s", strerror(-code));
		break;
	}
	snprintf(machine->pmu, sizeof(machine->pmu), "%s: %s",
		 strerrorname_np(-code), reason);
}

void fz_machine_read_perf(const struct fz_hooks *hooks,
			  struct fz_machine *machine)
{
	const int code = hooks->perf_open(hooks->state, PERF_TYPE_HARDWARE,
					  PERF_COUNT_HW_CPU_CYCLES);

	paranoid_read(hooks, machine);
	machine->has_pmu = code == 0;
	if (code)
		refusal_format(machine, code);
	else if (fz_read_text(hooks,
			      "/sys/bus/event_source/devices/cpu/caps/pmu_name",
			      machine->pmu, sizeof(machine->pmu)) < 0)
		machine->pmu[0] = '\0';
}
