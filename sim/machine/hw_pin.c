// SPDX-License-Identifier: GPL-2.0-or-later
/* Pins threads through hwloc, which wants a topology for it. */
#include "hw_pin.h"

#include <errno.h>
#include <pthread.h>

#include <fz/cpu_list.h>

#include "hw.h"

/*
 * Read once, by the thread that pins first, and never changed: reading it takes
 * files of every CPU, too much for each of many threads.
 */
static struct {
	pthread_once_t once;
	hwloc_topology_t hw;
	int code;
} machine = { .once = PTHREAD_ONCE_INIT };

static void machine_load(void)
{
	machine.code =
		fz_hw_load(&machine.hw,
			   HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED |
				   HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING,
			   NULL);
	/* Of another machine hwloc says that it bound, and does nothing. */
	if (!machine.code && !hwloc_topology_is_thissystem(machine.hw))
		machine.code = -ENOTSUP;
}

int fz_hw_pin(unsigned int cpu)
{
	hwloc_bitmap_t set;
	int code = 0;

	if (cpu >= FZ_MAX_CPUS_LISTED)
		return -EINVAL;
	pthread_once(&machine.once, machine_load);
	if (machine.code)
		return machine.code;
	set = hwloc_bitmap_alloc();
	if (!set || hwloc_bitmap_only(set, cpu))
		code = -ENOMEM;
	else if (hwloc_set_cpubind(machine.hw, set, HWLOC_CPUBIND_THREAD))
		code = -errno;
	hwloc_bitmap_free(set);
	return code;
}
