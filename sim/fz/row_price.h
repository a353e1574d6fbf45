/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A row that is worked out by a machine's profile instead of measured. */
#ifndef FZ_ROW_PRICE_H
#define FZ_ROW_PRICE_H

#include <stddef.h>

#include <fz/err.h>
#include <fz/profile.h>
#include <fz/round.h>
#include <fz/row.h>

/**
 * fz_row_price() - price what rounds of a row would zero
 * @row: without rounds, of an engine that measures nothing
 * @profile: prices its primitives, which are found by their names
 * @bench: where plans come from; its seed gives the faulting pages, the same as
 *	those of a row that is measured
 * @rounds: 1 to FZ_MAX_ROUNDS
 * @err: message on failure
 *
 * Each folio costs its clear calls, its acting resched points and its drain_ns,
 * and no entry of a fault: an engine that clears in user space has none either.
 * Nobody shares the memory. What is used afterwards is one folio in the place
 *of all, of random faulting pages that of the middle, see use_price.h; the
 *caches are those of the profile. Afterwards the row is modelled; or it is
 * unsupported, with the reason, if the profile does not tell what it costs.
 *
 * Return: 0; -EINTR if the bench's stop was set meanwhile; -ENOMEM; -EINVAL (a
 * plan that leaves its folio).
 */
int fz_row_price(struct fz_row *row, const struct fz_profile *profile,
		 struct fz_bench *bench, size_t rounds, struct fz_err *err);

#endif
