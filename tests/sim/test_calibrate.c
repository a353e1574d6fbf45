// SPDX-License-Identifier: GPL-2.0-or-later
/* A machine of known prices, on a fake clock, is calibrated. */
#include <errno.h>
#include <math.h>
#include <string.h>

#define MATHLIB_STANDALONE
#include <Rmath.h>

#include <fz/folio.h>
#include <fz/profile.h>

#include "cache_latency.h"
#include "cache_read.h"
#include "clear_fit.h"
#include "core_rates.h"
#include "fake_world.h"
#include "fz_test.h"

#define NR(a)        (sizeof(a) / sizeof((a)[0]))
#define MIB          ((uint64_t)1 << 20)
#define BUFFER_BYTES (32 * MIB)
#define EXTENT_BYTES (16 * MIB)

/* What the primitives below cost; reset by setup(). */
static struct fz_profile_clear truth;
static double noise;
static struct fake_world world;
static struct fz_bench bench;
static struct fz_buffer *buffer;
static struct fz_random luck;
static atomic_int stop;
static uint64_t nr_switches;        /* by other tasks, so far */
static unsigned int disturbed_each; /* calls, about; 0 = by none */
static unsigned int violations; /* calls beside the buffer, or out of pages */
static const char *last;        /* call of a primitive */
static size_t last_bytes;

static enum fz_relation relation_to(const char *at, size_t bytes)
{
	if (last && at == last + last_bytes)
		return FZ_RELATION_UP;
	return last && at + bytes == last ? FZ_RELATION_DOWN
					  : FZ_RELATION_OTHER;
}

/* Either as if it were never elided, or as if it always were. */
static double price(size_t bytes, enum fz_relation relation)
{
	struct fz_profile_clear clear = truth;

	if (clear.threshold_bytes)
		clear.elided_share =
			fz_random_unit(&luck) < truth.elided_share ? 1 : 0;
	return fz_profile_call_ns(&clear, bytes, relation);
}

static void fake_clear(void *dst, size_t bytes)
{
	const char *base = fz_buffer_base(buffer);
	const char *at = dst;
	const double error =
		noise * qnorm(fz_random_unit(&luck) + 0x1p-54, 0, 1, 1, 0);

	violations += at < base || at + bytes > base + BUFFER_BYTES ||
		      bytes % FZ_PAGE_BYTES != 0;
	/* Two ns a tick. */
	world.now += (uint64_t)(price(bytes, relation_to(at, bytes)) *
				(1 + error) / 2);
	last = at;
	last_bytes = bytes;
	if (disturbed_each && fz_random_below(&luck, disturbed_each) == 0) {
		world.now += 3000000; /* a slice of another task */
		nr_switches++;
	}
}

static uint64_t (*plain_ticks)(void *state);

/* A reading waits for the stores before it, and what follows is a folio. */
static uint64_t ticks_after_drain(void *state)
{
	if (last)
		world.now += (uint64_t)(truth.drain_ns / 2);
	last = NULL;
	return plain_ticks(state);
}

static const struct fz_clear cached = {
	.name = "fake", .summary = "fake", .unit_bytes = 1, .clear = fake_clear
};
static const struct fz_clear streaming = { .name = "fake-stream",
					   .summary = "fake",
					   .unit_bytes = 1,
					   .streaming = true,
					   .clear = fake_clear };
static const struct fz_clear *const one[] = { &cached };
static const struct fz_clear *const both[] = { &cached, &streaming };

static struct fz_machine machine;
static struct fz_calibration out;
static struct fz_calibrate_params params;

static int fake_usage(void *state, struct fz_usage *usage)
{
	(void)state;
	*usage = (struct fz_usage){ .involuntary_switches = nr_switches };
	return 0;
}

static void setup(void)
{
	truth = (struct fz_profile_clear){
		.call_ns = { 60, 170, 110 },
		.drain_ns = 150,
		.bps = 10e9,
		.elided_bps = NAN,
		.elided_share = NAN,
	};
	noise = 0.02;
	fake_world_init(&world, 1);
	world.hooks.usage = fake_usage;
	plain_ticks = world.hooks.ticks;
	world.hooks.ticks = ticks_after_drain;
	disturbed_each = 0;
	fake_bench_open(&bench, &world, 512);
	buffer = fake_buffer(&world, BUFFER_BYTES);
	bench.stop = &stop;
	atomic_store(&stop, 0);
	violations = 0;
	last = NULL;
	luck = fz_random_begin(11, 1);
	params = (struct fz_calibrate_params){
		.clears = one,
		.nr_clears = 1,
		.buffer = buffer,
		.max_extent_bytes = EXTENT_BYTES,
		.machine = &machine,
		.budget_ns = 200000000,
	};
}

static void teardown(void)
{
	fz_buffer_close(buffer);
	fz_bench_close(&bench);
}

/* The parts that measure primitives. */
static int calibrate(void)
{
	struct calibration c;
	struct fz_err err = { "" };
	int code;

	out = (struct fz_calibration){ .nr_notes = 0 };
	ck_assert_int_eq(calibration_open(&c, &out, &bench, &params), 0);
	code = calibrate_clears(&c, &err);
	if (!code)
		code = calibrate_elision(&c);
	if (!code)
		calibrate_checks(&c);
	calibration_close(&c);
	ck_assert_uint_eq(violations, 0);
	return code;
}

static double worst_error(void)
{
	double worst = 0;

	for (size_t i = 0; i < out.nr_checks; i++)
		worst = fmax(worst, fabs(fz_calibration_error(&out.checks[i])));
	return worst;
}

START_TEST(prices_are_found)
{
	const struct fz_profile_clear *clear = &out.profile.clears[0];

	ck_assert_int_eq(calibrate(), 0);
	for (size_t r = 0; r < FZ_NR_RELATIONS; r++) {
		const struct fz_price_term *term = &out.clears[0].fit.term[r];

		ck_assert_double_eq_tol(clear->call_ns[r], truth.call_ns[r],
					12);
		ck_assert_double_eq(term->value, clear->call_ns[r]);
		ck_assert(term->ci95.lo <= term->value &&
			  term->value <= term->ci95.hi);
	}
	ck_assert_double_eq_tol(clear->drain_ns, truth.drain_ns, 12);
	ck_assert_double_eq_tol(clear->bps, truth.bps, 0.02 * truth.bps);
	ck_assert_uint_eq(clear->threshold_bytes, 0);
	ck_assert_int_eq(out.clears[0].elision, FZ_ELISION_NONE);
	ck_assert_uint_ge(out.clears[0].rounds, 3);
	ck_assert_uint_eq(out.clears[0].longest_bytes, EXTENT_BYTES);
	ck_assert_uint_ge(out.nr_checks, 5);
	ck_assert_double_lt(worst_error(), 0.03);
}
END_TEST

/* Plans of many calls hardly run without one, others mostly. */
START_TEST(times_of_other_tasks_are_not_kept)
{
	bool told = false;

	disturbed_each = 300;
	params.budget_ns *= 8;
	ck_assert_int_eq(calibrate(), 0);
	ck_assert_double_eq_tol(out.profile.clears[0].bps, truth.bps,
				0.03 * truth.bps);
	ck_assert_double_lt(worst_error(), 0.05);
	for (size_t i = 0; i < out.nr_notes; i++)
		told |= strstr(out.notes[i].text, "other tasks") != NULL;
	ck_assert(told);

	/* None runs without one. */
	disturbed_each = 1;
	params.budget_ns = 1;
	ck_assert_int_eq(calibrate(), 0);
	ck_assert(isnan(out.profile.clears[0].bps));
	ck_assert(isnan(out.profile.clears[0].call_ns[0]));
	ck_assert(isnan(out.profile.clears[0].drain_ns));
	ck_assert_uint_eq(out.nr_checks, 0);
	ck_assert(out.notes[out.nr_notes - 1].unknown);
}
END_TEST

/* Exact, and the same prices for every order. */
START_TEST(without_noise_checks_agree)
{
	noise = 0;
	ck_assert_int_eq(calibrate(), 0);
	ck_assert_double_lt(out.clears[0].fit.relative_error, 0.001);
	ck_assert_double_lt(worst_error(), 0.002);
}
END_TEST

static const struct {
	uint64_t threshold_bytes;
	uint64_t ramp_bytes;
	double share;
	enum fz_elision found;
} planted[] = {
	{ 6 * MIB, 0, 1, FZ_ELISION_ALWAYS },
	{ 6 * MIB + 8192, 0, 0.7, FZ_ELISION_SOMETIMES },
	{ 7 * MIB, 2 * MIB, 1, FZ_ELISION_ALWAYS },
	{ 3 * MIB, 0, 1, FZ_ELISION_ALWAYS },
};

START_TEST(thresholds_are_found)
{
	const struct fz_profile_clear *clear = &out.profile.clears[0];

	truth.threshold_bytes = planted[_i].threshold_bytes;
	truth.ramp_bytes = planted[_i].ramp_bytes;
	truth.elided_share = planted[_i].share;
	truth.elided_bps = 25e9;
	ck_assert_int_eq(calibrate(), 0);
	ck_assert_int_eq(out.clears[0].elision, planted[_i].found);
	ck_assert_uint_ge(clear->threshold_bytes, truth.threshold_bytes);
	ck_assert_uint_lt(out.clears[0].slow_bytes, truth.threshold_bytes);
	ck_assert_uint_le(clear->threshold_bytes - truth.threshold_bytes,
			  truth.threshold_bytes / 128);
	ck_assert_double_eq_tol(clear->bps, truth.bps, 0.02 * truth.bps);
	ck_assert_double_eq_tol(clear->elided_bps, truth.elided_bps, 2e9);
	ck_assert_double_eq_tol(clear->elided_share, truth.elided_share, 0.15);
	ck_assert_double_eq_tol((double)clear->ramp_bytes,
				(double)truth.ramp_bytes, (double)MIB);
	ck_assert_uint_le(clear->ramp_bytes, clear->threshold_bytes);
}
END_TEST

/* The schema has no threshold for it. */
START_TEST(streaming_has_no_threshold)
{
	params.clears = both;
	params.nr_clears = 2;
	truth.threshold_bytes = 6 * MIB;
	truth.elided_share = 1;
	truth.elided_bps = 25e9;
	ck_assert_int_eq(calibrate(), 0);
	ck_assert_uint_gt(out.profile.clears[0].threshold_bytes, 0);
	ck_assert_uint_eq(out.profile.clears[1].threshold_bytes, 0);
	ck_assert(out.profile.clears[1].streaming);
	ck_assert_str_eq(out.profile.clears[1].name, "fake-stream");
	ck_assert(isnan(out.profile.clears[1].elided_bps));
}
END_TEST

static void stop_at(void *state, uint64_t done_ns, uint64_t total_ns,
		    const char *what)
{
	(void)done_ns;
	(void)total_ns;
	if (strcmp(what, state) == 0)
		atomic_store(&stop, 2);
}

/* In the rounds, and while thresholds are looked for. */
START_TEST(a_signal_stops_it)
{
	static char at[][20] = { "fake", "clear primitives", "threshold",
				 "long calls" };

	truth.threshold_bytes = 6 * MIB;
	truth.elided_share = 1;
	truth.elided_bps = 25e9;
	params.progress = stop_at;
	params.progress_state = at[_i];
	ck_assert_int_eq(calibrate(), -EINTR);
}
END_TEST

/* No more time than for the least rounds. */
START_TEST(a_budget_that_is_too_small)
{
	params.budget_ns = 1;
	ck_assert_int_eq(calibrate(), 0);
	ck_assert_uint_eq(out.clears[0].rounds, 3);
	ck_assert_double_eq_tol(out.profile.clears[0].bps, truth.bps,
				0.05 * truth.bps);
}
END_TEST

static void count_progress(void *state, uint64_t done_ns, uint64_t total_ns,
			   const char *what)
{
	unsigned int *told = state;

	++*told;
	violations += !what[0] || done_ns > total_ns;
}

START_TEST(progress_is_told)
{
	unsigned int told = 0;

	params.progress = count_progress;
	params.progress_state = &told;
	params.budget_ns = 1;
	ck_assert_int_eq(calibrate(), 0);
	ck_assert_uint_gt(told, 50);
	ck_assert_uint_eq(violations, 0);
}
END_TEST

/* What a shape takes by the truth, exactly. */
static double true_ns(const struct shape *shape)
{
	double ns = shape->terms[FZ_TERM_BYTES] * 1e9 / truth.bps +
		    shape->terms[FZ_TERM_FOLIO] * truth.drain_ns;

	for (size_t r = 0; r < FZ_NR_RELATIONS; r++)
		ns += shape->terms[r] * truth.call_ns[r];
	return ns;
}

/* A long folio is no longer for it, so one cannot tell it. */
START_TEST(short_folios_tell_what_one_adds)
{
	const bool timed = _i;
	struct fz_least_squares fit;
	struct calibration c;

	ck_assert_int_eq(calibration_open(&c, &out, &bench, &params), 0);
	for (size_t i = 0; i < c.shapes.nr; i++) {
		struct timing *timing = calibration_timing(&c, 0, i);

		timing->ns[0] = true_ns(&c.shapes.shape[i]);
		timing->nr = timed || !c.shapes.shape[i].small;
	}
	fit = clear_fit(&c, 0, UINT64_MAX, NULL);
	calibration_close(&c);
	if (timed)
		ck_assert_double_eq_tol(fit.term[FZ_TERM_FOLIO].value,
					truth.drain_ns, 1e-3);
	else
		ck_assert(isnan(fit.term[FZ_TERM_FOLIO].value));
	ck_assert_double_eq_tol(fit.term[FZ_RELATION_OTHER].value,
				truth.call_ns[FZ_RELATION_OTHER], 1);
	ck_assert_double_eq_tol(clear_fit_ns(&fit, MIB),
				truth.call_ns[FZ_RELATION_OTHER] +
					(timed ? truth.drain_ns : 0) +
					(double)MIB * 1e9 / truth.bps,
				200);
}
END_TEST

/* Terms of a plan are what its price is made of, whatever the prices. */
START_TEST(shapes_are_made_of_their_terms)
{
	struct shapes shapes;
	size_t nr_fitted = 0;

	ck_assert_int_eq(shapes_make(&shapes, EXTENT_BYTES, 1), 0);
	for (size_t i = 0; i < shapes.nr; i++) {
		const struct shape *shape = &shapes.shape[i];
		double nr_calls = 0;

		for (size_t r = 0; r < FZ_NR_RELATIONS; r++)
			nr_calls += shape->terms[r];
		ck_assert_msg(nr_calls == (double)(shape->nr_folios *
						   fz_plan_count(&shape->plan,
								 FZ_OP_CLEAR)),
			      "%s: %f calls", shape->what, nr_calls);
		ck_assert_msg(fabs(shape->terms[FZ_TERM_BYTES] -
				   (double)shape->bytes) < 1,
			      "%s: %f bytes", shape->what,
			      shape->terms[FZ_TERM_BYTES]);
		ck_assert_double_eq(shape->terms[FZ_TERM_FOLIO],
				    (double)shape->nr_folios);
		ck_assert_uint_le(shape->call_bytes, EXTENT_BYTES);
		nr_fitted += shape->fitted;
	}
	ck_assert_uint_gt(nr_fitted, 8);
	ck_assert_uint_gt(shapes.nr, nr_fitted + 5);
	shapes_fini(&shapes);
}
END_TEST

/* Rates in GB/s; what is to be known of them. */
static const struct {
	struct core_rates rates;
	double bps, allocate_cost, stream_cost;
} buses[] = {
	/* Full, whatever it is used for. */
	{ { { 10, 8, 12 }, { 20, 10, 20 } }, 20, 2, 1 },
	/* Cores together get what each gets alone. */
	{ { { 10, 8, 12 }, { 40, 32, 48 } }, NAN, NAN, NAN },
	/* Full for those that read, so nothing could move more. */
	{ { { 10, 8, 12 }, { 20, 10, 30 } }, NAN, NAN, NAN },
	/* Too slow to fill it. */
	{ { { 10, 4, 12 }, { 20, 16, 20 } }, 20, NAN, 1 },
	/* No primitive that streams. */
	{ { { 10, 8, NAN }, { 20, 10, NAN } }, 20, 2, NAN },
	/* Others were there all the time. */
	{ { { NAN, 8, 12 }, { NAN, 10, 20 } }, NAN, NAN, NAN },
	{ { { 10, 8, 12 }, { NAN, 10, 20 } }, NAN, NAN, NAN },
};

static bool same(double a, double b)
{
	return isnan(a) ? isnan(b) : fabs(a - b) < 1e-9;
}

START_TEST(a_bus_is_full_or_not_known)
{
	struct calibration c = { .params = &params, .out = &out };
	const struct fz_profile_memory *memory = &out.profile.memory;
	bool unknown = false;

	out = (struct fz_calibration){ .nr_notes = 0 };
	out.profile.memory =
		(struct fz_profile_memory){ NAN, NAN, NAN, NAN, NAN };
	core_rates_keep(&c, 4, &buses[_i].rates);
	ck_assert(same(memory->bps, buses[_i].bps));
	ck_assert(same(memory->allocate_cost, buses[_i].allocate_cost));
	ck_assert(same(memory->stream_cost, buses[_i].stream_cost));
	ck_assert(same(memory->read_bps, buses[_i].rates.alone[CORE_READS]));
	ck_assert(same(memory->read_cost, isnan(buses[_i].bps) ? NAN : 1));
	for (size_t i = 0; i < out.nr_notes; i++)
		unknown |= out.notes[i].unknown;
	ck_assert_int_eq(unknown, isnan(buses[_i].bps) ||
					  isnan(buses[_i].allocate_cost) ||
					  isnan(buses[_i].stream_cost));
}
END_TEST

/* Less than a tick, and no time at all, are no latencies of a profile. */
START_TEST(latencies_are_kept)
{
	struct calibration c = { .params = &params, .out = &out };
	struct fz_levels levels = {
		.nr = 4,
		.level = { { .median_ticks = 0.4 },
			   { .median_ticks = 13.5 },
			   { .median_ticks = NAN },
			   { .median_ticks = 350 } },
	};
	const struct fz_cache_geometry *cache = &out.profile.cache;

	out = (struct fz_calibration){ .nr_notes = 0 };
	out.profile.cache.nr_levels = 3;
	levels.exceeds_llc = true;
	cache_latency_keep(&c, &levels);
	ck_assert_double_eq(cache->level[0].latency_cycles, 1);
	ck_assert_double_eq(cache->level[1].latency_cycles, 13.5);
	ck_assert_double_eq(cache->level[2].latency_cycles, 0);
	ck_assert_double_eq(cache->memory_cycles, 350);

	out.profile.cache.memory_cycles = 0;
	levels.exceeds_llc = false;
	cache_latency_keep(&c, &levels);
	ck_assert_double_eq(cache->memory_cycles, 0);
	ck_assert(out.notes[out.nr_notes - 1].unknown);
}
END_TEST

/* Between two readings of this clock are 640 ticks, whatever is read: a pass
 * has one page of a set of one, else five. */
START_TEST(reads_are_timed)
{
	static const atomic_int go = 0, signalled = 2;
	const struct fz_levels levels = {
		.nr = 3,
		.level = { { .cache_bytes = 8192, .set_bytes = 4096 },
			   { .cache_bytes = 131072, .set_bytes = 65536 },
			   { .set_bytes = 524288 } },
	};
	char *base = fz_buffer_base(buffer);
	double ticks[3];

	world.hooks.ticks = plain_ticks;
	world.step = 640;
	ck_assert_int_eq(
		cache_read_measure(ticks, &levels, base, 0, &world.hooks, &go),
		0);
	ck_assert_double_eq(ticks[0], 640 / 64.0);
	ck_assert_double_eq(ticks[1], 640 / 320.0);
	ck_assert_double_eq(ticks[2], 640 / 320.0);
	/* What the clock takes is not the lines', which take no less than
	 * nothing. */
	ck_assert_int_eq(cache_read_measure(ticks, &levels, base, 320,
					    &world.hooks, &go),
			 0);
	ck_assert_double_eq(ticks[1], 1);
	ck_assert_int_eq(cache_read_measure(ticks, &levels, base, 700,
					    &world.hooks, &go),
			 0);
	ck_assert_double_eq(ticks[1], 0);
	ck_assert_int_eq(cache_read_measure(ticks, &levels, base, 0,
					    &world.hooks, &signalled),
			 -EINTR);
}
END_TEST

/* More loads than a profile has in a cycle are not kept either. */
START_TEST(reads_are_kept)
{
	static const double ticks[] = { 0.001, 1.5, NAN, 12 };
	struct calibration c = { .params = &params, .out = &out };
	struct fz_levels levels = { .nr = 4, .exceeds_llc = _i };
	const struct fz_cache_geometry *cache = &out.profile.cache;

	out = (struct fz_calibration){ .nr_notes = 0 };
	out.profile.cache.nr_levels = 3;
	cache_read_keep(&c, &levels, ticks);
	ck_assert_double_eq(cache->level[0].read_cycles, 0.01);
	ck_assert_double_eq(cache->level[1].read_cycles, 1.5);
	ck_assert_double_eq(cache->level[2].read_cycles, 0);
	ck_assert_double_eq(cache->memory_read_cycles, _i ? 12 : 0);
}
END_TEST

START_TEST(extents_fit_time_and_memory)
{
	const uint64_t minute = 60000000000ull;

	ck_assert_uint_eq(fz_calibrate_extent(minute, 8, UINT64_MAX),
			  1024 * MIB);
	ck_assert_uint_eq(fz_calibrate_extent(minute, 8, 1000 * MIB),
			  512 * MIB);
	ck_assert_uint_eq(fz_calibrate_extent(minute, 8, 0), 2 * MIB);
	ck_assert_uint_eq(fz_calibrate_extent(1, 8, UINT64_MAX), 2 * MIB);
	ck_assert_uint_lt(fz_calibrate_extent(1000000000, 8, UINT64_MAX),
			  64 * MIB);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("sim.calibrate");
	TCase *tcase = tcase_create("calibrate");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, prices_are_found);
	tcase_add_test(tcase, without_noise_checks_agree);
	tcase_add_test(tcase, times_of_other_tasks_are_not_kept);
	tcase_add_loop_test(tcase, thresholds_are_found, 0, NR(planted));
	tcase_add_test(tcase, streaming_has_no_threshold);
	tcase_add_loop_test(tcase, a_signal_stops_it, 0, 4);
	tcase_add_test(tcase, a_budget_that_is_too_small);
	tcase_add_test(tcase, progress_is_told);
	tcase_add_loop_test(tcase, short_folios_tell_what_one_adds, 0, 2);
	tcase_add_test(tcase, shapes_are_made_of_their_terms);
	tcase_add_loop_test(tcase, a_bus_is_full_or_not_known, 0, NR(buses));
	tcase_add_test(tcase, latencies_are_kept);
	tcase_add_test(tcase, reads_are_timed);
	tcase_add_loop_test(tcase, reads_are_kept, 0, 2);
	tcase_add_test(tcase, extents_fit_time_and_memory);
	suite_add_tcase(suite, tcase);
	return suite;
}
