/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What recording costs: buffers against bare, with a control. */
#ifndef FZ_OVERHEAD_H
#define FZ_OVERHEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fz/err.h>
#include <fz/round.h>
#include <fz/row.h>

/**
 * struct fz_overhead_case - a way of cutting a folio into recorded pieces
 * @name: one phrase for a table
 * @policy: name of the policy that cuts like this
 * @folio_bytes: folio
 * @batch_pages: batch for the policy; 0 if it has none
 * @fault_page: faulting page
 * @in_cache: clear one folio again and again, so that it stays in L2
 */
struct fz_overhead_case {
	const char *name;
	const char *policy;
	uint64_t folio_bytes;
	uint64_t batch_pages;
	uint64_t fault_page;
	bool in_cache;
};

extern const struct fz_overhead_case fz_overhead_cases[];
extern const size_t fz_nr_overhead_cases;

/**
 * enum fz_overhead_row - the three rows of a case
 * @FZ_OVERHEAD_BARE: engine bare, the baseline
 * @FZ_OVERHEAD_BUFFERS: engine buffers
 * @FZ_OVERHEAD_CONTROL: engine bare once more: what noise alone does
 * @FZ_NR_OVERHEAD_ROWS: how many
 */
enum fz_overhead_row {
	FZ_OVERHEAD_BARE,
	FZ_OVERHEAD_BUFFERS,
	FZ_OVERHEAD_CONTROL,
	FZ_NR_OVERHEAD_ROWS,
};

/**
 * fz_overhead_rows() - set the three rows of a case up
 * @which: the case
 * @clear: primitive
 * @buffer: [1] memory, at least FZ_NR_OVERHEAD_ROWS chunks of 8 MiB
 * @rows: [FZ_NR_OVERHEAD_ROWS] written
 */
void fz_overhead_rows(const struct fz_overhead_case *which,
		      const struct fz_clear *clear,
		      struct fz_buffer *const *buffer, struct fz_row *rows);

/**
 * fz_overhead_run() - measure a case
 * @bench: the bench
 * @which: the case
 * @rows: [FZ_NR_OVERHEAD_ROWS] set up; each gets @pairs rounds
 * @pairs: how many times the three are measured side by side
 * @err: message on failure; not NULL
 *
 * A round clears one 8 MiB chunk. The three rows take neighbouring chunks of
 * freshly dirtied memory, in an order shuffled each time.
 *
 * Return: 0; -EINTR; -ENOMEM.
 */
int fz_overhead_run(struct fz_bench *bench,
		    const struct fz_overhead_case *which, struct fz_row *rows,
		    size_t pairs, struct fz_err *err);

#endif
