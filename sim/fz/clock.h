/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From raw ticks to ns. */
#ifndef FZ_CLOCK_H
#define FZ_CLOCK_H

#include <stdint.h>

#include <fz/hooks.h>

/**
 * struct fz_clock - the rate of the hooks' tick counter
 * @ns_per_tick: length of a tick in ns; 1.0 where ticks are ns
 */
struct fz_clock {
	double ns_per_tick;
};

/**
 * fz_clock_calibrate() - measure the tick rate against CLOCK_MONOTONIC
 * @hooks: the world
 * @span_ns: how long to measure; both clocks are read together several times
 *	at each end, and the closest readings count, so that the error is about
 *	100 ns / @span_ns
 *
 * Return: the clock.
 */
struct fz_clock fz_clock_calibrate(const struct fz_hooks *hooks,
				   uint64_t span_ns);

/**
 * fz_clock_ns() - length of a span of ticks
 * @clock: the clock
 * @ticks: a difference of two readings
 *
 * Return: ns, rounded to nearest.
 */
uint64_t fz_clock_ns(const struct fz_clock *clock, uint64_t ticks);

#endif
