// SPDX-License-Identifier: GPL-2.0-or-later
/* Canonical lines: what they mean, and what is wrong with others. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fz_test.h"
#include "made_trace.h"

#define HEAD "# foliosim-trace 1\n"

static struct made_reading read_text(const char *text, const char *format)
{
	struct made_bytes bytes = { .text = NULL };
	struct made_reading reading;

	made_text(&bytes, text, strlen(text));
	reading =
		made_read(&bytes, format ? fz_trace_format_find(format) : NULL);
	made_bytes_fini(&bytes);
	return reading;
}

START_TEST(test_lines)
{
	struct made_reading reading = read_text(
		HEAD "12 1 7 8 page-faults 0x7f0000001000 0x401000 6 a b \n"
		     "# a remark\n"
		     "\n"
		     "- - - - exceptions:page_fault_user@anon 10 - - -\n"
		     "99 0 7 7 fork+3 - - - \\x2d\\xff\\x5c\r\n"
		     "99 0 7 7 mmap+8192@file 0x1000 - 0x14 x\\y\n",
		NULL);
	const struct fz_fault *f = reading.faults;

	ck_assert_int_eq(reading.code, 0);
	ck_assert_uint_eq(reading.problems.nr_bad, 0);
	ck_assert_uint_eq(reading.nr, 4);
	ck_assert_uint_eq(f[0].time_ns, 12);
	ck_assert_uint_eq(f[0].cpu, 1);
	ck_assert_uint_eq(f[0].pid, 7);
	ck_assert_uint_eq(f[0].tid, 8);
	ck_assert_uint_eq(f[0].event, FZ_EVENT_PAGE_FAULTS);
	ck_assert_uint_eq(f[0].addr, 0x7f0000001000);
	ck_assert_uint_eq(f[0].ip, 0x401000);
	ck_assert_uint_eq(f[0].error_code, 6);
	ck_assert_uint_eq(f[0].knows, 0x7f);
	ck_assert_uint_eq(f[0].comm_bytes, 4);
	ck_assert_mem_eq(f[0].comm, "a b ", 4);
	ck_assert_uint_eq(f[1].event, FZ_EVENT_USER_FAULT);
	ck_assert_uint_eq(f[1].backing, FZ_BACKING_ANON);
	ck_assert_uint_eq(f[1].knows, FZ_KNOWS_ADDR);
	ck_assert_uint_eq(f[1].addr, 0x10);
	ck_assert_uint_eq(f[1].comm_bytes, 0);
	ck_assert_uint_eq(f[2].event, FZ_EVENT_FORK);
	ck_assert_uint_eq(f[2].value, 3);
	ck_assert_uint_eq(f[2].comm_bytes, 3);
	ck_assert_mem_eq(f[2].comm, "-\xff\\", 3);
	ck_assert_uint_eq(f[3].event, FZ_EVENT_MMAP);
	ck_assert_uint_eq(f[3].value, 8192);
	ck_assert_uint_eq(f[3].backing, FZ_BACKING_FILE);
	ck_assert_uint_eq(f[3].error_code, 0x14);
	ck_assert_mem_eq(f[3].comm, "x\\y", 3);
	free(reading.faults);
}
END_TEST

/* As bpftrace prints it: a greeting, then our lines, losses among them. */
START_TEST(test_bpftrace)
{
	struct made_reading reading = read_text(
		"Attaching 3 probes...\n" HEAD
		"5 0 1 1 exceptions:page_fault_user 0x1000 0x2000 6 sh\n"
		"Lost 17 events\n"
		"\n",
		NULL);

	ck_assert_int_eq(reading.code, 0);
	ck_assert_uint_eq(reading.problems.nr_bad, 0);
	ck_assert_uint_eq(reading.problems.nr_lost, 17);
	ck_assert_uint_eq(reading.nr, 2);
	ck_assert_uint_eq(reading.faults[1].event, FZ_EVENT_LOST);
	ck_assert_uint_eq(reading.faults[1].value, 17);
	free(reading.faults);
}
END_TEST

static const struct {
	const char *line;
	const char *reason;
} bad_lines[] = {
	{ "x 1 7 8 page-faults 0x1 0x1 6 a", "time" },
	{ " 1 7 8 page-faults 0x1 0x1 6 a", "time" },
	{ "-1 1 7 8 page-faults 0x1 0x1 6 a", "time" },
	{ "18446744073709551616 1 7 8 page-faults 0x1 0x1 6 a", "time" },
	{ "1 4294967296 7 8 page-faults 0x1 0x1 6 a", "CPU" },
	{ "1 1 7.5 8 page-faults 0x1 0x1 6 a", "pid" },
	{ "1 1 7 0x page-faults 0x1 0x1 6 a", "tid" },
	{ "1 1 7 8 page-fault 0x1 0x1 6 a", "event" },
	{ "1 1 7 8 - 0x1 0x1 6 a", "event" },
	{ "1 1 7 8 mmap+ 0x1 0x1 6 a", "event" },
	{ "1 1 7 8 mmap+-1 0x1 0x1 6 a", "event" },
	{ "1 1 7 8 mmap+1@ 0x1 0x1 6 a", "event" },
	{ "1 1 7 8 mmap@anon+1 0x1 0x1 6 a", "event" },
	{ "1 1 7 8 page-faults 0x10000000000000000 0x1 6 a", "address" },
	{ "1 1 7 8 page-faults 1z 0x1 6 a", "address" },
	{ "1 1 7 8 page-faults 0x1 0x 6 a", "ip" },
	{ "1 1 7 8 page-faults 0x1 0x1 0x100000000 a", "error code" },
	{ "1 1 7 8 page-faults 0x1 0x1 6", "nine fields" },
	{ "1 1 7 8 page-faults", "nine fields" },
	{ "1 1 7 8 page-faults 0x1 0x1 6 abcdefghijklmnopq", "comm" },
	{ "1 1 7 8 page-faults 0x1 0x1 6 \\x00", "comm" },
	{ "garbage", "nine fields" },
	{ "Lost many events", "time" },
};

#define NR_BAD_LINES ((int)(sizeof(bad_lines) / sizeof(bad_lines[0])))

START_TEST(test_bad_line)
{
	char text[200];
	struct made_reading reading;

	snprintf(text, sizeof(text),
		 HEAD "%s\n1 1 7 8 page-faults 0x1 0x1 6 a\n",
		 bad_lines[_i].line);
	reading = read_text(text, NULL);
	ck_assert_int_eq(reading.code, 0);
	ck_assert_uint_eq(reading.nr, 1);
	ck_assert_uint_eq(reading.problems.nr_bad, 1);
	ck_assert_uint_eq(reading.problems.quoted[0].line, 2);
	ck_assert_msg(
		strstr(reading.problems.quoted[0].reason, bad_lines[_i].reason),
		"'%s': %s", bad_lines[_i].line,
		reading.problems.quoted[0].reason);
	free(reading.faults);
}
END_TEST

/* A number that was cut is another number. */
START_TEST(test_unterminated)
{
	struct made_reading reading =
		read_text(HEAD "1 1 7 8 page-faults 0x1 0x1 6 a\n"
			       "2 1 7 8 page-faults 0x2 0x1 6 a",
			  NULL);

	ck_assert_int_eq(reading.code, 0);
	ck_assert_uint_eq(reading.nr, 1);
	ck_assert_uint_eq(reading.problems.nr_bad, 1);
	free(reading.faults);
}
END_TEST

START_TEST(test_version)
{
	struct made_reading reading = read_text("# foliosim-trace 2\n"
						"1 1 7 8 exit 0x1 0x1 6 a\n",
						NULL);

	ck_assert_int_eq(reading.code, -EBADMSG);
	ck_assert(strstr(reading.err.msg, "version '2'"));
	ck_assert(strstr(reading.err.msg, "reads version '1'"));
	free(reading.faults);
	reading = read_text("1 1 7 8 exit 0x1 0x1 6 a\n", "canonical");
	ck_assert_int_eq(reading.code, 0);
	ck_assert_uint_eq(reading.nr, 1);
	free(reading.faults);
	reading = read_text(HEAD, NULL);
	ck_assert_int_eq(reading.code, -EBADMSG);
	free(reading.faults);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("canonical");
	TCase *tcase = tcase_create("canonical");

	tcase_add_test(tcase, test_lines);
	tcase_add_test(tcase, test_bpftrace);
	tcase_add_loop_test(tcase, test_bad_line, 0, NR_BAD_LINES);
	tcase_add_test(tcase, test_unterminated);
	tcase_add_test(tcase, test_version);
	suite_add_tcase(suite, tcase);
	return suite;
}
