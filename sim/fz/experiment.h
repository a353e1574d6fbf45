/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows measured together: interleaved, shuffled, repeated. */
#ifndef FZ_EXPERIMENT_H
#define FZ_EXPERIMENT_H

#include <stddef.h>
#include <stdint.h>

#include <fz/err.h>
#include <fz/round.h>
#include <fz/row.h>

/**
 * struct fz_experiment - what to measure
 * @rows: [nr_rows]
 * @nr_rows: their number
 * @repeat: rounds of each row, at most FZ_MAX_ROUNDS; 0 = as many as the budget
 *	allows, but at least FZ_WINNER_MIN_ROUNDS and at most 101
 * @budget_ns: with @repeat 0: time for all rounds
 * @progress: told before each round of a row, NULL = nobody; @done of @total
 *	rounds are over, the warm-up round of each row included; @total grows
 *	once, after the warm-up, when @repeat is 0
 * @progress_state: handed to @progress
 */
struct fz_experiment {
	struct fz_row *rows;
	size_t nr_rows;
	size_t repeat;
	uint64_t budget_ns;
	void (*progress)(void *state, size_t done, size_t total,
			 const struct fz_row *row);
	void *progress_state;
};

/**
 * fz_experiment_run() - measure all rows
 * @experiment: rows with a buffer and no reason are measured; those with the
 *	same steps once. Rows of an engine that measures nothing are left alone
 * @bench: the bench
 * @err: message on failure
 *
 * First a warm-up round of each row that is not counted, then rounds in which
 * every row comes once, in an order that is shuffled each time. A row that
 * fails is marked with the reason and left out from then on.
 *
 * Return: 0; -EINTR if a signal stopped it (rows keep their finished rounds);
 * -ENOMEM.
 */
int fz_experiment_run(struct fz_experiment *experiment, struct fz_bench *bench,
		      struct fz_err *err);

#endif
