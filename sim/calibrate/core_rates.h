/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What cores get out of the memory, and what that says about its bus. */
#ifndef FZ_CORE_RATES_H
#define FZ_CORE_RATES_H

#include "calibration.h"

/* What memory is used for. */
enum core_use {
	CORE_READS,
	CORE_ALLOCATES,
	CORE_STREAMS,
	CORE_USES
};

/* Bytes a second, the best of all rounds, [CORE_USES], since whoever else is
 * there can only take away; NAN where there is no primitive, or no round
 * without others. */
struct core_rates {
	double alone[CORE_USES];
	double together[CORE_USES];
};

/* Into the profile, with notes; `nr` cores were together. */
void core_rates_keep(struct calibration *c, unsigned int nr,
		     const struct core_rates *rates);

#endif
