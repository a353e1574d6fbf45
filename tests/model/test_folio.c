// SPDX-License-Identifier: GPL-2.0-or-later
/* Folio geometry. */
#include "fz_test.h"

#include <fz/folio.h>

static const struct {
	uint64_t addr_hint;
	uint64_t folio_bytes;
	uint64_t base;
	uint64_t fault_page;
} faults[] = {
	{ 0x0, 4096, 0x0, 0 },
	{ 0x1fff, 4096, 0x1000, 0 },
	{ 0x7f0000000000, 2 << 20, 0x7f0000000000, 0 },
	{ 0x7f0000000fff, 2 << 20, 0x7f0000000000, 0 },
	{ 0x7f0000001000, 2 << 20, 0x7f0000000000, 1 },
	{ 0x7f00001fffff, 2 << 20, 0x7f0000000000, 511 },
	{ 0x7f0000200000, 2 << 20, 0x7f0000200000, 0 },
	{ 0x7f000001c234, 64 << 10, 0x7f0000010000, 12 },
	{ 0x7f7fffffffff, 1 << 30, 0x7f7fc0000000, 262143 },
	{ 0xffffffffffffffff, 2 << 20, 0xffffffffffe00000, 511 },
};

START_TEST(fault_is_in_folio)
{
	ck_assert_uint_eq(
		fz_folio_base(faults[_i].addr_hint, faults[_i].folio_bytes),
		faults[_i].base);
	ck_assert_uint_eq(fz_folio_fault_page(faults[_i].addr_hint,
					      faults[_i].folio_bytes),
			  faults[_i].fault_page);
}
END_TEST

START_TEST(gigantic_is_beyond_order_10)
{
	ck_assert(!fz_folio_is_gigantic(1));
	ck_assert(!fz_folio_is_gigantic(512));
	ck_assert(!fz_folio_is_gigantic(1024));
	ck_assert(fz_folio_is_gigantic(1025));
	ck_assert(fz_folio_is_gigantic(262144));
}
END_TEST

static const struct {
	uint64_t nr_pages, fault_page, radius_pages;
	uint64_t near_first, near_nr;
} cuts[] = {
	{ 1, 0, 2, 0, 1 },
	{ 2, 1, 2, 0, 2 },
	{ 4, 1, 2, 0, 4 },
	{ 4, 3, 2, 1, 3 },
	{ 512, 0, 2, 0, 3 },
	{ 512, 1, 2, 0, 4 },
	{ 512, 2, 2, 0, 5 },
	{ 512, 3, 2, 1, 5 },
	{ 512, 256, 2, 254, 5 },
	{ 512, 508, 2, 506, 5 },
	{ 512, 509, 2, 507, 5 },
	{ 512, 510, 2, 508, 4 },
	{ 512, 511, 2, 509, 3 },
	{ 512, 256, 0, 256, 1 },
	{ 512, 256, 255, 1, 511 },
	{ 512, 256, 256, 0, 512 },
	{ 512, 511, 511, 0, 512 },
	{ 512, 256, UINT64_MAX, 0, 512 },
	{ 262144, 131072, 2, 131070, 5 },
};

START_TEST(folio_is_cut_in_three)
{
	const struct fz_neighbourhood cut = fz_neighbourhood_of(
		cuts[_i].nr_pages, cuts[_i].fault_page, cuts[_i].radius_pages);
	const uint64_t near_end = cuts[_i].near_first + cuts[_i].near_nr;

	ck_assert_uint_eq(cut.near.first, cuts[_i].near_first);
	ck_assert_uint_eq(cut.near.nr, cuts[_i].near_nr);
	ck_assert_uint_eq(cut.left.first, 0);
	ck_assert_uint_eq(cut.left.nr, cuts[_i].near_first);
	ck_assert_uint_eq(cut.right.first, near_end);
	ck_assert_uint_eq(cut.right.first + cut.right.nr, cuts[_i].nr_pages);
	ck_assert_int_eq(fz_range_is_empty(cut.right),
			 near_end == cuts[_i].nr_pages);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("model.folio");
	TCase *tcase = tcase_create("folio");

	tcase_add_loop_test(tcase, fault_is_in_folio, 0,
			    sizeof(faults) / sizeof(faults[0]));
	tcase_add_test(tcase, gigantic_is_beyond_order_10);
	tcase_add_loop_test(tcase, folio_is_cut_in_three, 0,
			    sizeof(cuts) / sizeof(cuts[0]));
	suite_add_tcase(suite, tcase);
	return suite;
}
