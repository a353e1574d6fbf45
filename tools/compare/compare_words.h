/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the text and the commit view of a comparison say alike. */
#ifndef FZ_COMPARE_WORDS_H
#define FZ_COMPARE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "compare.h"
#include "note.h"

#define FZ_WORDS_BYTES 160

/* Is the row the first of its heading in its pair? */
bool fz_pair_row_leads(const struct fz_pair *pair, size_t row);

/* Do the two stand below the same heading? */
bool fz_pair_rows_share(const struct fz_pair *pair, size_t a, size_t b);

/* "64M of 2M hugetlb pages, random faulting page". */
void fz_note_add_heading(struct fz_note *note, const struct fz_pair *pair,
			 size_t row);

/* "only in A: r3 neighbourhood-last". */
void fz_note_add_left(struct fz_note *note, const struct fz_pair *pair,
		      size_t left);

/* "r3 kernel: discontiguous-page in A, batched-pages in B"; nothing where the
 * kernels of a row do the same. */
void fz_note_add_outcome(struct fz_note *note, const struct fz_pair *pair,
			 size_t row);
bool fz_pair_has_outcomes(const struct fz_pair *pair);

/* "kernel: 6.17 in A, 6.18 in B"; ASCII. */
void fz_note_add_fact(struct fz_note *note, const struct fz_pair *pair,
		      size_t fact);

/* Text of a file, made printable. */
void fz_note_add_printable(struct fz_note *note, const char *text);

/* How the rows with one run a side, and those with several, were tested. */
void fz_note_add_rounds_method(struct fz_note *note,
			       const struct fz_compare *compare);
void fz_note_add_runs_method(struct fz_note *note,
			     const struct fz_compare *compare);

/* How many rows of all pairs are tested like that. */
size_t fz_nr_tested(const struct fz_compare *compare, bool of_runs);

/* How many rows of all pairs have that verdict. */
size_t fz_nr_with(const struct fz_compare *compare,
		  enum fz_compare_verdict verdict);

/* The runs that shared their CPU, if there are such. */
void fz_note_add_disturbed(struct fz_note *note,
			   const struct fz_compare *compare);

/* The documents that are one and the same, if there are such. */
void fz_note_add_twins(struct fz_note *note, const struct fz_compare *compare);

/* Change of the bandwidth in per cent. */
double fz_ratio_pct(double ratio);

#endif
