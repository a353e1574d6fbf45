// SPDX-License-Identifier: GPL-2.0-or-later
/* The example of docs/adding-a-clear-primitive.md: it works, and is shown. */
#include <fz/clear.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clear_contract.h"
#include "fz_test.h"

#define TEXT_BYTES 65536

extern const struct fz_clear fz_clear_avx2;

/* Fills text, [TEXT_BYTES], with a file of docs/. */
static void read_doc(const char *path, char *text)
{
	char whole[4096];
	size_t nr_read;
	FILE *file;

	snprintf(whole, sizeof(whole), "%s/../docs/%s", FZ_TEST_DIR, path);
	file = fopen(whole, "r");
	ck_assert_msg(file, "cannot read '%s'", whole);
	nr_read = fread(text, 1, TEXT_BYTES - 1, file);
	text[nr_read] = '\0';
	fclose(file);
	ck_assert_uint_gt(nr_read, 0);
}

START_TEST(doc_shows_it)
{
	char *doc = malloc(TEXT_BYTES), *example = malloc(TEXT_BYTES);

	ck_assert(doc && example);
	read_doc("adding-a-clear-primitive.md", doc);
	read_doc("examples/clear_avx2.c", example);
	ck_assert_msg(strstr(doc, example), "the page shows other text");
	free(doc);
	free(example);
}
END_TEST

START_TEST(keeps_the_contract)
{
	const char *wrong = clear_contract_entry(&fz_clear_avx2);
	char first[160];
	unsigned int nr_bad;

	ck_assert_msg(!wrong, "%s", wrong);
	nr_bad = clear_contract_run(&fz_clear_avx2, first, sizeof(first));
	ck_assert_msg(nr_bad == 0, "%u wrong, first %s", nr_bad, first);
}
END_TEST

const char *fz_test_skip_reason(void)
{
	return fz_clear_why_unsupported(&fz_clear_avx2);
}

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("example clear");
	TCase *tcase = tcase_create("avx2");

	tcase_set_timeout(tcase, 30);
	tcase_add_test(tcase, doc_shows_it);
	tcase_add_test(tcase, keeps_the_contract);
	suite_add_tcase(suite, tcase);
	return suite;
}
