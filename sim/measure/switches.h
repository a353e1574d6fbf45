/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Did another task have the CPU meanwhile? */
#ifndef FZ_SWITCHES_H
#define FZ_SWITCHES_H

#include <stdint.h>

#include <fz/hooks.h>

/* Times that another task took the CPU so far; 0 where nobody knows. */
static inline uint64_t switches_so_far(const struct fz_hooks *hooks)
{
	struct fz_usage usage = { 0 };

	return hooks->usage(hooks->state, &usage) ? 0
						  : usage.involuntary_switches;
}

#endif
