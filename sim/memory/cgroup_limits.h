/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cgroup limits of memory and of huge pages that this process is under. */
#ifndef FZ_SIM_CGROUP_LIMITS_H
#define FZ_SIM_CGROUP_LIMITS_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include <fz/err.h>
#include <fz/hooks.h>

/**
 * struct fz_cgroup_limit - one limit of one cgroup
 * @path: the file that holds it
 * @limit_bytes: its value
 * @usage_bytes: what the cgroup uses of it and cannot drop
 */
struct fz_cgroup_limit {
	char path[PATH_MAX];
	uint64_t limit_bytes;
	uint64_t usage_bytes;
};

/**
 * fz_hugetlb_limit_find() - the limit that a mapping of huge pages would hit
 * @hooks: the world
 * @page_bytes: size of a huge page
 * @bytes: size of the mapping
 * @limit: written when one was found
 *
 * Looks at the cgroup of /proc/self/cgroup and at all above it, version 1
 * (hugetlb.2MB.limit_in_bytes) and 2 (hugetlb.2MB.max), and in each at the
 * limit of faults and at that of reservations ("rsvd"), which mmap() hits.
 *
 * A limit whose path does not fit PATH_MAX is not known: no such file can be
 * opened by its path.
 *
 * Return: true if @bytes do not fit; the limit with the least room.
 */
bool fz_hugetlb_limit_find(const struct fz_hooks *hooks, uint64_t page_bytes,
			   uint64_t bytes, struct fz_cgroup_limit *limit);

/**
 * fz_memory_limit_find() - the limit that touching other memory would hit
 * @hooks: the world
 * @bytes: memory to be touched
 * @limit: written when one was found
 *
 * As above; version 1 limits memory (memory.limit_in_bytes) and memory with
 * swap (memory.memsw), version 2 kills at memory.max and all but stops the
 * process at memory.high. The page cache of files does not count as used.
 *
 * Huge pages of hugetlb do not count here, but where cgroup version 2 is
 * mounted with memory_hugetlb_accounting, which is not looked at.
 *
 * Return: true if @bytes do not fit; the limit with the least room.
 */
bool fz_memory_limit_find(const struct fz_hooks *hooks, uint64_t bytes,
			  struct fz_cgroup_limit *limit);

/**
 * fz_cgroup_limit_error() - say which limit is in the way
 * @limit: the limit
 * @what: what cannot be mapped, "64M of memory"
 * @bytes: what that takes
 * @err: the message; a path too long for it is left out, not cut
 *
 * Return: -ENOMEM.
 */
int fz_cgroup_limit_error(const struct fz_cgroup_limit *limit, const char *what,
			  uint64_t bytes, struct fz_err *err);

#endif
