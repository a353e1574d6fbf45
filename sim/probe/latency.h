/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measures how long a load takes from each level. */
#ifndef FZ_PROBE_LATENCY_H
#define FZ_PROBE_LATENCY_H

#include <stdatomic.h>

#include <fz/hooks.h>
#include <fz/probe_levels.h>
#include <fz/random.h>

/*
 * The median time of a load in each level's working set, and the classes that
 * follow. `base` has room for the largest one; `lines` is scratch,
 * [CHASE_MAX_LINES]. Return: 0, or -EINTR if stop was set meanwhile.
 */
int latency_measure(struct fz_levels *levels, char *base, unsigned int *lines,
		    double clock_ticks, struct fz_random *random,
		    const struct fz_hooks *hooks, const atomic_int *stop);

#endif
