/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prices of a primitive's calls, from the times of plans. */
#ifndef FZ_CLEAR_FIT_H
#define FZ_CLEAR_FIT_H

#include "calibration.h"

/* From the plans for the fit all of whose calls are shorter; nr_fitted may be
 * NULL. */
struct fz_least_squares clear_fit(const struct calibration *c, size_t clear,
				  uint64_t below_bytes, size_t *nr_fitted);

/* Of a folio that is one call. */
double clear_fit_ns(const struct fz_least_squares *fit, uint64_t call_bytes);

/* Fit, and write it into the profile. */
void clear_fit_keep(struct calibration *c, size_t clear, uint64_t below_bytes);

#endif
