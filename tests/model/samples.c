// SPDX-License-Identifier: GPL-2.0-or-later
/* Samples made by chance, for tests of statistics. */
#include "samples.h"

#include <math.h>

/* Box and Muller's. */
double samples_normal(struct fz_random *random)
{
	const double u = 1 - fz_random_unit(random);
	const double angle = 2 * M_PI * fz_random_unit(random);

	return sqrt(-2 * log(u)) * cos(angle);
}

void samples_log_normal(struct fz_random *random, double *x, size_t n,
			double location, double stdev)
{
	samples_autoregressive(random, x, n, location, stdev, 0);
}

void samples_autoregressive(struct fz_random *random, double *x, size_t n,
			    double location, double stdev, double correlation)
{
	const double fresh = sqrt(1 - correlation * correlation);
	double level = samples_normal(random);

	for (size_t i = 0; i < n; i++) {
		x[i] = exp(location + stdev * level);
		level = correlation * level + fresh * samples_normal(random);
	}
}
