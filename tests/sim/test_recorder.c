// SPDX-License-Identifier: GPL-2.0-or-later
/* Draining records: spans become samples, and none wraps. */
#include <fz/recorder.h>

#include "fz_test.h"

#define NR(array) ((int)(sizeof(array) / sizeof((array)[0])))

static const struct {
	uint64_t begin;
	uint64_t end;
	uint64_t marks[3];
	uint64_t ticks;
	uint64_t stretches[2];
} folios[] = {
	{ 100, 150, { 100, 120, 150 }, 50, { 20, 30 } },
	{ 100, 100, { 100, 100, 100 }, 0, { 0, 0 } },
	/* The clock stepped back: no time, and not 584 years. */
	{ 150, 100, { 150, 120, 130 }, 0, { 0, 10 } },
	{ 100, 150, { 100, 130, 129 }, 50, { 30, 0 } },
	{ UINT64_MAX, 0, { UINT64_MAX, 0, 5 }, 0, { 0, 5 } },
};

START_TEST(spans_never_wrap)
{
	uint64_t marks[3];
	struct fz_folio_record folio = {
		.begin = folios[_i].begin,
		.end = folios[_i].end,
		.nr_marks = 3,
	};
	struct fz_recorder recorder = {
		.marks = marks,
		.nr_marks = 3,
		.max_marks = 3,
		.folios = &folio,
		.nr_folios = 1,
		.max_folios = 1,
	};
	const struct fz_clock clock = { 1.0 };
	static struct fz_samples samples;
	const uint64_t *want = folios[_i].stretches;

	for (int i = 0; i < 3; i++)
		marks[i] = folios[_i].marks[i];
	fz_samples_init(&samples);
	ck_assert_uint_eq(fz_recorder_drain(&recorder, &clock, &samples),
			  folios[_i].ticks);
	ck_assert_double_eq(fz_histogram_mean(&samples.fault_ns),
			    (double)folios[_i].ticks);
	ck_assert_double_eq(fz_histogram_mean(&samples.stretch_ns),
			    (double)(want[0] + want[1]) / 2.0);
	ck_assert_uint_eq(fz_histogram_quantile(&samples.stretch_ns, 1.0),
			  want[0] > want[1] ? want[0] : want[1]);
	ck_assert_uint_eq(recorder.nr_folios, 0);
	ck_assert_uint_eq(recorder.nr_marks, 0);
}
END_TEST

START_TEST(a_warm_up_is_thrown_away)
{
	struct fz_folio_record folio[2] = { { .begin = 1, .end = 4 },
					    { .begin = 9, .end = 2 } };
	struct fz_recorder recorder = {
		.folios = folio,
		.nr_folios = 2,
		.max_folios = 2,
	};
	const struct fz_clock clock = { 1.0 };

	ck_assert(!fz_recorder_has_room(&recorder, 0));
	ck_assert_uint_eq(fz_recorder_drain(&recorder, &clock, NULL), 3);
	ck_assert(fz_recorder_has_room(&recorder, 0));
	ck_assert(!fz_recorder_has_room(&recorder, 1));
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("recorder");
	TCase *tcase = tcase_create("recorder");

	tcase_add_loop_test(tcase, spans_never_wrap, 0, NR(folios));
	tcase_add_test(tcase, a_warm_up_is_thrown_away);
	suite_add_tcase(suite, tcase);
	return suite;
}
