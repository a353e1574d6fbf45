// SPDX-License-Identifier: GPL-2.0-or-later
/* What the beginning of a recording tells: granularity and events. */
#include <stdlib.h>

#include <fz/folio.h>
#include <fz/random.h>
#include <fz/survey.h>

#include "fz_test.h"
#include "made_faults.h"

#define BASE      (0x7f0000000000ull)
#define HUGE      (2ull << 20)
#define NR_FAULTS 1000u

static struct fz_fault records[4 * NR_FAULTS];

static struct fz_survey *survey_of(struct made_faults *made, size_t max)
{
	struct fz_survey *survey = NULL;
	struct fz_err err = { "" };

	ck_assert_int_eq(fz_survey_open(&survey, made_source(made), max, &err),
			 0);
	return survey;
}

static uint64_t granularity(size_t nr)
{
	struct made_faults made = { .records = records, .nr = nr };
	struct fz_survey *survey = survey_of(&made, FZ_SURVEY_RECORDS);
	const struct fz_granularity found = fz_survey_granularity(survey);

	fz_survey_close(survey);
	return found.bytes;
}

/* In order, backwards, and at random pages: each block once. */
START_TEST(blocks_with_one_fault_each)
{
	static const uint64_t sizes[] = { 16 << 10, 64 << 10, HUGE, 32 << 20 };
	const uint64_t bytes = sizes[_i];
	struct fz_random random = fz_random_begin(1, (uint64_t)_i);

	for (unsigned int i = 0; i < NR_FAULTS; i++)
		records[i] = made_fault(1, BASE + i * bytes, i);
	ck_assert_uint_eq(granularity(NR_FAULTS), bytes);
	for (unsigned int i = 0; i < NR_FAULTS; i++)
		records[i].addr = BASE + (NR_FAULTS - i) * bytes +
				  fz_random_below(&random, bytes);
	ck_assert_uint_eq(granularity(NR_FAULTS), bytes);
}
END_TEST

/* Two in three faults are of a start-up with small pages. */
START_TEST(beside_small_pages)
{
	for (unsigned int i = 0; i < NR_FAULTS; i++)
		records[i] = made_fault(1, BASE + i * HUGE, i);
	for (unsigned int i = NR_FAULTS; i < 3 * NR_FAULTS; i++)
		records[i] = made_fault(1, i * FZ_PAGE_BYTES, i);
	ck_assert_uint_eq(granularity(3 * NR_FAULTS), HUGE);
}
END_TEST

START_TEST(small_pages_are_small)
{
	struct fz_random random = fz_random_begin(2, 1);

	for (unsigned int i = 0; i < NR_FAULTS; i++)
		records[i] = made_fault(1, BASE + i * FZ_PAGE_BYTES, i);
	ck_assert_uint_eq(granularity(NR_FAULTS), FZ_PAGE_BYTES);
	/* Scattered, as many as blocks of 2 MiB, or half, or twice as many. */
	for (unsigned int factor = 1; factor <= 4; factor *= 2) {
		for (unsigned int i = 0; i < NR_FAULTS; i++)
			records[i].addr =
				BASE +
				fz_random_below(&random,
						NR_FAULTS * HUGE * factor / 2);
		ck_assert_uint_eq(granularity(NR_FAULTS), FZ_PAGE_BYTES);
	}
	/* Of as many processes as faults. */
	for (unsigned int i = 0; i < NR_FAULTS; i++)
		records[i] = made_fault(i, BASE + i * HUGE, i);
	ck_assert_uint_eq(granularity(NR_FAULTS), FZ_PAGE_BYTES);
	ck_assert_uint_eq(granularity(0), FZ_PAGE_BYTES);
	ck_assert_uint_eq(granularity(1), FZ_PAGE_BYTES);
}
END_TEST

/* Faults that zero nothing tell nothing of folios. */
START_TEST(only_what_zeroes_counts)
{
	for (unsigned int i = 0; i < NR_FAULTS; i++)
		records[i] = made_tracepoint(1, BASE + i * HUGE, i,
					     i % 2 ? MADE_READ : MADE_COPY);
	ck_assert_uint_eq(granularity(NR_FAULTS), FZ_PAGE_BYTES);
}
END_TEST

static size_t drain(struct fz_survey *survey, unsigned int *events)
{
	struct fz_fault got[7];
	size_t nr = 0;
	ssize_t n;

	*events = 0;
	while ((n = fz_survey_source(survey).next(survey, got, 7, NULL)) > 0) {
		for (ssize_t i = 0; i < n; i++)
			*events |= 1u << got[i].event;
		nr += (size_t)n;
	}
	ck_assert_int_eq(n, 0);
	return nr;
}

/* One event for one fault; records of other kinds pass. */
START_TEST(one_event_for_one_fault)
{
	static const struct {
		enum fz_event events[3];
		unsigned int used;
	} cases[] = {
		{ { FZ_EVENT_PAGE_FAULTS, FZ_EVENT_USER_FAULT, FZ_EVENT_EXEC },
		  1u << FZ_EVENT_USER_FAULT | 1u << FZ_EVENT_EXEC },
		{ { FZ_EVENT_PAGE_FAULTS, FZ_EVENT_MINOR_FAULTS,
		    FZ_EVENT_MAJOR_FAULTS },
		  1u << FZ_EVENT_PAGE_FAULTS },
		{ { FZ_EVENT_MINOR_FAULTS, FZ_EVENT_MAJOR_FAULTS,
		    FZ_EVENT_MMAP },
		  1u << FZ_EVENT_MINOR_FAULTS | 1u << FZ_EVENT_MAJOR_FAULTS |
			  1u << FZ_EVENT_MMAP },
		{ { FZ_EVENT_KERNEL_FAULT, FZ_EVENT_USER_FAULT,
		    FZ_EVENT_MINOR_FAULTS },
		  1u << FZ_EVENT_KERNEL_FAULT | 1u << FZ_EVENT_USER_FAULT },
	};
	struct made_faults made = { .records = records,
				    .nr = NR_FAULTS * 3,
				    .most = 5 };
	uint64_t dropped = 0;
	unsigned int events, used = 0;
	struct fz_survey *survey;
	size_t nr;

	for (unsigned int i = 0; i < 3 * NR_FAULTS; i++) {
		records[i] = made_fault(1, BASE, i);
		records[i].event = (uint8_t)cases[_i].events[i % 3];
	}
	/* Fewer are looked at than there are. */
	survey = survey_of(&made, 10);
	nr = drain(survey, &events);
	for (unsigned int e = 0; e < FZ_NR_EVENTS; e++) {
		dropped += fz_survey_dropped(survey, (enum fz_event)e);
		if (fz_event_is_fault((enum fz_event)e))
			used |= fz_survey_events(survey) & 1u << e;
	}
	fz_survey_close(survey);
	ck_assert_uint_eq(events, cases[_i].used);
	ck_assert_uint_eq(nr + dropped, 3 * NR_FAULTS);
	for (unsigned int e = 0; e < FZ_NR_EVENTS; e++)
		if (fz_event_is_fault((enum fz_event)e) && events & 1u << e)
			ck_assert(used & 1u << e);
}
END_TEST

START_TEST(errors_come_through)
{
	struct made_faults made = { .records = records,
				    .nr = 20,
				    .code = -EBADMSG };
	struct fz_survey *survey = NULL;
	struct fz_err err = { "" };
	struct fz_fault got[32];

	for (unsigned int i = 0; i < 20; i++)
		records[i] = made_fault(1, BASE, i);
	ck_assert_int_eq(fz_survey_open(&survey, made_source(&made), 100, &err),
			 -EBADMSG);
	ck_assert_str_eq(err.msg, "made to fail");
	made.at = 0;
	survey = survey_of(&made, 10);
	ck_assert_int_eq(fz_survey_source(survey).next(survey, got, 32, &err),
			 10);
	ck_assert_int_eq(fz_survey_source(survey).next(survey, got, 32, &err),
			 10);
	ck_assert_int_eq(fz_survey_source(survey).next(survey, got, 32, &err),
			 -EBADMSG);
	fz_survey_close(survey);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("survey");
	TCase *tcase = tcase_create("survey");

	tcase_add_loop_test(tcase, blocks_with_one_fault_each, 0, 4);
	tcase_add_test(tcase, beside_small_pages);
	tcase_add_test(tcase, small_pages_are_small);
	tcase_add_test(tcase, only_what_zeroes_counts);
	tcase_add_loop_test(tcase, one_event_for_one_fault, 0, 4);
	tcase_add_test(tcase, errors_come_through);
	suite_add_tcase(suite, tcase);
	return suite;
}
