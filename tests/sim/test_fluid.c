// SPDX-License-Identifier: GPL-2.0-or-later
/* The fluid: figures worked out by hand, and what holds for any of them. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "fluid.h"
#include "fz_test.h"

#define NR(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* Bytes a second for so many bytes a ns. */
#define PER_NS(bytes) ((bytes)*1e9)

/* The n-th allocation from now on fails; 0 = none does. */
static unsigned int fail_in;

void *__real_reallocarray(void *old, size_t nr, size_t bytes);
void *__wrap_reallocarray(void *old, size_t nr, size_t bytes);

void *__wrap_reallocarray(void *old, size_t nr, size_t bytes)
{
	return fail_in && --fail_in == 0 ? NULL
					 : __real_reallocarray(old, nr, bytes);
}

static struct fz_fluid *open_bus(double bytes_per_ns)
{
	struct fz_fluid *fluid = NULL;

	ck_assert_int_eq(fz_fluid_open(&fluid, PER_NS(bytes_per_ns)), 0);
	return fluid;
}

static fz_flow begin(struct fz_fluid *fluid, uint64_t now_ns, int class,
		     double bytes, uint32_t owner)
{
	fz_flow flow = FZ_NO_FLOW;

	ck_assert_int_eq(
		fz_fluid_begin(fluid, now_ns, class, bytes, owner, &flow), 0);
	return flow;
}

/* The next to end is @owner, at @now_ns. */
static void expect_end(struct fz_fluid *fluid, uint64_t now_ns, uint32_t owner)
{
	uint32_t ended = UINT32_MAX;

	ck_assert_uint_eq(fz_fluid_next(fluid), now_ns);
	ck_assert(fz_fluid_take(fluid, now_ns, &ended));
	ck_assert_uint_eq(ended, owner);
}

static void expect_none(struct fz_fluid *fluid, uint64_t now_ns)
{
	uint32_t owner = 99;

	ck_assert(!fz_fluid_take(fluid, now_ns, &owner));
	ck_assert_uint_eq(owner, 99);
}

/* 50 ns alone at 10, then both at 5 until the first has its 1000. */
START_TEST(two_share)
{
	struct fz_fluid *fluid = open_bus(10);
	const int class = fz_fluid_class(fluid, PER_NS(10), 1);
	fz_flow flow;

	ck_assert_uint_eq(fz_fluid_next(fluid), UINT64_MAX);
	begin(fluid, 0, class, 1000, 1);
	ck_assert_uint_eq(fz_fluid_next(fluid), 100);
	flow = begin(fluid, 50, class, 1000, 2);
	expect_none(fluid, 149);
	ck_assert_double_eq_tol(fz_fluid_moved(fluid, 149, flow), 495, 1e-9);
	expect_end(fluid, 150, 1);
	expect_none(fluid, 150);
	expect_end(fluid, 200, 2);
	expect_none(fluid, 1000);
	ck_assert_uint_eq(fz_fluid_next(fluid), UINT64_MAX);
	ck_assert_double_eq_tol(fz_fluid_bus_bytes(fluid, 1000), 2000, 1e-9);
	fz_fluid_close(fluid);
}
END_TEST

/* At 1.5 each: 10 / 1.5 = 6.67. Then 14 - 10.5 left at 3: 7 + 1.17. */
START_TEST(ends_are_whole_ns)
{
	struct fz_fluid *fluid = open_bus(3);
	const int class = fz_fluid_class(fluid, PER_NS(3), 1);

	begin(fluid, 0, class, 10, 1);
	begin(fluid, 0, class, 14, 2);
	ck_assert_double_eq_tol(fz_fluid_bus_bytes(fluid, 6), 18, 1e-9);
	ck_assert_double_eq_tol(fz_fluid_bus_bytes(fluid, 7), 20.5, 1e-9);
	expect_end(fluid, 7, 1);
	ck_assert_double_eq_tol(fz_fluid_bus_bytes(fluid, 7), 20.5, 1e-9);
	expect_end(fluid, 9, 2);
	ck_assert_double_eq_tol(fz_fluid_bus_bytes(fluid, 9), 24, 1e-9);
	fz_fluid_close(fluid);
}
END_TEST

/* A common example of max-min fairness first. cap, cost, then the speed. */
static const struct {
	double bus;
	size_t nr;
	struct {
		double cap, cost, speed;
	} flows[5];
} shares[] = {
	{ 10,
	  4,
	  { { 2, 1, 2 }, { 2.6, 1, 2.6 }, { 4, 1, 2.7 }, { 5, 1, 2.7 } } },
	/* In another order. */
	{ 10,
	  4,
	  { { 5, 1, 2.7 }, { 2, 1, 2 }, { 4, 1, 2.7 }, { 2.6, 1, 2.6 } } },
	/* All fit, just. */
	{ 13.6, 4, { { 2, 1, 2 }, { 2.6, 1, 2.6 }, { 4, 1, 4 }, { 5, 1, 5 } } },
	/* Nobody has its cap. */
	{ 4, 4, { { 2, 1, 1 }, { 2.6, 1, 1 }, { 4, 1, 1 }, { 5, 1, 1 } } },
	/* Equal on the bus, not in bytes. */
	{ 8, 2, { { 4, 2, 2 }, { 8, 1, 4 } } },
	/* The slower one alone needs more of the bus: 1 + 2 * 3.5 = 8. */
	{ 8, 2, { { 4, 2, 3.5 }, { 1, 1, 1 } } },
	/* Two of a class: 1, and 7 shared by three. */
	{ 8,
	  4,
	  { { 3, 1, 7.0 / 3 },
	    { 3, 1, 7.0 / 3 },
	    { 4, 2, 3.5 / 3 },
	    { 1, 1, 1 } } },
	/* Costs below 1. */
	{ 3, 2, { { 8, 0.5, 4 }, { 2, 0.5, 2 } } },
	{ 2, 2, { { 8, 0.5, 2 }, { 2, 0.5, 2 } } },
};

START_TEST(max_min)
{
	struct fz_fluid *fluid = open_bus(shares[_i].bus);
	double bus_bytes = 0;
	fz_flow flows[5];

	for (size_t i = 0; i < shares[_i].nr; i++)
		flows[i] = begin(fluid, 0,
				 fz_fluid_class(fluid,
						PER_NS(shares[_i].flows[i].cap),
						shares[_i].flows[i].cost),
				 1e9, 0);
	for (size_t i = 0; i < shares[_i].nr; i++) {
		const double bytes = 1000 * shares[_i].flows[i].speed;

		ck_assert_double_eq_tol(fz_fluid_moved(fluid, 1000, flows[i]),
					bytes, 1e-9);
		bus_bytes += bytes * shares[_i].flows[i].cost;
	}
	ck_assert_double_eq_tol(fz_fluid_bus_bytes(fluid, 1000), bus_bytes,
				1e-9);
	fz_fluid_close(fluid);
}
END_TEST

/*
 * Alone at 4: stopped after 25 ns it has moved 100. Told at 10, with 40 moved,
 * to do 60 in all it ends at 15; 120, at 30; 20, at once.
 */
START_TEST(stop_and_retarget)
{
	struct fz_fluid *fluid = open_bus(4);
	const int class = fz_fluid_class(fluid, PER_NS(5), 1);
	fz_flow flow;

	flow = begin(fluid, 0, class, 1000, 1);
	ck_assert_double_eq_tol(fz_fluid_stop(fluid, 25, flow), 100, 1e-9);
	ck_assert_uint_eq(fz_fluid_next(fluid), UINT64_MAX);

	flow = begin(fluid, 100, class, 1000, 2);
	fz_fluid_retarget(fluid, 110, flow, 60);
	ck_assert_uint_eq(fz_fluid_next(fluid), 115);
	fz_fluid_retarget(fluid, 110, flow, 120);
	expect_end(fluid, 130, 2);

	flow = begin(fluid, 200, class, 1000, 3);
	fz_fluid_retarget(fluid, 210, flow, 20);
	ck_assert_double_eq_tol(fz_fluid_moved(fluid, 210, flow), 40, 1e-9);
	expect_end(fluid, 210, 3);
	ck_assert_double_eq_tol(fz_fluid_bus_bytes(fluid, 500), 260, 1e-9);
	fz_fluid_close(fluid);
}
END_TEST

/*
 * Three of 10 bytes at 1 each are due at 10. The first gets 2 more, and the
 * second is stopped; the 2 go on at 3.
 */
START_TEST(changes_of_flows_that_are_due)
{
	struct fz_fluid *fluid = open_bus(3);
	const int class = fz_fluid_class(fluid, PER_NS(3), 1);
	fz_flow flows[3];

	for (uint32_t i = 0; i < 3; i++)
		flows[i] = begin(fluid, 0, class, 10, i);
	expect_none(fluid, 9);
	ck_assert_uint_eq(fz_fluid_next(fluid), 10);
	fz_fluid_retarget(fluid, 10, flows[0], 12);
	ck_assert_double_eq_tol(fz_fluid_stop(fluid, 10, flows[1]), 10, 1e-9);
	expect_end(fluid, 10, 2);
	expect_none(fluid, 10);
	ck_assert_double_eq_tol(fz_fluid_moved(fluid, 10, flows[0]), 10, 1e-9);
	expect_end(fluid, 11, 0);
	ck_assert_double_eq_tol(fz_fluid_bus_bytes(fluid, 11), 32, 1e-9);
	fz_fluid_close(fluid);
}
END_TEST

/* Due at the same ns, in this class or that, some bytes less or rounded away.
 */
START_TEST(first_begun_is_taken_first)
{
	struct fz_fluid *fluid = open_bus(1000);
	const int a = fz_fluid_class(fluid, PER_NS(10), 1);
	const int b = fz_fluid_class(fluid, PER_NS(5), 2);
	unsigned int wrong = 0;
	uint32_t owner;

	for (uint32_t i = 0; i < 64; i++)
		begin(fluid, 0, i % 3 == 1 ? b : a,
		      i % 3 == 1 ? 498 : 1000.0005 - i % 7, i);
	for (uint32_t i = 0; i < 64; i++)
		wrong += !fz_fluid_take(fluid, 100, &owner) || owner != i;
	ck_assert_uint_eq(wrong, 0);
	expect_none(fluid, 100);
	for (uint32_t i = 0; i < 64; i++)
		begin(fluid, 100, i % 3 ? b : a, i % 3 ? 497 : 995, i);
	for (uint32_t i = 0; i < 64; i++)
		wrong += !fz_fluid_take(fluid, 200, &owner) || owner != i;
	ck_assert_uint_eq(wrong, 0);
	fz_fluid_close(fluid);
}
END_TEST

/* What comes out whole is whole, whatever the clock shows. */
static const struct {
	double bytes, cap;
	uint64_t ns;
} whole[] = {
	{ 1000, 1, 1000 },      { 4096, 4.096, 1000 },      { 4096, 12.8, 320 },
	{ 65536, 0.1, 655360 }, { 2097152, 10.24, 204800 }, { 1, 1, 1 },
	{ 7, 0.7, 10 },
};

START_TEST(whole_ns_stay_whole)
{
	struct fz_fluid *fluid = open_bus(1000);
	const int class = fz_fluid_class(fluid, PER_NS(whole[_i].cap), 1);
	uint64_t now_ns = 0;
	unsigned int wrong = 0;
	uint32_t owner;

	/* It keeps the clock of the class from starting again. */
	begin(fluid, 0, class, 1e15, 1);
	for (unsigned int i = 0; i < 20000; i++) {
		begin(fluid, now_ns, class, whole[_i].bytes, 2);
		wrong += fz_fluid_next(fluid) != now_ns + whole[_i].ns;
		now_ns = fz_fluid_next(fluid);
		wrong += !fz_fluid_take(fluid, now_ns, &owner) || owner != 2;
		/* Most begin at odd times. */
		now_ns += i % 3 * 333333;
	}
	ck_assert_uint_eq(wrong, 0);
	fz_fluid_close(fluid);
}
END_TEST

/* A double has no odd numbers above 2^53, but a clock starts again. */
START_TEST(long_ago_does_not_matter)
{
	struct fz_fluid *fluid = open_bus(1);
	const int class = fz_fluid_class(fluid, PER_NS(1), 1);
	const uint64_t late_ns = (uint64_t)1 << 53;

	begin(fluid, 0, class, 0x1p53, 1);
	expect_end(fluid, late_ns, 1);
	begin(fluid, late_ns, class, 999, 2);
	expect_end(fluid, late_ns + 999, 2);
	fz_fluid_close(fluid);
}
END_TEST

/* A change at the very ns of an end does not put it off. */
START_TEST(an_end_keeps_its_ns)
{
	unsigned int wrong = 0;

	for (unsigned int i = 1; i < 2000; i++) {
		struct fz_fluid *fluid = open_bus(7);
		const int class = fz_fluid_class(fluid, PER_NS(3.0 / i), 1);
		const int other = fz_fluid_class(fluid, PER_NS(0.1 * i), 1.5);
		uint64_t now_ns;
		uint32_t owner;

		begin(fluid, 0, class, 1e9, 1);
		begin(fluid, i, class, i, 2);
		now_ns = fz_fluid_next(fluid);
		begin(fluid, now_ns, other, 1000, 3);
		wrong += fz_fluid_next(fluid) != now_ns;
		wrong += !fz_fluid_take(fluid, now_ns, &owner) || owner != 2;
		fz_fluid_close(fluid);
	}
	ck_assert_uint_eq(wrong, 0);
}
END_TEST

START_TEST(classes_are_found_again)
{
	struct fz_fluid *fluid = open_bus(100);

	for (int i = 0; i < FZ_FLUID_MAX_CLASSES; i++)
		ck_assert_int_eq(
			fz_fluid_class(fluid, PER_NS(1 + i / 2), 1 + i % 2), i);
	ck_assert_int_eq(fz_fluid_class(fluid, PER_NS(1), 1), 0);
	ck_assert_int_eq(fz_fluid_class(fluid, PER_NS(3), 2), 5);
	ck_assert_int_eq(fz_fluid_class(fluid, PER_NS(3), 3), -ENOSPC);
	fz_fluid_close(fluid);
	fz_fluid_close(NULL);
}
END_TEST

/* 1e6 years ahead: never. Nothing overflows. */
START_TEST(far_ends_are_never)
{
	struct fz_fluid *fluid = open_bus(1e-9);
	const int class = fz_fluid_class(fluid, 1, 1);
	fz_flow flow;

	flow = begin(fluid, 5, class, 3e13, 1);
	ck_assert_uint_eq(fz_fluid_next(fluid), UINT64_MAX);
	fz_fluid_retarget(fluid, 1000000005, flow, 3);
	expect_end(fluid, 3000000005 - (uint64_t)(FZ_FLUID_ROUNDING * 1e9), 1);
	fz_fluid_close(fluid);
}
END_TEST

/*
 * Each allocation of a beginning fails in turn, then it works: 16 have moved 5
 * of 160 at 8 ns, and with another one 155 more take 155 * 17 / 10 = 263.5 ns.
 */
START_TEST(no_memory)
{
	for (unsigned int nth = 1; nth <= 4; nth++) {
		struct fz_fluid *fluid = open_bus(10);
		const int class = fz_fluid_class(fluid, PER_NS(10), 1);
		fz_flow flow = FZ_NO_FLOW;

		for (uint32_t i = 0; i < 16; i++)
			begin(fluid, 0, class, 160, i);
		fail_in = nth;
		ck_assert_int_eq(fz_fluid_begin(fluid, 8, class, 1, 9, &flow),
				 -ENOMEM);
		ck_assert_uint_eq(flow, FZ_NO_FLOW);
		ck_assert_uint_eq(fz_fluid_next(fluid), 256);
		begin(fluid, 8, class, 155, 16);
		for (uint32_t i = 0; i < 17; i++)
			expect_end(fluid, 272, i);
		fz_fluid_close(fluid);
	}
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("fluid");
	TCase *tcase = tcase_create("fluid");

	tcase_add_test(tcase, two_share);
	tcase_add_test(tcase, ends_are_whole_ns);
	tcase_add_loop_test(tcase, max_min, 0, NR(shares));
	tcase_add_test(tcase, stop_and_retarget);
	tcase_add_test(tcase, changes_of_flows_that_are_due);
	tcase_add_test(tcase, first_begun_is_taken_first);
	tcase_add_loop_test(tcase, whole_ns_stay_whole, 0, NR(whole));
	tcase_add_test(tcase, long_ago_does_not_matter);
	tcase_add_test(tcase, an_end_keeps_its_ns);
	tcase_add_test(tcase, classes_are_found_again);
	tcase_add_test(tcase, far_ends_are_never);
	tcase_add_test(tcase, no_memory);
	suite_add_tcase(suite, tcase);
	return suite;
}
