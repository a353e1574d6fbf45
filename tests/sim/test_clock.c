// SPDX-License-Identifier: GPL-2.0-or-later
/* Calibration of the tick counter on a clock that the test turns. */
#include <fz/clock.h>

#include <math.h>

#include "fz_test.h"

/* Each reading of either clock lets @step_ns pass. */
struct fake_clock {
	uint64_t ns;
	uint64_t step_ns;
	double ns_per_tick;
};

static uint64_t fake_now_ns(void *state)
{
	struct fake_clock *clock = state;

	clock->ns += clock->step_ns;
	return clock->ns;
}

static uint64_t fake_ticks(void *state)
{
	return (uint64_t)((double)fake_now_ns(state) /
			  ((struct fake_clock *)state)->ns_per_tick);
}

static const struct {
	double ns_per_tick;
	uint64_t step_ns;
	uint64_t span_ns;
} rates[] = {
	{ 1.0, 30, 1000000 },          /* clock_gettime() */
	{ 1.0 / 2.6, 30, 1000000 },    /* a 2.6 GHz time-stamp counter */
	{ 1.0 / 0.999, 30, 10000000 }, /* a slow one */
	{ 40.0, 25, 1000000 },         /* 25 MHz, as on arm64 */
	{ 1000.0, 50, 0 },             /* no span: still waits for one tick */
};

START_TEST(calibrates_any_rate)
{
	struct fake_clock fake = {
		.ns = 123456789,
		.step_ns = rates[_i].step_ns,
		.ns_per_tick = rates[_i].ns_per_tick,
	};
	struct fz_hooks hooks = fz_hooks_default;
	struct fz_clock clock;
	double error;

	hooks.state = &fake;
	hooks.now_ns = fake_now_ns;
	hooks.ticks = fake_ticks;
	clock = fz_clock_calibrate(&hooks, rates[_i].span_ns);
	ck_assert(isfinite(clock.ns_per_tick) && clock.ns_per_tick > 0);
	ck_assert_uint_ge(fake.ns - 123456789, rates[_i].span_ns);
	error = fabs(clock.ns_per_tick / rates[_i].ns_per_tick - 1.0);
	if (rates[_i].span_ns)
		ck_assert_double_lt(error, 0.001);
}
END_TEST

static const struct {
	double ns_per_tick;
	uint64_t ticks;
	uint64_t ns;
} spans[] = {
	{ 1.0, 0, 0 },      { 1.0, 12345, 12345 },
	{ 0.5, 3, 2 },      { 0.25, 1, 0 },
	{ 0.25, 2, 1 },     { 40.0, 7, 280 },
	{ 0.4, 1000, 400 }, { 0.5, 1ull << 52, 1ull << 51 },
};

START_TEST(rounds_to_the_nearest_ns)
{
	const struct fz_clock clock = { .ns_per_tick = spans[_i].ns_per_tick };

	ck_assert_uint_eq(fz_clock_ns(&clock, spans[_i].ticks), spans[_i].ns);
}
END_TEST

START_TEST(real_ticks_have_a_rate)
{
	const struct fz_clock clock =
		fz_clock_calibrate(&fz_hooks_default, 1000000);

	/* Between 1 MHz and 1 THz: anything else is no clock. */
	ck_assert_double_gt(clock.ns_per_tick, 0.001);
	ck_assert_double_lt(clock.ns_per_tick, 1000.0);
}
END_TEST

#define NR(array) ((int)(sizeof(array) / sizeof((array)[0])))

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("clock");
	TCase *tcase = tcase_create("clock");

	tcase_add_loop_test(tcase, calibrates_any_rate, 0, NR(rates));
	tcase_add_loop_test(tcase, rounds_to_the_nearest_ns, 0, NR(spans));
	tcase_add_test(tcase, real_ticks_have_a_rate);
	suite_add_tcase(suite, tcase);
	return suite;
}
