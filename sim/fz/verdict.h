/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which row, if any, may be called the winner. */
#ifndef FZ_VERDICT_H
#define FZ_VERDICT_H

#include <stddef.h>
#include <stdint.h>

#include <fz/row.h>

/**
 * struct fz_verdict - the outcome among rows on like faults
 * @page: pages of these rows
 * @folio_bytes: folio size of these rows
 * @threads: threads of these rows
 * @fault: faulting page of these rows
 * @fault_page: with FZ_FAULT_AT
 * @winner: the row that beats every other one; NULL if there is none
 * @best: the row with the lowest median time over the rounds in common
 * @nr_rivals: other rows that cannot be told from @best
 * @rival: the best of those; NULL if there is none
 * @nr_rows: rows compared, rows with the same steps counted once
 * @rounds: rounds they have in common
 *
 * Rows of the `bare` engine, rows that failed and rows whose times hold the
 * wake-ups of a timer do not compete; rows of
 * policies that are told no faulting page compete everywhere.
 */
struct fz_verdict {
	struct fz_page_size page;
	uint64_t folio_bytes;
	unsigned int threads;
	enum fz_fault_choice fault;
	uint64_t fault_page;
	const struct fz_row *winner;
	const struct fz_row *best;
	size_t nr_rivals;
	const struct fz_row *rival;
	size_t nr_rows;
	size_t rounds;
};

/**
 * fz_verdicts_of() - one verdict for each kind of page and faulting page
 * @rows: [nr_rows]
 * @nr_rows: their number
 * @verdicts: [max] written; groups of fewer than two rows are left out
 * @max: room in @verdicts
 *
 * A winner's paired ratio against every other row excludes 1, Holm-corrected
 * at 5 %, over at least FZ_WINNER_MIN_ROUNDS rounds.
 *
 * Return: entries written.
 */
size_t fz_verdicts_of(const struct fz_row *rows, size_t nr_rows,
		      struct fz_verdict *verdicts, size_t max);

#endif
