/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPUs and caches, through hwloc. */
#ifndef FZ_TOPOLOGY_H
#define FZ_TOPOLOGY_H

#include <stddef.h>
#include <stdint.h>

#include <fz/err.h>

#define FZ_MAX_CACHES 8

/* Holds every other CPU of 8192, more than any kernel is built for. */
#define FZ_ALLOWED_CPUS_BYTES 20480

/**
 * struct fz_cpu_cache - one cache level as CPU 0 sees it
 * @name: "L1d", "L2", "L3"
 * @bytes: size; 0 = unknown
 * @line_bytes: line size; 0 = unknown
 * @ways: associativity; 0 = unknown
 * @nr_cpus: CPUs that share it
 * @nr: how many of them the machine has
 */
struct fz_cpu_cache {
	char name[8];
	uint64_t bytes;
	unsigned int line_bytes;
	unsigned int ways;
	unsigned int nr_cpus;
	unsigned int nr;
};

/**
 * struct fz_topology - what the machine is made of
 * @nr_cpus: CPUs online
 * @nr_cores: cores
 * @nr_packages: sockets
 * @nr_nodes: NUMA nodes
 * @nr_caches: entries in @caches
 * @caches: [nr_caches], data caches from the core outward
 * @llc_bytes: size of the last-level cache; 0 = unknown
 * @allowed_cpus: CPUs this process may use, as a list like "0-3,8"; should one
 *	not fit, it ends with "..."
 */
struct fz_topology {
	unsigned int nr_cpus;
	unsigned int nr_cores;
	unsigned int nr_packages;
	unsigned int nr_nodes;
	size_t nr_caches;
	struct fz_cpu_cache caches[FZ_MAX_CACHES];
	uint64_t llc_bytes;
	char allowed_cpus[FZ_ALLOWED_CPUS_BYTES];
};

/**
 * fz_topology_read() - ask hwloc
 * @topology: written on success
 * @err: message on failure
 *
 * Return: 0 or -errno.
 */
int fz_topology_read(struct fz_topology *topology, struct fz_err *err);

#endif
