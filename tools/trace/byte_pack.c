// SPDX-License-Identifier: GPL-2.0-or-later
/* Packs with libarchive; zst with libzstd. */
#include "byte_pack.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "zst_pack.h"

struct fz_pack {
	struct fz_byte_sink to;
	struct archive *archive; /* or */
	struct fz_zst_pack *zst;
	int to_code; /* why @to could not be written */
};

enum fz_packing fz_packing_of(const char *path)
{
	static const char *const endings[] = {
		[FZ_PACKING_GZ] = ".gz",
		[FZ_PACKING_XZ] = ".xz",
		[FZ_PACKING_ZST] = ".zst",
	};
	const char *dot = path ? strrchr(path, '.') : NULL;

	for (unsigned int i = FZ_PACKING_GZ; dot && i <= FZ_PACKING_ZST; i++)
		if (strcmp(dot, endings[i]) == 0)
			return (enum fz_packing)i;
	return FZ_PACKING_NONE;
}

static la_ssize_t write_packed(struct archive *archive, void *state,
			       const void *bytes, size_t nr)
{
	struct fz_pack *pack = state;

	if (!pack->to_code)
		pack->to_code = pack->to.write(pack->to.state, bytes, nr);
	if (!pack->to_code)
		return (la_ssize_t)nr;
	archive_set_error(archive, -pack->to_code, "unwritable");
	return -1;
}

/* No date in it, so that the same trace gives the same bytes; and xz as small
 * as memory stays small: 32 MiB. */
static int add_filter(struct archive *archive, enum fz_packing packing)
{
	switch (packing) {
	case FZ_PACKING_GZ:
		return archive_write_add_filter_gzip(archive) |
		       archive_write_set_filter_option(archive, "gzip",
						       "timestamp", NULL);
	case FZ_PACKING_XZ:
		return archive_write_add_filter_xz(archive) |
		       archive_write_set_filter_option(
			       archive, "xz", "compression-level", "3");
	case FZ_PACKING_ZST:
	case FZ_PACKING_NONE:
		break;
	}
	return archive_write_add_filter_none(archive);
}

static bool begin(struct fz_pack *pack, enum fz_packing packing)
{
	struct archive_entry *entry = archive_entry_new();
	struct archive *const archive = pack->archive;
	bool done;

	if (!entry)
		return false;
	archive_entry_set_filetype(entry, AE_IFREG);
	done = add_filter(archive, packing) == ARCHIVE_OK &&
	       archive_write_set_format_raw(archive) == ARCHIVE_OK &&
	       /* No padding to blocks. */
	       archive_write_set_bytes_in_last_block(archive, 1) ==
		       ARCHIVE_OK &&
	       archive_write_open(archive, pack, NULL, write_packed, NULL) ==
		       ARCHIVE_OK &&
	       archive_write_header(archive, entry) == ARCHIVE_OK;
	archive_entry_free(entry);
	return done;
}

struct fz_pack *fz_pack_new(enum fz_packing packing, struct fz_byte_sink to)
{
	struct fz_pack *pack = calloc(1, sizeof(*pack));

	if (!pack)
		return NULL;
	pack->to = to;
	if (packing == FZ_PACKING_ZST)
		pack->zst = fz_zst_pack_new(to);
	else
		pack->archive = archive_write_new();
	if (pack->zst || (pack->archive && begin(pack, packing)))
		return pack;
	fz_pack_free(pack);
	return NULL;
}

/* Nothing that is left is written any more. */
void fz_pack_free(struct fz_pack *pack)
{
	if (!pack)
		return;
	if (pack->archive)
		archive_write_fail(pack->archive);
	archive_write_free(pack->archive);
	fz_zst_pack_free(pack->zst);
	free(pack);
}

static int code_of(const struct fz_pack *pack, bool done)
{
	if (pack->to_code)
		return pack->to_code;
	return done ? 0 : -EIO;
}

static int pack_write(void *state, const void *bytes, size_t nr)
{
	struct fz_pack *pack = state;
	const char *at = bytes;
	size_t left = nr;

	if (pack->zst)
		return fz_zst_pack_write(pack->zst, bytes, nr);
	while (left) {
		const la_ssize_t done =
			archive_write_data(pack->archive, at, left);

		if (done <= 0)
			return code_of(pack, false);
		at += done;
		left -= (size_t)done;
	}
	return 0;
}

struct fz_byte_sink fz_pack_sink(struct fz_pack *pack)
{
	return (struct fz_byte_sink){ .state = pack, .write = pack_write };
}

int fz_pack_end(struct fz_pack *pack)
{
	if (pack->zst)
		return fz_zst_pack_end(pack->zst);
	return code_of(pack, archive_write_close(pack->archive) == ARCHIVE_OK);
}
