// SPDX-License-Identifier: GPL-2.0-or-later
/* The example of docs/adding-a-clear-primitive.md: it works, and is shown. */
#include <fz/clear.h>

#include "clear_contract.h"
#include "doc_shows.h"
#include "fz_test.h"

extern const struct fz_clear fz_clear_avx2;

START_TEST(doc_shows_it)
{
	ck_assert_doc_shows("adding-a-clear-primitive.md",
			    "examples/clear_avx2.c");
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
