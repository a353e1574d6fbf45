// SPDX-License-Identifier: GPL-2.0-or-later
/* CSV: the header that is a contract, quoting, and tables of others. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fz_test.h"
#include "made_trace.h"

#define HEAD "time_ns,pid,tid,cpu,comm,event,addr,ip,error_code\n"

static struct made_reading read_text(const char *text)
{
	struct made_bytes bytes = { .text = NULL };
	struct made_reading reading;

	made_text(&bytes, text, strlen(text));
	reading = made_read(&bytes, fz_trace_format_find("csv"));
	made_bytes_fini(&bytes);
	return reading;
}

static struct fz_fault fault_with_comm(const char *comm, size_t bytes)
{
	struct fz_fault fault = {
		.time_ns = 5,
		.addr = 0xffffffffffffffff,
		.pid = 1,
		.event = FZ_EVENT_LOST,
		.value = 9,
		.backing = FZ_BACKING_ANON,
		.knows = FZ_KNOWS_TIME | FZ_KNOWS_ADDR | FZ_KNOWS_PID,
		.comm_bytes = (uint8_t)bytes,
	};

	memcpy(fault.comm, comm, bytes);
	return fault;
}

/* Byte for byte. */
START_TEST(test_written)
{
	static const char expected[] =
		HEAD "5,1,,,a b,lost+9@anon,0xffffffffffffffff,,\n"
		     "5,1,,,\"a,\"\"b\",lost+9@anon,0xffffffffffffffff,,\n"
		     "5,1,,,\\x0a\\x5c\\x80,lost+9@anon,0xffffffffffffffff,,\n"
		     "5,1,,,,lost+9@anon,0xffffffffffffffff,,\n";
	const struct fz_fault faults[] = {
		fault_with_comm("a b", 3),
		fault_with_comm("a,\"b", 4),
		fault_with_comm("\n\\\x80", 3),
		fault_with_comm("", 0),
	};
	struct made_bytes bytes = { .text = NULL };
	struct fz_random random = fz_random_begin(1, 1);
	struct made_reading reading;

	made_write(&bytes, fz_trace_format_find("csv"), faults, 4, &random);
	ck_assert_uint_eq(bytes.bytes, strlen(expected));
	ck_assert_mem_eq(bytes.text, expected, bytes.bytes);
	reading = made_read(&bytes, NULL);
	ck_assert_uint_eq(
		made_differences(faults, 4, reading.faults, reading.nr), 0);
	ck_assert_uint_eq(reading.problems.nr_lost, 4 * 9);
	free(reading.faults);
	made_bytes_fini(&bytes);
}
END_TEST

/* Columns in another order, others among them, a byte order mark, CRs. */
START_TEST(test_other_tables)
{
	struct made_reading reading =
		read_text("\xef\xbb\xbf"
			  "\"addr\",mood,\"event\",comm\r\n"
			  "7f00,\"a \"\"good\"\", one\",faults,\"x\"\r\n");

	ck_assert_int_eq(reading.code, 0);
	ck_assert_uint_eq(reading.problems.nr_bad, 0);
	ck_assert_uint_eq(reading.nr, 1);
	ck_assert_uint_eq(reading.faults[0].addr, 0x7f00);
	ck_assert_uint_eq(reading.faults[0].knows, FZ_KNOWS_ADDR);
	ck_assert_uint_eq(reading.faults[0].event, FZ_EVENT_PAGE_FAULTS);
	ck_assert_uint_eq(reading.faults[0].comm_bytes, 1);
	free(reading.faults);
}
END_TEST

static const struct {
	const char *row;
	const char *reason;
} bad_rows[] = {
	{ "5,1,1,0,a,exit,0x1,0x1", "fewer fields" },
	{ "5,1,1,0,a,exit,0x1,0x1,6,7", "more fields" },
	{ "5,1,1,0,\"a,exit,0x1,0x1,6", "quotes" },
	{ "5,1,1,0,\"a\"b,exit,0x1,0x1,6", "quotes" },
	{ "5,1,1,0,a,,0x1,0x1,6", "no event" },
	{ "5,1,1,0,a,leave,0x1,0x1,6", "event" },
	{ "5.5,1,1,0,a,exit,0x1,0x1,6", "time" },
	{ "5,1,1,0,a,exit,0xg,0x1,6", "address" },
	{ "5,1,1,0,a,exit,0x1, 0x1,6", "ip" },
	{ "5,1,1,0,aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	  "aaaaaaaaaaaaaaaaaaa,exit,0x1,0x1,6",
	  "too long" },
};

#define NR_BAD_ROWS ((int)(sizeof(bad_rows) / sizeof(bad_rows[0])))

START_TEST(test_bad_row)
{
	char text[400];
	struct made_reading reading;

	snprintf(text, sizeof(text), HEAD "%s\n5,1,1,0,a,exit,0x1,0x1,6\n",
		 bad_rows[_i].row);
	reading = read_text(text);
	ck_assert_int_eq(reading.code, 0);
	ck_assert_uint_eq(reading.nr, 1);
	ck_assert_uint_eq(reading.problems.nr_bad, 1);
	ck_assert_uint_eq(reading.problems.quoted[0].line, 2);
	ck_assert_msg(
		strstr(reading.problems.quoted[0].reason, bad_rows[_i].reason),
		"'%s': %s", bad_rows[_i].row,
		reading.problems.quoted[0].reason);
	free(reading.faults);
}
END_TEST

static const char *const bad_headers[] = {
	"time_ns,pid\n1,2\n",
	"event\nexit\n",
	"addr,\"event\n0x1,exit\n",
	"\n",
	"a b c\n",
};

#define NR_BAD_HEADERS ((int)(sizeof(bad_headers) / sizeof(bad_headers[0])))

START_TEST(test_bad_header)
{
	struct made_reading reading = read_text(bad_headers[_i]);

	ck_assert_int_eq(reading.code, -EBADMSG);
	ck_assert_msg(strstr(reading.err.msg, "header"), "%s", reading.err.msg);
	free(reading.faults);
}
END_TEST

/* Which of the two was meant is not guessed. Others may be there twice. */
START_TEST(test_column_twice)
{
	struct made_reading reading =
		read_text("addr,x,event,x,addr\n0x1,,exit,,0x2\n");

	ck_assert_int_eq(reading.code, -EBADMSG);
	ck_assert_msg(strstr(reading.err.msg, "'addr' twice"), "%s",
		      reading.err.msg);
	free(reading.faults);
	reading = read_text("addr,x,event,x\n0x1,,exit,\n");
	ck_assert_int_eq(reading.code, 0);
	ck_assert_uint_eq(reading.nr, 1);
	free(reading.faults);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("csv");
	TCase *tcase = tcase_create("csv");

	tcase_add_test(tcase, test_written);
	tcase_add_test(tcase, test_other_tables);
	tcase_add_loop_test(tcase, test_bad_row, 0, NR_BAD_ROWS);
	tcase_add_loop_test(tcase, test_bad_header, 0, NR_BAD_HEADERS);
	tcase_add_test(tcase, test_column_twice);
	suite_add_tcase(suite, tcase);
	return suite;
}
