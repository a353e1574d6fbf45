// SPDX-License-Identifier: GPL-2.0-or-later
/* The example of docs/adding-a-trace-format.md: it works, and is shown. */
#include "doc_shows.h"
#include "fz_test.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <fz/trace_output.h>

#include "feed_format.h"
#include "read_trace.h"

extern const struct fz_trace_format fz_trace_format_time_address;

static const char text[] = "1000 0x7f0000001000\n"
			   "12 words\n"
			   "2000 0x7f0000002000\n"
			   "3000 0x7f0000003000";

START_TEST(doc_shows_it)
{
	ck_assert_doc_shows("adding-a-trace-format.md",
			    "examples/time_address.c");
}
END_TEST

START_TEST(reads)
{
	struct memory_bytes memory = { .bytes = text, .nr = strlen(text) };
	struct outcome outcome;
	char *records;

	outcome_read(&outcome, memory_source(&memory),
		     &fz_trace_format_time_address, 0);
	ck_assert_int_eq(outcome.code, 0);
	records = records_text(outcome.faults, outcome.nr);
	ck_assert_str_eq(records, "page-faults 1000 - - - 7f0000001000 - - -\n"
				  "page-faults 2000 - - - 7f0000002000 - - "
				  "-\n");
	ck_assert_uint_eq(outcome_count(&outcome, FZ_TRACE_BAD), 2);
	free(records);
	outcome_fini(&outcome);
}
END_TEST

START_TEST(recognises_itself_only)
{
	const struct fz_trace_format *format = &fz_trace_format_time_address;

	ck_assert_uint_gt(format->probe(text, strlen(text)), 50);
	for (size_t nr = 0; nr < 19; nr++)
		ck_assert_uint_eq(format->probe(text + 20, nr > 9 ? 9 : nr), 0);
	for (size_t i = 0; fz_trace_formats[i]; i++)
		ck_assert_uint_eq(
			fz_trace_formats[i]->probe(text, strlen(text)), 0);
	ck_assert_ptr_null(feed_format(format, text, strlen(text)));
}
END_TEST

struct sink {
	char bytes[256];
	size_t nr;
	size_t cap; /* -ENOSPC behind it */
};

static int take(void *state, const void *bytes, size_t nr)
{
	struct sink *sink = state;

	if (sink->nr + nr > sink->cap)
		return -ENOSPC;
	memcpy(sink->bytes + sink->nr, bytes, nr);
	sink->nr += nr;
	return 0;
}

START_TEST(writes)
{
	static const struct fz_fault faults[] = {
		{ .time_ns = 1000,
		  .addr = 0x7f0000001000,
		  .event = FZ_EVENT_PAGE_FAULTS },
		{ .time_ns = 1500, .event = FZ_EVENT_EXIT },
		{ .time_ns = 2000,
		  .addr = UINT64_MAX,
		  .event = FZ_EVENT_USER_FAULT },
	};
	struct sink sink = { .cap = sizeof(sink.bytes) };
	struct fz_trace_output *output;

	ck_assert_int_eq(
		fz_trace_output_open(&output, &fz_trace_format_time_address,
				     (struct fz_byte_sink){ &sink, take }),
		0);
	ck_assert_int_eq(fz_trace_output_write(output, faults, 3), 0);
	ck_assert_uint_lt(sink.nr, sizeof(sink.bytes));
	ck_assert_str_eq(sink.bytes, "1000 0x7f0000001000\n"
				     "2000 0xffffffffffffffff\n");
	sink.cap = sink.nr + 1;
	ck_assert_int_eq(fz_trace_output_write(output, faults, 3), -ENOSPC);
	fz_trace_output_close(output);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("traces.example_format");
	TCase *tcase = tcase_create("time-address");

	tcase_set_timeout(tcase, 30);
	tcase_add_test(tcase, doc_shows_it);
	tcase_add_test(tcase, reads);
	tcase_add_test(tcase, recognises_itself_only);
	tcase_add_test(tcase, writes);
	suite_add_tcase(suite, tcase);
	return suite;
}
