/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hwloc, as this layer uses it. */
#ifndef FZ_SIM_HW_H
#define FZ_SIM_HW_H

#include <hwloc.h>
#include <stddef.h>

#include <fz/err.h>

/**
 * fz_hw_load() - a topology without I/O devices
 * @out: written on success; for hwloc_topology_destroy()
 * @flags: HWLOC_TOPOLOGY_FLAG_
 * @err: message on failure
 *
 * Return: 0 or -errno.
 */
int fz_hw_load(hwloc_topology_t *out, unsigned long flags, struct fz_err *err);

/**
 * fz_hw_allowed() - the CPUs that the calling thread may use
 * @hw: the topology
 *
 * What the cpuset allows and the thread's own mask leaves of it; a topology of
 * another machine has no mask.
 *
 * Return: for hwloc_bitmap_free(), or NULL without memory.
 */
hwloc_bitmap_t fz_hw_allowed(hwloc_topology_t hw);

/**
 * fz_hw_text() - a set as "0-3,8"
 * @set: CPUs or nodes
 * @buf: [@cap], NUL-terminated afterwards; where the whole text does not fit,
 *	it ends with "..." behind the last entry that does
 * @cap: at least 8
 */
void fz_hw_text(hwloc_const_bitmap_t set, char *buf, size_t cap);

#endif
