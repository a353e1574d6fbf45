// SPDX-License-Identifier: GPL-2.0-or-later
/* Builds such a machine with hwloc and hands it over as an XML file. */
#include "fake_topology.h"

#include <check.h>
#include <hwloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static int file = -1;

static hwloc_bitmap_t set_of(const char *list)
{
	hwloc_bitmap_t set = hwloc_bitmap_alloc();

	ck_assert_int_eq(hwloc_bitmap_list_sscanf(set, list), 0);
	return set;
}

/* What is offline has no object, and is one of the complete set. */
static void take_offline(hwloc_topology_t hw, const char *list)
{
	hwloc_bitmap_t offline = set_of(list);
	hwloc_bitmap_t online = hwloc_bitmap_alloc();
	hwloc_obj_t root;

	hwloc_bitmap_andnot(online, hwloc_topology_get_topology_cpuset(hw),
			    offline);
	ck_assert_int_eq(hwloc_topology_restrict(hw, online, 0), 0);
	root = hwloc_get_root_obj(hw);
	hwloc_bitmap_or(root->complete_cpuset, root->complete_cpuset, offline);
	hwloc_bitmap_free(online);
	hwloc_bitmap_free(offline);
}

static void allow(hwloc_topology_t hw, const struct fake_topology *machine)
{
	hwloc_bitmap_t cpus = machine->cpus ? set_of(machine->cpus) : NULL;
	hwloc_bitmap_t nodes = machine->nodes ? set_of(machine->nodes) : NULL;

	if (cpus || nodes)
		ck_assert_int_eq(hwloc_topology_allow(hw, cpus, nodes,
						      HWLOC_ALLOW_FLAG_CUSTOM),
				 0);
	hwloc_bitmap_free(cpus);
	hwloc_bitmap_free(nodes);
}

void fake_topology_show(const struct fake_topology *machine)
{
	hwloc_topology_t hw;
	char path[64];

	fake_topology_hide();
	ck_assert_int_eq(hwloc_topology_init(&hw), 0);
	ck_assert_int_eq(hwloc_topology_set_synthetic(hw, machine->synthetic),
			 0);
	hwloc_topology_set_flags(hw, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
	ck_assert_int_eq(hwloc_topology_load(hw), 0);
	if (machine->offline)
		take_offline(hw, machine->offline);
	allow(hw, machine);
	file = memfd_create("topology", 0);
	ck_assert_int_ge(file, 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
	ck_assert_int_eq(hwloc_topology_export_xml(hw, path, 0), 0);
	setenv("HWLOC_XMLFILE", path, 1);
	hwloc_topology_destroy(hw);
}

void fake_topology_hide(void)
{
	unsetenv("HWLOC_XMLFILE");
	if (file >= 0)
		close(file);
	file = -1;
}
