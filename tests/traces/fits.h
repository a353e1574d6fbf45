/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does what was counted fit what was expected? */
#ifndef FITS_H
#define FITS_H

#include <stddef.h>
#include <stdint.h>

/*
 * Pearson's test of @counts [n] against probabilities in proportion to
 * @weights [n]: how often would chance alone deviate that far or further? Cells
 * that expect less than 5 are joined with those that follow.
 */
double fits(const uint64_t *counts, const double *weights, size_t n);

/* The same where all cells are alike. */
double fits_uniform(const uint64_t *counts, size_t n);

/* A right program stays above it: seeds are fixed, and tests are hundreds. */
#define FITS_ENOUGH 1e-4

#endif
