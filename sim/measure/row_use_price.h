/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The use of a row that is worked out. */
#ifndef FZ_ROW_USE_PRICE_H
#define FZ_ROW_USE_PRICE_H

#include <fz/profile.h>
#include <fz/row.h>

/* Into the samples of a row that is modelled; or, in @no_use, why not. */
void row_use_price(struct fz_row *row, const struct fz_profile *profile);

#endif
