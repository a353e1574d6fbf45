// SPDX-License-Identifier: GPL-2.0-or-later
/* Modelled figures beside probed ones, worked out by hand. */
#include <fz/probe_model.h>

#include <errno.h>
#include <signal.h>
#include <string.h>

#include <fz/policies.h>
#include <fz/probe.h>

#include "fz_test.h"

#define NR_ROWS 2u
#define PAGES   16u

/* Pages 0 to 15 are cleared in ascending order: the last is in L1, the last
 * four are in L2, and with the eight of L3 none is lost before page 8. */
static const struct fz_cache_spec caches = {
	.geometry = { .line_bytes = 64,
		      .nr_levels = 3,
		      .level = { { 4096, 1, FZ_CACHE_PLAIN, 0 },
				 { 16384, 4, FZ_CACHE_PLAIN, 0 },
				 { 32768, 8, FZ_CACHE_PLAIN, 0 } } },
};

static const int64_t distances[] = { -8, -2, 0, 3, 4, 7, 8 };

#define NR_DISTANCES (sizeof(distances) / sizeof(distances[0]))

static struct fz_residency pages[NR_ROWS][NR_DISTANCES];
static struct fz_row_probe found[NR_ROWS];
static struct fz_probe probe;
static struct fz_row rows[NR_ROWS];
static struct fz_probe_model_params params;

static void setup(void)
{
	static const struct fz_level levels[] = {
		{ .name = "L1", .set_bytes = 2048, .median_ticks = 5 },
		{ .name = "L2", .set_bytes = 8192, .median_ticks = 20 },
		{ .name = "L3", .set_bytes = 20480, .median_ticks = 60 },
		{ .name = "memory", .median_ticks = 200 },
	};

	probe = (struct fz_probe){ .levels.nr = 4,
				   .rows = found,
				   .nr_rows = NR_ROWS };
	memcpy(probe.levels.level, levels, sizeof(levels));
	for (size_t i = 0; i < NR_ROWS; i++) {
		found[i] = (struct fz_row_probe){
			.nr_residency = NR_DISTANCES,
			.residency = pages[i],
			.nr_victims = 2,
			.victims = { { .level = 0 }, { .level = 2 } },
		};
		for (size_t j = 0; j < NR_DISTANCES; j++)
			pages[i][j] = (struct fz_residency){
				.distance_pages = distances[j],
			};
		rows[i] = (struct fz_row){
			.config = { .engine = &fz_engine_buffers,
				    .policy = fz_policy_find("contiguous-page"),
				    .clear = fz_clear_find("portable"),
				    .folio_bytes = PAGES * 4096,
				    .fault = FZ_FAULT_AT,
				    .fault_page = 8 },
		};
	}
	params = (struct fz_probe_model_params){ .spec = &caches };
}

static int run(void)
{
	return fz_probe_model(&probe, &params, rows, NR_ROWS);
}

static void check_page(size_t i, unsigned int level, double ticks)
{
	ck_assert_msg(pages[0][i].model_level == level &&
			      pages[0][i].model_ticks == ticks,
		      "distance %d: level %u, %g ticks", (int)distances[i],
		      pages[0][i].model_level, pages[0][i].model_ticks);
}

/* Page 15 is in L1, 12 to 14 in L2, 8 to 11 in L3. */
START_TEST(pages_get_level_and_ticks)
{
	ck_assert_int_eq(run(), 0);
	ck_assert_str_eq(found[0].not_modelled.msg, "");
	check_page(0, 4, 200);
	check_page(1, 4, 200);
	check_page(2, 3, 60);
	check_page(3, 3, 60);
	check_page(4, 2, 20);
	check_page(5, 1, 5);
	check_page(6, 0, 0); /* there is no page 16 */
}
END_TEST

/* A folio of 16 pages pushes all out: half of L1 goes to memory, and so do the
 * five pages that were read of L3, of which L2 never has the next one. */
START_TEST(sets_are_those_that_were_read)
{
	ck_assert_int_eq(run(), 0);
	ck_assert_double_eq(found[0].victims[0].model_slowdown, 200.0 / 5);
	ck_assert_double_eq(found[0].victims[1].model_slowdown, 200.0 / 60);
}
END_TEST

START_TEST(given_latencies_stay)
{
	struct fz_cache_spec spec = caches;

	spec.geometry.level[1].latency_cycles = 14;
	spec.geometry.memory_cycles = 400;
	params.spec = &spec;
	ck_assert_int_eq(run(), 0);
	check_page(1, 4, 400);
	check_page(2, 3, 60);
	check_page(4, 2, 14);
	ck_assert(probe.model.known);
	ck_assert_double_eq(probe.model.spec.geometry.level[0].latency_cycles,
			    5);
}
END_TEST

START_TEST(levels_without_a_latency)
{
	probe.levels.nr = 2; /* L1 and memory, whose time is the second */
	ck_assert_int_eq(run(), 0);
	check_page(1, 4, 20);
	check_page(2, 3, 0);
	check_page(5, 1, 5);
	ck_assert_double_eq(found[0].victims[0].model_slowdown, 20.0 / 5);
	ck_assert_double_eq(found[0].victims[1].model_slowdown, 0);
}
END_TEST

START_TEST(random_faults_are_in_the_middle)
{
	rows[0].config.fault = FZ_FAULT_RANDOM;
	rows[0].config.fault_page = 0;
	ck_assert_int_eq(run(), 0);
	check_page(0, 4, 200);
	check_page(5, 1, 5);
	check_page(6, 0, 0);
}
END_TEST

START_TEST(a_policy_that_is_told_no_page_has_victims)
{
	rows[0].config.policy = fz_policy_find("init-pages");
	rows[0].config.fault = FZ_FAULT_NONE;
	found[0].nr_residency = 0;
	ck_assert_int_eq(run(), 0);
	ck_assert_double_eq(found[0].victims[0].model_slowdown, 200.0 / 5);
}
END_TEST

/* A primitive that goes around the caches, whatever the plan asks for. */
static const struct fz_clear around = { .name = "around", .streaming = true };

START_TEST(primitives_decide)
{
	rows[0].config.clear = &around;
	rows[1].config.policy = fz_policy_find("streaming-neighbourhood-last");
	rows[1].config.stream = rows[1].config.clear;
	ck_assert_int_eq(run(), 0);
	check_page(5, 4, 200);
	ck_assert_double_eq(found[0].victims[0].model_slowdown, 1);
	/* The right-hand pages come first, but none is missing in the caches
	 * for a hint that was not followed. */
	ck_assert_double_gt(found[1].victims[0].model_slowdown, 1);
	ck_assert_double_gt(found[1].victims[1].model_slowdown, 1);
}
END_TEST

START_TEST(rows_that_are_not_modelled_say_why)
{
	rows[0].config.engine = &fz_engine_kernel;
	rows[0].config.policy = NULL;
	rows[1].config.folio_bytes = 1ull << 50;
	rows[1].config.fault_page = 0;
	ck_assert_int_eq(run(), 0);
	ck_assert_str_eq(found[0].not_modelled.msg, "the row runs no plan");
	ck_assert_ptr_nonnull(strstr(found[1].not_modelled.msg, "too large"));
	check_page(2, 0, 0);
}
END_TEST

START_TEST(twins_and_rows_without_figures_are_left_out)
{
	rows[0].twin = &rows[1];
	found[1].nr_residency = found[1].nr_victims = 0;
	ck_assert_int_eq(run(), 0);
	check_page(2, 0, 0);
	ck_assert_str_eq(found[0].not_modelled.msg, "");
	ck_assert_str_eq(found[1].not_modelled.msg, "");
}
END_TEST

START_TEST(no_caches)
{
	params.spec = NULL;
	params.reason = "nobody knows";
	ck_assert_int_eq(run(), 0);
	ck_assert(!probe.model.known);
	ck_assert_str_eq(probe.model.reason.msg, "nobody knows");
	check_page(2, 0, 0);
}
END_TEST

static atomic_int stop;

static void stop_at_second(void *state, size_t done, size_t total,
			   const struct fz_row *row)
{
	ck_assert_ptr_null(state);
	ck_assert_uint_eq(total, NR_ROWS);
	ck_assert_ptr_eq(row, &rows[done]);
	stop = SIGINT;
}

START_TEST(a_signal_stops_it)
{
	stop = 0;
	params.stop = &stop;
	params.progress = stop_at_second;
	ck_assert_int_eq(run(), -EINTR);
	check_page(5, 1, 5);
	ck_assert_str_eq(found[0].not_modelled.msg, "");
	ck_assert_str_eq(found[1].not_modelled.msg, FZ_STOPPED);
	ck_assert_uint_eq(pages[1][5].model_level, 0);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("sim.probe_model");
	TCase *tcase = tcase_create("probe_model");

	tcase_add_checked_fixture(tcase, setup, NULL);
	tcase_add_test(tcase, pages_get_level_and_ticks);
	tcase_add_test(tcase, sets_are_those_that_were_read);
	tcase_add_test(tcase, given_latencies_stay);
	tcase_add_test(tcase, levels_without_a_latency);
	tcase_add_test(tcase, random_faults_are_in_the_middle);
	tcase_add_test(tcase, a_policy_that_is_told_no_page_has_victims);
	tcase_add_test(tcase, primitives_decide);
	tcase_add_test(tcase, rows_that_are_not_modelled_say_why);
	tcase_add_test(tcase, twins_and_rows_without_figures_are_left_out);
	tcase_add_test(tcase, no_caches);
	tcase_add_test(tcase, a_signal_stops_it);
	suite_add_tcase(suite, tcase);
	return suite;
}
