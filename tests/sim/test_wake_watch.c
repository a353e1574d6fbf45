// SPDX-License-Identifier: GPL-2.0-or-later
/* Who is woken while which rows are measured, and that it comes to be known. */
#include <fz/wake_watch.h>

#include <errno.h>

#include <fz/folio.h>
#include <fz/policies.h>
#include <fz/round.h>

#include "fz_test.h"

#define FOLIO_BYTES (512 * FZ_PAGE_BYTES)
#define NR_FOLIOS   4u
#define BYTES       (NR_FOLIOS * FOLIO_BYTES)
/* A wake-up each 10 us comes in the first one; what follows is patience. */
#define MAX_ROUNDS 2000u

static struct fz_hooks hooks;
static struct fz_bench bench;
static struct fz_buffer *buffer;
static struct fz_wake_watch watch;

/* Where the test may run is not its business. */
static int pin_nowhere(void *state, unsigned int cpu)
{
	(void)state;
	return cpu == 7 ? -EINVAL : 0;
}

static void setup(void)
{
	const struct fz_page_size page = { FZ_PAGES_BASE, 4096 };
	struct fz_err err = { "" };

	hooks = fz_hooks_default;
	hooks.pin = pin_nowhere;
	ck_assert_int_eq(fz_bench_open(&bench, &hooks, 1, 512, &err), 0);
	ck_assert_msg(fz_buffer_open(&buffer, &hooks, page, BYTES, &err) == 0,
		      "%s", err.msg);
}

static void teardown(void)
{
	if (bench.watch)
		fz_wake_watch_close(&watch);
	fz_buffer_close(buffer);
	fz_bench_close(&bench);
}

static struct fz_wake_watch_params params_of(bool has_flag_cpu)
{
	return (struct fz_wake_watch_params){
		.kind = FZ_WAKER_FIFO,
		.interval_ns = FZ_WAKER_MIN_INTERVAL_NS,
		.has_flag_cpu = has_flag_cpu,
		.flag_cpu = 1,
		.max_folios = NR_FOLIOS,
		.seed = 1,
		.clock = bench.clock,
	};
}

static void open_watch(bool has_flag_cpu)
{
	const struct fz_wake_watch_params params = params_of(has_flag_cpu);
	struct fz_err err = { "" };

	ck_assert_msg(fz_wake_watch_open(&watch, &hooks, &params, &err) == 0,
		      "%s", err.msg);
	bench.watch = &watch;
}

static struct fz_row_config config_of(const struct fz_engine *engine,
				      enum fz_preempt preempt)
{
	return (struct fz_row_config){
		.engine = engine,
		.policy = fz_policy_find("contiguous-page"),
		.clear = fz_clear_find("portable"),
		.page = { FZ_PAGES_BASE, 4096 },
		.folio_bytes = FOLIO_BYTES,
		.bytes = BYTES,
		.fault = FZ_FAULT_AT,
		.preempt = preempt,
		.radius_pages = FZ_RADIUS_PAGES,
	};
}

static const struct {
	const struct fz_engine *engine;
	enum fz_preempt preempt;
	bool has_flag_cpu;
	const struct fz_wake_source *source;
} sources[] = {
	{ &fz_engine_kernel, FZ_PREEMPT_NONE, true, &watch.timer },
	{ &fz_engine_kernel, FZ_PREEMPT_LAZY, false, &watch.timer },
	{ &fz_engine_buffers, FZ_PREEMPT_NONE, true, &watch.flag },
	{ &fz_engine_buffers, FZ_PREEMPT_VOLUNTARY, true, &watch.flag },
	{ &fz_engine_buffers, FZ_PREEMPT_FULL, true, NULL },
	{ &fz_engine_buffers, FZ_PREEMPT_LAZY, true, NULL },
	{ &fz_engine_buffers, FZ_PREEMPT_NONE, false, NULL },
	{ &fz_engine_bare, FZ_PREEMPT_NONE, true, NULL },
};
#define NR_SOURCES ((int)(sizeof(sources) / sizeof(sources[0])))

START_TEST(rows_have_their_waker)
{
	const struct fz_row_config config =
		config_of(sources[_i].engine, sources[_i].preempt);

	/* Not threads: only whether they are there counts. */
	watch = (struct fz_wake_watch){
		.timer.waker = (struct fz_waker *)&watch,
		.flag.waker = sources[_i].has_flag_cpu
				      ? (struct fz_waker *)&watch
				      : NULL,
	};
	ck_assert_ptr_eq(fz_wake_watch_source(&watch, &config),
			 sources[_i].source);
}
END_TEST

static void run_until_woken(const struct fz_row_config *config,
			    struct fz_samples *samples)
{
	struct fz_round_result result;
	struct fz_err err = { "" };

	fz_samples_init(samples);
	for (unsigned int i = 0;
	     i < MAX_ROUNDS && samples->wakeup_ns.count < 20; i++)
		ck_assert_msg(fz_round_run(&bench, config, &buffer, i, samples,
					   &result, &err) == 0,
			      "%s", err.msg);
}

START_TEST(wake_ups_in_folios_are_kept)
{
	const struct fz_row_config config =
		config_of(&fz_engine_buffers, FZ_PREEMPT_NONE);
	struct fz_samples samples;
	struct fz_wakeup measured;

	open_watch(true);
	run_until_woken(&config, &samples);
	ck_assert_uint_ge(samples.wakeup_ns.count, 20);
	measured = fz_wakeup_of(&samples.wakeup_ns);
	ck_assert(measured.p50_ns <= measured.p99_ns);
	ck_assert(measured.p99_ns <= measured.max_ns);
	/* Nobody waits longer than a folio, and the answer's way back. */
	ck_assert(watch.flag.busy.max_ns > 0.0);
	ck_assert(!watch.flag.has_idle);
	ck_assert(watch.timer.has_idle);
	ck_assert(watch.timer.busy.mean_ns > 0.0);
}
END_TEST

START_TEST(rows_without_a_waker_have_no_wake_ups)
{
	const struct fz_row_config config =
		config_of(&fz_engine_buffers, FZ_PREEMPT_FULL);
	struct fz_round_result result;
	struct fz_samples samples;

	open_watch(true);
	fz_samples_init(&samples);
	for (unsigned int i = 0; i < 20; i++)
		ck_assert_int_eq(fz_round_run(&bench, &config, &buffer, i,
					      &samples, &result, NULL),
				 0);
	ck_assert_uint_eq(samples.wakeup_ns.count, 0);
	ck_assert_uint_eq(samples.fault_ns.count, 20 * NR_FOLIOS);
}
END_TEST

START_TEST(a_cpu_that_cannot_be_had)
{
	struct fz_wake_watch_params params = params_of(true);
	struct fz_err err = { "" };

	params.flag_cpu = 7;
	ck_assert_int_eq(fz_wake_watch_open(&watch, &hooks, &params, &err),
			 -EINVAL);
	ck_assert(err.msg[0]);
}
END_TEST

START_TEST(no_latencies_are_no_figures)
{
	struct fz_histogram none;
	struct fz_wakeup wakeup;

	fz_histogram_init(&none);
	wakeup = fz_wakeup_of(&none);
	ck_assert(wakeup.mean_ns == 0.0 && wakeup.max_ns == 0.0);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("sim.wake_watch");
	TCase *tcase = tcase_create("wake_watch");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, rows_have_their_waker, 0, NR_SOURCES);
	tcase_add_test(tcase, wake_ups_in_folios_are_kept);
	tcase_add_test(tcase, rows_without_a_waker_have_no_wake_ups);
	tcase_add_test(tcase, a_cpu_that_cannot_be_had);
	tcase_add_test(tcase, no_latencies_are_no_figures);
	suite_add_tcase(suite, tcase);
	return suite;
}
