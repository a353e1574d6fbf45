/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What zeroing leaves in the caches for who reads the folio. */
#ifndef FZ_ZERO_LEFT_H
#define FZ_ZERO_LEFT_H

#include <stdbool.h>
#include <stdint.h>

#include <fz/err.h>
#include <fz/plan.h>
#include <fz/profile_price.h>

/**
 * DOC: what is left
 *
 * A folio's lines are where a study (cache_study.h) of its plan leaves them, in
 * caches that are the core's alone, and it is read in ascending order. That
 * takes time for each line which depends on its level, if the profile knows
 * those times (read_cycles, cycle_ns).
 *
 * A study takes its time, and a fault may be at any page: those at the first
 * and at the last page are studied, and one in the middle of each eighth of the
 * folio for all others in it.
 */

/**
 * struct fz_zero_left - what a reader of a zeroed folio finds
 * @bytes: so many in the caches
 * @ns_per_byte: that each of them takes, in the mean
 */
struct fz_zero_left {
	double bytes;
	double ns_per_byte;
};

/**
 * fz_zero_left_has_price() - can it be worked out?
 * @profile: the machine
 *
 * Return: false if some of what it depends on is not known.
 */
bool fz_zero_left_has_price(const struct fz_profile *profile);

/**
 * fz_zero_left_page() - the faulting page that is studied in its place
 * @nr_pages: of the folio
 * @fault_page: in it
 *
 * Return: a page of the folio.
 */
uint64_t fz_zero_left_page(uint64_t nr_pages, uint64_t fault_page);

/**
 * fz_zero_left_study() - carry a plan out on modelled caches
 * @prices: whose profile has a price for it
 * @plan: the plan; its hints are those of the primitives afterwards
 * @left: written on success
 * @err: message on failure
 *
 * Return: 0 or as fz_cache_study_plan().
 */
int fz_zero_left_study(const struct fz_prices *prices, struct fz_plan *plan,
		       struct fz_zero_left *left, struct fz_err *err);

#endif
