// SPDX-License-Identifier: GPL-2.0-or-later
/* Which pages are studied in the place of which. */
#include "zero_left.h"

#include "fz_test.h"

#define NR(array) (sizeof(array) / sizeof((array)[0]))

static const struct {
	uint64_t nr_pages, fault_page, studied;
} pages[] = {
	{ 1, 0, 0 },
	{ 2, 1, 1 },
	{ 16, 5, 5 },
	{ 512, 0, 0 },
	{ 512, 1, 32 },
	{ 512, 63, 32 },
	{ 512, 64, 96 },
	{ 512, 256, 288 },
	{ 512, 510, 480 },
	{ 512, 511, 511 },
	{ 1 << 18, 1 << 17, 147456 },
};

START_TEST(studied)
{
	ck_assert_uint_eq(
		fz_zero_left_page(pages[_i].nr_pages, pages[_i].fault_page),
		pages[_i].studied);
}
END_TEST

/* Whatever the folio: a page of it, and few of them. */
START_TEST(few)
{
	for (uint64_t nr = 1; nr <= 600; nr++) {
		bool seen[600] = { false };
		unsigned int nr_studied = 0;
		bool inside = true;

		for (uint64_t page = 0; page < nr; page++) {
			const uint64_t at = fz_zero_left_page(nr, page);

			inside = inside && at < nr;
			nr_studied += inside && !seen[at];
			seen[inside ? at : 0] = true;
		}
		ck_assert_msg(inside && nr_studied <= 16, "%llu pages: %u",
			      (unsigned long long)nr, nr_studied);
	}
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("zero_left");
	TCase *tcase = tcase_create("zero_left");

	tcase_add_loop_test(tcase, studied, 0, NR(pages));
	tcase_add_test(tcase, few);
	suite_add_tcase(suite, tcase);
	return suite;
}
