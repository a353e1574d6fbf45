// SPDX-License-Identifier: GPL-2.0-or-later
/* What perf trace -F prints. */
#include "fz_test.h"

#include "format_case.h"

static const struct format_case cases[] = {
	{ .what = "addresses by what perf knows of them",
	  .text = "     7.561 ( 0.000 ms): thr/17749 minfault [th+0x3e] => "
		  "//anon@0x7fe196cfa000 (d.)\n"
		  "   194.005 ( 0.000 ms): anonw/13398 minfault [main+0xd8] "
		  "=> /anon_hugepage (deleted)@0x7fc818400000 (d.)\n"
		  "   194.006 ( 0.000 ms): anonw/13398 majfault [0x1995c0] "
		  "=> [heap]@0x55c818400000 (d.)\n"
		  "   194.007 ( 0.000 ms): anonw/13398 minfault [main+0xd8] "
		  "=> 0x559071358038 (?k)\n",
	  .records = "minor-faults@anon 7561000 - 17749 - 7fe196cfa000 - - "
		     "thr\n"
		     "minor-faults@anon 194005000 - 13398 - 7fc818400000 - - "
		     "anonw\n"
		     "major-faults@anon 194006000 - 13398 - 55c818400000 - - "
		     "anonw\n"
		     "minor-faults 194007000 - 13398 - 559071358038 - - "
		     "anonw\n",
	  .nr_notes = 1 },
	{ .what = "offsets of files are no addresses",
	  .text = "     0.149 ( 0.000 ms): wl.sh/13398 minfault [_start+0x0] "
		  "=> /usr/lib/ld-linux-x86-64.so.2@0x1ab70 (d.)\n"
		  "     0.150 ( 0.000 ms): wl.sh/13398 minfault "
		  "[a(b) => c] => /usr/lib/a@0x1] => b@0x1ab70 (x.)\n"
		  "     0.151 ( 0.000 ms): wl.sh/13398 minfault [a] => "
		  "//anon@0x10 (d.)\n",
	  .records = "minor-faults@anon 151000 - 13398 - 10 - - wl.sh\n",
	  .nr_skipped = 2,
	  .nr_notes = 1 },
	{ .what = "names with blanks, slashes and any bytes, and none",
	  .text = "     0.001 ( 0.000 ms): Web Content/12 minfault [a] => "
		  "0x1 (?k)\n"
		  "     0.002 ( 0.000 ms): a/1 b/c:/12 minfault [a] => 0x1 "
		  "(?k)\n"
		  "     0.003 ( 0.000 ms): \xff\xfe/12 minfault [a] => 0x1 "
		  "(?k)\n"
		  "     0.004 (         ): minfault [a] => 0x1 (?k)\n",
	  .records = "minor-faults 1000 - 12 - 1 - - Web Content\n"
		     "minor-faults 2000 - 12 - 1 - - a/1 b/c:\n"
		     "minor-faults 3000 - 12 - 1 - - \xff\xfe\n"
		     "minor-faults 4000 - - - 1 - - -\n",
	  .nr_notes = 1 },
	{ .what = "CPUs that are printed one after the other",
	  .text = "   200.000 ( 0.000 ms): a/1 minfault [a] => 0x1 (?k)\n"
		  "   350.000 ( 0.000 ms): a/1 minfault [a] => 0x2 (?k)\n"
		  "   201.000 ( 0.000 ms): a/2 minfault [a] => 0x3 (?k)\n"
		  "  1349.000 ( 0.000 ms): a/1 minfault [a] => 0x4 (?k)\n"
		  "   349.000 ( 0.000 ms): a/2 minfault [a] => 0x5 (?k)\n"
		  "   300.000 ( 0.000 ms): a/2 minfault [a] => 0x6 (?k)\n",
	  .records = "minor-faults 200000000 - 1 - 1 - - a\n"
		     "minor-faults 201000000 - 2 - 3 - - a\n"
		     "minor-faults 349000000 - 2 - 5 - - a\n"
		     "minor-faults 350000000 - 1 - 2 - - a\n"
		     "minor-faults 1349000000 - 1 - 4 - - a\n"
		     "minor-faults 300000000 - 2 - 6 - - a\n",
	  .nr_notes = 2 },
	{ .what = "losses, system calls",
	  .text = "LOST 17 events!\n"
		  "     0.001 ( 0.004 ms): ls/12 brk() = 0x55d0\n"
		  "     0.002 ( 0.000 ms): ls/12 minfault [a] => 0x1 (?k)\n",
	  .records = "lost+17 - - - - - - - -\n"
		     "minor-faults 2000 - 12 - 1 - - ls\n",
	  .nr_skipped = 1,
	  .nr_notes = 1,
	  .nr_lost = 17 },
	{ .what = "bad lines",
	  .text = "     0.002 ( 0.000 ms): ls/12 minfault [a] => 0x1 (?k)\n"
		  "     0.002 ( 0.000 ms): ls/12 minfault [a] => 0x1\n"
		  "     0.002 ( 0.000 ms): ls/12 minfault [a]\n"
		  "     0.002 ( 0.000 ms): ls/12 minfault [a] => "
		  "//anon@0x11111111111111111 (d.)\n"
		  "nonsense\n"
		  "     0.002 ( 0.000 ms): ls/12 minfault [a] => 0x1 (?k)",
	  .records = "minor-faults 2000 - 12 - 1 - - ls\n",
	  .nr_bad = 5,
	  .nr_notes = 1 },
	{ .what = "offsets only",
	  .text = "     0.149 ( 0.000 ms): wl.sh/13398 minfault [_start+0x0] "
		  "=> /usr/lib/ld-linux-x86-64.so.2@0x1ab70 (d.)\n",
	  .records = "",
	  .nr_skipped = 1,
	  .error = "no record that 'perf-trace' understands" },
};

START_TEST(comes_to)
{
	check_format_case(&cases[_i], "perf-trace", 0);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("traces.perf_trace");
	TCase *tcase = tcase_create("perf trace");

	tcase_set_timeout(tcase, 30);
	tcase_add_loop_test(tcase, comes_to, 0, sizeof(cases) / sizeof(*cases));
	suite_add_tcase(suite, tcase);
	return suite;
}
