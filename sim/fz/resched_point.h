/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The user-space stand-in for a resched point that acts. */
#ifndef FZ_RESCHED_POINT_H
#define FZ_RESCHED_POINT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <fz/clock.h>
#include <fz/hooks.h>

/**
 * fz_resched_point() - what cond_resched() costs when nobody waits
 * @need_resched: the flag that asks for a reschedule; another thread may set it
 *
 * A call, a load and a test, as under the kernel's cooperative models; never
 * inlined. The engines that run plans make this call at every acting point.
 *
 * Return: true if the flag is set.
 */
bool fz_resched_point(const _Atomic uint32_t *need_resched);

/**
 * fz_resched_point_cost_ns() - measure one call
 * @hooks: the world
 * @clock: rate of the ticks
 *
 * Return: ns a call: the fastest of some loops of calls, less the fastest of
 * the same loops without the call.
 */
double fz_resched_point_cost_ns(const struct fz_hooks *hooks,
				const struct fz_clock *clock);

#endif
