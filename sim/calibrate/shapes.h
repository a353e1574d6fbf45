/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The plans that a calibration times. */
#ifndef FZ_CALIBRATE_SHAPES_H
#define FZ_CALIBRATE_SHAPES_H

#include <stdbool.h>
#include <stdint.h>

#include <fz/calibrate.h>
#include <fz/plan.h>

/* Pieces are of a folio of this size. */
#define SHAPE_FOLIO_BYTES ((uint64_t)2 << 20)

/*
 * A plan, and how many folios one after the other are cleared by it, each timed
 * by itself. All its steps are cached ones: whichever primitive is measured
 * clears them. `terms` are what the price of these folios is made of.
 */
struct shape {
	char what[48];
	struct fz_plan plan;
	uint64_t nr_folios;
	bool small;          /* folios that are mapped by base pages */
	uint64_t bytes;      /* of all folios */
	uint64_t call_bytes; /* the longest call */
	bool fitted;         /* or for the check */
	double terms[FZ_NR_CALL_TERMS];
};

struct shapes {
	struct shape shape[FZ_CALIBRATE_MAX_SHAPES];
	size_t nr;
};

/*
 * Pieces of a folio in several orders; folios of one short call each; single
 * calls of all powers of two from 2M to the longest, every other one of them
 * for the fit, and the longest too. Return: 0 or -ENOMEM; to be finished in
 * both cases.
 */
int shapes_make(struct shapes *shapes, uint64_t max_extent_bytes,
		uint64_t seed);
void shapes_fini(struct shapes *shapes);

/* No point acts under it, so that a plan's price is that of its calls. */
#define SHAPE_PREEMPT FZ_PREEMPT_FULL

#endif
