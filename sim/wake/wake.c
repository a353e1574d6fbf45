// SPDX-License-Identifier: GPL-2.0-or-later
/* Merges wake-ups with the times they are wanted from. */
#include <fz/wake.h>

size_t fz_wakes_in(const struct fz_wakes *wakes,
		   const struct fz_tick_span *spans, size_t nr_spans,
		   const struct fz_clock *clock,
		   struct fz_histogram *latency_ns)
{
	const struct fz_tick_span *span = spans;
	const struct fz_tick_span *const end = spans + nr_spans;
	size_t nr = 0;

	for (size_t i = 0; i < wakes->nr; i++) {
		const struct fz_wake *wake = &wakes->wake[i];

		while (span < end && span->end <= wake->due_ticks)
			span++;
		if (span == end)
			break;
		if (wake->due_ticks < span->begin)
			continue;
		fz_histogram_add(
			latency_ns,
			fz_clock_ns(clock, wake->seen_ticks - wake->due_ticks));
		nr++;
	}
	return nr;
}
