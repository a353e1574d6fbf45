/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The hugetlb cgroup limits that this process is under. */
#ifndef FZ_SIM_HUGETLB_LIMITS_H
#define FZ_SIM_HUGETLB_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

#include <fz/hooks.h>

/**
 * struct fz_hugetlb_limit - one limit of one cgroup
 * @path: the file that holds it
 * @limit_bytes: its value
 * @usage_bytes: what the cgroup uses of it
 */
struct fz_hugetlb_limit {
	char path[512];
	uint64_t limit_bytes;
	uint64_t usage_bytes;
};

/**
 * fz_hugetlb_limit_find() - the limit that a mapping would hit
 * @hooks: the world
 * @page_bytes: size of a huge page
 * @bytes: size of the mapping
 * @limit: written when one was found
 *
 * Looks at the cgroup of /proc/self/cgroup and at all above it, version 1
 * (hugetlb.2MB.limit_in_bytes) and 2 (hugetlb.2MB.max), and in each at the
 * limit of faults and at that of reservations ("rsvd"), which mmap() hits.
 *
 * Return: true if @bytes do not fit; the limit with the least room.
 */
bool fz_hugetlb_limit_find(const struct fz_hooks *hooks, uint64_t page_bytes,
			   uint64_t bytes, struct fz_hugetlb_limit *limit);

#endif
