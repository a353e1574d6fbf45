// SPDX-License-Identifier: GPL-2.0-or-later
/* Ticks by their numbers, in a type that is wide enough. */
#include "kernel_tick.h"

#include <fz/random.h>

#include "fz_test.h"

__extension__ typedef unsigned __int128 wide;

static const unsigned int rates[] = { 1,   24,   100,     250,       300,
				      864, 1000, 1000003, 1000000000 };

static wide tick_ns(unsigned int hz, wide tick)
{
	return (tick * 1000000000 + hz - 1) / hz;
}

static uint64_t naive_after(unsigned int hz, uint64_t ns)
{
	wide tick = (wide)ns * hz / 1000000000;

	while (tick_ns(hz, tick) <= ns)
		tick++;
	return tick_ns(hz, tick) > UINT64_MAX ? FZ_NEVER_NS
					      : (uint64_t)tick_ns(hz, tick);
}

START_TEST(ticks_are_multiples)
{
	struct fz_random random = fz_random_begin(1, (uint64_t)_i);
	unsigned int wrong = 0;
	uint64_t ns = 0;

	/* From tick to tick, then just before and anywhere. */
	for (unsigned int i = 0; i < 3000; i++) {
		wrong += fz_tick_after(rates[_i], ns) !=
			 naive_after(rates[_i], ns);
		ns = fz_tick_after(rates[_i], ns);
		wrong += fz_tick_after(rates[_i], ns - 1) != ns;
	}
	for (unsigned int i = 0; i < 3000; i++) {
		ns = fz_random_next(&random) >> fz_random_below(&random, 64);
		wrong += fz_tick_after(rates[_i], ns) !=
			 naive_after(rates[_i], ns);
	}
	wrong += fz_tick_after(rates[_i], UINT64_MAX) != FZ_NEVER_NS;
	ck_assert_uint_eq(wrong, 0);
}
END_TEST

START_TEST(sums_do_not_wrap)
{
	ck_assert_uint_eq(fz_ns_after(5, 6), 11);
	ck_assert_uint_eq(fz_ns_after(UINT64_MAX - 5, 5), FZ_NEVER_NS);
	ck_assert_uint_eq(fz_ns_after(UINT64_MAX - 5, 6), FZ_NEVER_NS);
	ck_assert_uint_eq(fz_ns_after(6, UINT64_MAX), FZ_NEVER_NS);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("kernel_tick");
	TCase *tcase = tcase_create("kernel_tick");

	tcase_add_loop_test(tcase, ticks_are_multiples, 0,
			    sizeof(rates) / sizeof(rates[0]));
	tcase_add_test(tcase, sums_do_not_wrap);
	suite_add_tcase(suite, tcase);
	return suite;
}
