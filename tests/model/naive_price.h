/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The price of a plan step by step. */
#ifndef NAIVE_PRICE_H
#define NAIVE_PRICE_H

#include <stdbool.h>

#include <fz/profile_price.h>

/* Prices of which sums are exact, in any order. */
struct fz_profile exact_profile(void);

/* Does fz_profile_price() come to the same as one step after the other, fault
 * and stretches? */
bool price_is_naive(const struct fz_profile *profile,
		    const struct fz_plan *plan, enum fz_preempt model);

#endif
