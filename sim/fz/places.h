/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The CPUs and NUMA nodes that this process may use, and a choice of them. */
#ifndef FZ_PLACES_H
#define FZ_PLACES_H

#include <stdbool.h>
#include <stddef.h>

#include <fz/cpu_list.h>
#include <fz/err.h>

struct fz_places;

/**
 * fz_places_open() - ask hwloc
 * @out: written on success
 * @err: message on failure
 *
 * Open it before the calling thread is pinned: a CPU outside the thread's mask
 * is one that it may not use. Nothing moves the thread.
 *
 * Return: 0 or -errno.
 */
int fz_places_open(struct fz_places **out, struct fz_err *err);

/**
 * fz_places_close() - free it
 * @places: may be NULL
 */
void fz_places_close(struct fz_places *places);

/**
 * fz_places_check_cpus() - may this process use all these CPUs?
 * @places: the places
 * @list: the CPUs
 * @err: on failure names the first CPU that it may not use, why (it does not
 *	exist, is offline, is outside the cpuset or outside the mask of the
 *	thread, as taskset sets it) and those that it may
 *
 * Return: 0 or -EINVAL.
 */
int fz_places_check_cpus(const struct fz_places *places,
			 const struct fz_cpu_list *list, struct fz_err *err);

/**
 * fz_places_check_node() - may this process use memory of that node?
 * @places: the places
 * @node: number of the node
 * @err: on failure says why not, and names the nodes that it may use
 *
 * A node without CPUs is one.
 *
 * Return: 0 or -EINVAL.
 */
int fz_places_check_node(const struct fz_places *places, unsigned int node,
			 struct fz_err *err);

/**
 * struct fz_cpu_choice - for which threads CPUs are wanted
 * @nr_threads: how many, not 0
 * @here: the CPU that the caller is on
 * @has_node: only CPUs of @node
 * @node: number of a NUMA node
 */
struct fz_cpu_choice {
	size_t nr_threads;
	unsigned int here;
	bool has_node;
	unsigned int node;
};

/**
 * fz_places_choose() - CPUs for threads whose user named none
 * @places: the places
 * @choice: for which threads
 * @list: written on success: @nr_threads CPUs, or all where there are fewer
 * @err: message on failure
 *
 * Every core gets one thread before any gets a second (SMT siblings come
 * last). Among cores, that of @here comes first, with @here itself, then those
 * of the same NUMA node, then the others, neighbours next to each other as
 * hwloc orders them. So one thread stays where it is, threads share a node
 * while it has cores, and fewer threads run on a part of the CPUs that more
 * threads run on, which hwloc_distrib() does not give.
 *
 * Return: 0; -EINVAL if there is no such node, or none of its CPUs is allowed;
 * -ENOMEM.
 */
int fz_places_choose(const struct fz_places *places,
		     const struct fz_cpu_choice *choice,
		     struct fz_cpu_list *list, struct fz_err *err);

#endif
