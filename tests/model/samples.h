/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Samples made by chance, for tests of statistics. */
#ifndef SAMPLES_H
#define SAMPLES_H

#include <stddef.h>

#include <fz/random.h>

/* Normal, mean 0, standard deviation 1. */
double samples_normal(struct fz_random *random);

/* exp(location + stdev * normal); into x[n]. */
void samples_log_normal(struct fz_random *random, double *x, size_t n,
			double location, double stdev);

/* The same, but each resembles the one before it with that correlation. */
void samples_autoregressive(struct fz_random *random, double *x, size_t n,
			    double location, double stdev, double correlation);

#endif
