/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of a calibration share. */
#ifndef FZ_CALIBRATION_H
#define FZ_CALIBRATION_H

#include <fz/calibrate.h>
#include <fz/random.h>

#include "shapes.h"

/* What the rounds of all plans take of the budget; what comes after has the
 * rest. A median of fewer rounds is no figure, whatever the budget. */
#define CALIBRATION_ROUNDS_PART 0.55
#define CALIBRATION_MIN_ROUNDS  3u

/* Times of one plan with one primitive. */
#define TIMING_MAX 256

struct timing {
	double ns[TIMING_MAX]; /* [nr] */
	size_t nr;
};

/*
 * Memory that was dirtied in one sweep is handed out from its begin, each byte
 * once: the begin is what has been out of the cache for longest.
 */
struct cold {
	struct fz_buffer *buffer;
	uint64_t next; /* first byte that is still cold */
};

struct calibration {
	struct fz_bench *bench;
	const struct fz_calibrate_params *params;
	struct fz_calibration *out;
	struct shapes shapes;
	struct timing *timings; /* [nr_clears][shapes.nr], row-major */
	struct cold cold;
	struct cold small; /* of base pages; no buffer: the other serves */
	struct fz_random random;
	uint64_t begin_ns;
};

/* 0, or -ENOMEM; to be closed in both cases. */
int calibration_open(struct calibration *c, struct fz_calibration *out,
		     struct fz_bench *bench,
		     const struct fz_calibrate_params *params);
void calibration_close(struct calibration *c);

/* Was a signal caught? */
bool calibration_stopped(const struct calibration *c);

/* Is this part of the budget, 0 to 1, used up? Shows the progress. */
bool calibration_late(struct calibration *c, double part, const char *what);

/* Where a number is from; and why one is not known. */
void calibration_note(struct calibration *c, const char *member,
		      const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void calibration_unknown(struct calibration *c, const char *member,
			 const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Dirties what small shapes are timed on. What is timed between that and folios
 * on base pages would push their page tables out of the caches; in a round of
 * bench nothing does.
 */
void calibration_sweep_small(struct calibration *c);

/* So many bytes that are cold, at most the buffer's. */
char *calibration_cold(struct calibration *c, uint64_t bytes);

/* ns of a shape's folios one after the other, each timed by itself, and of a
 * single call, on memory that is cold; NAN if another task took the CPU
 * meanwhile. */
double calibration_time_shape(struct calibration *c,
			      const struct fz_clear *clear,
			      const struct shape *shape);
double calibration_time_call(struct calibration *c,
			     const struct fz_clear *clear, uint64_t bytes);

static inline struct timing *calibration_timing(const struct calibration *c,
						size_t clear, size_t shape)
{
	return &c->timings[clear * c->shapes.nr + shape];
}

/* The parts, in the order in which they are done. Return: 0, -EINTR, -ENOMEM.
 */
int calibrate_clears(struct calibration *c, struct fz_err *err);
void calibrate_topology(struct calibration *c);
int calibrate_elision(struct calibration *c);
int calibrate_interrupts(struct calibration *c);
int calibrate_scheduling(struct calibration *c);
int calibrate_latency(struct calibration *c);
int calibrate_fault(struct calibration *c);
int calibrate_memory(struct calibration *c);
void calibrate_checks(struct calibration *c);

#endif
