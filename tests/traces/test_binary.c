// SPDX-License-Identifier: GPL-2.0-or-later
/* Damage to a binary trace is found, all of it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fz_test.h"
#include "made_trace.h"

/* Several blocks: a block holds at most 1024 contexts. */
#define RECORDS 2500u

static const struct fz_trace_format *binary(void)
{
	return fz_trace_format_find("binary");
}

static void write_small(struct made_bytes *bytes)
{
	struct fz_random random = fz_random_begin(4, 0);
	struct fz_fault *faults = made_faults(&random, 8);

	made_write(bytes, binary(), faults, 8, &random);
	free(faults);
}

/* Each record has a context of its own. */
static void write_blocks(struct made_bytes *bytes)
{
	struct fz_random random = fz_random_begin(5, 0);
	struct fz_fault *faults = made_faults(&random, RECORDS);

	for (size_t i = 0; i < RECORDS; i++)
		faults[i].value = i + 1;
	made_write(bytes, binary(), faults, RECORDS, &random);
	free(faults);
}

START_TEST(test_every_cut)
{
	struct made_bytes bytes = { .text = NULL };
	size_t accepted = 0, unnamed = 0;

	write_small(&bytes);
	for (size_t cut = 0; cut < bytes.bytes; cut++) {
		struct made_bytes part = bytes;
		struct made_reading reading;

		part.bytes = cut;
		reading = made_read(&part, binary());
		accepted += reading.code != -EBADMSG;
		unnamed += cut && !strstr(reading.err.msg, "block");
		free(reading.faults);
	}
	ck_assert_uint_eq(accepted, 0);
	ck_assert_uint_eq(unnamed, 0);
	made_bytes_fini(&bytes);
}
END_TEST

START_TEST(test_every_flip)
{
	struct made_bytes bytes = { .text = NULL };
	size_t accepted = 0;

	write_small(&bytes);
	for (size_t bit = 0; bit < 8 * bytes.bytes; bit++) {
		char *const byte = bytes.text + bit / 8;
		struct made_reading reading;

		*byte = (char)(*byte ^ 1 << bit % 8);
		reading = made_read(&bytes, bit % 2 ? NULL : binary());
		accepted += reading.code != -EBADMSG;
		free(reading.faults);
		*byte = (char)(*byte ^ 1 << bit % 8);
	}
	ck_assert_uint_eq(accepted, 0);
	made_bytes_fini(&bytes);
}
END_TEST

static uint32_t u32_at(const struct made_bytes *bytes, size_t at)
{
	const unsigned char *b = (const unsigned char *)bytes->text + at;

	return b[0] | b[1] << 8 | b[2] << 16 | (uint32_t)b[3] << 24;
}

/* Where blocks begin, by the layout in docs/trace-formats.md; how many. */
static size_t find_blocks(const struct made_bytes *bytes, size_t starts[16])
{
	size_t nr = 0, at = 12;

	while (at < bytes->bytes && nr < 15) {
		starts[nr++] = at;
		at += 16 + u32_at(bytes, at + 8);
	}
	ck_assert_uint_eq(at, bytes->bytes);
	starts[nr] = at;
	return nr;
}

static void append(struct made_bytes *to, const struct made_bytes *from,
		   size_t begin, size_t end)
{
	made_text(to, from->text + begin, end - begin);
}

static void ck_assert_refused(struct made_bytes *bytes, const char *words)
{
	struct made_reading reading = made_read(bytes, binary());

	ck_assert_int_eq(reading.code, -EBADMSG);
	ck_assert_msg(strstr(reading.err.msg, words), "'%s' has no '%s'",
		      reading.err.msg, words);
	free(reading.faults);
	made_bytes_fini(bytes);
}

/* Whole blocks, each of them sound, that are not where they were. */
START_TEST(test_blocks_moved)
{
	struct made_bytes bytes = { .text = NULL }, made = bytes;
	size_t at[16], nr;

	write_blocks(&bytes);
	nr = find_blocks(&bytes, at);
	ck_assert_uint_ge(nr, 4);

	append(&made, &bytes, 0, at[1]);
	append(&made, &bytes, at[2], at[nr]);
	ck_assert_refused(&made, "block 2");

	append(&made, &bytes, 0, at[0]);
	append(&made, &bytes, at[1], at[2]);
	append(&made, &bytes, at[0], at[1]);
	append(&made, &bytes, at[2], at[nr]);
	ck_assert_refused(&made, "block 1");

	append(&made, &bytes, 0, at[1]);
	append(&made, &bytes, at[0], at[nr]);
	ck_assert_refused(&made, "block 2");

	append(&made, &bytes, 0, at[1]);
	append(&made, &bytes, at[nr - 1], at[nr]);
	ck_assert_refused(&made, "block 2");

	append(&made, &bytes, 0, at[nr - 1]);
	ck_assert_refused(&made, "cut short in block");

	append(&made, &bytes, 0, at[nr]);
	append(&made, &bytes, 0, 1);
	ck_assert_refused(&made, "behind its end");

	append(&made, &bytes, 0, at[nr]);
	append(&made, &bytes, 0, at[nr]);
	ck_assert_refused(&made, "behind its end");
	made_bytes_fini(&bytes);
}
END_TEST

START_TEST(test_versions)
{
	struct made_bytes bytes = { .text = NULL };

	write_small(&bytes);
	bytes.text[8] = 2;
	ck_assert_refused(&bytes, "version 2; this foliosim reads version 1");
	write_small(&bytes);
	bytes.text[0] = 'x';
	ck_assert_refused(&bytes, "does not begin as a binary trace does");
}
END_TEST

/* A file is the same whatever machine wrote it: this one is by hand. */
START_TEST(test_layout)
{
	static const uint8_t file[] = {
		/* magic, version */
		0x89,
		0x66,
		0x7a,
		0x74,
		0x72,
		0x0d,
		0x0a,
		0x1a,
		0x01,
		0x00,
		0x00,
		0x00,
		/* a block: 2 records, 1 context, bytes, CRC */
		0x02,
		0x00,
		0x00,
		0x00,
		0x01,
		0x00,
		0x00,
		0x00,
		0x28,
		0x00,
		0x00,
		0x00,
		0x55,
		0x66,
		0x5f,
		0x36,
		/* the context */
		0x00,
		0x3b,
		0x00,
		0x02,
		0x01,
		0x02,
		0x00,
		0x00,
		0x02,
		0x02,
		0x00,
		0x00,
		0x03,
		0x00,
		0x00,
		0x00,
		0x00,
		0x00,
		0x00,
		0x00,
		0x00,
		0x00,
		0x00,
		0x00,
		0x00,
		0x00,
		0x00,
		0x00,
		0x61,
		0x62,
		/* the records */
		0x21,
		0x00,
		0xc8,
		0x00,
		0x20,
		0x21,
		0x00,
		0x14,
		0x00,
		0x20,
		/* the end: 2 records in all */
		0x00,
		0x00,
		0x00,
		0x00,
		0x00,
		0x00,
		0x00,
		0x00,
		0x08,
		0x00,
		0x00,
		0x00,
		0x92,
		0x34,
		0x8f,
		0xbf,
		0x02,
		0x00,
		0x00,
		0x00,
		0x00,
		0x00,
		0x00,
		0x00,
	};
	struct fz_fault fault = {
		.time_ns = 100,
		.addr = 0x1000,
		.pid = 0x201,
		.tid = 0x202,
		.cpu = 3,
		.event = FZ_EVENT_PAGE_FAULTS,
		.knows = FZ_KNOWS_TIME | FZ_KNOWS_ADDR | FZ_KNOWS_PID |
			 FZ_KNOWS_TID | FZ_KNOWS_CPU,
		.comm_bytes = 2,
		.comm = "ab",
	};
	struct fz_fault faults[2] = { fault, fault };
	struct fz_random random = fz_random_begin(6, 0);
	struct made_bytes bytes = { .text = NULL };
	struct made_reading reading;

	faults[1].time_ns = 110;
	faults[1].addr = 0x2000;
	made_write(&bytes, binary(), faults, 2, &random);
	ck_assert_uint_eq(bytes.bytes, sizeof(file));
	ck_assert_mem_eq(bytes.text, file, sizeof(file));
	reading = made_read(&bytes, NULL);
	ck_assert_int_eq(reading.code, 0);
	ck_assert_uint_eq(
		made_differences(faults, 2, reading.faults, reading.nr), 0);
	free(reading.faults);
	made_bytes_fini(&bytes);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("binary");
	TCase *tcase = tcase_create("binary");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, test_every_cut);
	tcase_add_test(tcase, test_every_flip);
	tcase_add_test(tcase, test_blocks_moved);
	tcase_add_test(tcase, test_versions);
	tcase_add_test(tcase, test_layout);
	suite_add_tcase(suite, tcase);
	return suite;
}
