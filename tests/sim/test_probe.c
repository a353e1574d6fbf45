// SPDX-License-Identifier: GPL-2.0-or-later
/* The pass over rows, on a clock that the test turns. */
#include <fz/probe.h>

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <string.h>

#include <fz/folio.h>
#include <fz/significance.h>

#include "fake_world.h"
#include "fz_test.h"
#include "residency.h"
#include "victim.h"

#define FOLIO_PAGES 16u
#define FOLIO_BYTES (FOLIO_PAGES * FZ_PAGE_BYTES)
#define NR_FOLIOS   8u
#define BYTES       (NR_FOLIOS * FOLIO_BYTES)
#define NR_ROWS     3u
#define STEP        160u

static struct fake_world world;
static struct fz_bench bench;
static struct fz_buffer *buffer;
static struct fz_row rows[NR_ROWS];
static struct fz_probe probe;
static struct fz_probe_params params;
static struct fz_err err;
static atomic_int stop;

static struct {
	size_t zeroed[NR_ROWS]; /* folios */
	size_t dirty[NR_ROWS];  /* of these, those that were dirty before */
	size_t prepared;        /* walks of the third row */
	size_t fail_after;      /* walks until they fail; 0 = never */
	size_t stop_after;      /* folios of the first row; 0 = never */
	size_t last;            /* row */
	size_t turns;           /* times that another row came */
} seen;

static size_t zero(const struct fz_zero_job *job, size_t which)
{
	if (seen.zeroed[which]++ == 0 || seen.last != which)
		seen.turns++;
	seen.last = which;
	seen.dirty[which] += job->base[job->fault_page << FZ_PAGE_SHIFT] != 0;
	memset(job->base, 0, FOLIO_BYTES);
	if (which == 0 && seen.zeroed[0] == seen.stop_after)
		stop = SIGINT;
	return 0;
}

static size_t zero_a(const struct fz_zero_job *job)
{
	return zero(job, 0);
}

static size_t zero_b(const struct fz_zero_job *job)
{
	return zero(job, 1);
}

static size_t zero_c(const struct fz_zero_job *job)
{
	return zero(job, 2);
}

static int prepare_c(struct fz_buffer *b, struct fz_err *e)
{
	if (seen.fail_after && seen.prepared == seen.fail_after)
		return fz_err_set(e, -ENOMEM, "lost");
	seen.prepared++;
	return fz_buffer_remap(b, e);
}

static const struct fz_engine engines[NR_ROWS] = {
	{ .name = "a", .zero = zero_a },
	{ .name = "b", .zero = zero_b },
	{ .name = "c", .zero = zero_c, .prepare = prepare_c },
};

/* So small that everything is over at once. */
static const struct fz_topology topology = {
	.nr_caches = 2,
	.caches = { { .name = "L1d", .bytes = 16384 },
		    { .name = "L2", .bytes = 65536 } },
	.llc_bytes = 65536,
};

static int no_switches(void *state, struct fz_usage *usage)
{
	(void)state;
	*usage = (struct fz_usage){ 0 };
	return 0;
}

static void setup(void)
{
	memset(&seen, 0, sizeof(seen));
	err = (struct fz_err){ "" };
	stop = 0;
	fake_world_init(&world, STEP);
	world.hooks.usage = no_switches;
	fake_bench_open(&bench, &world, FOLIO_PAGES);
	bench.stop = &stop;
	buffer = fake_buffer(&world, BYTES);
	for (size_t i = 0; i < NR_ROWS; i++)
		rows[i] = (struct fz_row){
			.status = FZ_ROW_MEASURED,
			.buffers = &buffer,
			.config = { .engine = &engines[i],
				    .page = { FZ_PAGES_BASE, 4096 },
				    .folio_bytes = FOLIO_BYTES,
				    .bytes = BYTES,
				    .fault = FZ_FAULT_AT,
				    .fault_page = 5 },
		};
	params = (struct fz_probe_params){
		.wanted = { true, true },
		.topology = &topology,
		.repeat = 3,
	};
	probe = (struct fz_probe){ .rows = NULL };
}

static void teardown(void)
{
	fz_probe_fini(&probe);
	fz_buffer_close(buffer);
	fz_bench_close(&bench);
}

static int run(size_t nr)
{
	return fz_probe_run(&probe, &params, rows, nr, &bench, &err);
}

static const char *reason(size_t row, enum fz_probe_kind kind)
{
	return probe.rows[row].reason[kind].msg;
}

START_TEST(every_row_has_every_distance_in_every_repeat)
{
	static const int64_t distances[] = { -5, -4, -3, -2, -1, 0,
					     1,  2,  3,  4,  8,  10 };

	ck_assert_int_eq(run(NR_ROWS), 0);
	ck_assert_uint_eq(probe.repeats, 3);
	for (size_t i = 0; i < NR_ROWS; i++) {
		const struct fz_row_probe *found = rows[i].probe;

		ck_assert_ptr_eq(found, &probe.rows[i]);
		ck_assert_uint_eq(found->nr_residency, 12);
		for (size_t j = 0; j < 12; j++) {
			ck_assert_int_eq(found->residency[j].distance_pages,
					 distances[j]);
			ck_assert_uint_eq(found->residency[j].samples, 3);
			/* A reading and nothing but the clock. */
			ck_assert_double_eq(found->residency[j].median_ticks,
					    0.0);
		}
		/* A warm-up and three repeats; 12 distances, 4 a clear. */
		ck_assert_uint_eq(seen.zeroed[i], 4 * 3);
	}
}
END_TEST

START_TEST(folios_were_dirty_and_rows_take_turns)
{
	ck_assert_int_eq(run(2), 0);
	for (size_t i = 0; i < 2; i++)
		ck_assert_uint_eq(seen.dirty[i], seen.zeroed[i]);
	ck_assert_uint_ge(seen.turns, 5);
}
END_TEST

START_TEST(an_engine_that_faults_pages_in_gets_unmapped_ones)
{
	ck_assert_int_eq(run(NR_ROWS), 0);
	ck_assert_uint_eq(seen.dirty[0], seen.zeroed[0]);
	ck_assert_uint_eq(seen.dirty[2], 0);
	ck_assert_uint_ge(seen.prepared, 3);
	/* The buffer is whole afterwards. */
	ck_assert(!fz_buffer_is_lost(buffer));
}
END_TEST

START_TEST(a_row_that_fails_is_out_with_the_reason)
{
	seen.fail_after = 1;
	ck_assert_int_eq(run(NR_ROWS), 0);
	ck_assert_str_eq(reason(2, FZ_PROBE_RESIDENCY), "lost");
	ck_assert_uint_eq(probe.rows[0].residency[0].samples, 3);
	ck_assert_str_eq(reason(0, FZ_PROBE_RESIDENCY), "");
	ck_assert_uint_eq(probe.repeats, 3);
}
END_TEST

START_TEST(one_clock_for_all_levels_leaves_no_victim)
{
	ck_assert_int_eq(run(1), 0);
	ck_assert_uint_eq(probe.levels.nr_classes, 1);
	ck_assert_str_eq(probe.levels.classes[0].name, "L1/L2/memory");
	ck_assert_uint_eq(probe.rows[0].nr_victims, 0);
	ck_assert_str_eq(probe.no_victim[1].msg,
			 "a set of 32K, which should fit into L2, reads like "
			 "memory before anything is zeroed");
	ck_assert_double_eq(probe.clock_ticks, STEP);
	ck_assert_double_eq(probe.ns_per_tick, 2.0);
}
END_TEST

START_TEST(rows_that_cannot_be_probed_say_why)
{
	rows[0].twin = &rows[1];
	rows[1].config.fault = FZ_FAULT_NONE;
	rows[2].config.threads = 2;
	ck_assert_int_eq(run(NR_ROWS), 0);
	ck_assert_str_eq(reason(0, FZ_PROBE_RESIDENCY), "");
	ck_assert_str_eq(reason(1, FZ_PROBE_RESIDENCY),
			 "the policy is told no faulting page");
	ck_assert_uint_eq(probe.rows[1].nr_residency, 0);
	ck_assert(strstr(reason(2, FZ_PROBE_RESIDENCY), "threads"));
	ck_assert(strstr(reason(2, FZ_PROBE_VICTIM), "threads"));
	ck_assert_uint_eq(seen.zeroed[0] + seen.zeroed[2], 0);
}
END_TEST

START_TEST(what_is_not_wanted_is_not_done)
{
	params.wanted[FZ_PROBE_RESIDENCY] = false;
	rows[1].status = FZ_ROW_UNSUPPORTED;
	ck_assert_int_eq(run(2), 0);
	ck_assert_uint_eq(probe.rows[0].nr_residency, 0);
	ck_assert_str_eq(reason(0, FZ_PROBE_RESIDENCY), "");
	ck_assert_str_eq(reason(1, FZ_PROBE_RESIDENCY), "");
	ck_assert_str_eq(reason(1, FZ_PROBE_VICTIM),
			 "the row was not measured");
}
END_TEST

START_TEST(a_signal_keeps_what_was_found)
{
	params.wanted[FZ_PROBE_VICTIM] = false;
	seen.stop_after = 7; /* 3 to warm up, 3 in the first repeat */
	ck_assert_int_eq(run(1), -EINTR);
	ck_assert_str_eq(err.msg, FZ_STOPPED);
	ck_assert_uint_eq(probe.repeats, 1);
	ck_assert_uint_eq(seen.zeroed[0], 7);
	ck_assert_uint_eq(probe.rows[0].nr_residency, 12);
	ck_assert_str_eq(reason(0, FZ_PROBE_RESIDENCY), "");
}
END_TEST

START_TEST(a_signal_at_once_leaves_reasons)
{
	stop = SIGINT;
	ck_assert_int_eq(run(2), -EINTR);
	ck_assert_uint_eq(probe.levels.nr_classes, 0);
	ck_assert_str_eq(reason(0, FZ_PROBE_RESIDENCY), FZ_STOPPED);
	ck_assert_str_eq(reason(1, FZ_PROBE_VICTIM), FZ_STOPPED);
	ck_assert_uint_eq(seen.zeroed[0], 0);
}
END_TEST

START_TEST(repeats_fill_the_budget)
{
	params.repeat = 0;
	ck_assert_int_eq(run(1), 0);
	ck_assert_uint_eq(probe.repeats, FZ_WINNER_MIN_ROUNDS);
	fz_probe_fini(&probe);
	params.budget_ns = UINT64_MAX;
	ck_assert_int_eq(run(1), 0);
	ck_assert_uint_eq(probe.repeats, 101);
}
END_TEST

/* One switch in each sample: then the last of the tries counts. */
static int more_switches(void *state, struct fz_usage *usage)
{
	static uint64_t nr;

	(void)state;
	*usage = (struct fz_usage){ .involuntary_switches = ++nr };
	return 0;
}

START_TEST(a_disturbed_sample_is_taken_again)
{
	world.hooks.usage = more_switches;
	params.wanted[FZ_PROBE_VICTIM] = false;
	ck_assert_int_eq(run(1), 0);
	ck_assert_uint_eq(seen.zeroed[0], 4 * 4 * 3);
	ck_assert_uint_eq(probe.rows[0].residency[0].samples, 3);
}
END_TEST

static struct {
	size_t done;
	size_t total;
	size_t calls;
} told;

static void tell(void *state, size_t done, size_t total,
		 const struct fz_row *row)
{
	ck_assert_ptr_eq(state, &told);
	ck_assert(row >= rows && row < rows + NR_ROWS);
	told.done = done;
	told.total = total;
	told.calls++;
}

START_TEST(progress_counts_rows_of_repeats)
{
	params.progress = tell;
	params.progress_state = &told;
	ck_assert_int_eq(run(2), 0);
	ck_assert_uint_eq(told.calls, 2 * 4);
	ck_assert_uint_eq(told.total, 2 * 4);
	ck_assert_uint_eq(told.done, 2 * 4 - 1);
}
END_TEST

/* Then nobody waits for working sets. */
START_TEST(nothing_to_probe_measures_nothing)
{
	fz_row_set_reason(&rows[0], "no huge pages");
	ck_assert_int_eq(run(1), 0);
	ck_assert_uint_eq(probe.levels.nr_classes, 0);
	ck_assert_uint_eq(probe.repeats, 0);
	ck_assert_str_eq(reason(0, FZ_PROBE_VICTIM), "no huge pages");
	fz_probe_fini(&probe);
	ck_assert_int_eq(run(0), 0);
	ck_assert_uint_eq(probe.nr_rows, 0);
}
END_TEST

START_TEST(pages_outside_a_folio_are_not_read)
{
	const struct fz_row_probe *found;

	rows[0].config.fault = FZ_FAULT_RANDOM;
	params.repeat = 40;
	ck_assert_int_eq(run(1), 0);
	found = &probe.rows[0];
	ck_assert_uint_eq(found->nr_residency, 11);
	ck_assert_int_eq(found->residency[0].distance_pages, -8);
	ck_assert_uint_lt(found->residency[0].samples, 40);
	ck_assert_uint_eq(found->residency[5].samples, 40);
	ck_assert_uint_lt(found->residency[10].samples, 40);
}
END_TEST

/* All that can lie in a folio, when any page may fault. */
START_TEST(distances_of_random_faults_go_both_ways)
{
	struct fz_row_config config = rows[0].config;
	struct residency r;

	config.fault = FZ_FAULT_RANDOM;
	ck_assert_int_eq(residency_init(&r, &config, 1), 0);
	ck_assert_uint_eq(r.nr, 11);
	ck_assert_int_eq(r.distance[0], -8);
	ck_assert_int_eq(r.distance[5], 0);
	ck_assert_int_eq(r.distance[10], 8);
	residency_fini(&r);
}
END_TEST

static const struct {
	uint64_t nr_pages;
	uint64_t fault_page;
	size_t nr;
	int64_t first;
	int64_t last;
} folios[] = {
	{ 1, 0, 1, 0, 0 },
	{ 2, 1, 2, -1, 0 },
	{ 512, 0, 12, 0, 511 },
	{ 512, 256, 21, -256, 255 },
	{ 512, 511, 12, -511, 0 },
	{ 1 << 18, 1, 22, -1, (1 << 18) - 2 },
	{ 1ull << 40, 1ull << 39, 83, -(1ll << 39), (1ll << 39) - 1 },
};

START_TEST(distances_end_where_the_folio_ends)
{
	struct fz_row_config config = rows[0].config;
	struct residency r;

	config.folio_bytes = folios[_i].nr_pages << FZ_PAGE_SHIFT;
	config.fault_page = folios[_i].fault_page;
	ck_assert_int_eq(residency_init(&r, &config, 1), 0);
	ck_assert_uint_eq(r.nr, folios[_i].nr);
	ck_assert_int_eq(r.distance[0], folios[_i].first);
	ck_assert_int_eq(r.distance[r.nr - 1], folios[_i].last);
	for (size_t i = 1; i < r.nr; i++)
		ck_assert_int_lt(r.distance[i - 1], r.distance[i]);
	residency_fini(&r);
}
END_TEST

START_TEST(samples_become_medians_intervals_and_levels)
{
	static const double ticks[] = { 9.0, 30.0, 10.0, 11.0, 10.0 };
	const struct fz_levels levels = {
		.nr = 2,
		.nr_classes = 2,
		.classes = { { "L1", 9.5 }, { "memory", INFINITY } },
	};
	struct fz_residency found[FZ_MAX_PAGE_DISTANCES];
	struct residency r;

	ck_assert_int_eq(residency_init(&r, &rows[0].config, 8), 0);
	memcpy(r.ticks + 2 * 8, ticks, sizeof(ticks));
	r.nr_samples[2] = 5;
	ck_assert_uint_eq(residency_found(&r, &levels, 1, found), 1);
	ck_assert_int_eq(found[0].distance_pages, -3);
	ck_assert_double_eq(found[0].median_ticks, 10.0);
	ck_assert_double_ge(found[0].ci95_ticks.lo, 9.0);
	ck_assert_double_le(found[0].ci95_ticks.lo, 10.0);
	ck_assert_double_ge(found[0].ci95_ticks.hi, 10.0);
	ck_assert_uint_eq(found[0].samples, 5);
	ck_assert_uint_eq(found[0].class, 1);
	residency_fini(&r);
}
END_TEST

/* Three pairs, of which one was disturbed by something else. */
START_TEST(victims_are_paired)
{
	static const double undisturbed[] = { 100, 200, 100 };
	static const double disturbed[] = { 150, 300, 900 };
	const struct victim_sets sets = {
		.nr = 2,
		.level = { 0, 1 },
		.chase = { { .nr = 10 }, { .nr = 10 } },
	};
	const struct fz_probe found_with = {
		.ns_per_tick = 0.5,
		.levels = { .nr = 3,
			    .level = { { .name = "L1", .set_bytes = 640 },
				       { .name = "L2", .set_bytes = 4096 } },
			    .nr_classes = 2,
			    .classes = { { "L1", 50.0 },
					 { "L2/memory", INFINITY } } },
	};
	struct fz_row_probe found = { .nr_victims = 0 };
	struct victim v;

	ck_assert_int_eq(victim_init(&v, &sets, 4), 0);
	for (size_t i = 0; i < 3; i++) {
		v.undisturbed[i] = undisturbed[i];
		v.disturbed[i] = disturbed[i];
		v.undisturbed[4 + i] = 500.0; /* a load takes 50: memory */
		v.disturbed[4 + i] = 500.0;
	}
	v.nr_samples[0] = v.nr_samples[1] = 3;
	victim_found(&v, &sets, &found_with, 1, &found);
	ck_assert_uint_eq(found.nr_victims, 1);
	ck_assert_uint_eq(found.victims[0].level, 0);
	ck_assert_uint_eq(found.victims[0].loads, 10);
	ck_assert_double_eq(found.victims[0].undisturbed_ns, 50.0);
	ck_assert_double_eq(found.victims[0].disturbed_ns, 150.0);
	ck_assert_double_eq(found.victims[0].slowdown.median, 1.5);
	ck_assert_uint_eq(found.victims[0].slowdown.rounds, 3);
	ck_assert_str_eq(found.reason[FZ_PROBE_VICTIM].msg,
			 "a set of 4K, which should fit into L2, reads like "
			 "memory before anything is zeroed");
	victim_fini(&v);
}
END_TEST

START_TEST(names)
{
	ck_assert_str_eq(fz_probe_name(FZ_PROBE_RESIDENCY), "residency");
	ck_assert_str_eq(fz_probe_name(FZ_PROBE_VICTIM), "victim");
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("sim.probe");
	TCase *tcase = tcase_create("probe");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, every_row_has_every_distance_in_every_repeat);
	tcase_add_test(tcase, folios_were_dirty_and_rows_take_turns);
	tcase_add_test(tcase,
		       an_engine_that_faults_pages_in_gets_unmapped_ones);
	tcase_add_test(tcase, a_row_that_fails_is_out_with_the_reason);
	tcase_add_test(tcase, one_clock_for_all_levels_leaves_no_victim);
	tcase_add_test(tcase, rows_that_cannot_be_probed_say_why);
	tcase_add_test(tcase, what_is_not_wanted_is_not_done);
	tcase_add_test(tcase, a_signal_keeps_what_was_found);
	tcase_add_test(tcase, a_signal_at_once_leaves_reasons);
	tcase_add_test(tcase, repeats_fill_the_budget);
	tcase_add_test(tcase, a_disturbed_sample_is_taken_again);
	tcase_add_test(tcase, progress_counts_rows_of_repeats);
	tcase_add_test(tcase, nothing_to_probe_measures_nothing);
	tcase_add_test(tcase, pages_outside_a_folio_are_not_read);
	tcase_add_test(tcase, distances_of_random_faults_go_both_ways);
	tcase_add_loop_test(tcase, distances_end_where_the_folio_ends, 0,
			    sizeof(folios) / sizeof(folios[0]));
	tcase_add_test(tcase, samples_become_medians_intervals_and_levels);
	tcase_add_test(tcase, victims_are_paired);
	tcase_add_test(tcase, names);
	suite_add_tcase(suite, tcase);
	return suite;
}
