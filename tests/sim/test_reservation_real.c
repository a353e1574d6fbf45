// SPDX-License-Identifier: GPL-2.0-or-later
/* Raising the real pool where allowed: alone, and several at once. */
#include <fz/pools.h>

#include <sys/wait.h>
#include <unistd.h>

#include "fz_test.h"

#define TOTAL      "/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages"
#define PAGE_BYTES (2ull << 20)

/* Others may use the pool meanwhile, so a difference is looked at again. */
START_TEST(the_real_pool_is_left_as_it_was)
{
	uint64_t before = 0, during = 0, after = 0, got = 0;

	for (int i = 0; i < 5; i++) {
		struct fz_reservation *reservation = NULL;

		if (fz_read_u64(&fz_hooks_default, TOTAL, &before))
			return; /* no such pool */
		if (fz_reservation_open(&reservation, &fz_hooks_default,
					PAGE_BYTES, before + 4, NULL))
			return; /* no rights */
		got = fz_reservation_got(reservation);
		fz_read_u64(&fz_hooks_default, TOTAL, &during);
		ck_assert_uint_le(got, fz_reservation_asked(reservation));
		ck_assert_int_eq(fz_reservation_close(reservation), 0);
		fz_read_u64(&fz_hooks_default, TOTAL, &after);
		if (during == before + got && after == before)
			break;
	}
	ck_assert_uint_eq(during, before + got);
	ck_assert_uint_eq(after, before);
}
END_TEST

#define NR_PROCESSES 4

static void reserve_again_and_again(uint64_t nr_pages)
{
	for (int i = 0; i < 25; i++) {
		struct fz_reservation *reservation = NULL;

		if (fz_reservation_open(&reservation, &fz_hooks_default,
					PAGE_BYTES, nr_pages, NULL))
			_exit(0);
		if (fz_reservation_close(reservation))
			_exit(1);
	}
	_exit(0);
}

/* All want more than there is, at once. */
START_TEST(the_real_pool_bears_several_at_once)
{
	uint64_t before = 0, after = 0;
	int status, nr_failed = 0;

	for (int i = 0; i < 5; i++) {
		if (fz_read_u64(&fz_hooks_default, TOTAL, &before))
			return; /* no such pool */
		for (unsigned int j = 0; j < NR_PROCESSES; j++) {
			if (fork() == 0)
				reserve_again_and_again(before + 4 + j);
		}
		for (int j = 0; j < NR_PROCESSES; j++) {
			wait(&status);
			nr_failed += status != 0;
		}
		fz_read_u64(&fz_hooks_default, TOTAL, &after);
		if (after == before)
			break; /* else others may have changed it */
	}
	ck_assert_int_eq(nr_failed, 0);
	ck_assert_uint_eq(after, before);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("reservation_real");
	TCase *tcase = tcase_create("reservation_real");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, the_real_pool_is_left_as_it_was);
	tcase_add_test(tcase, the_real_pool_bears_several_at_once);
	suite_add_tcase(suite, tcase);
	return suite;
}
