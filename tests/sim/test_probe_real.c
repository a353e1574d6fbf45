// SPDX-License-Identifier: GPL-2.0-or-later
/* Probes on the caches of this machine. No time is asserted. */
#include <fz/probe.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <fz/folio.h>
#include <fz/policies.h>
#include <fz/topology.h>

#include "fz_test.h"

#define FOLIO_PAGES 16u
#define FOLIO_BYTES (FOLIO_PAGES * FZ_PAGE_BYTES)
#define BYTES       (64 * FOLIO_BYTES)
#define REPEATS     11u

static struct fz_bench bench;
static struct fz_buffer *buffer;
static struct fz_probe probe;
static struct fz_topology topology;

static void setup(void)
{
	const struct fz_page_size page = { FZ_PAGES_BASE, FZ_PAGE_BYTES };
	struct fz_err err = { "" };

	ck_assert_msg(fz_topology_read(&topology, &err) == 0, "%s", err.msg);
	/* A guest may be shown a cache that takes long to exceed. */
	for (size_t i = 0; i < topology.nr_caches; i++)
		if (topology.caches[i].bytes > 4 << 20)
			topology.nr_caches = i;
	topology.llc_bytes = 16 << 20;
	ck_assert_msg(fz_bench_open(&bench, &fz_hooks_default, 1, FOLIO_PAGES,
				    &err) == 0,
		      "%s", err.msg);
	ck_assert_msg(fz_buffer_open(&buffer, &fz_hooks_default, page, BYTES,
				     &err) == 0,
		      "%s", err.msg);
}

static void teardown(void)
{
	fz_probe_fini(&probe);
	fz_buffer_close(buffer);
	fz_bench_close(&bench);
}

static struct fz_row row_of(const struct fz_engine *engine, const char *policy)
{
	return (struct fz_row){
		.status = FZ_ROW_MEASURED,
		.buffers = &buffer,
		.config = { .engine = engine,
			    .policy = policy ? fz_policy_find(policy) : NULL,
			    .clear = fz_clear_kernel_choice(),
			    .stream = fz_clear_kernel_choice(),
			    .page = fz_buffer_page(buffer),
			    .folio_bytes = FOLIO_BYTES,
			    .bytes = BYTES,
			    .fault = FZ_FAULT_AT,
			    .fault_page = FOLIO_PAGES / 2,
			    .preempt = FZ_PREEMPT_NONE,
			    .radius_pages = FZ_RADIUS_PAGES,
			    .use = FZ_USE_NEAR },
	};
}

static void run(struct fz_row *rows, size_t nr)
{
	const struct fz_probe_params params = {
		.wanted = { true, true },
		.topology = &topology,
		.repeat = REPEATS,
	};
	struct fz_err err = { "" };

	ck_assert_msg(fz_probe_run(&probe, &params, rows, nr, &bench, &err) ==
			      0,
		      "%s", err.msg);
}

static bool is_positive(double x)
{
	return isfinite(x) && x > 0.0;
}

static void check_residency(const struct fz_row_probe *found)
{
	ck_assert_str_eq(found->reason[FZ_PROBE_RESIDENCY].msg, "");
	ck_assert_uint_eq(found->nr_residency, 11); /* -8 to 7 */
	for (size_t i = 0; i < found->nr_residency; i++) {
		const struct fz_residency *r = &found->residency[i];

		ck_assert(isfinite(r->median_ticks) && r->median_ticks >= 0.0);
		ck_assert(r->ci95_ticks.lo <= r->median_ticks);
		ck_assert(r->ci95_ticks.hi >= r->median_ticks);
		ck_assert(r->class < probe.levels.nr_classes);
		ck_assert_uint_eq(r->samples, REPEATS);
	}
}

/* Caches that this machine cannot tell from memory have no victim. */
static void check_victims(const struct fz_row_probe *found)
{
	size_t nr_missing = found->reason[FZ_PROBE_VICTIM].msg[0] != '\0';

	for (size_t i = 0; i < FZ_MAX_CACHES; i++)
		nr_missing += probe.no_victim[i].msg[0] != '\0';
	ck_assert_uint_ge(found->nr_victims + nr_missing, 1);
	ck_assert_uint_le(found->nr_victims, probe.levels.nr - 1);
	for (size_t i = 0; i < found->nr_victims; i++) {
		const struct fz_victim *v = &found->victims[i];

		ck_assert(is_positive(v->undisturbed_ns));
		ck_assert(is_positive(v->disturbed_ns));
		ck_assert(is_positive(v->slowdown.median));
		ck_assert(v->slowdown.ci95.lo <= v->slowdown.median);
		ck_assert(v->slowdown.ci95.hi >= v->slowdown.median);
		ck_assert_uint_eq(v->slowdown.rounds, REPEATS);
	}
}

START_TEST(every_engine_and_policy_gives_every_figure)
{
	struct fz_row rows[] = {
		row_of(&fz_engine_buffers, "contiguous-page"),
		row_of(&fz_engine_buffers, "streaming-neighbourhood-last"),
		row_of(&fz_engine_kernel, NULL),
		row_of(&fz_engine_bare, "contiguous-page"),
	};

	rows[2].config.folio_bytes = FOLIO_BYTES;
	run(rows, 4);
	ck_assert(is_positive(probe.clock_ticks));
	ck_assert(probe.levels.nr_classes > 0);
	ck_assert_uint_eq(probe.repeats, REPEATS);
	for (size_t i = 0; i < 3; i++) {
		check_residency(rows[i].probe);
		check_victims(rows[i].probe);
	}
	ck_assert_uint_eq(rows[3].probe->nr_residency, 0);
	ck_assert(strstr(rows[3].probe->reason[FZ_PROBE_VICTIM].msg, "bare"));
}
END_TEST

#if defined(__x86_64__)
static void read_all(const char *base)
{
	for (uint64_t i = 0; i < FOLIO_BYTES; i += 64)
		(void)*(const volatile char *)(base + i);
}

static size_t leave_hot(const struct fz_zero_job *job)
{
	memset(job->base, 0, FOLIO_BYTES);
	read_all(job->base);
	read_all(job->base);
	return 0;
}

static size_t leave_flushed(const struct fz_zero_job *job)
{
	leave_hot(job);
	for (uint64_t i = 0; i < FOLIO_BYTES; i += 64)
		__builtin_ia32_clflush(job->base + i);
	__builtin_ia32_mfence();
	return 0;
}

/* Medians of times that differ tenfold, and classes that may have been merged:
 * what is asserted is not that they differ, but never the other way round. */
START_TEST(lines_just_read_are_nearer_than_flushed_ones)
{
	static const struct fz_engine hot = { .name = "hot",
					      .zero = leave_hot };
	static const struct fz_engine flushed = { .name = "flushed",
						  .zero = leave_flushed };
	struct fz_row rows[] = { row_of(&hot, NULL), row_of(&flushed, NULL) };

	run(rows, 2);
	for (size_t i = 0; i < rows[0].probe->nr_residency; i++)
		ck_assert_uint_le(rows[0].probe->residency[i].class,
				  rows[1].probe->residency[i].class);
}
END_TEST
#endif

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("sim.probe_real");
	TCase *tcase = tcase_create("probe_real");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, every_engine_and_policy_gives_every_figure);
#if defined(__x86_64__)
	tcase_add_test(tcase, lines_just_read_are_nearer_than_flushed_ones);
#endif
	suite_add_tcase(suite, tcase);
	return suite;
}
