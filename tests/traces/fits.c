// SPDX-License-Identifier: GPL-2.0-or-later
/* Pearson's chi-square test. */
#include "fits.h"

#define MATHLIB_STANDALONE
#include <Rmath.h>

#define EXPECTED_MIN 5

struct cells {
	double chi_square;
	double counted, expected; /* of a cell that is not full yet */
	unsigned int nr;
};

static void close_cell(struct cells *cells)
{
	const double off = cells->counted - cells->expected;

	if (cells->expected > 0)
		cells->chi_square += off * off / cells->expected;
	cells->counted = cells->expected = 0;
	cells->nr++;
}

static double weight_of(const double *weights, size_t i)
{
	return weights ? weights[i] : 1;
}

double fits(const uint64_t *counts, const double *weights, size_t n)
{
	struct cells cells = { 0 };
	double draws = 0, whole = 0;

	for (size_t i = 0; i < n; i++) {
		draws += (double)counts[i];
		whole += weight_of(weights, i);
		/* What cannot be must not have been. */
		if (counts[i] && weight_of(weights, i) <= 0)
			return 0;
	}
	for (size_t i = 0; i < n; i++) {
		cells.counted += (double)counts[i];
		cells.expected += draws * weight_of(weights, i) / whole;
		if (cells.expected >= EXPECTED_MIN)
			close_cell(&cells);
	}
	if (cells.expected > 0 || cells.counted > 0)
		close_cell(&cells);
	if (cells.nr < 2)
		return 1;
	return pchisq(cells.chi_square, cells.nr - 1, 0, 0);
}

double fits_uniform(const uint64_t *counts, size_t n)
{
	return fits(counts, NULL, n);
}
