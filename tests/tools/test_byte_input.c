// SPDX-License-Identifier: GPL-2.0-or-later
/* Packed bytes come out whole, or it is an error. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "byte_input.h"
#include "byte_pack.h"
#include "fz_test.h"

#define PLAIN_BYTES  2000u
#define PACKED_BYTES 8192u

static const enum fz_packing packings[] = {
	FZ_PACKING_GZ,
	FZ_PACKING_XZ,
	FZ_PACKING_ZST,
};

#define NR_PACKINGS ((int)(sizeof(packings) / sizeof(packings[0])))

static char plain[PLAIN_BYTES];
static char packed[PACKED_BYTES];
static size_t nr_packed;

static int keep_packed(void *state, const void *bytes, size_t nr)
{
	(void)state;
	if (nr_packed + nr > PACKED_BYTES)
		return -ENOSPC;
	memcpy(packed + nr_packed, bytes, nr);
	nr_packed += nr;
	return 0;
}

static void pack(enum fz_packing packing)
{
	struct fz_pack *pack = fz_pack_new(
		packing, (struct fz_byte_sink){ NULL, keep_packed });
	struct fz_byte_sink sink;

	for (size_t i = 0; i < PLAIN_BYTES; i++)
		plain[i] = (char)('a' + (i * 2654435761u >> 13) % 23);
	nr_packed = 0;
	ck_assert_ptr_nonnull(pack);
	sink = fz_pack_sink(pack);
	for (size_t at = 0, nr = 1; at < PLAIN_BYTES; at += nr, nr = at % 300) {
		nr = nr < PLAIN_BYTES - at ? nr : PLAIN_BYTES - at;
		ck_assert_int_eq(sink.write(sink.state, plain + at, nr), 0);
	}
	ck_assert_int_eq(fz_pack_end(pack), 0);
	fz_pack_free(pack);
}

/* Through a pipe, so that no file is needed. */
static struct fz_byte_input *open_bytes(const char *bytes, size_t nr)
{
	struct fz_byte_input *input = NULL;
	struct fz_err err = { "" };
	int fds[2];

	if (pipe(fds) || write(fds[1], bytes, nr) != (ssize_t)nr)
		abort();
	close(fds[1]);
	if (fz_byte_input_open_fd(&input, fds[0], "bytes", &err))
		abort();
	return input;
}

/* What comes of them: how many bytes, in pieces of any length, or -errno. */
static ssize_t read_bytes(const char *bytes, size_t nr, char *out, size_t cap)
{
	struct fz_byte_input *input = open_bytes(bytes, nr);
	const struct fz_byte_source source = fz_byte_input_source(input);
	ssize_t got = 1, sum = 0;

	while (got > 0 && (size_t)sum < cap) {
		const size_t left = cap - (size_t)sum;

		got = source.read(source.state, out + sum,
				  left < 777 ? left : 777);
		sum += got > 0 ? got : 0;
	}
	if (got == -EBADMSG && !fz_byte_input_why(input))
		abort();
	fz_byte_input_close(input);
	return got < 0 ? got : sum;
}

static bool is_plain(const char *out, ssize_t got)
{
	return got == (ssize_t)PLAIN_BYTES &&
	       memcmp(out, plain, PLAIN_BYTES) == 0;
}

START_TEST(test_whole)
{
	char out[2 * PLAIN_BYTES + 1];
	char twice[2 * PACKED_BYTES];
	ssize_t got;

	pack(packings[_i]);
	got = read_bytes(packed, nr_packed, out, sizeof(out));
	ck_assert(is_plain(out, got));
	/* As `cat a.gz b.gz` makes them. */
	memcpy(twice, packed, nr_packed);
	memcpy(twice + nr_packed, packed, nr_packed);
	got = read_bytes(twice, 2 * nr_packed, out, sizeof(out));
	ck_assert_int_eq(got, 2 * PLAIN_BYTES);
	ck_assert(is_plain(out + PLAIN_BYTES, got - PLAIN_BYTES));
}
END_TEST

/* From where its magic number can be seen. */
START_TEST(test_every_cut)
{
	char out[2 * PLAIN_BYTES];
	size_t accepted = 0;

	pack(packings[_i]);
	for (size_t cut = 6; cut < nr_packed; cut++)
		accepted += read_bytes(packed, cut, out, sizeof(out)) >= 0;
	ck_assert_uint_eq(accepted, 0);
}
END_TEST

/* A flip that changes nothing (a file has a date) is fine. One in the magic
 * number gives what no format takes. */
START_TEST(test_every_flip)
{
	char out[4 * PLAIN_BYTES];
	size_t wrong = 0;

	pack(packings[_i]);
	for (size_t bit = 0; bit < 8 * nr_packed; bit++) {
		char *const byte = packed + bit / 8;
		ssize_t got;

		*byte = (char)(*byte ^ 1 << bit % 8);
		got = read_bytes(packed, nr_packed, out, sizeof(out));
		wrong += got >= 0 && !is_plain(out, got) &&
			 memcmp(out, packed, (size_t)got) != 0;
		*byte = (char)(*byte ^ 1 << bit % 8);
	}
	ck_assert_uint_eq(wrong, 0);
}
END_TEST

START_TEST(test_plain)
{
	char out[64];
	ssize_t got = read_bytes("abc", 3, out, sizeof(out));

	ck_assert_int_eq(got, 3);
	ck_assert_mem_eq(out, "abc", 3);
	got = read_bytes("", 0, out, sizeof(out));
	ck_assert_int_eq(got, 0);
	got = read_bytes("longer than the magic", 21, out, sizeof(out));
	ck_assert_int_eq(got, 21);
	ck_assert_mem_eq(out, "longer than the magic", 21);
}
END_TEST

START_TEST(test_behind_the_end)
{
	char out[2 * PLAIN_BYTES];

	pack(packings[_i]);
	memcpy(packed + nr_packed, "rest of it", 10);
	ck_assert_int_lt(read_bytes(packed, nr_packed + 10, out, sizeof(out)),
			 0);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("byte_input");
	TCase *tcase = tcase_create("byte_input");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, test_plain);
	tcase_add_loop_test(tcase, test_whole, 0, NR_PACKINGS);
	tcase_add_loop_test(tcase, test_every_cut, 0, NR_PACKINGS);
	tcase_add_loop_test(tcase, test_every_flip, 0, NR_PACKINGS);
	tcase_add_loop_test(tcase, test_behind_the_end, 0, NR_PACKINGS);
	suite_add_tcase(suite, tcase);
	return suite;
}
