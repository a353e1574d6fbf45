/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Machines that hwloc is told to imagine, with CPUs offline or not allowed. */
#ifndef FAKE_TOPOLOGY_H
#define FAKE_TOPOLOGY_H

/**
 * struct fake_topology - a machine
 * @synthetic: as hwloc describes it, "NUMANode:2 Core:4 PU:2"
 * @offline: CPUs that are not online, as a list; NULL = none
 * @cpus: CPUs in the cpuset; NULL = all that are online
 * @nodes: NUMA nodes in the cpuset; NULL = all
 */
struct fake_topology {
	const char *synthetic;
	const char *offline;
	const char *cpus;
	const char *nodes;
};

/* Shown to hwloc from now on, through the environment. */
void fake_topology_show(const struct fake_topology *machine);

/* hwloc sees the real machine again. */
void fake_topology_hide(void);

#endif
