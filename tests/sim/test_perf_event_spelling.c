// SPDX-License-Identifier: GPL-2.0-or-later
/* perf's names of AMD's events, and other CPUs', on CPUs that libpfm is told
 * to see. */
#include <fz/perf_event.h>

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include <fz/counters.h>

#include "fake_perf.h"
#include "fz_test.h"

#define NR(array) ((int)(sizeof(array) / sizeof((array)[0])))

const char *fz_test_skip_reason(void)
{
#if defined(__x86_64__)
	return NULL;
#else
	return "libpfm has the tables of x86 CPUs on x86 only";
#endif
}

#define ZEN3 "amd64_fam19h_zen3"
#define ZEN4 "amd64_fam19h_zen4"

/* Event and mask in AMD's manuals (documents 55898, 55901); each of the two
 * CPUs has other masks that make up the 0xff. */
static const struct {
	const char *cpu;
	const char *name;
	uint64_t config;
	bool user;
} spellings[] = {
	{ ZEN4, "l2_pf_hit_l2.all", 0xff70, false },
	{ ZEN4, "l2_pf_hit_l2", 0xff70, false },
	{ ZEN4, "L2_PF_HIT_L2:ALL", 0xff70, false },
	{ ZEN4, "l2_pf_hit_l2:u", 0xff70, true },
	{ ZEN4, "l2_pf_hit_l2.all:u", 0xff70, true },
	{ ZEN4, "l2_pf_hit_l2.l2_stream", 0x170, false },
	{ ZEN4, "l2_pf_miss_l2_hit_l3.all", 0xff71, false },
	{ ZEN4, "l2_pf_miss_l2_l3.all", 0xff72, false },
	{ ZEN3, "l2_pf_hit_l2.all", 0xff70, false },
	{ ZEN3, "l2_pf_hit_l2", 0xff70, false },
};

START_TEST(names_of_perf_mean_what_they_do_there)
{
	struct fz_perf_event event;
	struct fz_err err = { "" };

	setenv("LIBPFM_FORCE_PMU", spellings[_i].cpu, 1);
	ck_assert_msg(fz_perf_event_find(spellings[_i].name, &event, &err) == 0,
		      "%s", err.msg);
	ck_assert_str_eq(event.name, spellings[_i].name);
	ck_assert_int_eq(event.source, FZ_PERF_PMU);
	ck_assert(!event.foreign);
	ck_assert_uint_eq(event.perf.type, PERF_TYPE_RAW);
	ck_assert_uint_eq(event.perf.config, spellings[_i].config);
	ck_assert_int_eq(event.perf.exclude_kernel, spellings[_i].user);
}
END_TEST

/* AMD has had the latter in other years; libpfm loads no tables behind that of
 * the CPU that it is told to see. */
static const struct {
	const char *cpu;
	const char *own;
	const char *foreign;
} mixed[] = {
	{ ZEN4, "l2_pf_hit_l2.all", "DISPATCHED_FPU:OPS_ADD" },
	{ ZEN4, "l2_pf_hit_l2.all", "dispatched_fpu.ops_add" },
	{ "icl", "L2_LINES_IN:ALL", "l2_pf_hit_l2.all" },
	{ "icl", "L2_LINES_IN:ALL", "L2_PREFETCH_HIT_L2:L2_STREAM" },
};

/* It is found, and nobody is asked to count it. */
START_TEST(another_cpus_events_are_not_opened)
{
	struct fz_counter_list list = { .nr = 2 };
	struct fz_counters *counters = NULL;
	struct fake_perf perf;

	setenv("LIBPFM_FORCE_PMU", mixed[_i].cpu, 1);
	fake_perf_init(&perf);
	ck_assert_int_eq(
		fz_perf_event_find(mixed[_i].own, &list.counter[0].event, NULL),
		0);
	ck_assert_int_eq(fz_perf_event_find(mixed[_i].foreign,
					    &list.counter[1].event, NULL),
			 0);
	ck_assert(list.counter[1].event.foreign);
	ck_assert_int_eq(list.counter[1].event.source, FZ_PERF_PMU);
	ck_assert_int_eq(fz_counters_open(&counters, &perf.hooks, &list, NULL),
			 0);
	ck_assert_int_eq(list.counter[0].code, 0);
	ck_assert_int_eq(list.counter[1].code, -ENOENT);
	ck_assert_uint_eq(fake_perf_open(&perf), 1);
	fz_counters_close(counters);
}
END_TEST

static const struct {
	const char *name;
	int code;
} wrong[] = {
	{ "l2_pf_hit_l2.nosuch", -EINVAL }, { "l2_pf_hit_l2:", -EINVAL },
	{ "l2_pf_hit_l2.all:x", -EINVAL },  { "l2_pf_hit_l", -ENOENT },
	{ "l2_pf_hit_l2x", -ENOENT },       { "dispatched_fp", -ENOENT },
};

START_TEST(other_words_are_none)
{
	struct fz_perf_event event;

	setenv("LIBPFM_FORCE_PMU", ZEN4, 1);
	ck_assert_int_eq(fz_perf_event_find(wrong[_i].name, &event, NULL),
			 wrong[_i].code);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("sim.perf_event_spelling");
	TCase *tcase = tcase_create("perf_event_spelling");

	tcase_add_loop_test(tcase, names_of_perf_mean_what_they_do_there, 0,
			    NR(spellings));
	tcase_add_loop_test(tcase, another_cpus_events_are_not_opened, 0,
			    NR(mixed));
	tcase_add_loop_test(tcase, other_words_are_none, 0, NR(wrong));
	suite_add_tcase(suite, tcase);
	return suite;
}
