/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long loads take from each cache, into the profile. */
#ifndef FZ_CACHE_LATENCY_H
#define FZ_CACHE_LATENCY_H

#include <fz/probe_levels.h>

#include "calibration.h"

/* Levels with times, the first ones those of the profile's cache. */
void cache_latency_keep(struct calibration *c, const struct fz_levels *levels);

#endif
