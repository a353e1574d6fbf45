/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What makes two rows of result documents the same measurement. */
#ifndef FZ_ROW_KEY_H
#define FZ_ROW_KEY_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

/* How a setting reads in a sentence. */
enum fz_key_form {
	FZ_KEY_WORD,  /* "stosb", "fault page 3" */
	FZ_KEY_BYTES, /* "batch 8M" */
	FZ_KEY_FLAG,  /* "highmem"; nothing where it is off */
};

/**
 * struct fz_key - one setting of a row
 * @path: keys joined by a dot, in a row of a result document
 * @word: before its value in a label
 * @form: how the value is written
 * @in_heading: it tells groups of rows apart, others tell rows apart
 * @of_machine: of an engine without plans it says what the running kernel does:
 *	an outcome, no setting
 *
 * A member that a document does not have is null: another version wrote it.
 */
struct fz_key {
	const char *path;
	const char *word;
	enum fz_key_form form;
	bool in_heading;
	bool of_machine;
};

extern const struct fz_key fz_keys[]; /* ends with a path of NULL */

/* The value at a path; NULL for none. */
const json_t *fz_json_at(const json_t *object, const char *path);

/* Is it a setting of that row, or what its kernel happens to do? */
bool fz_key_applies(const struct fz_key *key, const json_t *row);

/*
 * All settings as one string: equal for rows that may be compared. For free();
 * NULL without memory.
 */
char *fz_row_key(const json_t *row);

/* Do the rows of one name differ in it? Both have it, or one has. */
bool fz_key_differs(const struct fz_key *key, const json_t *a, const json_t *b);

/* Are they of one group: is all that a heading names the same? */
bool fz_rows_share_heading(const json_t *a, const json_t *b);

/* "neighbourhood-last", "kernel: discontiguous-page"; printable; into [cap]. */
void fz_key_name(char *buf, size_t cap, const json_t *row);

/* "batch 8M"; "" where the row has no such setting; printable; into [cap]. */
void fz_key_text(char *buf, size_t cap, const struct fz_key *key,
		 const json_t *row);

#endif
