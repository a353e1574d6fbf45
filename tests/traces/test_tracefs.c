// SPDX-License-Identifier: GPL-2.0-or-later
/* What trace_pipe and trace-cmd report print. */
#include "fz_test.h"

#include "format_case.h"

#define TSC_HZ 2.5e9

static const struct format_case cases[] = {
	{ .what = "trace_pipe",
	  .text = "           <...>-14833   [001] d....  2358.889542: "
		  "page_fault_user: address=0x55ae374e70f8 "
		  "ip=0x7fd89af5c109 error_code=0x6\n"
		  "           anonw-14834   [000] d..1.  2358.889543: "
		  "page_fault_kernel: address=0x7fb040871b70 ip=elf_load "
		  "error_code=0x2\n",
	  .records = "exceptions:page_fault_user 2358889542000 - 14833 1 "
		     "55ae374e70f8 7fd89af5c109 6 -\n"
		     "exceptions:page_fault_kernel 2358889543000 - 14834 0 "
		     "7fb040871b70 - 2 anonw\n",
	  .nr_notes = 1 },
	{ .what = "processes recorded",
	  .text = "              ls-2001    (   2000) [001] d....  1.000001: "
		  "page_fault_user: address=0x1 ip=0x2 error_code=0x4\n"
		  "              ls-2001    (-------) [001] d....  1.000002: "
		  "page_fault_user: address=0x1 ip=0x2 error_code=0x4\n",
	  .records = "exceptions:page_fault_user 1000001000 2000 2001 1 1 2 4 "
		     "ls\n"
		     "exceptions:page_fault_user 1000002000 - 2001 1 1 2 4 "
		     "ls\n",
	  .nr_notes = 1 },
	{ .what = "no flags, as trace-cmd report prints",
	  .text = "cpus=2\n"
		  "           <...>-14833 [001]  2358.889542: "
		  "page_fault_user:      address=0x55ae374e70f8 "
		  "ip=0x7fd89af5c109 error_code=0x6\n"
		  "CPU:1 [7 EVENTS DROPPED]\n"
		  "CPU:1 [EVENTS DROPPED]\n"
		  "trace-cmd-14 [001]  2358.889543: exceptions:page_fault_user:"
		  " address=0x55ae374e70f8 ip=0x7fd89af5c109 "
		  "error_code=0x6\n",
	  .records = "exceptions:page_fault_user 2358889542000 - 14833 1 "
		     "55ae374e70f8 7fd89af5c109 6 -\n"
		     "lost+7 - - - 1 - - - -\n"
		     "exceptions:page_fault_user 2358889543000 - 14 1 "
		     "55ae374e70f8 7fd89af5c109 6 trace-cmd\n",
	  .nr_notes = 2,
	  .nr_lost = 7 },
	{ .what = "names with dashes, blanks, brackets and any bytes",
	  .text = "       a-12 [0]-14833   [001] d....  1.000001: "
		  "page_fault_user: address=0x1 ip=0x2 error_code=0x6\n"
		  "   -1 [000] 1.1:-14833   [001] d....  1.000002: "
		  "page_fault_user: address=0x1 ip=0x2 error_code=0x6\n"
		  " \xff\xfe[] b c-14833   [001] d....  1.000003: "
		  "page_fault_user: address=0x1 ip=0x2 error_code=0x6\n",
	  .records = "exceptions:page_fault_user 1000001000 - 14833 1 1 2 6 "
		     "a-12 [0]\n"
		     "exceptions:page_fault_user 1000002000 - 14833 1 1 2 6 "
		     "-1 [000] 1.1:\n"
		     "exceptions:page_fault_user 1000003000 - 14833 1 1 2 6 "
		     "\xff\xfe[] b c\n",
	  .nr_notes = 1 },
	{ .what = "a header, losses, other events",
	  .text = "# tracer: nop\n#\n# entries-in-buffer/entries-written: "
		  "2/2   #P:2\n#\n#           TASK-PID     CPU#  |||||  "
		  "TIMESTAMP  FUNCTION\n"
		  "CPU:1 [LOST 2345 EVENTS]\n"
		  "              ls-2001    [001] d....  1.000001: "
		  "sched_switch: prev_comm=ls prev_pid=2001\n"
		  "              ls-2001    [001] d....  1.000002: "
		  "page_fault_user: address=0x1 ip=0x2 error_code=0x4\n",
	  .records = "lost+2345 - - - 1 - - - -\n"
		     "exceptions:page_fault_user 1000002000 - 2001 1 1 2 4 "
		     "ls\n",
	  .nr_skipped = 1,
	  .nr_notes = 1,
	  .nr_lost = 2345 },
	{ .what = "bad lines",
	  .text = "              ls-2001    [001] d....  1.000002: "
		  "page_fault_user: address=0x1 ip=0x2 error_code=0x4\n"
		  "              ls-2001    [001] d....  1.000002: "
		  "page_fault_user: address=0x1 ip=0x2\n"
		  "              ls-2001    [001] d....  1.000002: "
		  "page_fault_user: address=0x11111111111111111 ip=0x2 "
		  "error_code=0x4\n"
		  "              ls-2001    [001] d....  1.000002: "
		  "page_fault_user: address=init ip=0x2 error_code=0x4\n"
		  "nonsense\n"
		  "              ls-2001    [001] d....  1.000002: "
		  "page_fault_user: address=0x1 ip=0x2 error_code=0x4",
	  .records = "exceptions:page_fault_user 1000002000 - 2001 1 1 2 4 "
		     "ls\n",
	  .nr_notes = 1,
	  .nr_bad = 5 },
};

START_TEST(comes_to)
{
	check_format_case(&cases[_i], "tracefs", 0);
}
END_TEST

#define TICKS                                                        \
	"           <...>-14907   [000] d.... 6175921589267: "       \
	"page_fault_user: address=0x5555e3d0f0f8 ip=0x7f6060111109 " \
	"error_code=0x6\n"

START_TEST(ticks_need_a_rate)
{
	static const struct format_case refused = {
		.what = "no rate",
		.text = TICKS,
		.records = "",
		.error = "--tsc-hz",
	};
	static const struct format_case used = {
		.what = "a rate",
		.text = TICKS "           <...>-14907   [000] d.... "
			      "18446744073709551615: page_fault_user: "
			      "address=0x1 ip=0x2 error_code=0x6\n",
		.records = "exceptions:page_fault_user 2470368635706 - 14907 "
			   "0 5555e3d0f0f8 7f6060111109 6 -\n"
			   "exceptions:page_fault_user 7378697629483820646 - "
			   "14907 0 1 2 6 -\n",
		.nr_notes = 1,
	};
	static const double no_rates[] = { 0, -1, 1e-9, 1e300 };

	check_format_case(&used, "tracefs", TSC_HZ);
	for (size_t i = 0; i < sizeof(no_rates) / sizeof(*no_rates); i++)
		check_format_case(&refused, "tracefs", no_rates[i]);
}
END_TEST

/* Ticks of a slow counter are more nanoseconds than a time can hold. */
START_TEST(time_that_does_not_fit)
{
	static const struct format_case beyond = {
		.what = "beyond",
		.text = "           <...>-14907   [000] d.... "
			"18446744073709551615: page_fault_user: address=0x1 "
			"ip=0x2 error_code=0x6\n",
		.records = "",
		.nr_bad = 1,
		.error = "no record",
	};

	check_format_case(&beyond, "tracefs", 1000);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("traces.tracefs");
	TCase *tcase = tcase_create("tracefs");

	tcase_set_timeout(tcase, 30);
	tcase_add_loop_test(tcase, comes_to, 0, sizeof(cases) / sizeof(*cases));
	tcase_add_test(tcase, ticks_need_a_rate);
	tcase_add_test(tcase, time_that_does_not_fit);
	suite_add_tcase(suite, tcase);
	return suite;
}
