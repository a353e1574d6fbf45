// SPDX-License-Identifier: GPL-2.0-or-later
/* Paragraphs: wrapped at blanks, harmless to a terminal, never too long. */
#include <stdlib.h>
#include <string.h>

#include "fz_test.h"
#include "note.h"

static char *print(const struct fz_note *note, struct fz_margins margins)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	ck_assert_ptr_nonnull(out);
	fz_note_print(out, note, margins);
	fclose(out);
	return text;
}

static const struct {
	struct fz_margins margins;
	const char *text;
	const char *printed;
} cases[] = {
	{ { 20, 0, 0 }, "", "" },
	{ { 20, 0, 0 }, "one", "one\n" },
	{ { 20, 0, 0 }, "exactly twenty chars", "exactly twenty chars\n" },
	{ { 20, 0, 0 }, "exactly twenty-1 char", "exactly twenty-1\nchar\n" },
	{ { 22, 0, 2 },
	  "a hanging indent is for lists",
	  "a hanging indent is\n  for lists\n" },
	{ { 24, 4, 0 },
	  "first line indented, not others",
	  "    first line indented,\nnot others\n" },
	{ { 22, 0, 2 },
	  "a-word-that-is-longer-than-a-line-is",
	  "a-word-that-is-longe\n  r-than-a-line-is\n" },
	{ { 20, 0, 0 }, "blanks   and\tmore\r\n", "blanks and more\n" },
	{ { 20, 0, 0 }, "\x1b[31mred\x7f", "[31mred\n" },
	{ { 20, 0, 0 }, "   \n ", "\n" },
	{ { 20, 0, 0 },
	  "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4 \xc3\xa4\xc3\xa4\xc3"
	  "\xa4\xc3\xa4 \xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4 abcde",
	  "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4 \xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4 "
	  "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4 abcde\n" },
};

START_TEST(test_print)
{
	struct fz_note note = { .used = 0 };
	char *text;

	fz_note_add(&note, "%s", cases[_i].text);
	text = print(&note, cases[_i].margins);
	ck_assert_str_eq(text, cases[_i].printed);
	free(text);
}
END_TEST

START_TEST(test_pieces)
{
	struct fz_note note = { .used = 0 };

	fz_note_add(&note, "%d", 1);
	fz_note_add(&note, ", %s", "two");
	ck_assert_str_eq(note.text, "1, two");
	ck_assert_uint_eq(note.used, strlen("1, two"));
}
END_TEST

START_TEST(test_counts)
{
	struct fz_note note = { .used = 0 };

	for (uint64_t nr = 0; nr < 3; nr++)
		fz_note_add_count(&note, nr, " fault");
	ck_assert_str_eq(note.text, "0  faults1  fault2  faults");
}
END_TEST

/* It takes the place of the indent. */
START_TEST(test_label)
{
	const struct fz_margins margins = { 30, 8, 8 };
	struct fz_note note = { .used = 0 };
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	ck_assert_ptr_nonnull(out);
	fz_note_add(&note, "as far as there are columns");
	fz_note_print_label(out, " what", &note, margins);
	fclose(out);
	ck_assert_str_eq(text, " what   as far as there are\n"
			       "        columns\n");
	free(text);
}
END_TEST

START_TEST(test_too_long_is_cut)
{
	struct fz_note note = { .used = 0 };

	for (unsigned int i = 0; i < FZ_NOTE_BYTES; i++)
		fz_note_add(&note, "abc");
	ck_assert_uint_eq(note.used, FZ_NOTE_BYTES - 1);
	ck_assert_uint_eq(strlen(note.text), FZ_NOTE_BYTES - 1);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("note");
	TCase *tcase = tcase_create("note");

	tcase_add_loop_test(tcase, test_print, 0,
			    (int)(sizeof(cases) / sizeof(cases[0])));
	tcase_add_test(tcase, test_pieces);
	tcase_add_test(tcase, test_counts);
	tcase_add_test(tcase, test_label);
	tcase_add_test(tcase, test_too_long_is_cut);
	suite_add_tcase(suite, tcase);
	return suite;
}
