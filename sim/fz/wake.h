/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measured wake-ups, and which of them fell due while a folio was zeroed. */
#ifndef FZ_WAKE_H
#define FZ_WAKE_H

#include <stddef.h>
#include <stdint.h>

#include <fz/clock.h>
#include <fz/histogram.h>

/**
 * struct fz_wake - a wake-up: when it fell due, and when it came
 * @due_ticks: clock when it fell due
 * @seen_ticks: clock when the thread ran, or the flag was seen; not before
 *	@due_ticks
 */
struct fz_wake {
	uint64_t due_ticks;
	uint64_t seen_ticks;
};

/**
 * struct fz_wakes - the wake-ups of some time
 * @wake: [nr], ascending by @due_ticks
 * @nr: how many
 * @dropped: those for which there was no room, or that fell due while a waker
 *	that spins was off its CPU
 */
struct fz_wakes {
	const struct fz_wake *wake;
	size_t nr;
	uint64_t dropped;
};

/**
 * struct fz_tick_span - a time [begin, end)
 * @begin: clock at its begin
 * @end: clock at its end
 */
struct fz_tick_span {
	uint64_t begin;
	uint64_t end;
};

/**
 * fz_wakes_in() - collect the wake-ups that fell due inside some times
 * @wakes: the wake-ups
 * @spans: [@nr_spans], ascending, not overlapping: when folios were zeroed
 * @nr_spans: how many
 * @clock: rate of the ticks
 * @latency_ns: from due to seen, added to
 *
 * Where a wake-up came does not matter: one that fell due just before the end
 * of a folio is seen behind it.
 *
 * Return: how many were added.
 */
size_t fz_wakes_in(const struct fz_wakes *wakes,
		   const struct fz_tick_span *spans, size_t nr_spans,
		   const struct fz_clock *clock,
		   struct fz_histogram *latency_ns);

#endif
