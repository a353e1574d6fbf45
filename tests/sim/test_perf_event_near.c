// SPDX-License-Identifier: GPL-2.0-or-later
/* Names of a vendor's events, on a CPU that libpfm is told to see. */
#include <fz/perf_event.h>

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

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

static void setup(void)
{
	setenv("LIBPFM_FORCE_PMU", "amd64_fam19h_zen4", 1);
}

static const char *const spellings[] = {
	"L2_PREFETCH_HIT_L2:L2_STREAM",
	"l2_prefetch_hit_l2:l2_stream",
	"l2_prefetch_hit_l2.l2_stream",
	"amd64_fam19h_zen4::L2_PREFETCH_HIT_L2:L2_STREAM",
};

/* Event 0x70, mask 0x01, in AMD's manual of that CPU (document 55901). */
START_TEST(masks_after_colons_and_dots)
{
	struct fz_perf_event event;

	ck_assert_int_eq(fz_perf_event_find(spellings[_i], &event, NULL), 0);
	ck_assert_int_eq(event.source, FZ_PERF_PMU);
	ck_assert_uint_eq(event.perf.type, PERF_TYPE_RAW);
	ck_assert_uint_eq(event.perf.config, 0x170);
}
END_TEST

static bool is_near(const char *word, const char *name)
{
	struct fz_perf_near near;

	fz_perf_events_near(word, &near);
	for (size_t i = 0; i < near.nr; i++)
		if (strcmp(near.name[i], name) == 0)
			return true;
	return false;
}

/* perf's own tables shorten the names of the manual. */
START_TEST(a_short_form_finds_its_event)
{
	ck_assert(is_near("l2_pf_hit_l2.all", "L2_PREFETCH_HIT_L2"));
	ck_assert(is_near("l2_pf_hit_l2", "L2_PREFETCH_HIT_L2"));
	ck_assert(!is_near("l2_pf_hit_l2", "RETIRED_INSTRUCTIONS"));
}
END_TEST

START_TEST(an_event_without_its_mask)
{
	struct fz_perf_event event;
	struct fz_perf_near near;
	struct fz_err err = { "" };

	ck_assert_int_eq(fz_perf_event_find("L2_PREFETCH_HIT_L2", &event, &err),
			 -EINVAL);
	ck_assert_ptr_nonnull(strstr(err.msg, "mask"));
	ck_assert(is_near("l2_prefetch_hit_l2", "L2_PREFETCH_HIT_L2:L2_BURST"));
	ck_assert(is_near("l2_prefetch_hit_l2.l2_strem",
			  "L2_PREFETCH_HIT_L2:L2_STREAM"));
	fz_perf_events_near("l2_prefetch_hit_l2.l2_strem", &near);
	ck_assert_str_eq(near.name[0], "L2_PREFETCH_HIT_L2:L2_STREAM");
	ck_assert_uint_le(near.nr, FZ_PERF_MAX_NEAR);
}
END_TEST

static bool count_wrong(void *arg, const struct fz_perf_event_entry *entry)
{
	unsigned int *nr = arg; /* [2] entries, and those that are no names */
	struct fz_perf_event event;

	nr[0]++;
	nr[1] +=
		entry->generic || fz_perf_event_find(entry->name, &event, NULL);
	return true;
}

START_TEST(what_is_listed_can_be_asked_for)
{
	unsigned int nr[2] = { 0 };

	fz_perf_events_each(count_wrong, nr);
	ck_assert_uint_gt(nr[0], 100);
	ck_assert_uint_eq(nr[1], 0);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("sim.perf_event_near");
	TCase *tcase = tcase_create("perf_event_near");

	tcase_add_unchecked_fixture(tcase, setup, NULL);
	tcase_add_loop_test(tcase, masks_after_colons_and_dots, 0,
			    NR(spellings));
	tcase_add_test(tcase, a_short_form_finds_its_event);
	tcase_add_test(tcase, an_event_without_its_mask);
	tcase_add_test(tcase, what_is_listed_can_be_asked_for);
	suite_add_tcase(suite, tcase);
	return suite;
}
