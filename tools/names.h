/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names that options take, by index; NULL behind the last. */
#ifndef FZ_NAMES_H
#define FZ_NAMES_H

#include <stddef.h>

/* The views of a result. */
enum fz_format {
	FZ_FORMAT_TEXT,
	FZ_FORMAT_JSON,
	FZ_FORMAT_CSV,
	FZ_FORMAT_COMMIT,
};

const char *fz_policy_name_at(size_t i);  /* fz_policies[i] */
const char *fz_clear_name_at(size_t i);   /* fz_clears[i] */
const char *fz_preempt_name_at(size_t i); /* enum fz_preempt */
const char *fz_context_name_at(size_t i); /* fz_contexts[i] */
const char *fz_format_name_at(size_t i);  /* enum fz_format */

const char *fz_init_name_at(size_t i); /* enum fz_init_on_alloc */

/* Whose folios they are: thp, and hugetlb. */
#define FZ_OWNER_THP     0
#define FZ_OWNER_HUGETLB 1
const char *fz_owner_name_at(size_t i);

/* Of the formats, what a document that is no table of rows has: text and json.
 */
const char *fz_document_name_at(size_t i);

#endif
