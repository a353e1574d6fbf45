// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines and pieces of bytes that come in portions of any size. */
#include "fz_test.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fz/random.h>
#include <fz/trace_input.h>

#include "read_trace.h"

/* Lines as they should come, told of by a plain loop over all bytes. */
static char *expect_lines(const char *bytes, size_t nr, size_t *size)
{
	char *told;
	FILE *text = open_memstream(&told, size);
	uint64_t number = 0;

	for (size_t at = 0; at < nr;) {
		size_t end = at, shown;
		bool cut;

		while (end < nr && bytes[end] != '\n')
			end++;
		cut = end - at > FZ_TRACE_LINE_BYTES;
		shown = cut ? FZ_TRACE_LINE_BYTES : end - at;
		if (shown && bytes[at + shown - 1] == '\r')
			shown--;
		fprintf(text, "%ju %d %d %zu ", (uintmax_t)++number, cut,
			end == nr && !cut, shown);
		fwrite(bytes + at, 1, shown, text);
		at = end + 1;
	}
	fclose(text);
	return told;
}

static char *read_lines(struct memory_bytes memory, size_t *nr)
{
	char *told;
	FILE *text = open_memstream(&told, nr);
	struct fz_trace_input *input;
	struct fz_trace_line line;

	ck_assert_int_eq(fz_trace_input_open(&input, memory_source(&memory)),
			 0);
	while (fz_trace_input_line(input, &line) > 0) {
		fprintf(text, "%ju %d %d %zu ", (uintmax_t)line.number,
			line.cut, line.unterminated && !line.cut, line.bytes);
		fwrite(line.text, 1, line.bytes, text);
	}
	ck_assert_int_eq(fz_trace_input_line(input, &line), 0);
	fz_trace_input_close(input);
	fclose(text);
	return told;
}

static void check_lines(const char *bytes, size_t nr, size_t chunk)
{
	size_t told_bytes, expected_bytes;
	char *expected = expect_lines(bytes, nr, &expected_bytes);
	char *told = read_lines((struct memory_bytes){ bytes, nr, chunk, 0 },
				&told_bytes);

	ck_assert_msg(told_bytes == expected_bytes &&
			      memcmp(told, expected, told_bytes) == 0,
		      "%zu bytes in portions of %zu", nr, chunk);
	free(expected);
	free(told);
}

static const char small[] = "one\ntwo\r\n\n\r\r\nf\0ve\n\xff\xfe\r\nlast";

/* Cut at every byte, in portions of every size. */
START_TEST(small_texts)
{
	for (size_t nr = 0; nr < sizeof(small); nr++)
		for (size_t chunk = 1; chunk < sizeof(small); chunk++)
			check_lines(small, nr, chunk);
}
END_TEST

static const size_t lengths[] = {
	0,
	1,
	FZ_TRACE_LINE_BYTES - 1,
	FZ_TRACE_LINE_BYTES,
	FZ_TRACE_LINE_BYTES + 1,
	2 * FZ_TRACE_LINE_BYTES,
	(size_t)1 << 20,
	((size_t)1 << 20) + 1,
	(size_t)3 << 20,
};

/* Long lines, with a short one on either side. */
START_TEST(long_lines)
{
	static const size_t chunks[] = { 0, 4095, 65536, 1000000 };
	const size_t length = lengths[_i];
	char *bytes = malloc(length + 8);
	size_t nr;

	memcpy(bytes, "ab\n", 3);
	memset(bytes + 3, 'x', length);
	nr = 3 + length;
	for (size_t i = 0; i < sizeof(chunks) / sizeof(*chunks); i++) {
		memcpy(bytes + nr, "\r\nc\n", 4);
		check_lines(bytes, nr + 4, chunks[i]);
		check_lines(bytes, nr + 1, chunks[i]);
		check_lines(bytes, nr, chunks[i]);
		memcpy(bytes + nr, "\nc", 2);
		check_lines(bytes, nr + 2, chunks[i]);
	}
	free(bytes);
}
END_TEST

START_TEST(random_texts)
{
	struct fz_random random = fz_random_begin((uint64_t)_i, 1);
	static char bytes[20000];

	for (size_t i = 0; i < sizeof(bytes); i++) {
		const uint64_t which = fz_random_below(&random, 40);

		bytes[i] = which == 0 ? '\n' : which == 1 ? '\r' : 'x';
	}
	check_lines(bytes, sizeof(bytes), 1 + fz_random_below(&random, 5000));
}
END_TEST

/* Peeking takes nothing; taking gives all or says that there is less. */
START_TEST(takes_pieces)
{
	static char bytes[200000];
	struct memory_bytes memory = { bytes, sizeof(bytes), 777, 0 };
	struct fz_trace_input *input;
	const void *piece;
	const char *head;
	size_t at = 0;

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)(i * 31 >> 3);
	ck_assert_int_eq(fz_trace_input_open(&input, memory_source(&memory)),
			 0);
	ck_assert_int_eq(fz_trace_input_peek(input, &head),
			 FZ_TRACE_HEAD_BYTES);
	ck_assert_int_eq(memcmp(head, bytes, FZ_TRACE_HEAD_BYTES), 0);
	for (size_t nr = 1; at + nr < sizeof(bytes); nr += 97) {
		ck_assert_int_eq(fz_trace_input_take(input, nr, &piece), 1);
		ck_assert_int_eq(memcmp(piece, bytes + at, nr), 0);
		at += nr;
	}
	ck_assert_int_eq(
		fz_trace_input_take(input, sizeof(bytes) - at + 1, &piece),
		-EBADMSG);
	ck_assert_int_eq(fz_trace_input_take(input, sizeof(bytes) - at, &piece),
			 1);
	ck_assert_int_eq(fz_trace_input_take(input, 1, &piece), 0);
	fz_trace_input_close(input);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("traces.trace_input");
	TCase *tcase = tcase_create("input");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, small_texts);
	tcase_add_loop_test(tcase, long_lines, 0,
			    sizeof(lengths) / sizeof(*lengths));
	tcase_add_loop_test(tcase, random_texts, 0, 20);
	tcase_add_test(tcase, takes_pieces);
	suite_add_tcase(suite, tcase);
	return suite;
}
