/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the first use of a folio costs on a machine. */
#ifndef FZ_USE_PRICE_H
#define FZ_USE_PRICE_H

#include <stdbool.h>

#include <fz/cache_study.h>
#include <fz/profile.h>

/**
 * DOC: the price of a use
 *
 * A use is timed as fz_use_folio() does it: the clock is read, one load is
 * done, the clock is read, lines near it are read, and so on. The first load is
 * waited for, so it costs the latency of where its line is. The others wait for
 * none of each other, and cost what a line of many costs there:
 *
 *   line  = clock_ns + latency * cycle_ns
 *   near  = line + clock_ns + (sum over the near lines of read_cycles) *
 * cycle_ns folio = near + clock_ns + (the same over the folio)
 *
 * Where lines are is what a study says, of caches without time. The TLB is in
 * none of this, nor, in the line, the dirty one that it pushes out.
 */

/**
 * struct fz_use_price - what it costs
 * @line_ns: the faulting page's first line
 * @near_ns: then also every line of the pages around it
 * @folio_ns: then also every line of the folio
 *
 * NAN: something that it depends on is not known.
 */
struct fz_use_price {
	double line_ns;
	double near_ns;
	double folio_ns;
};

/**
 * fz_use_has_price() - is a study worth its time?
 * @profile: the machine
 *
 * Return: false if no use can have a price, whatever is found.
 */
bool fz_use_has_price(const struct fz_profile *profile);

/**
 * fz_use_caches() - the caches that a study for such prices is of
 * @profile: the machine
 * @clear: prices of the primitive that clears; NULL = they are not known
 *
 * There is no prefetcher in them: what it does for a line is in read_cycles of
 * the level that the line was in.
 *
 * Return: the caches, and what most of the primitive's long calls do in them.
 */
struct fz_cache_spec fz_use_caches(const struct fz_profile *profile,
				   const struct fz_profile_clear *clear);

/**
 * fz_use_price() - price what a study found
 * @profile: the machine; the caches studied are its
 * @study: with a faulting page
 *
 * Return: the prices.
 */
struct fz_use_price fz_use_price(const struct fz_profile *profile,
				 const struct fz_cache_study *study);

#endif
