/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a CPU does next for a task without having to decide anything. */
#ifndef FZ_WORK_H
#define FZ_WORK_H

#include <stdint.h>

/* Class of a part that needs the CPU alone. */
#define FZ_ON_CPU (-1)

/**
 * struct fz_work_part - a part of some work
 * @ns: how long it takes with the machine to itself
 * @bytes_per_ns: of its flow then; 0 without a flow
 * @class: of its flow, see fluid.h; or FZ_ON_CPU
 */
struct fz_work_part {
	double ns;
	double bytes_per_ns;
	int class;
};

/**
 * struct fz_places - where in some work a cooperative kernel may reschedule
 * @lead_ns: before anything is cleared; below 0 = nowhere
 * @first_ns: the first one after that
 * @step_ns: from each to the next
 * @nr: places, @lead_ns not counted
 *
 * In ns of the work alone. A resched point is one at its end; points that have
 * nothing between them are one.
 */
struct fz_places {
	double lead_ns;
	double first_ns;
	double step_ns;
	uint64_t nr;
};

struct fz_clear_kind;

/**
 * struct fz_work - one part after the other; a part of 0 ns is none
 * @part: the parts
 * @places: in them
 * @kind: how it clears; NULL if it does not
 * @bytes: cleared
 * @overhead_ns: before the first byte of a call that is elided; below 0 if it
 *	is no such call
 */
struct fz_work {
	struct fz_work_part part[2];
	struct fz_places places;
	const struct fz_clear_kind *kind;
	uint64_t bytes;
	double overhead_ns;
};

/**
 * fz_work_on_cpu() - work without a flow
 * @ns: how long
 *
 * Return: the work.
 */
struct fz_work fz_work_on_cpu(double ns);

/**
 * fz_work_ns() - how long it takes alone
 * @work: the work
 *
 * Return: ns.
 */
double fz_work_ns(const struct fz_work *work);

/**
 * fz_work_part_at() - which part has come that far?
 * @work: the work
 * @done_ns: of it alone, less than fz_work_ns()
 * @end_ns: where that part ends; written
 *
 * Return: the part.
 */
const struct fz_work_part *fz_work_part_at(const struct fz_work *work,
					   double done_ns, double *end_ns);

/**
 * fz_place_after() - the next place to reschedule
 * @places: of some work
 * @ns: behind this; below 0 for all of the work
 *
 * Return: ns of the work alone; INFINITY if there is none.
 */
double fz_place_after(const struct fz_places *places, double ns);

/**
 * fz_place_by() - the last place so far
 * @places: of some work
 * @ns: not behind this
 *
 * Return: ns of the work alone; -1 if there is none.
 */
double fz_place_by(const struct fz_places *places, double ns);

#endif
