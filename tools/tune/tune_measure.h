/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Curves from rounds on real memory. */
#ifndef FZ_TUNE_MEASURE_H
#define FZ_TUNE_MEASURE_H

#include "bench_memory.h"
#include "tune.h"

/* What measuring takes; begin with zeroes. */
struct fz_tune_measure {
	struct fz_bench bench;
	bool has_bench;
	struct fz_bench_memories memories;
};

/* The curves of a tune without a profile. */
void fz_tune_measure_curves(struct fz_tune *tune);

/*
 * Open memory, and what rounds need. A memory that cannot be had was complained
 * about. Return: FZ_EXIT_DONE, or another exit status.
 */
int fz_tune_measure_open(struct fz_tune_measure *measure, struct fz_tune *tune,
			 const struct fz_hooks *hooks, const unsigned int *cpus,
			 const atomic_int *stop);
void fz_tune_measure_close(struct fz_tune_measure *measure);

/* Samples from rounds in which each batch size comes once. */
struct fz_tune_source fz_tune_measure_source(struct fz_tune_measure *measure);

#endif
