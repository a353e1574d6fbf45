// SPDX-License-Identifier: GPL-2.0-or-later
/* A replay on memory: what is zeroed, when, and what is kept of it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <fz/folio.h>
#include <fz/policies.h>
#include <fz/replay_buffers.h>

#include "conditional_policy.h"
#include "fake_world.h"
#include "fz_test.h"

#define ORDER       2u
#define FOLIO_BYTES (FZ_PAGE_BYTES << ORDER)
#define NR_WINDOW   8u
#define BYTES       (NR_WINDOW * FOLIO_BYTES)
#define MAX_SEEN    256u

/* What the fake engine saw. */
static struct {
	uint64_t pages[MAX_SEEN];
	uint64_t began[MAX_SEEN]; /* ticks */
	const struct fz_policy *policy;
	unsigned int nr;
	unsigned int not_dirty;
} seen;

static struct fake_world world;
static struct fz_bench bench;
static struct fz_buffer *buffer;
static struct fz_err err;

static size_t fake_zero(const struct fz_zero_job *job)
{
	for (size_t i = 0; i < FOLIO_BYTES; i++)
		seen.not_dirty += job->base[i] == 0;
	seen.pages[seen.nr % MAX_SEEN] = job->fault_page;
	seen.began[seen.nr++ % MAX_SEEN] = world.now;
	memset(job->base, 0, FOLIO_BYTES);
	world.now += 100;
	return 0;
}

static const struct fz_engine fake_engine = {
	.name = "fake",
	.summary = "counts",
	.zero = fake_zero,
};

/* Sleeping turns the clock: 2 ns a tick. */
static int fake_sleep(void *state, uint64_t until_ns)
{
	(void)state;
	if (until_ns / 2 > world.now)
		world.now = until_ns / 2;
	return 0;
}

static void setup(void)
{
	memset(&seen, 0, sizeof(seen));
	fake_world_init(&world, 0);
	fake_bench_open(&bench, &world, 1u << ORDER);
	world.hooks.sleep_until_ns = fake_sleep;
	buffer = fake_buffer(&world, BYTES);
}

static void teardown(void)
{
	fz_buffer_close(buffer);
	fz_bench_close(&bench);
}

static struct fz_row row_of(const struct fz_engine *engine)
{
	struct fz_row row = {
		.config = { .engine = engine,
			    .policy = fz_policy_find("contiguous-page"),
			    .clear = fz_clear_find("portable"),
			    .page = { FZ_PAGES_BASE, 4096 },
			    .folio_bytes = FOLIO_BYTES,
			    .bytes = BYTES,
			    .fault = FZ_FAULT_RECORDED,
			    .preempt = FZ_PREEMPT_NONE },
	};

	fz_row_set_buffers(&row, &buffer);
	return row;
}

/* Return: what the sink said last. */
static int feed(struct fz_replay_buffers *replay, unsigned int nr,
		uint64_t apart_ns)
{
	const struct fz_folio_sink sink = fz_replay_buffers_sink(replay);
	int code = 0;

	for (unsigned int i = 0; i < nr && !code; i++) {
		const struct fz_folio_fault fault = {
			.order = ORDER,
			.page = i % (1u << ORDER),
			.time_ns = 5000 + i * apart_ns,
		};

		code = sink.fault(sink.state, &fault, &err);
	}
	return code;
}

/* More than fit, and not a multiple of what fits. */
START_TEST(every_folio_at_its_page)
{
	struct fz_row row = row_of(&fake_engine);
	struct fz_replay_buffers *replay;
	unsigned int wrong = 0;
	const unsigned int nr = 2 * NR_WINDOW + 3;

	ck_assert_int_eq(
		fz_replay_buffers_open(&replay, &bench, &row, 1, false, &err),
		0);
	ck_assert_int_eq(feed(replay, nr, 1), 0);
	ck_assert_uint_eq(seen.nr, 2 * NR_WINDOW);
	ck_assert_int_eq(fz_replay_buffers_finish(replay, true, &err), 0);
	ck_assert_uint_eq(seen.nr, nr);
	for (unsigned int i = 0; i < nr; i++)
		wrong += seen.pages[i] != i % (1u << ORDER);
	ck_assert_uint_eq(wrong, 0);
	ck_assert_uint_eq(seen.not_dirty, 0);
	ck_assert_int_eq(row.status, FZ_ROW_MEASURED);
	ck_assert_uint_eq(row.rounds, 1);
	ck_assert_uint_eq(row.folios, nr);
	ck_assert_uint_eq(row.config.bytes, nr * FOLIO_BYTES);
	ck_assert_uint_eq(row.samples->fault_ns.count, nr);
	/* 100 ticks of 2 ns each. */
	ck_assert(row.seconds[0] == nr * 200 / 1e9);
	fz_replay_buffers_close(replay);
	fz_row_fini(&row);
}
END_TEST

/* The first folios fault at pages 0, 1, 2 and so on. */
START_TEST(conditional_plans_are_told)
{
	struct fz_row row = row_of(&fz_engine_buffers);
	struct fz_replay_buffers *replay;

	row.config.policy = &conditional_policy;
	ck_assert_int_eq(
		fz_replay_buffers_open(&replay, &bench, &row, 1, false, &err),
		0);
	ck_assert_int_eq(feed(replay, CONDITIONAL_PAGE + (unsigned int)_i, 1),
			 0);
	ck_assert_int_eq(fz_replay_buffers_finish(replay, true, &err), 0);
	ck_assert_int_eq(row.status, FZ_ROW_MEASURED);
	ck_assert_int_eq(row.conditional, _i > 0);
	fz_replay_buffers_close(replay);
	fz_row_fini(&row);
}
END_TEST

/* A real engine leaves nothing but zeroes. */
START_TEST(memory_is_zeroed)
{
	struct fz_row row = row_of(&fz_engine_buffers);
	struct fz_replay_buffers *replay;
	const char *base = fz_buffer_base(buffer);
	size_t left = 0;

	fz_replay_buffers_open(&replay, &bench, &row, 1, false, &err);
	ck_assert_int_eq(feed(replay, NR_WINDOW, 1), 0);
	for (size_t i = 0; i < BYTES; i++)
		left += base[i] != 0;
	ck_assert_uint_eq(left, 0);
	/* Of three folios the rest stays as dirtying left it. */
	ck_assert_int_eq(feed(replay, 3, 1), 0);
	ck_assert_int_eq(fz_replay_buffers_finish(replay, true, &err), 0);
	for (size_t i = 0; i < BYTES; i++)
		left += base[i] != 0;
	ck_assert_uint_eq(left, BYTES - 3 * FOLIO_BYTES);
	/* A point a page. */
	ck_assert_uint_eq(row.points, (NR_WINDOW + 3) << ORDER);
	fz_replay_buffers_close(replay);
	fz_row_fini(&row);
}
END_TEST

START_TEST(recorded_pace_waits)
{
	struct fz_row row = row_of(&fake_engine);
	struct fz_replay_buffers *replay;
	unsigned int early = 0;

	fz_replay_buffers_open(&replay, &bench, &row, 1, true, &err);
	ck_assert_int_eq(feed(replay, NR_WINDOW, 300u * 1000 * 1000), 0);
	for (unsigned int i = 1; i < NR_WINDOW; i++)
		early += seen.began[i] - seen.began[0] < i * 150000000ull;
	ck_assert_uint_eq(seen.nr, NR_WINDOW);
	ck_assert_uint_eq(early, 0);
	/* Waiting is not zeroing. */
	ck_assert(row.seconds[0] == NR_WINDOW * 200 / 1e9);
	fz_replay_buffers_close(replay);
	fz_row_fini(&row);
}
END_TEST

START_TEST(a_signal_leaves_partial_rows)
{
	struct fz_row row = row_of(&fake_engine);
	struct fz_replay_buffers *replay;
	atomic_int stop = 0;

	bench.stop = &stop;
	fz_replay_buffers_open(&replay, &bench, &row, 1, false, &err);
	ck_assert_int_eq(feed(replay, NR_WINDOW, 1), 0);
	stop = 2;
	ck_assert_int_eq(feed(replay, NR_WINDOW, 1), -EINTR);
	fz_replay_buffers_finish(replay, false, &err);
	ck_assert_int_eq(row.status, FZ_ROW_PARTIAL);
	ck_assert_uint_eq(row.folios, NR_WINDOW);
	fz_replay_buffers_close(replay);
	fz_row_fini(&row);
}
END_TEST

/* Rows of other choices, without memory, or modelled, are left alone. */
START_TEST(only_rows_that_can)
{
	struct fz_row rows[4] = { row_of(&fake_engine), row_of(&fake_engine),
				  row_of(&fake_engine),
				  row_of(&fz_engine_model) };
	struct fz_replay_buffers *replay;

	rows[1].choice = 1;
	fz_row_set_buffers(&rows[2], NULL);
	fz_row_set_reason(&rows[2], "no memory");
	fz_replay_buffers_open(&replay, &bench, rows, 4, false, &err);
	ck_assert_int_eq(feed(replay, 3, 1), 0);
	fz_replay_buffers_finish(replay, true, &err);
	ck_assert_uint_eq(seen.nr, 3);
	ck_assert_int_eq(rows[0].status, FZ_ROW_MEASURED);
	ck_assert_int_eq(rows[1].status, FZ_ROW_UNSUPPORTED);
	ck_assert_str_eq(rows[2].reason, "no memory");
	ck_assert_int_eq(rows[3].status, FZ_ROW_PENDING);
	fz_replay_buffers_close(replay);
	for (unsigned int i = 0; i < 4; i++)
		fz_row_fini(&rows[i]);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("replay_buffers");
	TCase *tcase = tcase_create("replay_buffers");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, every_folio_at_its_page);
	tcase_add_loop_test(tcase, conditional_plans_are_told, 0, 2);
	tcase_add_test(tcase, memory_is_zeroed);
	tcase_add_test(tcase, recorded_pace_waits);
	tcase_add_test(tcase, a_signal_leaves_partial_rows);
	tcase_add_test(tcase, only_rows_that_can);
	suite_add_tcase(suite, tcase);
	return suite;
}
