/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows as words: names, settings and lists of ids. */
#ifndef FZ_ROW_LABEL_H
#define FZ_ROW_LABEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "note.h"
#include "result.h"

/* Settings that a label names where they tell rows apart. */
enum fz_row_param {
	FZ_PARAM_CLEAR,
	FZ_PARAM_STREAM,
	FZ_PARAM_PREEMPT,
	FZ_PARAM_BATCH,
	FZ_PARAM_RADIUS,
	FZ_NR_PARAMS,
};

#define FZ_LABEL_BYTES 160

/* "neighbourhood-last", "kernel: discontiguous-page"; into [cap]. */
void fz_row_name(char *buf, size_t cap, const struct fz_result *result,
		 const struct fz_row *row);

/* "stosb", "8M"; "" where the row has no such setting; into [cap]. */
void fz_row_param(char *buf, size_t cap, const struct fz_row *row,
		  enum fz_row_param param);

/*
 * What tells rows apart. Rows of the group of `lead`, or with FZ_NO_GROUP all
 * measured ones, are named by what differs among those; other rows by what
 * differs among all rows.
 */
struct fz_labels {
	const struct fz_result *result;
	size_t lead;
	bool varies[FZ_NR_PARAMS];     /* in the group, in rows of one policy */
	bool varies_any[FZ_NR_PARAMS]; /* anywhere, in rows of one policy */
	bool has_common_name; /* one policy only, told apart by its settings */
};

#define FZ_NO_GROUP SIZE_MAX

struct fz_labels fz_labels_of(const struct fz_result *result, size_t lead);

/* "neighbourhood-last, batch 8M"; with a common name "batch 8M"; into [cap]. */
void fz_row_label(char *buf, size_t cap, const struct fz_labels *labels,
		  const struct fz_row *row);

/* "2M hugetlb pages"; into [cap]. */
void fz_page_text(char *buf, size_t cap, struct fz_page_size page);

/*
 * Heading of a group, in three parts: the common name and the memory, the
 * faults and rounds, the settings that all rows share unless they are those of
 * the machine: "512M of 2M hugetlb pages", ", random faulting page, 11 rounds"
 * and ", stosb".
 */
void fz_note_add_memory(struct fz_note *note, const struct fz_labels *labels);
void fz_note_add_faults(struct fz_note *note, const struct fz_labels *labels);
void fz_note_add_settings(struct fz_note *note, const struct fz_labels *labels);

/* "1.81 (1.79-1.83)" or, of one round, "1.81"; into [cap]. */
void fz_ratio_text(char *buf, size_t cap, const struct fz_ratio *ratio);

/* Chooses rows; `arg` is the caller's. */
typedef bool (*fz_row_test)(const struct fz_result *result, size_t row,
			    const void *arg);

/* How many rows pass. */
size_t fz_count_rows(const struct fz_result *result, fz_row_test test,
		     const void *arg);

/* Their ids: "r1-r3 r5". */
void fz_note_add_ids(struct fz_note *note, const struct fz_result *result,
		     fz_row_test test, const void *arg);

/* What the mark of conditional rows means; nothing where no row has one. */
void fz_note_add_conditional(struct fz_note *note,
			     const struct fz_result *result);

/* The same as a paragraph of its own. */
void fz_note_print_conditional(FILE *out, const struct fz_result *result,
			       struct fz_margins margins);

#endif
