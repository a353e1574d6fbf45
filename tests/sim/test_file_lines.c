// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines of a text however it is cut, and of files larger than one piece. */
#include "file_lines.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "fake_files.h"
#include "fz_test.h"

#define NR(array) ((int)(sizeof(array) / sizeof((array)[0])))

struct joined {
	char text[256];
	size_t nr;
	size_t enough; /* lines after which no more are wanted, 0 = never */
};

static bool join(void *arg, char *line)
{
	struct joined *joined = arg;

	strcat(joined->text, line);
	strcat(joined->text, "|");
	return ++joined->nr != joined->enough;
}

static const struct {
	const char *text;
	size_t enough;
	const char *joined;
} texts[] = {
	{ "", 0, "" },
	{ "\n", 0, "|" },
	{ "a", 0, "a|" },
	{ "a\n", 0, "a|" },
	{ "a\nbc\n\nd", 0, "a|bc||d|" },
	{ "a\nbc\n\nd\n", 2, "a|bc|" },
	{ "a\nb", 1, "a|" },
	{ "one line without end", 0, "one line without end|" },
};

START_TEST(any_cut_gives_the_same_lines)
{
	const char *const text = texts[_i].text;
	const size_t bytes = strlen(text);

	for (size_t cut = 1; cut <= bytes + 1; cut++) {
		struct joined joined = { .enough = texts[_i].enough };
		struct fz_lines lines = { .take = join, .arg = &joined };

		for (size_t at = 0; at < bytes; at += cut)
			fz_lines_feed(&lines, text + at,
				      bytes - at < cut ? bytes - at : cut);
		fz_lines_end(&lines);
		ck_assert_str_eq(joined.text, texts[_i].joined);
	}
}
END_TEST

START_TEST(a_file_gives_its_lines)
{
	const struct fake_file files[] = { { "/f", texts[_i].text }, { 0 } };
	const struct fz_hooks hooks = fake_files_hooks(files);
	struct joined joined = { .enough = texts[_i].enough };

	ck_assert_int_eq(fz_file_lines(&hooks, "/f", join, &joined), 0);
	ck_assert_str_eq(joined.text, texts[_i].joined);
	ck_assert_int_eq(fz_file_lines(&hooks, "/g", join, &joined), -ENOENT);
}
END_TEST

static bool length_take(void *arg, char *line)
{
	*(size_t *)arg = strlen(line);
	return true;
}

START_TEST(an_endless_line_is_cut)
{
	const size_t bytes = 3 * FZ_LINE_BYTES;
	char *text = malloc(bytes);
	size_t length = 0;
	struct fz_lines lines = { .take = length_take, .arg = &length };

	memset(text, 'x', bytes);
	fz_lines_feed(&lines, text, bytes);
	fz_lines_feed(&lines, "\n", 1);
	ck_assert_uint_eq(length, FZ_LINE_BYTES - 1);
	fz_lines_feed(&lines, "short\n", 6);
	ck_assert_uint_eq(length, 5);
	free(text);
}
END_TEST

/* Line n of this file is n in eight digits: 9 bytes. */
#define NR_LINES 1200000u

static ssize_t read_numbers(void *state, const char *root, const char *path,
			    uint64_t offset, void *buf, size_t cap)
{
	unsigned int *nr_reads = state;
	char *out = buf;
	size_t done = 0;
	char line[16];

	(void)root;
	(void)path;
	++*nr_reads;
	while (done < cap - 1 && offset + done < NR_LINES * 9ull) {
		const uint64_t at = offset + done;
		const size_t skip = at % 9;
		size_t part = 9 - skip;

		if (part > cap - 1 - done)
			part = cap - 1 - done;
		snprintf(line, sizeof(line), "%08u\n", (unsigned int)(at / 9));
		memcpy(out + done, line + skip, part);
		done += part;
	}
	out[done] = '\0';
	return (ssize_t)done;
}

struct count {
	unsigned int next;
	unsigned int nr_wrong;
};

static bool number_take(void *arg, char *line)
{
	struct count *count = arg;

	count->nr_wrong +=
		strlen(line) != 8 || strtoul(line, NULL, 10) != count->next;
	count->next++;
	return true;
}

START_TEST(a_file_larger_than_a_piece_is_whole)
{
	unsigned int nr_reads = 0;
	struct fz_hooks hooks = fz_hooks_default;
	struct count count = { 0 };

	hooks.state = &nr_reads;
	hooks.read_file = read_numbers;
	ck_assert_int_eq(fz_file_lines(&hooks, "/f", number_take, &count), 0);
	ck_assert_uint_eq(count.next, NR_LINES);
	ck_assert_uint_eq(count.nr_wrong, 0);
	ck_assert_uint_gt(nr_reads, 1);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("file_lines");
	TCase *tcase = tcase_create("file_lines");

	tcase_set_timeout(tcase, 30);
	tcase_add_loop_test(tcase, any_cut_gives_the_same_lines, 0, NR(texts));
	tcase_add_loop_test(tcase, a_file_gives_its_lines, 0, NR(texts));
	tcase_add_test(tcase, an_endless_line_is_cut);
	tcase_add_test(tcase, a_file_larger_than_a_piece_is_whole);
	suite_add_tcase(suite, tcase);
	return suite;
}
