// SPDX-License-Identifier: GPL-2.0-or-later
/* Wrapped command lines: short enough, and the same to a shell. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command_wrap.h"
#include "fz_test.h"

#define INDENT 2

static const char *const commands[] = {
	"foliosim bench",
	"foliosim bench --page-size 2M --policy neighbourhood-last --repeat 31 "
	"--format commit",
	"foliosim bench --policy discontiguous-page,contiguous-page,"
	"batched-pages,neighbourhood-last,streaming-neighbourhood-last,"
	"init-pages,init-pages-extent --format commit",
	"foliosim bench --output '/tmp/a name with blanks, and it'\\''s long: "
	"quite a lot longer than a line of 72 columns can be/file'",
	"foliosim bench --output ''\\'''\\'''\\'''\\'''\\'''\\'''\\'''\\'''\\''"
	"''\\'''\\'''\\'''\\'''\\'''\\'''\\'''\\'''\\'''\\'''\\'''\\'''\\''' x",
	"foliosim bench --output /tmp/\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6"
	"\xc3\xbc\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4\xc3"
	"\xb6\xc3\xbc\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4",
	"foliosim  two   blanks '' --seed 1",
	"f",
	"",
};

static const size_t widths[] = { 24, 30, 47, 72 };

#define NR_COMMANDS (sizeof(commands) / sizeof(commands[0]))
#define NR_WIDTHS   (sizeof(widths) / sizeof(widths[0]))

static char *wrap(const char *command, size_t width)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	ck_assert_ptr_nonnull(out);
	fz_command_wrap(out, command, width, INDENT);
	fclose(out);
	return text;
}

/* What a shell makes of a command: its words in brackets. */
static void words_of(const char *command, char *words, size_t cap)
{
	static const char format[] = "set -- %s\nprintf '[%%s]' \"$@\"";
	char script[4096];
	FILE *shell;

	ck_assert((size_t)snprintf(script, sizeof(script), format, command) <
		  sizeof(script));
	shell = popen(script, "r");
	ck_assert_ptr_nonnull(shell);
	words[fread(words, 1, cap - 1, shell)] = '\0';
	ck_assert_int_eq(pclose(shell), 0);
}

static size_t columns_of(const char *text, size_t len)
{
	size_t columns = 0;

	for (size_t i = 0; i < len; i++)
		columns += ((unsigned char)text[i] & 0xc0) != 0x80;
	return columns;
}

START_TEST(test_shell_reads_the_same)
{
	const char *command = commands[(size_t)_i / NR_WIDTHS];
	const size_t width = widths[(size_t)_i % NR_WIDTHS];
	char *text = wrap(command, width);
	char wanted[4096], got[4096];

	ck_assert_int_eq(strncmp(text, "  $", 3), 0);
	words_of(command, wanted, sizeof(wanted));
	words_of(text + 3, got, sizeof(got));
	ck_assert_str_eq(got, wanted);
	free(text);
}
END_TEST

START_TEST(test_width)
{
	const char *command = commands[(size_t)_i / NR_WIDTHS];
	const size_t width = widths[(size_t)_i % NR_WIDTHS];
	char *text = wrap(command, width);
	const char *line = text;

	while (*line) {
		const size_t len = strcspn(line, "\n");

		ck_assert_msg(columns_of(line, len) <= width, "%zu: %s", width,
			      text);
		ck_assert_int_eq(line[len], '\n');
		/* Not in the middle of a character. */
		ck_assert_int_ne((unsigned char)line[0] & 0xc0, 0x80);
		line += len + 1;
	}
	free(text);
}
END_TEST

START_TEST(test_control_characters)
{
	char *text = wrap("f 'a\nb\x1b[31m\x7f'", 72);

	ck_assert_str_eq(text, "  $ f 'a b [31m '\n");
	free(text);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("command_wrap");
	TCase *tcase = tcase_create("wrap");

	tcase_add_loop_test(tcase, test_shell_reads_the_same, 0,
			    (int)(NR_COMMANDS * NR_WIDTHS));
	tcase_add_loop_test(tcase, test_width, 0,
			    (int)(NR_COMMANDS * NR_WIDTHS));
	tcase_add_test(tcase, test_control_characters);
	suite_add_tcase(suite, tcase);
	return suite;
}
