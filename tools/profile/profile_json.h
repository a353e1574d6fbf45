/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Machine profiles as JSON: read, checked, and written. */
#ifndef FZ_PROFILE_JSON_H
#define FZ_PROFILE_JSON_H

#include <stddef.h>
#include <stdio.h>

#include <fz/err.h>
#include <fz/profile.h>

/**
 * DOC: profiles as JSON
 *
 * The schema is docs/foliosim.profile-1.schema.json; beyond it, members must
 * not contradict each other. Every member is there, or is one that older
 * documents have not; null is not known: NAN, or 0 for a count. What was
 * written is read back to the same bytes when it is written again: numbers have
 * FZ_JSON_DIGITS digits.
 */

#define FZ_PROFILE_SCHEMA "foliosim.profile/1"

/* What is read of a file at most. */
#define FZ_PROFILE_MAX_BYTES ((size_t)1 << 20)

#define FZ_PROFILE_MAX_ROWS  64
#define FZ_PROFILE_ROW_BYTES 48

/**
 * struct fz_profile_document - a profile, and where it is from
 * @profile: the machine
 * @fitted_rows: [nr_fitted_rows], the published figures that it was fitted to
 * @nr_fitted_rows: their number
 */
struct fz_profile_document {
	struct fz_profile profile;
	char fitted_rows[FZ_PROFILE_MAX_ROWS][FZ_PROFILE_ROW_BYTES];
	size_t nr_fitted_rows;
};

/*
 * Read and check. `path` is for sentences, which name the member and the
 * reason. Return: 0; -EBADMSG, another -errno of the file, -ENOMEM.
 */
int fz_profile_parse(struct fz_profile_document *document, const char *path,
		     const char *text, size_t bytes, struct fz_err *err);
int fz_profile_read(struct fz_profile_document *document, const char *path,
		    struct fz_err *err);

/* Write it; 0 or -errno. */
int fz_profile_print(FILE *out, const struct fz_profile_document *document);

#endif
