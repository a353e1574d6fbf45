// SPDX-License-Identifier: GPL-2.0-or-later
/* Software counters of real rounds, alone and in a team. */
#include <fz/counters.h>

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

#include <fz/folio.h>
#include <fz/policies.h>
#include <fz/round.h>
#include <fz/team.h>

#include "fz_test.h"
#include "sanitized.h"

#define NR_THREADS  3u
#define FOLIO_BYTES FZ_PAGE_BYTES
#define NR_FOLIOS   64u
#define BYTES       (NR_FOLIOS * FOLIO_BYTES)

static const char *const events[] = { "page-faults", "context-switches",
				      "task-clock", "minor-faults" };
#define NR_EVENTS (sizeof(events) / sizeof(events[0]))

static const struct fz_perf_rights rights = { .paranoid = 2 };

static struct fz_hooks hooks;
static struct fz_bench bench;
static struct fz_buffer *buffers[NR_THREADS];
static struct fz_counter_list list;

/* A container may forbid them, and an emulator may not have them. */
const char *fz_test_skip_reason(void)
{
	static struct fz_counter tried;
	struct fz_perf_event event;

	if (fz_perf_event_find("context-switches", &event, NULL))
		return "libpfm knows no events here";
	tried = fz_counter_try(&fz_hooks_default, &event, &rights);
	return tried.code ? tried.reason : NULL;
}

static int pin_anywhere(void *state, unsigned int cpu)
{
	(void)state;
	(void)cpu;
	return 0;
}

static void setup(void)
{
	const struct fz_page_size page = { FZ_PAGES_BASE, 4096 };
	struct fz_err err = { "" };

	hooks = fz_hooks_default;
	hooks.pin = pin_anywhere;
	ck_assert_int_eq(fz_bench_open(&bench, &hooks, 1, 1, &err), 0);
	for (unsigned int i = 0; i < NR_THREADS; i++)
		ck_assert_msg(fz_buffer_open(&buffers[i], &hooks, page, BYTES,
					     &err) == 0,
			      "%s", err.msg);
	list = (struct fz_counter_list){ .nr = NR_EVENTS };
	for (size_t i = 0; i < NR_EVENTS; i++)
		ck_assert_int_eq(fz_perf_event_find(events[i],
						    &list.counter[i].event,
						    NULL),
				 0);
}

static void teardown(void)
{
	for (unsigned int i = 0; i < NR_THREADS; i++)
		fz_buffer_close(buffers[i]);
	fz_team_close(bench.team);
	fz_bench_close(&bench);
}

static void open_team(void)
{
	const unsigned int cpus[NR_THREADS] = { 0 };
	struct fz_err err = { "" };

	ck_assert_msg(fz_team_open(&bench.team, &bench, cpus, NR_THREADS, 1,
				   &err) == 0,
		      "%s", err.msg);
	ck_assert_uint_eq(fz_team_size(bench.team), NR_THREADS);
}

static struct fz_row_config config_of(const struct fz_engine *engine,
				      unsigned int threads)
{
	return (struct fz_row_config){
		.engine = engine,
		.policy = fz_policy_find("contiguous-page"),
		.clear = fz_clear_find("portable"),
		.page = { FZ_PAGES_BASE, 4096 },
		.folio_bytes = FOLIO_BYTES,
		.bytes = BYTES,
		.threads = threads,
		.fault = FZ_FAULT_AT,
		.use = FZ_USE_NONE,
	};
}

/* The row's counts after two rounds. */
static struct fz_counts measure(const struct fz_engine *engine,
				unsigned int threads)
{
	struct fz_row row = { .config = config_of(engine, threads) };
	struct fz_round_result result;
	struct fz_err err = { "" };

	ck_assert_int_eq(fz_row_begin(&row, 2), 0);
	/* The first one brings code in. */
	for (uint64_t round = 0; round <= 2; round++) {
		ck_assert_msg(fz_round_run(&bench, &row.config, buffers, round,
					   row.samples, &result, &err) == 0,
			      "%s", err.msg);
		if (round)
			fz_row_keep(&row, &result);
	}
	fz_row_fini(&row);
	return row.counts;
}

static void open_counters(void)
{
	struct fz_err err = { "" };

	ck_assert_msg(fz_bench_count(&bench, &list, &rights, &err) == 0, "%s",
		      err.msg);
}

static void check_all(const struct fz_counts *counts)
{
	for (size_t i = 0; i < NR_EVENTS; i++) {
		ck_assert_int_eq(list.counter[i].code, 0);
		ck_assert_int_eq(
			fz_counter_status(&list.counter[i], &counts->of[i]),
			FZ_COUNTER_COUNTED);
		ck_assert(fz_count_scaled(&counts->of[i]) >= 0.0);
	}
	ck_assert_uint_gt(counts->of[2].value, 0);
	ck_assert_uint_gt(list.read_ns, 0);
}

/* A sanitizer's shadow memory faults too. */
static void check_faults(uint64_t counted, uint64_t pages)
{
	ck_assert_uint_ge(counted, pages);
	if (!FZ_SANITIZED)
		ck_assert_uint_eq(counted, pages);
}

START_TEST(the_kernel_takes_a_fault_a_page)
{
	struct fz_counts counts;

	open_counters();
	counts = measure(&fz_engine_kernel, 0);
	check_all(&counts);
	check_faults(counts.of[0].value, 2 * NR_FOLIOS);
	check_faults(counts.of[3].value, 2 * NR_FOLIOS);
}
END_TEST

START_TEST(threads_are_summed)
{
	struct fz_counts counts;

	open_team();
	open_counters();
	counts = measure(&fz_engine_kernel, NR_THREADS);
	check_all(&counts);
	check_faults(counts.of[0].value, 2 * NR_FOLIOS * NR_THREADS);
}
END_TEST

START_TEST(without_counters_nothing_is_counted)
{
	const struct fz_counts counts = measure(&fz_engine_kernel, 0);

	for (size_t i = 0; i < FZ_MAX_COUNTERS; i++)
		ck_assert(isnan(fz_count_scaled(&counts.of[i])));
}
END_TEST

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned int nr_calls, nr_allowed;

static int open_some(void *state, const struct fz_perf_config *config,
		     int leader)
{
	bool allowed;

	(void)state;
	pthread_mutex_lock(&lock);
	allowed = nr_calls++ < nr_allowed;
	pthread_mutex_unlock(&lock);
	return allowed ? fz_hooks_default.perf_open(NULL, config, leader)
		       : -EMFILE;
}

/* A sum that lacks a thread would be too small, so there is none. */
START_TEST(what_one_thread_lacks_has_no_sum)
{
	struct fz_counts counts;
	size_t nr_lacking = 0;

	nr_calls = 0;
	nr_allowed = NR_THREADS * NR_EVENTS - 1;
	hooks.perf_open = open_some;
	open_team();
	open_counters();
	counts = measure(&fz_engine_kernel, NR_THREADS);
	for (size_t i = 0; i < NR_EVENTS; i++) {
		const struct fz_counter *counter = &list.counter[i];

		if (!counter->code)
			continue;
		nr_lacking++;
		ck_assert_int_eq(fz_counter_status(counter, &counts.of[i]),
				 FZ_COUNTER_UNSUPPORTED);
		ck_assert_ptr_nonnull(strstr(counter->reason, "EMFILE"));
	}
	ck_assert_uint_eq(nr_lacking, 1);
}
END_TEST

static unsigned int nr_open;

static int count_open(void *state, const struct fz_perf_config *config,
		      int leader)
{
	const int opened = fz_hooks_default.perf_open(state, config, leader);

	nr_open += opened >= 0;
	return opened;
}

static void count_close(void *state, int counter)
{
	nr_open--;
	fz_hooks_default.perf_close(state, counter);
}

START_TEST(they_end_with_the_bench)
{
	struct fz_bench other;
	struct fz_err err = { "" };

	hooks.perf_open = count_open;
	hooks.perf_close = count_close;
	ck_assert_int_eq(fz_bench_open(&other, &hooks, 1, 1, &err), 0);
	ck_assert_int_eq(fz_bench_count(&other, &list, &rights, &err), 0);
	ck_assert_uint_eq(nr_open, NR_EVENTS);
	fz_bench_close(&other);
	ck_assert_uint_eq(nr_open, 0);
}
END_TEST

static unsigned int nr_reads, nr_folios, nr_inside;

static ssize_t count_read(void *state, int leader, uint64_t *words, size_t nr)
{
	(void)state;
	nr_reads++;
	nr_inside += nr_folios % NR_FOLIOS != 0;
	return fz_hooks_default.perf_read(NULL, leader, words, nr);
}

static size_t zero_and_count(const struct fz_zero_job *job)
{
	memset(job->base, 0, FOLIO_BYTES);
	nr_folios++;
	return 0;
}

static const struct fz_engine counting_engine = {
	.name = "counting",
	.summary = "counts its folios",
	.zero = zero_and_count,
};

START_TEST(a_group_is_read_twice_a_round)
{
	hooks.perf_read = count_read;
	open_counters();
	nr_reads = nr_folios = nr_inside = 0;
	measure(&counting_engine, 0);
	ck_assert_uint_eq(nr_folios, 3 * NR_FOLIOS);
	ck_assert_uint_eq(nr_reads, 3 * 2);
	ck_assert_uint_eq(nr_inside, 0);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("sim.bench_count");
	TCase *tcase = tcase_create("bench_count");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_set_timeout(tcase, 30);
	tcase_add_test(tcase, the_kernel_takes_a_fault_a_page);
	tcase_add_test(tcase, threads_are_summed);
	tcase_add_test(tcase, without_counters_nothing_is_counted);
	tcase_add_test(tcase, what_one_thread_lacks_has_no_sum);
	tcase_add_test(tcase, they_end_with_the_bench);
	tcase_add_test(tcase, a_group_is_read_twice_a_round);
	suite_add_tcase(suite, tcase);
	return suite;
}
