// SPDX-License-Identifier: GPL-2.0-or-later
/* Sets as text, whole or visibly cut. */
#include "hw.h"

#include <string.h>

#include "fz_test.h"

#define NR(array) ((int)(sizeof(array) / sizeof((array)[0])))

static const struct {
	const char *set;
	size_t cap;
	const char *text;
} texts[] = {
	{ "", 8, "" },
	{ "3", 8, "3" },
	{ "0-3,8", 8, "0-3,8" },
	{ "0-3,800", 8, "0-3,800" },
	{ "0-3,8000", 8, "0-3,..." },
	{ "0-3,8000", 9, "0-3,8000" },
	{ "0,2,4,6,8", 9, "0,2,..." },
	{ "0,2,4,6,8", 10, "0,2,4,6,8" },
	{ "1000-2000", 8, "..." },
	{ "1,1000-2000", 11, "1,..." },
};

START_TEST(a_cut_shows)
{
	hwloc_bitmap_t set = hwloc_bitmap_alloc();
	char text[16];

	hwloc_bitmap_list_sscanf(set, texts[_i].set);
	memset(text, 'x', sizeof(text));
	fz_hw_text(set, text, texts[_i].cap);
	ck_assert_str_eq(text, texts[_i].text);
	for (size_t i = texts[_i].cap; i < sizeof(text); i++)
		ck_assert_int_eq(text[i], 'x');
	hwloc_bitmap_free(set);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("hw");
	TCase *tcase = tcase_create("hw");

	tcase_add_loop_test(tcase, a_cut_shows, 0, NR(texts));
	suite_add_tcase(suite, tcase);
	return suite;
}
