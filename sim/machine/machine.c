// SPDX-License-Identifier: GPL-2.0-or-later
/* Collects what a reader of a figure must know about the machine. */
#include <fz/machine.h>

#include <stdio.h>
#include <string.h>

#include "machine_parts.h"

static void kernel_read(const struct fz_hooks *hooks,
			struct fz_machine *machine)
{
	struct fz_kernel_facts facts;
	char ostype[16];

	fz_kernel_facts_read(hooks, &facts);
	if (fz_read_text(hooks, "/proc/sys/kernel/ostype", ostype,
			 sizeof(ostype)) < 0)
		strcpy(ostype, "Linux");
	snprintf(machine->kernel, sizeof(machine->kernel), "%s", facts.release);
	if (facts.release[0])
		snprintf(machine->kernel_full, sizeof(machine->kernel_full),
			 "%s %s %s %s", ostype, facts.release, facts.version,
			 facts.arch);
	machine->hz = facts.config.hz;
	fz_find_preempt(hooks, &facts, &machine->preempt_mode);
	fz_find_policies(hooks, &facts, machine);
}

void fz_machine_read(const struct fz_hooks *hooks, struct fz_machine *machine)
{
	memset(machine, 0, sizeof(*machine));
	fz_machine_read_cpu(hooks, machine);
	kernel_read(hooks, machine);
	machine->kernel_clear = fz_clear_kernel_choice();
	fz_machine_read_thp(hooks, machine);
	fz_machine_read_perf(hooks, machine);
	fz_pools_read(hooks, &machine->pools);
	fz_topology_read(&machine->topology, NULL);
}
