/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This machine's caches, to be modelled. */
#ifndef FZ_TOPOLOGY_CACHE_H
#define FZ_TOPOLOGY_CACHE_H

#include <fz/cache_spec.h>
#include <fz/err.h>
#include <fz/topology.h>

/**
 * fz_topology_cache_spec() - what a modelled cache has to know of a machine
 * @topology: the machine
 * @spec: written on success: plain levels, without latencies, which the
 *	topology does not have
 * @err: message on failure
 *
 * Return: 0, or -ENOTSUP if size, line or associativity of a cache is not
 * known, lines are not of one size, or there are too many levels or none.
 */
int fz_topology_cache_spec(const struct fz_topology *topology,
			   struct fz_cache_spec *spec, struct fz_err *err);

#endif
