// SPDX-License-Identifier: GPL-2.0-or-later
/* Loads topologies; what hwloc's sets say of this process. */
#include "hw.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

int fz_hw_load(hwloc_topology_t *out, unsigned long flags, struct fz_err *err)
{
	hwloc_topology_t hw;

	if (hwloc_topology_init(&hw))
		return fz_err_set(err, -ENOMEM,
				  "cannot read the topology: out of memory");
	hwloc_topology_set_io_types_filter(hw, HWLOC_TYPE_FILTER_KEEP_NONE);
	hwloc_topology_set_flags(hw, flags);
	errno = 0;
	if (hwloc_topology_load(hw)) {
		const int code = errno ? -errno : -EIO;

		hwloc_topology_destroy(hw);
		return fz_err_set(err, code, "cannot read the topology: %s",
				  strerror(-code));
	}
	*out = hw;
	return 0;
}

hwloc_bitmap_t fz_hw_allowed(hwloc_topology_t hw)
{
	hwloc_bitmap_t allowed =
		hwloc_bitmap_dup(hwloc_topology_get_allowed_cpuset(hw));
	hwloc_bitmap_t bound = hwloc_bitmap_alloc();

	if (allowed && bound &&
	    hwloc_get_cpubind(hw, bound, HWLOC_CPUBIND_THREAD) == 0)
		hwloc_bitmap_and(allowed, allowed, bound);
	hwloc_bitmap_free(bound);
	return allowed;
}

void fz_hw_text(hwloc_const_bitmap_t set, char *buf, size_t cap)
{
	const int length = hwloc_bitmap_list_snprintf(buf, cap, set);
	char *cut;

	assert(cap >= 8);
	if (length >= 0 && (size_t)length < cap)
		return;
	/* The number at the cut may have lost digits. */
	buf[cap - sizeof("...")] = '\0';
	cut = strrchr(buf, ',');
	strcpy(cut ? cut + 1 : buf, "...");
}
