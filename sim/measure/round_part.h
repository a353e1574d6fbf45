/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What one thread does of a round, step by step. */
#ifndef FZ_ROUND_PART_H
#define FZ_ROUND_PART_H

#include <fz/noise.h>
#include <fz/round.h>
#include <fz/wake.h>

struct round_part {
	struct fz_bench *bench; /* the thread's */
	const struct fz_row_config *config;
	struct fz_buffer *buffer;
	struct fz_round_part which;
	struct fz_err err;
	int code;
	uint64_t ticks;              /* timed sections of drained folios */
	uint64_t points;             /* acting resched points */
	bool conditional;            /* some plan was */
	uint64_t begin, end;         /* ticks around all folios */
	uint64_t use_begin, use_end; /* ticks around reading them all */
	struct fz_noise_reading before, after;
	struct fz_noise noise;
	unsigned int cpu;
	struct fz_resched_flag *flag; /* NULL = nobody asks */
	struct fz_wakes wakes;
	struct fz_counts counts;
};

/* The steps, in this order; each sets the code if it fails. */
void round_part_dirty(struct round_part *part);
void round_part_plan(struct round_part *part);
void round_part_zero(struct round_part *part);
void round_part_settle(struct round_part *part);
void round_part_use(struct round_part *part);
void round_part_verify(struct round_part *part);

/* Turn what was recorded into samples; at the end also after a failure. */
void round_part_drain(struct round_part *part);

#endif
