/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What disturbs a measurement: steal time, other tasks, migrations. */
#ifndef FZ_NOISE_H
#define FZ_NOISE_H

#include <stdint.h>

#include <fz/hooks.h>
#include <fz/row.h>

/**
 * struct fz_noise_reading - counters at one moment
 * @steal_ms: from /proc/stat, all CPUs, since boot; 0 where unknown
 * @usage: of the calling thread
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
 * Return: the reading; what cannot be read is 0.
 */
struct fz_noise_reading fz_noise_read(const struct fz_hooks *hooks);

/**
 * fz_noise_between() - what happened between two readings
 * @before: the earlier one
 * @after: the later one
 *
 * Return: the differences.
 */
struct fz_noise fz_noise_between(const struct fz_noise_reading *before,
				 const struct fz_noise_reading *after);

/**
 * fz_noise_add() - sum up
 * @sum: added to
 * @noise: what is added
 */
void fz_noise_add(struct fz_noise *sum, const struct fz_noise *noise);

#endif
