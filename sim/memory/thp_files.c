// SPDX-License-Identifier: GPL-2.0-or-later
/* The switches of transparent huge pages, of the PMD size and below. */
#include "thp_files.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "name_number.h"

void fz_thp_size_path(char path[FZ_THP_PATH_BYTES], uint64_t page_bytes,
		      const char *file)
{
	snprintf(path, FZ_THP_PATH_BYTES,
		 FZ_THP_DIR "/hugepages-%" PRIu64 "kB/%s", page_bytes / 1024,
		 file);
}

int fz_thp_word_read(const struct fz_hooks *hooks, const char *path, char *word,
		     size_t cap)
{
	char text[128], *open, *close;
	ssize_t got;

	word[0] = '\0';
	got = fz_read_text(hooks, path, text, sizeof(text));
	if (got < 0)
		return (int)got;
	open = strchr(text, '[');
	close = open ? strchr(open, ']') : NULL;
	if (!close)
		return 0;
	*close = '\0';
	snprintf(word, cap, "%s", open + 1);
	return 0;
}

struct sizes {
	struct fz_mthp *mthp; /* [FZ_MAX_MTHP] */
	size_t nr;
};

/* Ascending insertion of "hugepages-64kB". */
static void size_add(void *arg, const char *name)
{
	struct sizes *sizes = arg;
	uint64_t kib;
	size_t at;

	if (sizes->nr == FZ_MAX_MTHP ||
	    !fz_name_number(name, "hugepages-", "kB", &kib) ||
	    kib > UINT64_MAX / 1024)
		return;
	for (at = sizes->nr; at > 0; at--) {
		if (sizes->mthp[at - 1].bytes < kib * 1024)
			break;
		sizes->mthp[at] = sizes->mthp[at - 1];
	}
	sizes->mthp[at].bytes = kib * 1024;
	sizes->nr++;
}

size_t fz_mthp_read(const struct fz_hooks *hooks,
		    struct fz_mthp mthp[FZ_MAX_MTHP])
{
	struct sizes sizes = { .mthp = mthp };
	char path[FZ_THP_PATH_BYTES];
	size_t kept = 0;

	hooks->list_dir(hooks->state, hooks->root, FZ_THP_DIR, size_add,
			&sizes);
	for (size_t i = 0; i < sizes.nr; i++) {
		struct fz_mthp one = mthp[i];

		fz_thp_size_path(path, one.bytes, "enabled");
		fz_thp_word_read(hooks, path, one.enabled, sizeof(one.enabled));
		if (one.enabled[0])
			mthp[kept++] = one;
	}
	return kept;
}

int fz_thp_switches_read(const struct fz_hooks *hooks, struct fz_page_size page,
			 struct fz_thp_switches *switches)
{
	char *const own = switches->own;
	int code;

	fz_thp_size_path(own, page.bytes, "enabled");
	code = fz_thp_word_read(hooks, own, switches->own_word,
				sizeof(switches->own_word));
	if (code && page.kind == FZ_PAGES_THP) {
		snprintf(own, sizeof(switches->own), FZ_THP_DIR "/enabled");
		code = fz_thp_word_read(hooks, own, switches->own_word,
					sizeof(switches->own_word));
	}
	memcpy(switches->deciding, own, sizeof(switches->deciding));
	memcpy(switches->word, switches->own_word, sizeof(switches->word));
	if (code || strcmp(switches->word, "inherit") != 0)
		return code;
	snprintf(switches->deciding, sizeof(switches->deciding),
		 FZ_THP_DIR "/enabled");
	return fz_thp_word_read(hooks, switches->deciding, switches->word,
				sizeof(switches->word));
}
