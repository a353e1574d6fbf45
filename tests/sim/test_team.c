// SPDX-License-Identifier: GPL-2.0-or-later
/* Workers that take steps together, and rounds of several threads. */
#include <errno.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fz/folio.h>
#include <fz/policies.h>
#include <fz/team.h>

#include "fz_test.h"

#define NR          3u
#define FOLIO_PAGES 4u
#define FOLIO_BYTES (FOLIO_PAGES * FZ_PAGE_BYTES)
#define NR_FOLIOS   8u
#define BYTES       (NR_FOLIOS * FOLIO_BYTES)

static struct fz_hooks hooks;
static struct fz_bench bench;
static struct fz_buffer *buffers[NR];
static atomic_uint inside, taken[NR];
static char *hole; /* touching it is a SIGBUS */

static int pin_anywhere(void *state, unsigned int cpu)
{
	(void)state;
	return cpu == 7 ? -EINVAL : 0;
}

static void open_team(unsigned int nr)
{
	const unsigned int cpus[NR] = { 0, 1, 2 };
	struct fz_err err = { "" };

	ck_assert_msg(fz_team_open(&bench.team, &bench, cpus, nr, FOLIO_PAGES,
				   &err) == 0,
		      "%s", err.msg);
}

static void make_hole(void)
{
	const int fd = memfd_create("hole", 0);

	ck_assert_int_ge(fd, 0);
	hole = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	ck_assert_ptr_ne(hole, MAP_FAILED);
	close(fd);
}

static void setup(void)
{
	const struct fz_page_size page = { FZ_PAGES_BASE, 4096 };
	struct fz_err err = { "" };

	hooks = fz_hooks_default;
	hooks.pin = pin_anywhere;
	ck_assert_int_eq(fz_bench_open(&bench, &hooks, 1, FOLIO_PAGES, &err),
			 0);
	for (unsigned int i = 0; i < NR; i++)
		ck_assert_msg(fz_buffer_open(&buffers[i], &hooks, page, BYTES,
					     &err) == 0,
			      "%s", err.msg);
	make_hole();
}

static void teardown(void)
{
	for (unsigned int i = 0; i < NR; i++)
		fz_buffer_close(buffers[i]);
	fz_team_close(bench.team);
	fz_bench_close(&bench);
	munmap(hole, 4096);
}

/* Nobody goes on before all are here: one after the other would hang. */
static void meet(void *arg, unsigned int worker)
{
	const unsigned int *nr = arg;

	atomic_fetch_add(&inside, 1);
	while (atomic_load(&inside) < *nr)
		usleep(10);
	atomic_fetch_add(&taken[worker], 1);
}

START_TEST(workers_take_a_step_together)
{
	const unsigned int nr[] = { NR, 1, 2, NR, NR };
	unsigned int expected[NR] = { 0 };

	open_team(NR);
	for (unsigned int step = 0; step < 5; step++) {
		unsigned int wanted = nr[step];

		atomic_store(&inside, 0);
		fz_team_run(bench.team, wanted, meet, &wanted);
		for (unsigned int i = 0; i < wanted; i++)
			expected[i]++;
	}
	for (unsigned int i = 0; i < NR; i++)
		ck_assert_uint_eq(atomic_load(&taken[i]), expected[i]);
	for (unsigned int i = 1; i < NR; i++)
		ck_assert_ptr_ne(fz_team_bench(bench.team, i)->arena,
				 fz_team_bench(bench.team, 0)->arena);
}
END_TEST

START_TEST(a_cpu_that_cannot_be_had)
{
	const unsigned int cpus[] = { 0, 7 };
	struct fz_err err = { "" };

	ck_assert_int_eq(
		fz_team_open(&bench.team, &bench, cpus, 2, FOLIO_PAGES, &err),
		-EINVAL);
	ck_assert_ptr_nonnull(strstr(err.msg, "CPU 7"));
	ck_assert_ptr_null(bench.team);
}
END_TEST

/* A machine with 64 MiB left. */
static ssize_t little_memory(void *state, const char *root, const char *path,
			     uint64_t offset, void *buf, size_t cap)
{
	(void)state, (void)root;
	if (strcmp(path, "/proc/meminfo") != 0 || offset)
		return offset ? 0 : -ENOENT;
	return snprintf(buf, cap, "MemAvailable: 65536 kB\n");
}

START_TEST(more_records_than_memory)
{
	const unsigned int cpus[64] = { 0 };
	struct fz_err err = { "" };

	hooks.read_file = little_memory;
	ck_assert_int_eq(
		fz_team_open(&bench.team, &bench, cpus, 64, FOLIO_PAGES, &err),
		-ENOMEM);
	ck_assert_ptr_nonnull(strstr(err.msg, "records of 64 threads"));
	ck_assert_int_eq(
		fz_team_open(&bench.team, &bench, cpus, 2, FOLIO_PAGES, &err),
		0);
}
END_TEST

static struct fz_row_config config_of(const struct fz_engine *engine)
{
	return (struct fz_row_config){
		.engine = engine,
		.policy = fz_policy_find("contiguous-page"),
		.clear = fz_clear_find("portable"),
		.page = { FZ_PAGES_BASE, 4096 },
		.folio_bytes = FOLIO_BYTES,
		.bytes = BYTES,
		.threads = NR,
		.fault = FZ_FAULT_RANDOM,
		.preempt = FZ_PREEMPT_NONE,
		.radius_pages = FZ_RADIUS_PAGES,
		.use = FZ_USE_PHASE,
	};
}

static uint64_t dirty_bytes(void)
{
	uint64_t nr = 0;

	for (unsigned int i = 0; i < NR; i++)
		for (uint64_t at = 0; at < BYTES; at++)
			nr += ((char *)fz_buffer_base(buffers[i]))[at] != 0;
	return nr;
}

START_TEST(every_thread_zeroes_its_buffer)
{
	const struct fz_row_config config = config_of(&fz_engine_buffers);
	struct fz_round_result result;
	struct fz_samples samples;
	struct fz_err err = { "" };
	double longest = 0.0;

	fz_samples_init(&samples);
	open_team(NR);
	for (unsigned int round = 1; round <= 3; round++)
		ck_assert_msg(fz_round_run(&bench, &config, buffers, round,
					   &samples, &result, &err) == 0,
			      "%s", err.msg);
	ck_assert_uint_eq(dirty_bytes(), 0);
	ck_assert_uint_eq(samples.fault_ns.count, 3 * NR * NR_FOLIOS);
	ck_assert_uint_eq(result.points, NR * NR_FOLIOS * FOLIO_PAGES);
	for (unsigned int i = 0; i < NR; i++) {
		ck_assert(result.threads[i].zero_seconds > 0.0);
		ck_assert(result.threads[i].use_seconds > 0.0);
		longest = fmax(longest, result.threads[i].zero_seconds);
	}
	/* From the first start to the last end. */
	ck_assert(result.seconds >= longest);
	ck_assert(result.use_seconds > 0.0);
}
END_TEST

/* Only the second thread's folio number 5 fails. */
static size_t zero_or_fail(const struct fz_zero_job *job)
{
	char *fails = (char *)fz_buffer_base(buffers[1]) + 5 * FOLIO_BYTES;

	memset(job->base, 0, FOLIO_BYTES);
	if (job->base == fails && atomic_load(&inside))
		*(volatile char *)hole = 1;
	return 0;
}

static const struct fz_engine failing_engine = {
	.name = "failing",
	.summary = "as if pages were missing",
	.zero = zero_or_fail,
};

START_TEST(one_thread_fails)
{
	const struct fz_row_config config = config_of(&failing_engine);
	struct fz_round_result result;
	struct fz_samples samples;
	struct fz_err err = { "" };

	fz_samples_init(&samples);
	open_team(NR);
	atomic_store(&inside, 1);
	ck_assert_int_eq(fz_round_run(&bench, &config, buffers, 1, &samples,
				      &result, &err),
			 -ENOMEM);
	ck_assert_ptr_nonnull(strstr(err.msg, "SIGBUS"));
	ck_assert_uint_eq(samples.fault_ns.count, 0);
	/* The next round is whole again, with nothing left of the last one. */
	atomic_store(&inside, 0);
	ck_assert_int_eq(fz_round_run(&bench, &config, buffers, 1, &samples,
				      &result, &err),
			 0);
	ck_assert_uint_eq(samples.fault_ns.count, NR * NR_FOLIOS);
}
END_TEST

START_TEST(a_stop_reaches_all_threads)
{
	struct fz_row_config config = config_of(&fz_engine_bare);
	struct fz_round_result result;
	struct fz_err err = { "" };
	atomic_int stop = 0;

	bench.stop = &stop;
	open_team(2);
	stop = 2;
	config.threads = 2;
	ck_assert_int_eq(
		fz_round_run(&bench, &config, buffers, 1, NULL, &result, &err),
		-EINTR);
	ck_assert_uint_ne(dirty_bytes(), 0);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("sim.team");
	TCase *tcase = tcase_create("team");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_set_timeout(tcase, 30);
	tcase_add_test(tcase, workers_take_a_step_together);
	tcase_add_test(tcase, a_cpu_that_cannot_be_had);
	tcase_add_test(tcase, more_records_than_memory);
	tcase_add_test(tcase, every_thread_zeroes_its_buffer);
	tcase_add_test(tcase, one_thread_fails);
	tcase_add_test(tcase, a_stop_reaches_all_threads);
	suite_add_tcase(suite, tcase);
	return suite;
}
