// SPDX-License-Identifier: GPL-2.0-or-later
/* The order of a round, and its arithmetic, on a fake clock and engine. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include <fz/folio.h>
#include <fz/policies.h>
#include <fz/round.h>

#include "conditional_policy.h"
#include "fake_world.h"
#include "fz_test.h"
#include "sanitized.h"

#define FOLIO_PAGES 4u
#define FOLIO_BYTES (FOLIO_PAGES * FZ_PAGE_BYTES)
#define NR_FOLIOS   8u
#define BYTES       (NR_FOLIOS * FOLIO_BYTES)
#define ZERO_TICKS  700u /* how long the fake engine takes for folio 0 */

/* What the fake engine saw; reset by setup(). */
static struct {
	struct fake_world *world;
	char *buffer;
	unsigned int prepared;
	unsigned int zeroed;     /* folios so far */
	unsigned int violations; /* a folio out of order, or not dirty */
	size_t nr_marks;
	int prepare_code;
} seen;

static struct fake_world world;
static struct fz_bench bench;
static struct fz_buffer *buffer;

static bool is_dirty(const char *at, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		if (at[i] == 0)
			return false;
	return true;
}

static int fake_prepare(struct fz_buffer *b, struct fz_err *err)
{
	seen.prepared++;
	if (!is_dirty(fz_buffer_base(b), BYTES) || seen.zeroed)
		seen.violations++;
	return fz_err_set(err, seen.prepare_code, "no pages");
}

/* Takes ZERO_TICKS + folio number ticks. */
static size_t fake_zero(const struct fz_zero_job *job)
{
	const size_t folio = (size_t)(job->base - seen.buffer) / FOLIO_BYTES;

	/* Dirty all first: this folio and all after it still are. */
	if (folio != seen.zeroed ||
	    !is_dirty(job->base, BYTES - folio * FOLIO_BYTES))
		seen.violations++;
	memset(job->base, 0, FOLIO_BYTES);
	seen.zeroed++;
	seen.world->now += ZERO_TICKS + folio;
	return 0;
}

static const struct fz_engine fake_engine = {
	.name = "fake",
	.summary = "counts",
	.prepare = fake_prepare,
	.zero = fake_zero,
};

static void setup(void)
{
	memset(&seen, 0, sizeof(seen));
	fake_world_init(&world, 0);
	fake_bench_open(&bench, &world, FOLIO_PAGES);
	buffer = fake_buffer(&world, BYTES);
	seen.world = &world;
	seen.buffer = fz_buffer_base(buffer);
}

static void teardown(void)
{
	fz_buffer_close(buffer);
	fz_bench_close(&bench);
}

static struct fz_row_config config_of(const struct fz_engine *engine)
{
	return (struct fz_row_config){
		.engine = engine,
		.policy = fz_policy_find("contiguous-page"),
		.clear = fz_clear_find("portable"),
		.stream = fz_clear_find("portable"),
		.page = { FZ_PAGES_BASE, 4096 },
		.folio_bytes = FOLIO_BYTES,
		.bytes = BYTES,
		.fault = FZ_FAULT_AT,
		.preempt = FZ_PREEMPT_NONE,
		.radius_pages = FZ_RADIUS_PAGES,
	};
}

START_TEST(dirties_all_then_zeroes_each_folio_once)
{
	const struct fz_row_config config = config_of(&fake_engine);
	struct fz_round_result result;
	struct fz_err err;

	ck_assert_int_eq(
		fz_round_run(&bench, &config, &buffer, 1, NULL, &result, &err),
		0);
	ck_assert_uint_eq(seen.prepared, 1);
	ck_assert_uint_eq(seen.zeroed, NR_FOLIOS);
	ck_assert_uint_eq(seen.violations, 0);

	/* A second round finds everything dirty again. */
	seen.zeroed = 0;
	ck_assert_int_eq(
		fz_round_run(&bench, &config, &buffer, 2, NULL, &result, &err),
		0);
	ck_assert_uint_eq(seen.violations, 0);
}
END_TEST

START_TEST(seconds_are_the_sum_of_the_timed_sections)
{
	struct fz_row_config config = config_of(&fake_engine);
	struct fz_samples samples;
	struct fz_round_result result;
	uint64_t ticks = 0;

	/* With a clock that costs 5 ticks a reading: one reading begins the
	 * section, so 5 ticks of it fall inside. */
	world.step = 5;
	for (unsigned int i = 0; i < NR_FOLIOS; i++)
		ticks += 5 + ZERO_TICKS + i;
	fz_samples_init(&samples);
	config.use = FZ_USE_NEAR; /* timed apart, so it must not show */
	ck_assert_int_eq(fz_round_run(&bench, &config, &buffer, 1, &samples,
				      &result, NULL),
			 0);
	ck_assert_double_eq_tol(result.seconds, (double)ticks * 2.0 / 1e9,
				1e-15);
	ck_assert_uint_eq(samples.fault_ns.count, NR_FOLIOS);
	ck_assert_uint_eq(samples.fault_ns.min, 2 * (5 + ZERO_TICKS));
	ck_assert_uint_eq(samples.fault_ns.max,
			  2 * (5 + ZERO_TICKS + NR_FOLIOS - 1));
	ck_assert_uint_eq(samples.stretch_ns.count, 0);
	/* line: begin, end: 5 ticks; near: two readings later. */
	ck_assert_uint_eq(samples.line_ns.count, NR_FOLIOS);
	ck_assert_uint_eq(samples.line_ns.max, 2 * 5);
	ck_assert_uint_eq(samples.near_ns.max, 2 * 10);
	ck_assert_uint_eq(samples.folio_ns.count, 0);
}
END_TEST

START_TEST(warm_up_leaves_no_samples)
{
	const struct fz_row_config config = config_of(&fake_engine);
	struct fz_samples samples;
	struct fz_round_result result;

	fz_samples_init(&samples);
	ck_assert_int_eq(
		fz_round_run(&bench, &config, &buffer, 0, NULL, &result, NULL),
		0);
	ck_assert_uint_eq(bench.recorder.nr_folios, 0);
	ck_assert_int_eq(fz_round_run(&bench, &config, &buffer, 1, &samples,
				      &result, NULL),
			 0);
	ck_assert_uint_eq(samples.fault_ns.count, NR_FOLIOS);
}
END_TEST

START_TEST(failing_prepare_fails_the_round)
{
	const struct fz_row_config config = config_of(&fake_engine);
	struct fz_round_result result;
	struct fz_err err = { "" };

	seen.prepare_code = -ENOMEM;
	ck_assert_int_eq(
		fz_round_run(&bench, &config, &buffer, 1, NULL, &result, &err),
		-ENOMEM);
	ck_assert_str_eq(err.msg, "no pages");
	ck_assert_uint_eq(seen.zeroed, 0);
}
END_TEST

static void *refuse_map(void *state, void *addr, size_t bytes, int prot,
			int flags)
{
	if (prot == PROT_NONE)
		return fz_hooks_default.map(state, addr, bytes, prot, flags);
	errno = ENOMEM;
	return MAP_FAILED;
}

/* The pool was emptied between munmap() and mmap(): no row may touch it. */
START_TEST(lost_pages_fail_rounds_until_they_are_back)
{
	struct fz_row_config config = config_of(&fz_engine_kernel);
	struct fz_round_result result;
	struct fz_err err = { "" };

	config.folio_bytes = FZ_PAGE_BYTES;
	ck_assert_int_eq(
		fz_round_run(&bench, &config, &buffer, 1, NULL, &result, &err),
		0);
	ck_assert(!fz_buffer_is_lost(buffer));
	world.hooks.map = refuse_map;
	ck_assert_int_eq(
		fz_round_run(&bench, &config, &buffer, 2, NULL, &result, &err),
		-ENOMEM);
	ck_assert(fz_buffer_is_lost(buffer));
	config = config_of(&fz_engine_buffers);
	ck_assert_int_eq(
		fz_round_run(&bench, &config, &buffer, 3, NULL, &result, &err),
		-ENOMEM);
	ck_assert_uint_ne(strlen(err.msg), 0);
	/* They are free again. */
	world.hooks.map = fz_hooks_default.map;
	ck_assert_int_eq(
		fz_round_run(&bench, &config, &buffer, 4, NULL, &result, &err),
		0);
	ck_assert(!fz_buffer_is_lost(buffer));
}
END_TEST

/* A touch that brings in less than a folio stands for a smaller page. */
START_TEST(smaller_pages_leave_no_samples)
{
	const struct fz_row_config config = config_of(&fz_engine_kernel);
	struct fz_samples samples;
	struct fz_round_result result;
	struct fz_err err = { "" };

	fz_samples_init(&samples);
	ck_assert_int_eq(fz_round_run(&bench, &config, &buffer, 1, &samples,
				      &result, &err),
			 -ENOMEM);
	ck_assert_uint_ne(strlen(err.msg), 0);
	ck_assert_uint_eq(samples.fault_ns.count, 0);
	ck_assert(fz_buffer_is_lost(buffer));
}
END_TEST

START_TEST(stop_ends_a_round)
{
	const atomic_int stop = 1;
	const struct fz_row_config config = config_of(&fake_engine);
	struct fz_round_result result;

	bench.stop = &stop;
	ck_assert_int_eq(
		fz_round_run(&bench, &config, &buffer, 1, NULL, &result, NULL),
		-EINTR);
	ck_assert_uint_eq(seen.zeroed, 0);
}
END_TEST

/* policy, model: points and stretches of a 4-page folio, fault page 0. */
static const struct {
	const char *policy;
	enum fz_preempt preempt;
	uint64_t batch_pages;
	uint64_t points;    /* acting, in one folio */
	uint64_t stretches; /* with bytes */
} recorded[] = {
	{ "contiguous-page", FZ_PREEMPT_NONE, 0, 4, 4 },
	{ "contiguous-page", FZ_PREEMPT_VOLUNTARY, 0, 5, 4 },
	{ "contiguous-page", FZ_PREEMPT_FULL, 0, 0, 1 },
	{ "batched-pages", FZ_PREEMPT_NONE, 2, 2, 2 },
	{ "batched-pages", FZ_PREEMPT_NONE, 3, 2, 2 },
	{ "batched-pages", FZ_PREEMPT_LAZY, 2, 0, 1 },
	{ "neighbourhood-last", FZ_PREEMPT_NONE, 8192, 2, 2 },
	{ "neighbourhood-last-v6", FZ_PREEMPT_NONE, 8192, 2, 2 },
	{ "discontiguous-page", FZ_PREEMPT_NONE, 0, 4, 4 },
	{ "init-pages", FZ_PREEMPT_NONE, 0, 0, 1 },
	{ "init-pages-extent", FZ_PREEMPT_NONE, 0, 0, 1 },
};

/* Clock readings: begin; plan start and one a point, plus the end of a last
 * stretch; end. All 5 ticks apart, so that stretches are known exactly. */
START_TEST(buffers_records_stretches)
{
	struct fz_row_config config = config_of(&fz_engine_buffers);
	struct fz_samples samples;
	struct fz_round_result result;

	config.policy = fz_policy_find(recorded[_i].policy);
	config.preempt = recorded[_i].preempt;
	config.batch_pages = recorded[_i].batch_pages;
	world.step = 5;
	fz_samples_init(&samples);
	ck_assert_int_eq(fz_round_run(&bench, &config, &buffer, 1, &samples,
				      &result, NULL),
			 0);
	ck_assert_uint_eq(result.points, NR_FOLIOS * recorded[_i].points);
	ck_assert_uint_eq(samples.stretch_ns.count,
			  NR_FOLIOS * recorded[_i].stretches);
	/* Every stretch lies between two neighbouring readings. */
	ck_assert_uint_eq(samples.stretch_ns.min, 10);
	ck_assert_uint_eq(samples.stretch_ns.max, 10);
	ck_assert(samples.fault_ns.min >= 10 * (recorded[_i].stretches + 1));
}
END_TEST

/* Where some plan of the round was, and only there. */
START_TEST(conditional_plans_are_told)
{
	struct fz_row_config config = config_of(&fz_engine_bare);
	struct fz_round_result result;
	struct fz_row row = { .config = config };

	config.policy = &conditional_policy;
	ck_assert_int_eq(fz_row_begin(&row, 3), 0);
	for (unsigned int i = 0; i < 3; i++) {
		config.fault_page = i;
		ck_assert_int_eq(fz_round_run(&bench, &config, &buffer, 1, NULL,
					      &result, NULL),
				 0);
		ck_assert_int_eq(result.conditional, i == CONDITIONAL_PAGE);
		fz_row_keep(&row, &result);
		ck_assert_int_eq(row.conditional, i >= CONDITIONAL_PAGE);
	}
	fz_row_fini(&row);
}
END_TEST

START_TEST(bare_records_nothing)
{
	const struct fz_row_config config = config_of(&fz_engine_bare);
	struct fz_samples samples;
	struct fz_round_result result;

	fz_samples_init(&samples);
	world.step = 5;
	ck_assert_int_eq(fz_round_run(&bench, &config, &buffer, 1, &samples,
				      &result, NULL),
			 0);
	ck_assert_uint_eq(samples.stretch_ns.count, 0);
	ck_assert_uint_eq(result.points, NR_FOLIOS * 4);
	/* Nothing read the clock between a folio's begin and end. */
	ck_assert_uint_eq(samples.fault_ns.max, 10);
	ck_assert(!is_dirty(fz_buffer_base(buffer), 1));
}
END_TEST

START_TEST(random_faulting_pages_are_shared_by_rows)
{
	struct fz_row_config config = config_of(&fz_engine_bare);
	unsigned int used[FOLIO_PAGES] = { 0 };
	unsigned int outside = 0, changed = 0;

	config.fault = FZ_FAULT_RANDOM;
	for (uint64_t i = 0; i < 4000; i++) {
		const uint64_t page = fz_round_fault_page(&config, 7, 3, 0, i);

		if (page >= FOLIO_PAGES)
			outside++;
		else
			used[page]++;
		changed += page != fz_round_fault_page(&config, 7, 4, 0, i);
	}
	ck_assert_uint_eq(outside, 0);
	ck_assert(changed > 1000); /* another round, other pages */
	for (unsigned int i = 0; i < FOLIO_PAGES; i++)
		ck_assert(used[i] > 800 && used[i] < 1200);
}
END_TEST

/* More folios than the recorder holds: it is drained in between. */
START_TEST(small_recorder_loses_nothing)
{
	const struct fz_row_config config = config_of(&fz_engine_buffers);
	struct fz_samples samples;
	struct fz_round_result result;

	bench.recorder.max_folios = 3;
	bench.recorder.max_marks = 11; /* one folio needs 4 + 2 at most */
	world.step = 5;
	fz_samples_init(&samples);
	ck_assert_int_eq(fz_round_run(&bench, &config, &buffer, 1, &samples,
				      &result, NULL),
			 0);
	ck_assert_uint_eq(samples.fault_ns.count, NR_FOLIOS);
	ck_assert_uint_eq(samples.stretch_ns.count, NR_FOLIOS * 4);
	ck_assert_double_eq_tol(
		result.seconds,
		fz_histogram_mean(&samples.fault_ns) * NR_FOLIOS / 1e9, 1e-15);
}
END_TEST

START_TEST(too_many_points_are_refused)
{
	const struct fz_row_config config = config_of(&fz_engine_buffers);
	struct fz_round_result result;
	struct fz_err err = { "" };

	bench.recorder.max_marks = 5;
	ck_assert_int_eq(
		fz_round_run(&bench, &config, &buffer, 1, NULL, &result, &err),
		-ENOMEM);
	ck_assert_ptr_nonnull(strstr(err.msg, "too many resched points"));
}
END_TEST

/* Whether it streams, the row was told before. */
START_TEST(streaming_without_a_primitive_is_refused)
{
	struct fz_row_config config = config_of(&fz_engine_bare);
	struct fz_round_result result;
	struct fz_err err = { "" };

	config.policy = fz_policy_find("streaming-neighbourhood-last");
	ck_assert_int_eq(
		fz_round_run(&bench, &config, &buffer, 1, NULL, &result, &err),
		0);
	config.stream = NULL;
	ck_assert_int_eq(
		fz_round_run(&bench, &config, &buffer, 1, NULL, &result, &err),
		-EINVAL);
	ck_assert_ptr_nonnull(strstr(err.msg, "for fault page 0 streams"));
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("sim.round");
	TCase *tcase = tcase_create("round");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, dirties_all_then_zeroes_each_folio_once);
	tcase_add_test(tcase, seconds_are_the_sum_of_the_timed_sections);
	tcase_add_test(tcase, warm_up_leaves_no_samples);
	tcase_add_test(tcase, failing_prepare_fails_the_round);
	tcase_add_test(tcase, lost_pages_fail_rounds_until_they_are_back);
	if (!FZ_EMULATED)
		tcase_add_test(tcase, smaller_pages_leave_no_samples);
	tcase_add_test(tcase, stop_ends_a_round);
	tcase_add_loop_test(tcase, buffers_records_stretches, 0,
			    sizeof(recorded) / sizeof(recorded[0]));
	tcase_add_test(tcase, conditional_plans_are_told);
	tcase_add_test(tcase, bare_records_nothing);
	tcase_add_test(tcase, random_faulting_pages_are_shared_by_rows);
	tcase_add_test(tcase, small_recorder_loses_nothing);
	tcase_add_test(tcase, too_many_points_are_refused);
	tcase_add_test(tcase, streaming_without_a_primitive_is_refused);
	suite_add_tcase(suite, tcase);
	return suite;
}
