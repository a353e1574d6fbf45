/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much memory the machine can spare. */
#ifndef FZ_SIM_MEMORY_AVAILABLE_H
#define FZ_SIM_MEMORY_AVAILABLE_H

#include <stdint.h>

#include <fz/hooks.h>

/**
 * fz_memory_available() - memory to be had without swapping
 * @hooks: the world
 *
 * Return: bytes, as MemAvailable in /proc/meminfo; UINT64_MAX if unknown.
 */
uint64_t fz_memory_available(const struct fz_hooks *hooks);

/**
 * fz_memory_available_on() - memory to be had on one NUMA node
 * @hooks: the world
 * @node: number of the node
 *
 * Return: bytes, free ones and those that file pages take; UINT64_MAX if
 * unknown.
 */
uint64_t fz_memory_available_on(const struct fz_hooks *hooks,
				unsigned int node);

/**
 * fz_memory_reservable() - how much of that a pool of huge pages may take
 * @hooks: the world
 *
 * What is in a pool can be neither reclaimed nor swapped, so something stays
 * for everybody else.
 *
 * Return: bytes; UINT64_MAX if unknown.
 */
uint64_t fz_memory_reservable(const struct fz_hooks *hooks);

#endif
