// SPDX-License-Identifier: GPL-2.0-or-later
/* Tables: aligned, without empty columns, within a width. */
#include <stdlib.h>
#include <string.h>

#include "fz_test.h"
#include "table.h"

static const struct fz_column columns[] = {
	{ .head = { "", "name" }, .left = true },
	{ .head = { "much", "speed" } },
	{ .head = { "", "p50" }, .expendable = 1 },
	{ .head = { "", "p99" }, .tight = true, .expendable = 2 },
	{ .head = { "", "never" } },
};
#define NR_COLUMNS (sizeof(columns) / sizeof(columns[0]))

static const char *const cells[][NR_COLUMNS] = {
	{ "a", "1.25", "10", "11", "" },
	{ "longer", "12345.5", "-", "12", "-" },
	{ "", "", "9", "", "" },
};
#define NR_ROWS (sizeof(cells) / sizeof(cells[0]))

static const struct {
	size_t width;
	const char *printed;
} cases[] = {
	{ 100, "           much\n"
	       "name      speed  p50 p99\n"
	       "a          1.25   10  11\n"
	       "longer  12345.5    -  12\n"
	       "                   9\n" },
	{ 24, "           much\n"
	      "name      speed  p50 p99\n"
	      "a          1.25   10  11\n"
	      "longer  12345.5    -  12\n"
	      "                   9\n" },
	{ 23, "           much\n"
	      "name      speed  p50\n"
	      "a          1.25   10\n"
	      "longer  12345.5    -\n"
	      "                   9\n" },
	{ 19, "           much\n"
	      "name      speed\n"
	      "a          1.25\n"
	      "longer  12345.5\n"
	      "\n" },
	{ 3, "           much\n"
	     "name      speed\n"
	     "a          1.25\n"
	     "longer  12345.5\n"
	     "\n" },
};

static void table_fill(struct fz_table *table)
{
	ck_assert_int_eq(fz_table_init(table, columns, NR_COLUMNS, NR_ROWS), 0);
	for (size_t row = 0; row < NR_ROWS; row++) {
		for (size_t i = 0; i < NR_COLUMNS; i++)
			strcpy(fz_table_cell(table, row, i), cells[row][i]);
		table->nr_rows++;
	}
}

START_TEST(test_print)
{
	struct fz_table table;
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	ck_assert_ptr_nonnull(out);
	table_fill(&table);
	ck_assert_int_eq(fz_table_fit(&table, cases[_i].width),
			 cases[_i].width >= 15);
	fz_table_print(out, &table);
	fclose(out);
	ck_assert_str_eq(text, cases[_i].printed);
	free(text);
	fz_table_fini(&table);
}
END_TEST

static const struct {
	size_t width;
	const char *printed;
} left_out[] = {
	{ 24, "" },
	{ 23, "not shown for want of columns: p99\n" },
	{ 19, "not shown for want of columns: p50, p99\n" },
};

START_TEST(test_left_out)
{
	struct fz_table table;
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	ck_assert_ptr_nonnull(out);
	table_fill(&table);
	fz_table_fit(&table, left_out[_i].width);
	fz_table_print_left_out(out, &table, 80);
	fclose(out);
	ck_assert_str_eq(text, left_out[_i].printed);
	free(text);
	fz_table_fini(&table);
}
END_TEST

START_TEST(test_has)
{
	struct fz_table table;

	table_fill(&table);
	ck_assert(fz_table_has(&table, 3));
	ck_assert(!fz_table_has(&table, 4));
	fz_table_fini(&table);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("table");
	TCase *tcase = tcase_create("table");

	tcase_add_loop_test(tcase, test_print, 0,
			    (int)(sizeof(cases) / sizeof(cases[0])));
	tcase_add_loop_test(tcase, test_left_out, 0,
			    (int)(sizeof(left_out) / sizeof(left_out[0])));
	tcase_add_test(tcase, test_has);
	suite_add_tcase(suite, tcase);
	return suite;
}
