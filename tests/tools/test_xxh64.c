// SPDX-License-Identifier: GPL-2.0-or-later
/* XXH64: known values, and bytes in pieces. */
#include "fz_test.h"

#include <string.h>

#include "xxh64.h"

/* As xxhsum -H1 prints them. */
static const struct {
	const char *text;
	uint64_t value;
} known[] = {
	{ "", 0xef46db3751d8e999 },
	{ "a", 0xd24ec4f1a98c6e5b },
	{ "abc", 0x44bc2cf5ad770999 },
	{ "Nobody inspects the spammish repetition", 0xfbcea83c8a378bf1 },
};

static uint64_t value_of(const char *text, size_t nr, size_t piece)
{
	struct fz_xxh64 hash = fz_xxh64_begin();

	for (size_t at = 0; at < nr; at += piece)
		fz_xxh64_add(&hash, text + at,
			     piece < nr - at ? piece : nr - at);
	return fz_xxh64_value(&hash);
}

START_TEST(test_known)
{
	const char *text = known[_i].text;

	ck_assert_uint_eq(value_of(text, strlen(text), 1000), known[_i].value);
}
END_TEST

START_TEST(test_pieces)
{
	char text[300];
	size_t wrong = 0;

	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = (char)(i * 37);
	for (size_t nr = 0; nr <= sizeof(text); nr++)
		for (size_t piece = 1; piece <= 70; piece++)
			wrong += value_of(text, nr, piece) !=
				 value_of(text, nr, sizeof(text));
	ck_assert_uint_eq(wrong, 0);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("xxh64");
	TCase *tcase = tcase_create("xxh64");

	tcase_add_loop_test(tcase, test_known, 0,
			    sizeof(known) / sizeof(known[0]));
	tcase_add_test(tcase, test_pieces);
	suite_add_tcase(suite, tcase);
	return suite;
}
