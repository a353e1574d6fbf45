/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Curves from the prices of a machine's profile. */
#ifndef FZ_TUNE_PREDICT_H
#define FZ_TUNE_PREDICT_H

#include "tune.h"

/* The curves of a tune that has a profile: its primitives, or those asked for.
 */
void fz_tune_predict_curves(struct fz_tune *tune);

/* Samples that cost nothing: has no state. */
struct fz_tune_source fz_tune_predict_source(void);

#endif
