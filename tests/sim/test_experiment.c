// SPDX-License-Identifier: GPL-2.0-or-later
/* Interleaving, shuffling, twins, failures and stops. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <fz/experiment.h>
#include <fz/folio.h>
#include <fz/policies.h>
#include <fz/significance.h>
#include <fz/wake_watch.h>

#include "conditional_policy.h"
#include "fake_world.h"
#include "fz_test.h"

#define BYTES    (16 * FZ_PAGE_BYTES)
#define MAX_LOG  4096u
#define NR_FAKES 5u

static struct {
	char order[MAX_LOG]; /* which engine ran, in order */
	size_t nr;
	int fail_after;    /* rounds until engine b fails; < 0 never */
	size_t stop_after; /* rounds until the stop flag is set; 0 never */
} seen;

static atomic_int stop;
static struct fake_world world;
static struct fz_bench bench;
static struct fz_buffer *buffer;

static int note(char who)
{
	ck_assert(seen.nr < MAX_LOG);
	seen.order[seen.nr++] = who;
	if (seen.stop_after && seen.nr == seen.stop_after)
		stop = SIGINT;
	return 0;
}

static int prepare_b(struct fz_buffer *b, struct fz_err *err)
{
	(void)b;
	if (seen.fail_after == 0)
		return fz_err_set(err, -ENOMEM, "lost");
	seen.fail_after--;
	return note('b');
}

#define PREPARE(letter)                                                      \
	static int prepare_##letter(struct fz_buffer *b, struct fz_err *err) \
	{                                                                    \
		(void)b, (void)err;                                          \
		return note(#letter[0]);                                     \
	}
PREPARE(a)
PREPARE(c)
PREPARE(d)
PREPARE(e)

static size_t zero(const struct fz_zero_job *job)
{
	(void)job;
	world.now += 100;
	return 0;
}

static const struct fz_engine fakes[NR_FAKES] = {
	{ .name = "a", .prepare = prepare_a, .zero = zero },
	{ .name = "b", .prepare = prepare_b, .zero = zero },
	{ .name = "c", .prepare = prepare_c, .zero = zero },
	{ .name = "d", .prepare = prepare_d, .zero = zero },
	{ .name = "e", .prepare = prepare_e, .zero = zero },
};

static struct fz_row rows[NR_FAKES];

static void setup(void)
{
	memset(&seen, 0, sizeof(seen));
	seen.fail_after = -1;
	stop = 0;
	fake_world_init(&world, 1);
	fake_bench_open(&bench, &world, 512);
	bench.stop = &stop;
	buffer = fake_buffer(&world, BYTES);
	for (size_t i = 0; i < NR_FAKES; i++)
		rows[i] = (struct fz_row){
			.buffers = &buffer,
			.config = { .engine = &fakes[i],
				    .page = { FZ_PAGES_BASE, 4096 },
				    .folio_bytes = BYTES,
				    .bytes = BYTES,
				    .fault = FZ_FAULT_AT },
		};
}

static void teardown(void)
{
	for (size_t i = 0; i < NR_FAKES; i++)
		fz_row_fini(&rows[i]);
	fz_buffer_close(buffer);
	fz_bench_close(&bench);
}

static int run(size_t nr, size_t repeat)
{
	struct fz_experiment experiment = {
		.rows = rows,
		.nr_rows = nr,
		.repeat = repeat,
	};
	struct fz_err err;

	return fz_experiment_run(&experiment, &bench, &err);
}

START_TEST(every_round_has_every_row_once_in_changing_order)
{
	unsigned int wrong = 0, changed = 0;

	ck_assert_int_eq(run(NR_FAKES, 20), 0);
	ck_assert_uint_eq(seen.nr, 21 * NR_FAKES); /* one round warms up */
	for (size_t r = 0; r <= 20; r++) {
		const char *round = seen.order + r * NR_FAKES;

		for (size_t i = 0; i < NR_FAKES; i++)
			wrong += !memchr(round, "abcde"[i], NR_FAKES);
		changed += r && memcmp(round, round - NR_FAKES, NR_FAKES) != 0;
	}
	ck_assert_uint_eq(wrong, 0);
	ck_assert(changed > 15);
	for (size_t i = 0; i < NR_FAKES; i++) {
		ck_assert_uint_eq(rows[i].rounds, 20);
		ck_assert_int_eq(rows[i].status, FZ_ROW_MEASURED);
	}
}
END_TEST

START_TEST(same_seed_same_order)
{
	char first[MAX_LOG];

	ck_assert_int_eq(run(NR_FAKES, 20), 0);
	memcpy(first, seen.order, sizeof(first));
	teardown();
	setup();
	ck_assert_int_eq(run(NR_FAKES, 20), 0);
	ck_assert_int_eq(memcmp(first, seen.order, 21 * NR_FAKES), 0);
}
END_TEST

START_TEST(failed_row_is_out_and_the_rest_goes_on)
{
	seen.fail_after = 4; /* the warm-up and three rounds */
	ck_assert_int_eq(run(3, 10), 0);
	ck_assert_int_eq(rows[0].status, FZ_ROW_MEASURED);
	ck_assert_int_eq(rows[1].status, FZ_ROW_PARTIAL);
	ck_assert_uint_eq(rows[1].rounds, 3);
	ck_assert_str_eq(rows[1].reason, "lost");
	ck_assert_uint_eq(rows[2].rounds, 10);
}
END_TEST

START_TEST(row_that_never_worked_is_unsupported)
{
	seen.fail_after = 0;
	ck_assert_int_eq(run(2, 3), 0);
	ck_assert_int_eq(rows[1].status, FZ_ROW_UNSUPPORTED);
	ck_assert_uint_eq(rows[1].rounds, 0);
}
END_TEST

START_TEST(stop_keeps_finished_rounds)
{
	seen.stop_after = 3 + 3 * 4 + 2; /* in the fifth counted round */
	ck_assert_int_eq(run(3, 100), -EINTR);
	for (size_t i = 0; i < 3; i++) {
		ck_assert_int_eq(rows[i].status, FZ_ROW_PARTIAL);
		ck_assert(rows[i].rounds == 4 || rows[i].rounds == 5);
		ck_assert_str_eq(rows[i].reason, "stopped by a signal");
	}
}
END_TEST

START_TEST(stop_in_the_warm_up_measures_nothing)
{
	seen.stop_after = 1;
	ck_assert_int_eq(run(3, 100), -EINTR);
	for (size_t i = 0; i < 3; i++)
		ck_assert_int_eq(rows[i].status, FZ_ROW_UNSUPPORTED);
}
END_TEST

START_TEST(rows_without_a_buffer_are_left_alone)
{
	rows[1].buffers = NULL;
	fz_row_set_reason(&rows[1], "no pages");
	ck_assert_int_eq(run(2, 2), 0);
	ck_assert_int_eq(rows[1].status, FZ_ROW_UNSUPPORTED);
	ck_assert_str_eq(rows[1].reason, "no pages");
	ck_assert_uint_eq(rows[0].rounds, 2);
}
END_TEST

START_TEST(repeat_0_takes_at_least_what_a_winner_needs)
{
	struct fz_experiment experiment = {
		.rows = rows,
		.nr_rows = 2,
		.budget_ns = 1,
	};

	ck_assert_int_eq(fz_experiment_run(&experiment, &bench, NULL), 0);
	ck_assert_uint_eq(rows[0].rounds, FZ_WINNER_MIN_ROUNDS);
}
END_TEST

START_TEST(repeat_0_fills_the_budget)
{
	struct fz_experiment experiment = {
		.rows = rows,
		.nr_rows = 2,
		.budget_ns = 2 * 2 * 103 * 30, /* ticks are 2 ns */
	};

	ck_assert_int_eq(fz_experiment_run(&experiment, &bench, NULL), 0);
	ck_assert(rows[0].rounds > FZ_WINNER_MIN_ROUNDS);
	ck_assert(rows[0].rounds <= 31);
	ck_assert_int_eq(rows[0].status, FZ_ROW_MEASURED);
}
END_TEST

static struct fz_row_config plan_config(const char *policy, uint64_t batch,
					enum fz_preempt preempt)
{
	return (struct fz_row_config){
		.engine = &fz_engine_bare,
		.policy = fz_policy_find(policy),
		.clear = fz_clear_find("portable"),
		.page = { FZ_PAGES_BASE, 4096 },
		.folio_bytes = 512 * FZ_PAGE_BYTES,
		.bytes = 512 * FZ_PAGE_BYTES,
		.fault = FZ_FAULT_RANDOM,
		.preempt = preempt,
		.batch_pages = batch,
		.radius_pages = 2,
	};
}

static const struct {
	const char *a, *b;
	uint64_t batch_a, batch_b;
	enum fz_preempt preempt_a, preempt_b;
	bool same;
} pairs[] = {
	{ "contiguous-page", "batched-pages", 0, 1, FZ_PREEMPT_NONE,
	  FZ_PREEMPT_NONE, true },
	{ "contiguous-page", "batched-pages", 0, 2, FZ_PREEMPT_NONE,
	  FZ_PREEMPT_NONE, false },
	{ "batched-pages", "batched-pages", 512, 8192, FZ_PREEMPT_NONE,
	  FZ_PREEMPT_NONE, true },
	{ "batched-pages", "batched-pages", 1, 8192, FZ_PREEMPT_FULL,
	  FZ_PREEMPT_FULL, true },
	{ "neighbourhood-last", "neighbourhood-last", 1, 8192, FZ_PREEMPT_FULL,
	  FZ_PREEMPT_LAZY, true },
	{ "neighbourhood-last", "neighbourhood-last", 1, 8192, FZ_PREEMPT_NONE,
	  FZ_PREEMPT_NONE, false },
	/* A might_sleep() that acts is one point more. */
	{ "batched-pages", "batched-pages", 8192, 8192, FZ_PREEMPT_NONE,
	  FZ_PREEMPT_VOLUNTARY, false },
	{ "neighbourhood-last", "batched-pages", 8192, 8192, FZ_PREEMPT_NONE,
	  FZ_PREEMPT_NONE, false },
	{ "neighbourhood-last", "neighbourhood-last-v6", 8192, 8192,
	  FZ_PREEMPT_FULL, FZ_PREEMPT_FULL, true },
	{ "neighbourhood-last", "neighbourhood-last-v6", 8192, 8192,
	  FZ_PREEMPT_NONE, FZ_PREEMPT_NONE, false },
	{ "discontiguous-page", "contiguous-page", 0, 0, FZ_PREEMPT_NONE,
	  FZ_PREEMPT_NONE, false },
};

START_TEST(twins_are_rows_with_the_same_steps)
{
	const struct fz_row_config a = plan_config(
		pairs[_i].a, pairs[_i].batch_a, pairs[_i].preempt_a);
	const struct fz_row_config b = plan_config(
		pairs[_i].b, pairs[_i].batch_b, pairs[_i].preempt_b);

	ck_assert_int_eq(fz_row_same_steps(&a, &b), pairs[_i].same);
	ck_assert_int_eq(fz_row_same_steps(&b, &a), pairs[_i].same);
	ck_assert(fz_row_same_steps(&a, &a));
}
END_TEST

/* One measurement cannot say of the same steps that they are and are not. */
START_TEST(conditional_is_no_twin)
{
	struct fz_row_config a =
		plan_config("contiguous-page", 16, FZ_PREEMPT_NONE);
	struct fz_row_config b = a;

	a.fault = b.fault = FZ_FAULT_AT;
	b.policy = &conditional_policy;
	a.fault_page = b.fault_page = CONDITIONAL_PAGE;
	ck_assert(!fz_row_same_steps(&a, &b));
	a.fault_page = b.fault_page = CONDITIONAL_PAGE + 1;
	ck_assert(fz_row_same_steps(&a, &b));
}
END_TEST

static int plan_elsewhere(const struct fz_policy *policy,
			  const struct fz_zero_request *request,
			  struct fz_plan *plan, struct fz_err *err)
{
	(void)policy;
	return fz_policy_plan(fz_policy_find("contiguous-page"), request, plan,
			      err);
}

/* Who brings a policy wants to see it beside another one. */
START_TEST(what_comes_from_elsewhere_is_like_itself_only)
{
	const struct fz_policy elsewhere = { .name = "contiguous-page",
					     .uses = FZ_USES_FAULT,
					     .make_plan = plan_elsewhere };
	const struct fz_row_config a =
		plan_config("contiguous-page", 0, FZ_PREEMPT_NONE);
	struct fz_row_config b = a;

	b.policy = &elsewhere;
	ck_assert(!fz_row_same_steps(&a, &b));
	ck_assert(!fz_row_same_steps(&b, &a));
	ck_assert(fz_row_same_steps(&b, &b));
}
END_TEST

START_TEST(other_primitive_is_no_twin)
{
	const struct fz_row_config a =
		plan_config("batched-pages", 512, FZ_PREEMPT_NONE);
	struct fz_row_config b = a;

	b.clear = fz_clear_find("memset");
	ck_assert(!fz_row_same_steps(&a, &b));
	b = a;
	b.use = FZ_USE_FOLIO;
	ck_assert(!fz_row_same_steps(&a, &b));
	b = a;
	b.engine = &fz_engine_buffers;
	ck_assert(!fz_row_same_steps(&a, &b));
}
END_TEST

/* Under full nobody waits for a resched point, whatever the steps are. */
START_TEST(rows_that_are_woken_alike_are_twins)
{
	struct fz_wake_watch watch = {
		/* Never begun: its rows run no round. */
		.flag.waker = (struct fz_waker *)&watch,
	};
	const enum fz_preempt models[] = { FZ_PREEMPT_FULL, FZ_PREEMPT_NONE,
					   FZ_PREEMPT_LAZY };

	for (size_t i = 0; i < 3; i++)
		rows[i] = (struct fz_row){
			.status = FZ_ROW_UNSUPPORTED,
			.config = plan_config("init-pages", 0, models[i]),
		};
	for (size_t i = 0; i < 3; i++)
		rows[i].config.engine = &fz_engine_buffers;
	bench.watch = &watch;
	ck_assert_int_eq(run(3, 1), 0);
	ck_assert_ptr_null(rows[0].woken);
	ck_assert_ptr_eq(rows[1].woken, &watch.flag);
	ck_assert_ptr_null(rows[1].twin);
	ck_assert_ptr_eq(rows[2].twin, &rows[0]);
}
END_TEST

START_TEST(twins_are_measured_once)
{
	struct fz_buffer *large = fake_buffer(&world, 512 * FZ_PAGE_BYTES);

	for (size_t i = 0; i < 3; i++)
		rows[i] = (struct fz_row){
			.buffers = &large,
			.config = plan_config("batched-pages", 512 + i,
					      FZ_PREEMPT_NONE),
		};
	rows[2].config.batch_pages = 100;
	ck_assert_int_eq(run(3, 4), 0);
	ck_assert_ptr_null(rows[0].twin);
	ck_assert_ptr_eq(rows[1].twin, &rows[0]);
	ck_assert_ptr_null(rows[2].twin);
	ck_assert_uint_eq(rows[0].rounds, 4);
	ck_assert_uint_eq(rows[1].rounds, 0);
	ck_assert_int_eq(rows[1].status, FZ_ROW_MEASURED);
	ck_assert_ptr_eq(fz_row_data(&rows[1]), &rows[0]);
	fz_buffer_close(large);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("sim.experiment");
	TCase *tcase = tcase_create("experiment");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, every_round_has_every_row_once_in_changing_order);
	tcase_add_test(tcase, same_seed_same_order);
	tcase_add_test(tcase, failed_row_is_out_and_the_rest_goes_on);
	tcase_add_test(tcase, row_that_never_worked_is_unsupported);
	tcase_add_test(tcase, stop_keeps_finished_rounds);
	tcase_add_test(tcase, stop_in_the_warm_up_measures_nothing);
	tcase_add_test(tcase, rows_without_a_buffer_are_left_alone);
	tcase_add_test(tcase, repeat_0_takes_at_least_what_a_winner_needs);
	tcase_add_test(tcase, repeat_0_fills_the_budget);
	tcase_add_loop_test(tcase, twins_are_rows_with_the_same_steps, 0,
			    sizeof(pairs) / sizeof(pairs[0]));
	tcase_add_test(tcase, conditional_is_no_twin);
	tcase_add_test(tcase, what_comes_from_elsewhere_is_like_itself_only);
	tcase_add_test(tcase, other_primitive_is_no_twin);
	tcase_add_test(tcase, rows_that_are_woken_alike_are_twins);
	tcase_add_test(tcase, twins_are_measured_once);
	suite_add_tcase(suite, tcase);
	return suite;
}
