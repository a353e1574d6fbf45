// SPDX-License-Identifier: GPL-2.0-or-later
/* The machine profiles that are built in, and those of a user. */
#include "shipped_profiles.h"

#include <stdbool.h>
#include <string.h>

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

int fz_profile_find(struct fz_profile_document *document, const char *word)
{
	struct fz_err err = { "" };
	size_t i;
	int code;

	if (is_file(word)) {
		code = fz_profile_read(document, word, &err);
	} else {
		if (!fz_option_index("profile", word,
				     fz_shipped_profile_name_at, &i))
			return FZ_EXIT_USAGE;
		code = fz_profile_parse(document, word,
					fz_shipped_profiles[i].text,
					fz_shipped_profiles[i].bytes, &err);
	}
	if (!code)
		return FZ_EXIT_DONE;
	fz_complain("%s", err.msg);
	return FZ_EXIT_FAILED;
}
