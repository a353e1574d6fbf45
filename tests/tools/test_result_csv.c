// SPDX-License-Identifier: GPL-2.0-or-later
/* The CSV view: one header, the same columns in every line, RFC 4180. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "fz_test.h"
#include "sample_result.h"

/*
 * Take the field at *text; its end is moved behind the separator. Return: the
 * separator, or 'x' for a quote where RFC 4180 has none.
 */
static char take_field(const char **text, char *field)
{
	const char *c = *text;
	const bool quoted = *c == '"';
	size_t len = 0;

	c += quoted;
	while (*c && (quoted || (*c != ',' && *c != '\n'))) {
		if (*c == '"' && !quoted)
			return 'x';
		if (*c == '"' && *++c != '"')
			break;
		field[len++] = *c++;
	}
	field[len] = '\0';
	*text = c + (*c != '\0');
	return *c == ',' || *c == '\n' || !*c ? *c : 'x';
}

/* Fields of the line at *text; the one at `want` is kept. */
static size_t take_line(const char **text, size_t want, char *kept)
{
	size_t nr = 0;
	char end;

	do {
		char field[2048];

		end = take_field(text, field);
		ck_assert_msg(end != 'x', "a stray quote at: %.40s", *text);
		if (nr++ == want)
			strcpy(kept, field);
	} while (end == ',');
	ck_assert_int_eq(end, '\n');
	return nr;
}

START_TEST(test_lines)
{
	struct sample *sample = sample_new(&sample_kinds[_i]);
	char *csv = sample_print(sample, "csv");
	const char *text = csv;
	char kept[2048];
	size_t nr_columns = 0;

	if (sample->result.nr_rows)
		nr_columns = take_line(&text, 0, kept);
	for (size_t i = 0; i < sample->result.nr_rows; i++) {
		char id[32];

		ck_assert_uint_eq(take_line(&text, 0, kept), nr_columns);
		snprintf(id, sizeof(id), "r%zu", i + 1);
		ck_assert_str_eq(kept, id);
	}
	ck_assert_str_eq(text, "");
	free(csv);
	sample_free(sample);
}
END_TEST

static const char *const nasty[] = {
	"plain",       "a,b",        "say \"no\"",
	"\"",          "two\nlines", "\r\n",
	",",           "\"\",\n\"",  "blank at the end ",
	"\x1b[31mred",
};

START_TEST(test_quoting_comes_back)
{
	struct sample *sample = sample_find("full");
	char kept[2048];
	const char *text;
	char *csv;

	strcpy(sample->rows[0].reason, nasty[_i]);
	csv = sample_print(sample, "csv");
	text = csv;
	take_line(&text, 2, kept);
	ck_assert_str_eq(kept, "reason");
	take_line(&text, 2, kept);
	ck_assert_str_eq(kept, nasty[_i]);
	free(csv);
	sample_free(sample);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("result_csv");
	TCase *tcase = tcase_create("csv");

	tcase_add_loop_test(tcase, test_lines, 0, (int)nr_sample_kinds);
	tcase_add_loop_test(tcase, test_quoting_comes_back, 0,
			    (int)(sizeof(nasty) / sizeof(nasty[0])));
	suite_add_tcase(suite, tcase);
	return suite;
}
