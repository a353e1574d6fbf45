/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The memory of all NUMA nodes: a fluid each, with the same classes. */
#ifndef FZ_BUS_H
#define FZ_BUS_H

#include <stdint.h>

#include "fluid.h"

/**
 * struct fz_bus - zero it before fz_bus_open()
 * @nodes: [nr_nodes], owned
 * @nr_nodes: their number
 */
struct fz_bus {
	struct fz_fluid **nodes;
	unsigned int nr_nodes;
};

/**
 * fz_bus_open() - memory that nobody uses, at time 0
 * @bus: written, also on failure: give it to fz_bus_fini()
 * @nr_nodes: at least 1
 * @bps: bytes a second of each node
 *
 * Return: 0 or -ENOMEM.
 */
int fz_bus_open(struct fz_bus *bus, unsigned int nr_nodes, double bps);

/**
 * fz_bus_fini() - free it
 * @bus: without nodes afterwards
 */
void fz_bus_fini(struct fz_bus *bus);

/**
 * fz_bus_class() - a class of flows, in all nodes
 * @bus: the memory
 * @cap_bps: as fz_fluid_class()
 * @cost: as fz_fluid_class()
 *
 * Return: its index, or -ENOSPC.
 */
int fz_bus_class(struct fz_bus *bus, double cap_bps, double cost);

/**
 * fz_bus_next() - when does a flow end next?
 * @bus: the memory
 * @node: where; of several the first
 *
 * Return: the time in ns; UINT64_MAX = never.
 */
uint64_t fz_bus_next(const struct fz_bus *bus, unsigned int *node);

/**
 * fz_bus_bytes() - bytes on the bus so far
 * @bus: the memory
 * @now_ns: the time
 *
 * Return: bytes, over all nodes.
 */
double fz_bus_bytes(const struct fz_bus *bus, uint64_t now_ns);

#endif
