// SPDX-License-Identifier: GPL-2.0-or-later
/* Whatever a format writes, it reads back; so does every other one. */
#include <stdlib.h>
#include <string.h>

#include "fz_test.h"
#include "made_trace.h"

#define RECORDS 3000u

static size_t nr_formats(void)
{
	size_t nr = 0;

	while (fz_trace_formats[nr])
		nr++;
	return nr;
}

/* What was written is recognised, and gives the records that went in. */
START_TEST(test_records)
{
	const struct fz_trace_format *format = fz_trace_formats[_i];
	struct fz_random random = fz_random_begin(1, (uint64_t)_i);

	if (!format->write_begin)
		return;
	for (size_t lap = 0; lap < 8; lap++) {
		const size_t nr = lap == 0 ? 1 : RECORDS;
		struct fz_fault *faults = made_faults(&random, nr);
		struct made_bytes bytes = { .at_once = lap % 3 * 997 };
		struct made_reading reading;

		made_write(&bytes, format, faults, nr, &random);
		reading = made_read(&bytes, NULL);
		ck_assert_msg(reading.code == 0, "%s: %s", format->name,
			      reading.err.msg);
		ck_assert_uint_eq(reading.problems.nr_bad, 0);
		ck_assert_msg(made_differences(faults, nr, reading.faults,
					       reading.nr) == 0,
			      "%s: records differ", format->name);
		free(faults);
		free(reading.faults);
		made_bytes_fini(&bytes);
	}
}
END_TEST

static bool is_same(const struct made_bytes *a, const struct made_bytes *b)
{
	return a->bytes == b->bytes && memcmp(a->text, b->text, a->bytes) == 0;
}

/* From a format to any other and back: not a byte changes. */
START_TEST(test_bytes)
{
	const struct fz_trace_format *format = fz_trace_formats[_i];
	struct fz_random random = fz_random_begin(2, (uint64_t)_i);
	struct fz_fault *faults = made_faults(&random, RECORDS);
	struct made_bytes before = { .text = NULL };

	if (format->write_begin)
		made_write(&before, format, faults, RECORDS, &random);
	for (size_t i = 0; format->write_begin && fz_trace_formats[i]; i++) {
		struct made_bytes there = { .text = NULL }, back = there;
		struct made_reading first, second;

		if (!fz_trace_formats[i]->write_begin)
			continue;
		first = made_read(&before, format);
		made_write(&there, fz_trace_formats[i], first.faults, first.nr,
			   &random);
		second = made_read(&there, fz_trace_formats[i]);
		made_write(&back, format, second.faults, second.nr, &random);
		ck_assert_msg(is_same(&before, &back), "%s by way of %s",
			      format->name, fz_trace_formats[i]->name);
		free(first.faults);
		free(second.faults);
		made_bytes_fini(&there);
		made_bytes_fini(&back);
	}
	made_bytes_fini(&before);
	free(faults);
}
END_TEST

/* Flips, cuts, doubles and drops bytes. */
static void mutate(struct made_bytes *bytes, struct fz_random *random)
{
	const size_t nr = 1 + fz_random_below(random, 4);

	for (size_t i = 0; i < nr && bytes->bytes; i++) {
		const size_t at = fz_random_below(random, bytes->bytes);
		const size_t rest = bytes->bytes - at;
		char *byte = bytes->text + at;

		switch (fz_random_below(random, 4)) {
		case 0:
			*byte = (char)(*byte ^ 1 << fz_random_below(random, 8));
			break;
		case 1:
			*byte = (char)fz_random_next(random);
			break;
		case 2:
			memmove(byte, byte + 1, rest - 1);
			bytes->bytes--;
			break;
		default:
			bytes->bytes = at;
		}
	}
}

static bool is_sound(const struct fz_fault *fault)
{
	return fault->event < FZ_NR_EVENTS && fault->knows < 128 &&
	       fault->backing <= FZ_BACKING_FILE &&
	       fault->comm_bytes <= FZ_COMM_BYTES &&
	       !memchr(fault->comm, '\0', fault->comm_bytes) &&
	       (fault->knows & FZ_KNOWS_ADDR || !fault->addr) &&
	       (fault->knows & FZ_KNOWS_TIME || !fault->time_ns);
}

/* Damage gives an error or sound records, and never anything worse. */
START_TEST(test_mutations)
{
	const struct fz_trace_format *format = fz_trace_formats[_i];
	struct fz_random random = fz_random_begin(3, (uint64_t)_i);
	struct fz_fault *faults = made_faults(&random, 40);
	size_t unsound = 0;

	for (size_t lap = 0; format->write_begin && lap < 300; lap++) {
		struct made_bytes bytes = { .at_once = lap % 7 };
		struct made_reading reading;

		made_write(&bytes, format, faults, 40, &random);
		mutate(&bytes, &random);
		reading = made_read(&bytes, format);
		for (size_t i = 0; i < reading.nr; i++)
			unsound += !is_sound(&reading.faults[i]);
		free(reading.faults);
		made_bytes_fini(&bytes);
	}
	ck_assert_uint_eq(unsound, 0);
	free(faults);
}
END_TEST

/* Numbers of lost events, whose sum does not fit, are as many as can be told.
 */
START_TEST(test_lost)
{
	const struct fz_trace_format *format = fz_trace_formats[_i];
	struct fz_random random = fz_random_begin(4, 0);
	const struct fz_fault faults[] = {
		{ .event = FZ_EVENT_LOST, .value = UINT64_MAX - 1 },
		{ .event = FZ_EVENT_LOST, .value = 1 },
		{ .event = FZ_EVENT_LOST, .value = 17 },
	};

	for (size_t nr = 2; format->write_begin && nr <= 3; nr++) {
		struct made_bytes bytes = { .text = NULL };
		struct made_reading reading;

		made_write(&bytes, format, faults, nr, &random);
		reading = made_read(&bytes, format);
		ck_assert_int_eq(reading.code, 0);
		ck_assert_uint_eq(reading.problems.nr_lost, UINT64_MAX);
		free(reading.faults);
		made_bytes_fini(&bytes);
	}
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("round_trip");
	TCase *tcase = tcase_create("formats");
	const int nr = (int)nr_formats();

	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, test_records, 0, nr);
	tcase_add_loop_test(tcase, test_bytes, 0, nr);
	tcase_add_loop_test(tcase, test_mutations, 0, nr);
	tcase_add_loop_test(tcase, test_lost, 0, nr);
	suite_add_tcase(suite, tcase);
	return suite;
}
