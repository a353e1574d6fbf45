/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which batch sizes are fast enough, and which let others in soon enough. */
#ifndef FZ_TUNING_H
#define FZ_TUNING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * DOC: tuning
 *
 * A folio that is cleared in batches is cleared faster the longer the batches
 * are, as a rule, and keeps others from the CPU longer. A curve is what some
 * batch sizes came to, sorted by size. Whether a size between two of them would
 * do is not known, but answers speak of neighbours as of a range.
 */

/**
 * struct fz_tuning_point - a batch size, and what came of it
 * @batch_bytes: the size
 * @share: of the bandwidth of the whole folio in one batch, 0 to about 1
 * @stretch_ns: how long others may have to wait
 */
struct fz_tuning_point {
	uint64_t batch_bytes;
	double share;
	double stretch_ns;
};

/**
 * struct fz_tuning_wish - what is wanted
 * @share: at least this
 * @max_ns: stretches no longer than this
 */
struct fz_tuning_wish {
	double share;
	double max_ns;
};

/**
 * struct fz_tuning_answer - what can be had
 * @enough_bytes: smallest batch that reaches the share; 0 = none does
 * @fits_bytes: largest batch whose stretch is not too long; 0 = none is
 * @from_bytes: of the longest run of batches that do both; 0 = none does
 * @to_bytes: its end
 */
struct fz_tuning_answer {
	uint64_t enough_bytes;
	uint64_t fits_bytes;
	uint64_t from_bytes;
	uint64_t to_bytes;
};

/**
 * fz_tuning_answer_of() - read a curve
 * @points: [nr], by batch size, each size once
 * @nr: how many
 * @wish: what is wanted
 *
 * Return: the answer; of several longest runs that of the smallest batches.
 */
struct fz_tuning_answer
fz_tuning_answer_of(const struct fz_tuning_point *points, size_t nr,
		    struct fz_tuning_wish wish);

/* Where each of the two wishes begins or ceases to be fulfilled. */
#define FZ_TUNING_MAX_NEXT 2

/**
 * fz_tuning_next() - which batch sizes would make the answer sharper
 * @points: [nr], as fz_tuning_answer_of()
 * @nr: how many
 * @wish: what is wanted
 * @next: [FZ_TUNING_MAX_NEXT], in whole pages, none of them on the curve
 *
 * In the middle between the smallest batch that reaches the share and the one
 * below it, and between the largest that fits and the one above it, unless
 * those are less than a sixteenth of their size, or a page, apart.
 *
 * Return: how many there are, different ones.
 */
size_t fz_tuning_next(const struct fz_tuning_point *points, size_t nr,
		      struct fz_tuning_wish wish,
		      uint64_t next[FZ_TUNING_MAX_NEXT]);

#endif
