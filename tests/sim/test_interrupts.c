// SPDX-License-Identifier: GPL-2.0-or-later
/* What an interrupt costs a call, where interrupts cost what the test says. */
#include "interrupts.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include <fz/profile_price.h>

#include "elision_fit.h"
#include "fake_world.h"
#include "fz_test.h"

#define MIB          ((uint64_t)1 << 20)
#define BUFFER_BYTES (32 * MIB)
#define EXTENT_BYTES (16 * MIB)
#define BPS          10e9
#define OTHER_NS     100.0
#define MAX_DUE      4096u
#define NS_PER_TURN  0.25

static struct fake_world world;
static struct fz_bench bench;
static struct fz_buffer *buffer;
static struct fz_random luck;
static struct fz_machine machine;
static struct fz_calibration out;
static struct fz_calibrate_params params;
static struct calibration c;
static atomic_int stop;
static uint64_t nr_switches;

/* Interrupts come after exponential times, while there is work or not. */
static struct {
	double own_ns;    /* each takes */
	double beyond_ns; /* more, if it interrupts a call */
	double noise;     /* of a call, relative */
	bool refuses;     /* to be opened */
	bool sleeps;      /* and never interrupts */
	bool others;      /* a task that nobody has woken takes the CPU too */

	unsigned int violations; /* of what a waker asks for */
	unsigned int nr_open, nr_opened;
	bool begun;
	double mean_ticks, next_ticks;
	struct fz_wake due[MAX_DUE];
	size_t nr;
	uint64_t longest_bytes;        /* interrupted calls, before shares */
	unsigned int calls, disturbed; /* of those at the threshold */
} fake;

static uint64_t threshold_bytes; /* of every primitive; 0 = none */

static struct fz_waker *handle(void)
{
	return (struct fz_waker *)(void *)&fake;
}

static int fake_open(struct fz_waker **waker, const struct fz_hooks *hooks,
		     const struct fz_waker_params *asked, struct fz_err *err)
{
	(void)hooks;
	if (fake.refuses)
		return fz_err_set(err, -EPERM, "no wakers are sold here");
	fake.violations += fake.nr_open != 0;
	fake.nr_open++;
	fake.nr_opened++;
	fake.mean_ticks = (double)asked->interval_ns / 2;
	fake.calls = 0;
	fake.disturbed = 0;
	*waker = handle();
	return 0;
}

static void fake_close(struct fz_waker *waker)
{
	fake.violations += waker != handle() || fake.begun;
	fake.nr_open--;
}

static double next_gap(void)
{
	return -log(fz_random_unit(&luck) + 0x1p-54) * fake.mean_ticks;
}

static void fake_begin(struct fz_waker *waker)
{
	fake.violations += waker != handle() || fake.begun;
	fake.begun = true;
	fake.nr = 0;
	fake.next_ticks = (double)world.now + next_gap();
}

static struct fz_wakes fake_end(struct fz_waker *waker)
{
	fake.violations += waker != handle() || !fake.begun;
	fake.begun = false;
	return (struct fz_wakes){ fake.due, fake.nr, 0 };
}

/* Work of so many ticks, prolonged by what interrupts it; how many did. */
static size_t pass(double ticks, double more_ns)
{
	double end = (double)world.now + ticks;
	size_t nr = 0;

	while (fake.begun && !fake.sleeps && fake.next_ticks < end &&
	       fake.nr < MAX_DUE) {
		fake.due[fake.nr++] =
			(struct fz_wake){ (uint64_t)fake.next_ticks,
					  (uint64_t)fake.next_ticks };
		end += (fake.own_ns + more_ns) / 2;
		fake.next_ticks += next_gap();
		nr_switches++;
		nr++;
	}
	nr_switches += fake.others;
	world.now = (uint64_t)llround(end);
	return nr;
}

static void fake_spin(uint64_t turns)
{
	pass((double)turns * NS_PER_TURN / 2, 0);
}

static double slow_ns(size_t bytes)
{
	return OTHER_NS + (double)bytes / BPS * 1e9;
}

/* Long calls are twice as fast, unless they are interrupted. */
static void fake_clear(void *dst, size_t bytes)
{
	const bool is_long = threshold_bytes && bytes >= threshold_bytes;
	const double error = fake.noise * (2 * fz_random_unit(&luck) - 1);
	const double ticks = slow_ns(bytes) / 2 * (1 + error);
	size_t nr;

	(void)dst;
	if (!is_long) {
		pass(ticks, fake.beyond_ns);
		if (fake.begun && bytes > fake.longest_bytes)
			fake.longest_bytes = bytes;
		return;
	}
	nr = pass(ticks / 2, fake.beyond_ns);
	if (nr)
		world.now += (uint64_t)llround(ticks / 2);
	fake.calls++;
	fake.disturbed += nr > 0;
}

static const struct fz_clear cached = {
	.name = "fake", .summary = "fake", .unit_bytes = 1, .clear = fake_clear
};
static const struct fz_clear streaming = { .name = "fake-stream",
					   .summary = "fake",
					   .unit_bytes = 1,
					   .streaming = true,
					   .clear = fake_clear };
static const struct fz_clear *const both[] = { &cached, &streaming };

static const struct interrupter faked = {
	.open = fake_open,
	.close = fake_close,
	.begin = fake_begin,
	.end = fake_end,
	.spin = fake_spin,
};

static int fake_usage(void *state, struct fz_usage *usage)
{
	(void)state;
	*usage = (struct fz_usage){ .involuntary_switches = nr_switches };
	return 0;
}

static void setup(void)
{
	memset(&fake, 0, sizeof(fake));
	fake.own_ns = 3000;
	threshold_bytes = 0;
	nr_switches = 0;
	luck = fz_random_begin(5, 1);
	fake_world_init(&world, 1);
	world.hooks.usage = fake_usage;
	fake_bench_open(&bench, &world, 512);
	buffer = fake_buffer(&world, BUFFER_BYTES);
	atomic_store(&stop, 0);
	bench.stop = &stop;
	params = (struct fz_calibrate_params){
		.clears = both,
		.nr_clears = 2,
		.buffer = buffer,
		.max_extent_bytes = EXTENT_BYTES,
		.machine = &machine,
		.budget_ns = 10000000000,
	};
}

static void teardown(void)
{
	calibration_close(&c);
	fz_buffer_close(buffer);
	fz_bench_close(&bench);
}

/* With what was found out before. */
static int measure(void)
{
	int code;

	out = (struct fz_calibration){ .nr_notes = 0 };
	out.profile.nr_clears = params.nr_clears;
	for (size_t i = 0; i < params.nr_clears; i++) {
		struct fz_calibrated_clear *clear = &out.clears[i];

		clear->fit.term[FZ_RELATION_OTHER].value = OTHER_NS;
		clear->fit.term[FZ_TERM_BYTES].value = 1e9 / BPS;
		clear->interrupted_ci95 = (struct fz_interval){ NAN, NAN };
		out.profile.clears[i].interrupted_ns = NAN;
		out.profile.clears[i].threshold_bytes = threshold_bytes;
		clear->slow_bytes =
			threshold_bytes ? threshold_bytes - 4096 : 0;
	}
	ck_assert_int_eq(calibration_open(&c, &out, &bench, &params), 0);
	code = interrupts_measure(&c, &faked);
	ck_assert_uint_eq(fake.nr_open, 0);
	ck_assert(!fake.begun);
	ck_assert_uint_eq(fake.violations, 0);
	return code;
}

/* Is it unknown of all primitives, for that reason? */
static void check_unknown(size_t nr_notes, const char *why)
{
	ck_assert_uint_eq(out.nr_notes, nr_notes);
	for (size_t i = 0; i < nr_notes; i++) {
		ck_assert(out.notes[i].unknown);
		ck_assert_str_eq(out.notes[i].member, "interrupted_ns");
		ck_assert_msg(strstr(out.notes[i].text, why) != NULL, "%s",
			      out.notes[i].text);
	}
	for (size_t i = 0; i < params.nr_clears; i++) {
		ck_assert(isnan(out.profile.clears[i].interrupted_ns));
		ck_assert(isnan(out.clears[i].interrupted_ci95.lo));
	}
}

static const struct {
	double own_ns, beyond_ns, noise, tolerance_ns;
} costs[] = {
	{ 3000, 700, 0, 20 }, { 3000, 700, 0.0005, 200 },
	{ 800, 5000, 0, 20 }, { 20000, 2000, 0.0005, 300 },
	{ 3000, 150, 0, 20 },
};

/* And not what it takes itself, or would take from any work. */
START_TEST(a_cost_is_found)
{
	const double truth = costs[_i].beyond_ns;

	fake.own_ns = costs[_i].own_ns;
	fake.beyond_ns = truth;
	fake.noise = costs[_i].noise;
	ck_assert_int_eq(measure(), 0);
	ck_assert_uint_eq(out.nr_notes, 0);
	for (size_t i = 0; i < 2; i++) {
		const struct fz_interval *ci = &out.clears[i].interrupted_ci95;
		const double found = out.profile.clears[i].interrupted_ns;

		ck_assert_double_eq_tol(found, truth, costs[_i].tolerance_ns);
		ck_assert(ci->lo <= found && found <= ci->hi);
	}
}
END_TEST

START_TEST(nothing_is_nothing)
{
	fake.noise = 0.0001;
	ck_assert_int_eq(measure(), 0);
	ck_assert_uint_eq(out.nr_notes, 0);
	for (size_t i = 0; i < 2; i++) {
		ck_assert_double_lt(out.profile.clears[i].interrupted_ns, 150);
		ck_assert_double_ge(out.profile.clears[i].interrupted_ns, 0);
		ck_assert_double_ge(out.clears[i].interrupted_ci95.lo, 0);
	}
}
END_TEST

/* Calls that differ by far more than an interrupt takes. */
START_TEST(what_cannot_be_told_is_unknown)
{
	fake.own_ns = 100;
	fake.noise = 0.2;
	ck_assert_int_eq(measure(), 0);
	check_unknown(2, "more than an interrupt's own");
}
END_TEST

START_TEST(no_interrupt_comes)
{
	fake.sleeps = true;
	ck_assert_int_eq(measure(), 0);
	check_unknown(2, "no timer came meanwhile");
}
END_TEST

START_TEST(others_take_the_cpu)
{
	fake.others = true;
	params.budget_ns = 1;
	ck_assert_int_eq(measure(), 0);
	check_unknown(2, "or other tasks did");
}
END_TEST

START_TEST(no_waker)
{
	fake.refuses = true;
	ck_assert_int_eq(measure(), 0);
	check_unknown(1, "no wakers are sold here");
	for (size_t i = 0; i < FZ_CALIBRATE_INTERRUPTS; i++)
		ck_assert(isnan(out.clears[0].interrupted[i].share));
}
END_TEST

/* Of what length a call is interrupted, and what is left of fast ones. */
START_TEST(elision_is_kept_apart)
{
	const struct fz_interrupted_share *shares;
	double share;

	params.nr_clears = 1;
	threshold_bytes = 8 * MIB;
	fake.beyond_ns = 700;
	ck_assert_int_eq(measure(), 0);
	ck_assert_uint_eq(fake.longest_bytes, threshold_bytes - 4096);
	ck_assert_double_eq_tol(out.profile.clears[0].interrupted_ns, 700, 20);
	ck_assert_uint_eq(fake.nr_opened, 1 + FZ_CALIBRATE_INTERRUPTS);
	shares = out.clears[0].interrupted;
	for (size_t i = 1; i < FZ_CALIBRATE_INTERRUPTS; i++) {
		ck_assert_uint_lt(shares[i].interval_ns,
				  shares[i - 1].interval_ns);
		ck_assert_double_lt(shares[i].share, shares[i - 1].share);
	}
	/* The fake has counted those of the last interval. */
	share = 1 - (double)fake.disturbed / fake.calls;
	ck_assert_double_eq_tol(shares[FZ_CALIBRATE_INTERRUPTS - 1].share,
				share, 1e-9);
	ck_assert(share > 0 && share < 1);
}
END_TEST

static void stop_late(void *state, uint64_t done_ns, uint64_t total_ns,
		      const char *what)
{
	unsigned int *left = state;

	(void)done_ns, (void)total_ns, (void)what;
	if (!--*left)
		atomic_store(&stop, 2);
}

/* In trials, and while shares are counted. */
START_TEST(a_signal_stops_it)
{
	static unsigned int left;

	left = _i ? 150 : 5;
	params.nr_clears = 1;
	params.progress = stop_late;
	params.progress_state = &left;
	threshold_bytes = 8 * MIB;
	ck_assert_int_eq(measure(), -EINTR);
	ck_assert_uint_eq(fake.nr_opened > 1, _i);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("sim.interrupts");
	TCase *tcase = tcase_create("interrupts");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, a_cost_is_found, 0,
			    (int)(sizeof(costs) / sizeof(costs[0])));
	tcase_add_test(tcase, nothing_is_nothing);
	tcase_add_test(tcase, what_cannot_be_told_is_unknown);
	tcase_add_test(tcase, no_interrupt_comes);
	tcase_add_test(tcase, others_take_the_cpu);
	tcase_add_test(tcase, no_waker);
	tcase_add_test(tcase, elision_is_kept_apart);
	tcase_add_loop_test(tcase, a_signal_stops_it, 0, 2);
	suite_add_tcase(suite, tcase);
	return suite;
}
