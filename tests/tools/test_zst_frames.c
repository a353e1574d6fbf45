// SPDX-License-Identifier: GPL-2.0-or-later
/* Frames of zst as libarchive writes them, with and without checksums. */
#include <archive.h>
#include <archive_entry.h>
#include <stdlib.h>
#include <string.h>

#include <fz/random.h>

#include "fz_test.h"
#include "zst_frames.h"

#define PLAIN_BYTES  ((size_t)1 << 20)
#define PACKED_BYTES ((size_t)2 << 20)

/* Half of it is the same byte, half of it cannot be packed: blocks of all
 * kinds, and several. No checksum. */
static size_t pack(uint8_t *packed)
{
	struct archive *archive = archive_write_new();
	struct archive_entry *entry = archive_entry_new();
	struct fz_random random = fz_random_begin(1, 0);
	char *plain = calloc(1, PLAIN_BYTES);
	size_t nr = 0;

	ck_assert_ptr_nonnull(plain);
	for (size_t i = PLAIN_BYTES / 2; i < PLAIN_BYTES; i++)
		plain[i] = (char)fz_random_next(&random);
	archive_entry_set_filetype(entry, AE_IFREG);
	if (archive_write_add_filter_zstd(archive) != ARCHIVE_OK ||
	    archive_write_set_format_raw(archive) != ARCHIVE_OK ||
	    archive_write_set_bytes_in_last_block(archive, 1) != ARCHIVE_OK ||
	    archive_write_open_memory(archive, packed, PACKED_BYTES, &nr) !=
		    ARCHIVE_OK ||
	    archive_write_header(archive, entry) != ARCHIVE_OK ||
	    archive_write_data(archive, plain, PLAIN_BYTES) !=
		    (la_ssize_t)PLAIN_BYTES ||
	    archive_write_close(archive) != ARCHIVE_OK)
		ck_abort_msg("%s", archive_error_string(archive));
	archive_entry_free(entry);
	archive_write_free(archive);
	free(plain);
	return nr;
}

/* Another frame is found behind the end of each, whatever the pieces. */
START_TEST(finds_every_frame)
{
	/* A checksum; a single segment; a raw block of 1 byte, the last. */
	static const uint8_t checked[] = { 0x28, 0xb5, 0x2f, 0xfd, 0x24, 1, 9,
					   0,    0,    'x',  1,    2,    3, 4 };
	static const uint8_t skipped[] = { 0x5f, 0x2a, 0x4d, 0x18, 2,
					   0,    0,    0,    'a',  'b' };
	static const size_t pieces[] = { 1, 3, 1000, PACKED_BYTES };
	uint8_t *packed = malloc(PACKED_BYTES);
	const size_t nr = pack(packed);

	for (size_t p = 0; p < sizeof(pieces) / sizeof(pieces[0]); p++) {
		struct fz_zst_frames frames = { .nr = 0 };

		fz_zst_frames_add(&frames, skipped, sizeof(skipped));
		fz_zst_frames_add(&frames, checked, sizeof(checked));
		fz_zst_frames_add(&frames, checked, sizeof(checked));
		ck_assert(!frames.lacks_checksum);
		for (size_t at = 0; at < nr; at += pieces[p])
			fz_zst_frames_add(&frames, packed + at,
					  pieces[p] < nr - at ? pieces[p]
							      : nr - at);
		ck_assert(frames.lacks_checksum);
		/* It is looked for no further than to its end. */
		frames.lacks_checksum = false;
		fz_zst_frames_add(&frames, checked, sizeof(checked));
		ck_assert(frames.has_checksum && !frames.lacks_checksum);
	}
	free(packed);
}
END_TEST

START_TEST(takes_any_bytes)
{
	struct fz_random random = fz_random_begin(2, 0);
	uint8_t bytes[64] = { 0x28, 0xb5, 0x2f, 0xfd };

	for (size_t lap = 0; lap < 10000; lap++) {
		struct fz_zst_frames frames = { .nr = 0 };

		for (size_t i = 4; i < sizeof(bytes); i++)
			bytes[i] = (uint8_t)fz_random_next(&random);
		fz_zst_frames_add(&frames, bytes, sizeof(bytes));
	}
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("zst_frames");
	TCase *tcase = tcase_create("zst_frames");

	tcase_add_test(tcase, finds_every_frame);
	tcase_add_test(tcase, takes_any_bytes);
	suite_add_tcase(suite, tcase);
	return suite;
}
