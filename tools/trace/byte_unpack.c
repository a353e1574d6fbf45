// SPDX-License-Identifier: GPL-2.0-or-later
/* Unpacks xz and zst with libarchive. */
#include "byte_unpack.h"

#include <archive.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "zst_frames.h"

struct fz_unpack {
	struct fz_byte_source from;
	struct archive *archive;
	bool begun;
	bool ended;
	int from_code; /* why @from could not be read */
	char why[200];
	struct fz_zst_frames frames; /* if it is zst */
	char packed[1 << 16];
};

struct fz_unpack *fz_unpack_new(struct fz_byte_source from)
{
	struct fz_unpack *unpack = calloc(1, sizeof(*unpack));

	if (!unpack)
		return NULL;
	unpack->from = from;
	unpack->archive = archive_read_new();
	if (unpack->archive &&
	    archive_read_support_filter_xz(unpack->archive) == ARCHIVE_OK &&
	    archive_read_support_filter_zstd(unpack->archive) == ARCHIVE_OK &&
	    archive_read_support_format_raw(unpack->archive) == ARCHIVE_OK)
		return unpack;
	fz_unpack_free(unpack);
	return NULL;
}

void fz_unpack_free(struct fz_unpack *unpack)
{
	if (!unpack)
		return;
	archive_read_free(unpack->archive);
	free(unpack);
}

static la_ssize_t read_packed(struct archive *archive, void *state,
			      const void **bytes)
{
	struct fz_unpack *unpack = state;
	const ssize_t got = unpack->from.read(
		unpack->from.state, unpack->packed, sizeof(unpack->packed));

	*bytes = unpack->packed;
	if (got >= 0) {
		fz_zst_frames_add(&unpack->frames, unpack->packed, (size_t)got);
		return got;
	}
	unpack->from_code = (int)got;
	archive_set_error(archive, (int)-got, "unreadable");
	return ARCHIVE_FATAL;
}

static ssize_t fail(struct fz_unpack *unpack)
{
	const char *reason = archive_error_string(unpack->archive);

	if (unpack->from_code)
		return unpack->from_code;
	snprintf(unpack->why, sizeof(unpack->why),
		 "its compression is damaged or cut short (%s)",
		 reason ? reason : "not recognised");
	return -EBADMSG;
}

/* What a filter does not take would come through as it is. */
static bool begin(struct fz_unpack *unpack)
{
	struct archive_entry *entry;
	int code = archive_read_open(unpack->archive, unpack, NULL, read_packed,
				     NULL);

	if (code == ARCHIVE_OK)
		code = archive_read_next_header(unpack->archive, &entry);
	unpack->begun = true;
	unpack->ended = code == ARCHIVE_EOF; /* nothing is packed in it */
	return (code == ARCHIVE_OK || code == ARCHIVE_EOF) &&
	       archive_filter_code(unpack->archive, 0) != ARCHIVE_FILTER_NONE;
}

ssize_t fz_unpack_read(struct fz_unpack *unpack, void *buf, size_t cap)
{
	la_ssize_t got;

	if (!unpack->begun && !begin(unpack))
		return fail(unpack);
	if (unpack->ended)
		return 0;
	got = archive_read_data(unpack->archive, buf, cap);
	unpack->ended = got == 0;
	return got < 0 ? fail(unpack) : got;
}

const char *fz_unpack_why(const struct fz_unpack *unpack)
{
	return unpack->why;
}

bool fz_unpack_lacks_checksum(const struct fz_unpack *unpack)
{
	return unpack->frames.lacks_checksum;
}
