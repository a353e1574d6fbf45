/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What counters counted, over rounds and threads. */
#ifndef FZ_COUNTS_H
#define FZ_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

/* Counters of a run; a CPU has fewer than ten. */
#define FZ_MAX_COUNTERS 32

/**
 * struct fz_count - of one counter
 * @value: while it ran
 * @enabled_ns: time that it was to count
 * @running_ns: time that it did, less where counters take turns
 * @lost: it could not be read once
 */
struct fz_count {
	uint64_t value;
	uint64_t enabled_ns;
	uint64_t running_ns;
	bool lost;
};

/**
 * struct fz_counts - of all counters of a run
 * @of: one each, in the order they were asked for; the rest is 0
 */
struct fz_counts {
	struct fz_count of[FZ_MAX_COUNTERS];
};

/**
 * fz_counts_add() - sum up
 * @sum: added to
 * @more: what is added
 */
void fz_counts_add(struct fz_counts *sum, const struct fz_counts *more);

/**
 * fz_count_scaled() - the value as if the counter had run all the time
 * @count: a count
 *
 * Return: the value; NAN if it never ran or was not read.
 */
double fz_count_scaled(const struct fz_count *count);

#endif
