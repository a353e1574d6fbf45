/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a plan costs, worked out instead of measured. */
#ifndef FZ_PRICE_H
#define FZ_PRICE_H

#include <stdint.h>

#include <fz/plan.h>
#include <fz/profile_price.h>
#include <fz/recorder.h>

/**
 * fz_price_plan() - what faults that take a plan cost
 * @plan: the plan
 * @model: decides which calls act
 * @prices: the price list
 * @nr: how many faults take this plan
 * @samples: these faults and their stretches are added
 *
 * As fz_profile_price(), in whole ns, so that a sum does not depend on its
 * order.
 *
 * Return: ns of one fault; NAN if the prices do not tell, and then nothing is
 * added.
 */
double fz_price_plan(const struct fz_plan *plan, enum fz_preempt model,
		     const struct fz_prices *prices, uint64_t nr,
		     struct fz_samples *samples);

#endif
