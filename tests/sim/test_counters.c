// SPDX-License-Identifier: GPL-2.0-or-later
/* Groups of counters on kernels that refuse, cut short or share them. */
#include <fz/counters.h>

#include <errno.h>
#include <math.h>
#include <string.h>

#include "fake_perf.h"
#include "fz_test.h"

#define NR(array) ((int)(sizeof(array) / sizeof((array)[0])))

static struct fake_perf perf;
static struct fz_counter_list list;
static struct fz_counters *counters;

/* Sources mixed, as people write them. */
static const char *const mixed[] = { "cycles",       "page-faults",
				     "instructions", "context-switches",
				     "r01c2",        "task-clock",
				     "branches" };
#define NR_PMU      4u
#define NR_SOFTWARE 3u

static void setup(void)
{
	fake_perf_init(&perf);
	list = (struct fz_counter_list){ .nr = NR(mixed) };
	for (size_t i = 0; i < list.nr; i++)
		ck_assert_int_eq(fz_perf_event_find(mixed[i],
						    &list.counter[i].event,
						    NULL),
				 0);
}

static void teardown(void)
{
	fz_counters_close(counters);
	counters = NULL;
	ck_assert_uint_eq(fake_perf_open(&perf), 0);
	ck_assert_uint_eq(perf.nr_misuses, 0);
}

static void open_all(void)
{
	struct fz_err err = { "" };

	ck_assert_msg(fz_counters_open(&counters, &perf.hooks, &list, &err) ==
			      0,
		      "%s", err.msg);
}

static struct fz_counts count(void)
{
	struct fz_counts counts = { 0 };

	fz_counters_begin(counters);
	perf.now_ns += 10000;
	fz_counters_end(counters, &counts);
	return counts;
}

static struct fz_counter *named(const char *name)
{
	for (size_t i = 0; i < list.nr; i++)
		if (strcmp(list.counter[i].event.name, name) == 0)
			return &list.counter[i];
	ck_abort_msg("no %s", name);
	return NULL;
}

/* Which of them do not have the value that the time asks for. */
static size_t nr_wrong(const struct fz_counts *counts)
{
	size_t nr = 0;

	for (size_t i = 0; i < list.nr; i++) {
		const struct fz_count *one = &counts->of[i];
		const uint64_t rate =
			fake_perf_rate(&list.counter[i].event.perf);

		nr += one->lost || one->enabled_ns < 10000 ||
		      one->value != one->running_ns / 100 * rate;
	}
	return nr;
}

START_TEST(one_group_of_each_source)
{
	struct fz_counts counts;

	open_all();
	ck_assert_uint_eq(fake_perf_groups(&perf, FZ_PERF_PMU), 1);
	ck_assert_uint_eq(fake_perf_groups(&perf, FZ_PERF_SOFTWARE), 1);
	perf.nr_reads = 0;
	counts = count();
	ck_assert_uint_eq(perf.nr_reads, 4);
	ck_assert_uint_eq(nr_wrong(&counts), 0);
	for (size_t i = 0; i < list.nr; i++)
		ck_assert_int_eq(
			fz_counter_status(&list.counter[i], &counts.of[i]),
			FZ_COUNTER_COUNTED);
}
END_TEST

static const int full[] = { -EINVAL, -ENOSPC };

START_TEST(several_groups_if_one_is_too_small)
{
	struct fz_counts counts;

	perf.room = 3;
	perf.join_code = full[_i];
	open_all();
	ck_assert_uint_eq(fake_perf_groups(&perf, FZ_PERF_PMU), 2);
	ck_assert_uint_eq(fake_perf_open(&perf), NR_PMU + NR_SOFTWARE);
	counts = count();
	ck_assert_uint_eq(nr_wrong(&counts), 0);
}
END_TEST

/* A watchdog has one of the counters that the kernel promised. */
START_TEST(a_group_that_never_runs_is_split)
{
	struct fz_counts counts;

	perf.runs = 2;
	open_all();
	ck_assert_uint_eq(fake_perf_groups(&perf, FZ_PERF_PMU), NR_PMU);
	ck_assert_uint_eq(fake_perf_groups(&perf, FZ_PERF_SOFTWARE), 1);
	counts = count();
	ck_assert_uint_eq(nr_wrong(&counts), 0);
}
END_TEST

START_TEST(a_part_of_the_time_stands_for_all)
{
	struct fz_counts counts;

	perf.running_pct = 35;
	open_all();
	counts = count();
	ck_assert_int_eq(fz_counter_status(named("cycles"), &counts.of[0]),
			 FZ_COUNTER_SCALED);
	ck_assert_double_eq_tol(
		fz_count_scaled(&counts.of[0]),
		(double)counts.of[0].enabled_ns / 100.0 *
			(double)fake_perf_rate(&list.counter[0].event.perf),
		5000.0);
	ck_assert_int_eq(fz_counter_status(named("page-faults"), &counts.of[1]),
			 FZ_COUNTER_COUNTED);
}
END_TEST

START_TEST(what_never_ran_has_no_value)
{
	struct fz_counts counts;

	perf.runs = 0;
	open_all();
	counts = count();
	ck_assert_int_eq(named("cycles")->code, 0);
	ck_assert_int_eq(fz_counter_status(named("cycles"), &counts.of[0]),
			 FZ_COUNTER_UNSUPPORTED);
	ck_assert(isnan(fz_count_scaled(&counts.of[0])));
}
END_TEST

static const struct {
	int no_pmu;
	struct fz_perf_rights rights;
	enum fz_counter_status status;
	const char *reason;
} refusals[] = {
	{ -ENOENT,
	  { .paranoid = 2, .virtualised = true },
	  FZ_COUNTER_UNSUPPORTED,
	  "ENOENT: no hardware counters (virtual machine)" },
	{ -EOPNOTSUPP,
	  { .paranoid = 2 },
	  FZ_COUNTER_UNSUPPORTED,
	  "EOPNOTSUPP: no hardware counters" },
	{ -ENOENT,
	  { .paranoid = 2, .has_pmu = true },
	  FZ_COUNTER_UNSUPPORTED,
	  "ENOENT: this CPU does not count it" },
	{ -EACCES,
	  { .paranoid = 3 },
	  FZ_COUNTER_DENIED,
	  "EACCES: perf_event_paranoid is 3; needs CAP_PERFMON" },
	{ -EPERM,
	  { .paranoid = INT32_MIN },
	  FZ_COUNTER_DENIED,
	  "EPERM: needs CAP_PERFMON" },
	{ -EMFILE,
	  { .paranoid = 2 },
	  FZ_COUNTER_UNSUPPORTED,
	  "EMFILE: too many open files: raise 'ulimit -n'" },
	{ -ENOSYS,
	  { .paranoid = 2 },
	  FZ_COUNTER_UNSUPPORTED,
	  "ENOSYS: the kernel has no perf events" },
};

START_TEST(a_refusal_has_a_reason)
{
	struct fz_counter tried;
	struct fz_counts counts;

	perf.no_pmu = refusals[_i].no_pmu;
	open_all();
	counts = count();
	ck_assert_int_eq(fz_counter_status(named("cycles"), &counts.of[0]),
			 refusals[_i].status);
	ck_assert(isnan(fz_count_scaled(&counts.of[0])));
	ck_assert_int_eq(fz_counter_status(named("page-faults"), &counts.of[1]),
			 FZ_COUNTER_COUNTED);
	ck_assert_uint_eq(fake_perf_open(&perf), NR_SOFTWARE);
	tried = fz_counter_try(&perf.hooks, &list.counter[0].event,
			       &refusals[_i].rights);
	ck_assert_int_eq(tried.code, refusals[_i].no_pmu);
	ck_assert_str_eq(tried.reason, refusals[_i].reason);
}
END_TEST

START_TEST(without_the_right_to_the_kernel)
{
	const struct fz_perf_rights rights = { .paranoid = 2 };
	struct fz_counts counts;
	struct fz_counter tried;

	perf.deny_kernel = -EACCES;
	open_all();
	counts = count();
	ck_assert_str_eq(fz_counter_mode(named("cycles")), "user");
	ck_assert(named("cycles")->user_only);
	ck_assert_str_eq(fz_counter_mode(named("page-faults")), "user");
	/* The thread's time, whatever is excluded. */
	ck_assert_str_eq(fz_counter_mode(named("task-clock")), "user+kernel");
	ck_assert(!named("task-clock")->user_only);
	/* It would be 0 for ever. */
	ck_assert_int_eq(named("context-switches")->code, -EACCES);
	ck_assert_int_eq(fz_counter_status(named("cycles"), &counts.of[0]),
			 FZ_COUNTER_COUNTED);
	tried = fz_counter_try(&perf.hooks, &list.counter[0].event, &rights);
	ck_assert_int_eq(tried.code, 0);
	fz_counter_explain(named("cycles"), &rights);
	ck_assert_str_eq(named("cycles")->reason,
			 "perf_event_paranoid is 2; needs CAP_PERFMON");
}
END_TEST

START_TEST(nothing_at_all)
{
	perf.deny_all = -EACCES;
	open_all();
	count();
	for (size_t i = 0; i < list.nr; i++)
		ck_assert_int_eq(list.counter[i].code, -EACCES);
	ck_assert_uint_eq(list.read_ns, 0);
	ck_assert_uint_eq(perf.nr_reads, 0);
}
END_TEST

/* At every open once. */
START_TEST(files_run_out_midway)
{
	struct fz_counts counts;
	size_t nr = 0;

	perf.fail_from = (unsigned int)_i;
	perf.fail_code = -EMFILE;
	open_all();
	ck_assert_uint_eq(fake_perf_open(&perf), (size_t)_i - 1);
	counts = count();
	for (size_t i = 0; i < list.nr; i++) {
		nr += list.counter[i].code == -EMFILE;
		ck_assert_int_eq(list.counter[i].code != 0,
				 counts.of[i].value == 0);
	}
	ck_assert_uint_eq(nr, list.nr + 1 - (size_t)_i);
}
END_TEST

START_TEST(a_group_that_cannot_be_enabled)
{
	perf.enable_code = -EINVAL;
	open_all();
	count();
	for (size_t i = 0; i < list.nr; i++)
		ck_assert_int_eq(list.counter[i].code, -EINVAL);
}
END_TEST

/* The first read of a round, or one of the last. */
START_TEST(a_short_read_loses_a_round)
{
	struct fz_counts sum = { 0 }, counts = { 0 };

	open_all();
	if (_i == 0)
		perf.short_reads = 1;
	fz_counters_begin(counters);
	if (_i == 1)
		perf.short_reads = 1;
	fz_counters_end(counters, &counts);
	ck_assert(counts.of[0].lost);
	ck_assert(!counts.of[1].lost);
	fz_counts_add(&sum, &counts);
	counts = count();
	ck_assert_uint_eq(nr_wrong(&counts), 0);
	fz_counts_add(&sum, &counts);
	ck_assert(isnan(fz_count_scaled(&sum.of[0])));
	ck_assert_int_eq(fz_counter_status(named("cycles"), &sum.of[0]),
			 FZ_COUNTER_UNSUPPORTED);
	ck_assert(fz_count_scaled(&sum.of[1]) > 0.0);
}
END_TEST

START_TEST(no_counters_are_no_work)
{
	struct fz_counts counts = { 0 };

	fz_counters_begin(NULL);
	fz_counters_end(NULL, &counts);
	fz_counters_close(NULL);
	ck_assert_uint_eq(perf.nr_reads, 0);
}
END_TEST

static const struct {
	struct fz_count count;
	double scaled;
} scales[] = {
	{ { 100, 100, 35, false }, 100.0 * 100.0 / 35.0 },
	{ { 35, 100, 35, false }, 100.0 },
	{ { UINT64_MAX / 2, 7, 7, false }, 0x1p63 },
	{ { 0, 100, 100, false }, 0.0 },
	{ { 7, 100, 0, false }, NAN },
	{ { 0, 0, 0, false }, NAN },
	{ { 7, 100, 100, true }, NAN },
};

START_TEST(values_are_scaled)
{
	const double scaled = fz_count_scaled(&scales[_i].count);

	if (isnan(scales[_i].scaled))
		ck_assert(isnan(scaled));
	else
		ck_assert_double_eq_tol(scaled, scales[_i].scaled, 1e-9);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("sim.counters");
	TCase *tcase = tcase_create("counters");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, one_group_of_each_source);
	tcase_add_loop_test(tcase, several_groups_if_one_is_too_small, 0,
			    NR(full));
	tcase_add_test(tcase, a_group_that_never_runs_is_split);
	tcase_add_test(tcase, a_part_of_the_time_stands_for_all);
	tcase_add_test(tcase, what_never_ran_has_no_value);
	tcase_add_loop_test(tcase, a_refusal_has_a_reason, 0, NR(refusals));
	tcase_add_test(tcase, without_the_right_to_the_kernel);
	tcase_add_test(tcase, nothing_at_all);
	tcase_add_loop_test(tcase, files_run_out_midway, 1, NR(mixed) + 1);
	tcase_add_test(tcase, a_group_that_cannot_be_enabled);
	tcase_add_loop_test(tcase, a_short_read_loses_a_round, 0, 2);
	tcase_add_test(tcase, no_counters_are_no_work);
	tcase_add_loop_test(tcase, values_are_scaled, 0, NR(scales));
	suite_add_tcase(suite, tcase);
	return suite;
}
