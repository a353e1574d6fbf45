// SPDX-License-Identifier: GPL-2.0-or-later
/* Names of events that any CPU may have, and words that are none. */
#include <fz/perf_event.h>

#include <ctype.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#include <fz/random.h>

#include "fz_test.h"

#define NR(array) ((int)(sizeof(array) / sizeof((array)[0])))

#define L1D_READ(result)                                              \
	(PERF_COUNT_HW_CACHE_L1D | PERF_COUNT_HW_CACHE_OP_READ << 8 | \
	 (result) << 16)

/* The kernel's header says what perf's names are. */
static const struct {
	const char *name;
	enum fz_perf_source source;
	struct fz_perf_config perf;
} known[] = {
	{ "cycles",
	  FZ_PERF_PMU,
	  { .type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_CPU_CYCLES } },
	{ "cpu-cycles",
	  FZ_PERF_PMU,
	  { .type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_CPU_CYCLES } },
	{ "instructions:u",
	  FZ_PERF_PMU,
	  { .type = PERF_TYPE_HARDWARE,
	    .config = PERF_COUNT_HW_INSTRUCTIONS,
	    .exclude_kernel = true } },
	{ "instructions.k",
	  FZ_PERF_PMU,
	  { .type = PERF_TYPE_HARDWARE,
	    .config = PERF_COUNT_HW_INSTRUCTIONS,
	    .exclude_user = true } },
	{ "L1-dcache-loads",
	  FZ_PERF_PMU,
	  { .type = PERF_TYPE_HW_CACHE,
	    .config = L1D_READ(PERF_COUNT_HW_CACHE_RESULT_ACCESS) } },
	{ "L1-dcache-load-misses",
	  FZ_PERF_PMU,
	  { .type = PERF_TYPE_HW_CACHE,
	    .config = L1D_READ(PERF_COUNT_HW_CACHE_RESULT_MISS) } },
	{ "r01c2", FZ_PERF_PMU, { .type = PERF_TYPE_RAW, .config = 0x01c2 } },
	{ "rFFFFffffFF",
	  FZ_PERF_PMU,
	  { .type = PERF_TYPE_RAW, .config = 0xffffffffffull } },
	{ "page-faults",
	  FZ_PERF_SOFTWARE,
	  { .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_PAGE_FAULTS } },
	{ "faults:u",
	  FZ_PERF_SOFTWARE,
	  { .type = PERF_TYPE_SOFTWARE,
	    .config = PERF_COUNT_SW_PAGE_FAULTS,
	    .exclude_kernel = true } },
	{ "minor-faults",
	  FZ_PERF_SOFTWARE,
	  { .type = PERF_TYPE_SOFTWARE,
	    .config = PERF_COUNT_SW_PAGE_FAULTS_MIN } },
	{ "major-faults",
	  FZ_PERF_SOFTWARE,
	  { .type = PERF_TYPE_SOFTWARE,
	    .config = PERF_COUNT_SW_PAGE_FAULTS_MAJ } },
	{ "cpu-migrations",
	  FZ_PERF_SOFTWARE,
	  { .type = PERF_TYPE_SOFTWARE,
	    .config = PERF_COUNT_SW_CPU_MIGRATIONS } },
	{ "task-clock",
	  FZ_PERF_SOFTWARE,
	  { .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_TASK_CLOCK } },
	/* All of the thread's time, whatever is excluded. */
	{ "cpu-clock:u",
	  FZ_PERF_SOFTWARE,
	  { .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CPU_CLOCK } },
	{ "task-clock:k",
	  FZ_PERF_SOFTWARE,
	  { .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_TASK_CLOCK } },
	/* In user mode alone it would always be 0. */
	{ "context-switches:u",
	  FZ_PERF_SOFTWARE,
	  { .type = PERF_TYPE_SOFTWARE,
	    .config = PERF_COUNT_SW_CONTEXT_SWITCHES } },
};

START_TEST(names_are_those_of_perf)
{
	struct fz_perf_event event;
	struct fz_err err = { "" };

	ck_assert_msg(fz_perf_event_find(known[_i].name, &event, &err) == 0,
		      "%s", err.msg);
	ck_assert_str_eq(event.name, known[_i].name);
	ck_assert_int_eq(event.source, known[_i].source);
	ck_assert_uint_eq(event.perf.type, known[_i].perf.type);
	ck_assert_uint_eq(event.perf.config, known[_i].perf.config);
	ck_assert_int_eq(event.perf.exclude_user, known[_i].perf.exclude_user);
	ck_assert_int_eq(event.perf.exclude_kernel,
			 known[_i].perf.exclude_kernel);
	ck_assert_int_eq(fz_perf_event_is_clock(&event),
			 strstr(known[_i].name, "-clock") != NULL);
}
END_TEST

static const struct {
	const char *word;
	int code;
	const char *says;
} unknown[] = {
	{ "", -ENOENT, "unknown event ''" },
	{ "nosuch", -ENOENT, "unknown event 'nosuch'" },
	{ "r", -ENOENT, "unknown event 'r'" },
	{ "rxyz", -ENOENT, "unknown event 'rxyz'" },
	{ "r11112222333344445", -ENOENT, "unknown event" },
	{ "page faults", -ENOENT, "unknown event 'page faults'" },
	{ "cycles\n", -ENOENT, "unknown event" },
	{ "\"cycles\"", -ENOENT, "unknown event" },
	{ "cycles,instructions", -ENOENT, "unknown event" },
	{ "cycles:nosuch", -EINVAL, "no such mask" },
	{ "cycles:", -EINVAL, "no such mask" },
	{ "r01c2r01c2r01c2r01c2r01c2r01c2r01c2r01c2r01c2r01c2r01c2r01c2r01c2"
	  "r01c2r01c2r01c2",
	  -ENOENT, "unknown event" },
};

START_TEST(other_words_are_none)
{
	struct fz_perf_event event = { .name = "untouched" };
	struct fz_err err = { "" };

	ck_assert_int_eq(fz_perf_event_find(unknown[_i].word, &event, &err),
			 unknown[_i].code);
	ck_assert_msg(strstr(err.msg, unknown[_i].says) != NULL, "%s", err.msg);
	ck_assert_str_eq(event.name, "untouched");
}
END_TEST

/* Names that were found are keys of JSON and columns of CSV. */
static bool is_key(const char *name)
{
	for (; *name; name++)
		if (!isgraph((unsigned char)*name) || strchr("\",", *name))
			return false;
	return true;
}

START_TEST(mutated_names_are_found_or_refused)
{
	struct fz_random random = fz_random_begin(7, 0);
	unsigned int nr_found = 0, nr_wrong = 0;

	for (unsigned int i = 0; i < 5000; i++) {
		const char *name =
			known[fz_random_next(&random) % NR(known)].name;
		struct fz_perf_near near;
		struct fz_perf_event event;
		char word[FZ_PERF_EVENT_BYTES + 8];
		size_t len = strlen(name);

		memcpy(word, name, len + 1);
		for (unsigned int n = 0; n < 1 + i % 3; n++)
			word[fz_random_next(&random) % (len + 1)] =
				(char)(fz_random_next(&random) % 128);
		word[len + 1] = '\0';
		if (fz_perf_event_find(word, &event, NULL) == 0) {
			nr_found++;
			nr_wrong += !is_key(event.name) ||
				    strcmp(event.name, word) != 0;
		} else if (i % 50 == 0) {
			fz_perf_events_near(word, &near);
			nr_wrong += near.nr > FZ_PERF_MAX_NEAR;
		}
	}
	ck_assert_uint_gt(nr_found, 0);
	ck_assert_uint_eq(nr_wrong, 0);
}
END_TEST

struct listed {
	struct fz_perf_config perf[256];
	size_t nr;
	size_t nr_wrong;
};

static bool check_entry(void *arg, const struct fz_perf_event_entry *entry)
{
	struct listed *listed = arg;
	struct fz_perf_event event = { .name = "" };

	if (!entry->generic)
		return true;
	listed->nr_wrong += listed->nr == 256 || !entry->summary ||
			    !entry->pmu ||
			    fz_perf_event_find(entry->name, &event, NULL) != 0;
	for (size_t i = 0; i < listed->nr; i++)
		listed->nr_wrong += listed->perf[i].type == event.perf.type &&
				    listed->perf[i].config == event.perf.config;
	listed->perf[listed->nr++] = event.perf;
	return true;
}

START_TEST(generic_names_are_listed_once)
{
	struct listed listed = { .nr = 0 };

	fz_perf_events_each(check_entry, &listed);
	ck_assert_uint_gt(listed.nr, 20);
	ck_assert_uint_eq(listed.nr_wrong, 0);
}
END_TEST

static bool count_to_three(void *arg, const struct fz_perf_event_entry *entry)
{
	(void)entry;
	return ++*(unsigned int *)arg < 3;
}

START_TEST(a_walk_can_be_ended)
{
	unsigned int nr = 0;

	fz_perf_events_each(count_to_three, &nr);
	ck_assert_uint_eq(nr, 3);
}
END_TEST

static const struct {
	const char *word;
	const char *first; /* NULL = nothing is near */
} typed[] = {
	{ "cyclez", "cycles" },
	{ "page_faults", "page-faults" },
	{ "L1-dcache-lod", "L1-dcache-loads" },
	{ "contextswitches", "context-switches" },
	{ "perf::cycle", "cycles" },
	{ "instr:u", NULL },
	{ "", NULL },
	{ ":u", NULL },
	{ "zzzzzzzzzzzzzz", NULL },
};

START_TEST(a_slip_finds_its_name)
{
	struct fz_perf_near near;

	fz_perf_events_near(typed[_i].word, &near);
	if (typed[_i].first)
		ck_assert_str_eq(near.nr ? near.name[0] : "nothing",
				 typed[_i].first);
	else
		ck_assert_str_eq(near.nr ? near.name[0] : "", "");
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("sim.perf_event");
	TCase *tcase = tcase_create("perf_event");

	tcase_set_timeout(tcase, 30);
	tcase_add_loop_test(tcase, names_are_those_of_perf, 0, NR(known));
	tcase_add_loop_test(tcase, other_words_are_none, 0, NR(unknown));
	tcase_add_test(tcase, mutated_names_are_found_or_refused);
	tcase_add_test(tcase, generic_names_are_listed_once);
	tcase_add_test(tcase, a_walk_can_be_ended);
	tcase_add_loop_test(tcase, a_slip_finds_its_name, 0, NR(typed));
	suite_add_tcase(suite, tcase);
	return suite;
}
