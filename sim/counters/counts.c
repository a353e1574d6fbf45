// SPDX-License-Identifier: GPL-2.0-or-later
/* What counters counted, over rounds and threads. */
#include <fz/counts.h>

#include <math.h>
#include <stddef.h>

static void count_add(struct fz_count *sum, const struct fz_count *more)
{
	sum->value += more->value;
	sum->enabled_ns += more->enabled_ns;
	sum->running_ns += more->running_ns;
	sum->lost |= more->lost;
}

void fz_counts_add(struct fz_counts *sum, const struct fz_counts *more)
{
	for (size_t i = 0; i < FZ_MAX_COUNTERS; i++)
		count_add(&sum->of[i], &more->of[i]);
}

double fz_count_scaled(const struct fz_count *count)
{
	if (count->lost || !count->running_ns)
		return NAN;
	if (count->running_ns == count->enabled_ns)
		return (double)count->value;
	return (double)count->value * (double)count->enabled_ns /
	       (double)count->running_ns;
}
