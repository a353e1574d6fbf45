/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What disturbs a measurement: steal time, other tasks, migrations. */
#ifndef FZ_NOISE_H
#define FZ_NOISE_H

#include <stdint.h>

#include <fz/hooks.h>
#include <fz/row.h>

/**
 * struct fz_noise_reading - counters at one moment
 * @steal_ms: from /proc/stat, all CPUs, since boot; UINT64_MAX = unknown
 * @usage: of the calling thread; each UINT64_MAX where unknown
 * @cpu: where it runs
 */
struct fz_noise_reading {
	uint64_t steal_ms;
	struct fz_usage usage;
	unsigned int cpu;
};

/**
 * fz_noise_read() - read the counters
 * @hooks: the world
 *
 * Return: the reading; what cannot be read is UINT64_MAX.
 */
struct fz_noise_reading fz_noise_read(const struct fz_hooks *hooks);

/**
 * fz_noise_read_thread() - read those of the calling thread anew
 * @hooks: the world
 * @reading: its usage and CPU are written, the rest stays
 *
 * Takes less than a microsecond, which reading all does not.
 */
void fz_noise_read_thread(const struct fz_hooks *hooks,
			  struct fz_noise_reading *reading);

/**
 * fz_noise_between() - what happened between two readings
 * @before: the earlier one
 * @after: the later one
 *
 * Return: the differences; UINT64_MAX where a reading is unknown.
 */
struct fz_noise fz_noise_between(const struct fz_noise_reading *before,
				 const struct fz_noise_reading *after);

/**
 * fz_noise_add() - sum up
 * @sum: added to
 * @noise: what is added
 *
 * What is unknown (UINT64_MAX) in one of them is unknown in the sum.
 */
void fz_noise_add(struct fz_noise *sum, const struct fz_noise *noise);

#endif
