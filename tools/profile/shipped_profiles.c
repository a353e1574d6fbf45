// SPDX-License-Identifier: GPL-2.0-or-later
/* The machine profiles that are built in, and those of a user. */
#include "shipped_profiles.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "note.h"
#include "options.h"

/* Bytes of each file, under its name: generated from model/profiles/. */
#include "profile_texts.h"

const struct fz_shipped_profile fz_shipped_profiles[] = {
#define X(name, text) { name, text, sizeof(text) - 1 },
#include "profile_list.h"
#undef X
};

const size_t fz_nr_shipped_profiles =
	sizeof(fz_shipped_profiles) / sizeof(fz_shipped_profiles[0]);

const char *fz_shipped_profile_name_at(size_t i)
{
	return i < fz_nr_shipped_profiles ? fz_shipped_profiles[i].name : NULL;
}

static bool is_file(const char *word)
{
	static const char suffix[] = ".json";
	const size_t length = strlen(word);

	return strchr(word, '/') ||
	       (length >= strlen(suffix) &&
		strcmp(word + length - strlen(suffix), suffix) == 0);
}

/* What would have named a file, if that is what was meant. */
static void add_file(struct fz_note *found, const char *before,
		     const char *word, const char *after)
{
	char path[PATH_MAX];
	struct stat is;
	const int length =
		snprintf(path, sizeof(path), "%s%s%s", before, word, after);

	if (length < PATH_MAX && stat(path, &is) == 0 && S_ISREG(is.st_mode))
		fz_note_add(found, "%s%s", found->used ? " or " : "", path);
}

static void complain_of_files(const char *word)
{
	struct fz_note found = { .used = 0 };

	if (!word[0])
		return;
	add_file(&found, "./", word, "");
	add_file(&found, "", word, ".json");
	if (found.used)
		fz_complain("for the file of that name give %s", found.text);
}

int fz_profile_find(struct fz_profile_document *document, const char *word)
{
	struct fz_err err = { "" };
	size_t i;
	int code;

	if (is_file(word)) {
		code = fz_profile_read(document, word, &err);
	} else {
		if (!fz_option_index("profile", word,
				     fz_shipped_profile_name_at, &i)) {
			complain_of_files(word);
			return FZ_EXIT_USAGE;
		}
		code = fz_profile_parse(document, word,
					fz_shipped_profiles[i].text,
					fz_shipped_profiles[i].bytes, &err);
	}
	if (!code)
		return FZ_EXIT_DONE;
	fz_complain("%s", err.msg);
	return FZ_EXIT_FAILED;
}
