/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The times of the kernel's ticks, and sums of times. */
#ifndef FZ_KERNEL_TICK_H
#define FZ_KERNEL_TICK_H

#include <stdint.h>

/* Nothing happens then. */
#define FZ_NEVER_NS UINT64_MAX

/**
 * fz_tick_after() - the first tick behind a time
 * @hz: ticks a second, 1 to 10^9; one is at 0
 * @ns: the time
 *
 * Return: ns, rounded up; FZ_NEVER_NS if it is beyond what can be told.
 */
uint64_t fz_tick_after(unsigned int hz, uint64_t ns);

/**
 * fz_ns_after() - a time later
 * @ns: the time
 * @later_ns: how much
 *
 * Return: ns; FZ_NEVER_NS if it is beyond what can be told.
 */
uint64_t fz_ns_after(uint64_t ns, uint64_t later_ns);

#endif
