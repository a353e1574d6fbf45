/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine profiles that are built in, and those of a user. */
#ifndef FZ_SHIPPED_PROFILES_H
#define FZ_SHIPPED_PROFILES_H

#include <stddef.h>

#include "profile_json.h"

/* What is priced with when nobody says which machine. */
#define FZ_PROFILE_DEFAULT "neutral"

/**
 * struct fz_shipped_profile - a file of model/profiles/
 * @name: without its suffix
 * @text: [bytes], and a NUL
 * @bytes: its size
 */
struct fz_shipped_profile {
	const char *name;
	const char *text;
	size_t bytes;
};

/* [fz_nr_shipped_profiles] */
extern const struct fz_shipped_profile fz_shipped_profiles[];
extern const size_t fz_nr_shipped_profiles;

/* The i-th name; NULL behind the last. */
const char *fz_shipped_profile_name_at(size_t i);

/*
 * For --profile: a name, or a file if the word has a '/' or ends in ".json".
 * Return: FZ_EXIT_DONE, or an exit status after a complaint.
 */
int fz_profile_find(struct fz_profile_document *document, const char *word);

#endif
