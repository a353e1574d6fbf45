/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What lines cost that are read one after the other, into the profile. */
#ifndef FZ_CACHE_READ_H
#define FZ_CACHE_READ_H

#include <stdatomic.h>

#include <fz/hooks.h>
#include <fz/probe_levels.h>

#include "calibration.h"

/* Ticks a line from each level, [levels->nr]; -EINTR if it was stopped. */
int cache_read_measure(double *ticks, const struct fz_levels *levels,
		       char *base, double clock_ticks,
		       const struct fz_hooks *hooks, const atomic_int *stop);

/* Such ticks into the profile; NAN is not known. */
void cache_read_keep(struct calibration *c, const struct fz_levels *levels,
		     const double *ticks);

#endif
