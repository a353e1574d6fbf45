// SPDX-License-Identifier: GPL-2.0-or-later
/* What perf script prints, in all its variants. */
#include "fz_test.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "backing_name.h"
#include "format_case.h"
#include "read_trace.h"

#define PAD "            "

static const struct format_case cases[] = {
	{ .what = "all fields of the recipe, in ns",
	  .text = PAD
	  "anon 13340/13341 [001]  2107.064233571: page-faults:     "
	  "55e6be0c8764\n",
	  .records = "page-faults 2107064233571 13340 13341 1 55e6be0c8764 - "
		     "- anon\n" },
	{ .what = "in us, a wider column of ids",
	  .text = PAD "anon   13360/13360   [000]  2108.749343: page-faults:"
		      "     7f9fb2400000\n",
	  .records = "page-faults 2108749343000 13360 13360 0 7f9fb2400000 - "
		     "- anon\n" },
	{ .what = "symbols with blanks, an ip",
	  .text = PAD "anon     1/2     [003]     5.000000001: page-faults:"
		      "     7f9fb2400000 std::pair<int, long>::f(char "
		      "const*) ffffffff8175336a operator new[](unsigned "
		      "long, abc)\n",
	  .records = "page-faults 5000000001 1 2 3 7f9fb2400000 "
		     "ffffffff8175336a - anon\n" },
	{ .what = "symbols and files, as -F +addr prints them",
	  .text = PAD "  sh 24826 [000] 14359.132716:          1 "
		      "page-faults:     563604a53240 __environ+0x0 "
		      "(/usr/bin/dash) ffffffff817554ea elf_load+0x28a "
		      "([kernel.kallsyms])\n" PAD
		      "  sh 24826 [000] 14359.132717:          1 "
		      "page-faults:     7ffc86a86bf9 [unknown] ([stack]) "
		      "ffffffff81b75d98 _copy_to_user+0x28 "
		      "([kernel.kallsyms])\n" PAD
		      "  sh 24826 [000] 14359.132718:          1 "
		      "page-faults:     7fcf2b0a1000 [unknown] "
		      "(/anon_hugepage (deleted))     7fcf2b0a1b70 "
		      "f(int)+0x0 (/usr/lib/a (1).so)\n",
	  .records = "page-faults@file 14359132716000 - 24826 0 563604a53240 "
		     "ffffffff817554ea - sh\n"
		     "page-faults@anon 14359132717000 - 24826 0 7ffc86a86bf9 "
		     "ffffffff81b75d98 - sh\n"
		     "page-faults@anon 14359132718000 - 24826 0 7fcf2b0a1000 "
		     "7fcf2b0a1b70 - sh\n",
	  .nr_notes = 1 },
	{ .what = "an address alone, ip alone behind it",
	  .text = PAD "  wl 17125/17125 [000]  2822.279255365:  "
		      "page-faults:     563a4c15a764 ffffffff8175336a\n" PAD
		      "  wl 17125/17125 [000]  2822.279267764: "
		      "minor-faults:     563a4c15a764 ffffffff8175336a\n" PAD
		      "  wl 17125/17125 [000]  2822.279267765: "
		      "major-faults:                0     563a4c15a764\n",
	  .records = "page-faults 2822279255365 17125 17125 0 563a4c15a764 "
		     "ffffffff8175336a - wl\n"
		     "minor-faults 2822279267764 17125 17125 0 563a4c15a764 "
		     "ffffffff8175336a - wl\n"
		     "major-faults 2822279267765 17125 17125 0 0 "
		     "563a4c15a764 - wl\n" },
	{ .what = "names of any bytes",
	  .text = " Web [0] 1: 9/9 17739/17740 [001]     1.000001: "
		  "page-faults:     7f9fb2400000\n"
		  "           a b c 17739/17740 [001]     1.000002: "
		  "page-faults:     7f9fb2400000\n"
		  " \xff\xfe-12/34:5.6: 17739/17740 [001]     1.000003: "
		  "page-faults:     7f9fb2400000\n"
		  " 123456789012345 17739/17740 [001]     1.000004: "
		  "page-faults:     7f9fb2400000\n",
	  .records = "page-faults 1000001000 17739 17740 1 7f9fb2400000 - - "
		     "Web [0] 1: 9/9\n"
		     "page-faults 1000002000 17739 17740 1 7f9fb2400000 - - "
		     "a b c\n"
		     "page-faults 1000003000 17739 17740 1 7f9fb2400000 - - "
		     "\xff\xfe-12/34:5.6:\n"
		     "page-faults 1000004000 17739 17740 1 7f9fb2400000 - - "
		     "123456789012345\n" },
	{ .what = "call chains, names without padding",
	  .text = "ls 25132/25133 [000] 14361.853466: page-faults:     "
		  "5577e6bd25c0 __progname\n"
		  "\tffffffff817554ea elf_load\n"
		  "\t    7f2c1fef2ad7 [unknown]\n"
		  "\n"
		  "Web 12 a 25132/25133 14361.853467:          1 page-faults:"
		  "     5577e6bd25c1 \n"
		  "\tffffffff817554ea elf_load\n"
		  "\n",
	  .records = "page-faults 14361853466000 25132 25133 0 5577e6bd25c0 - "
		     "- ls\n"
		     "page-faults 14361853467000 25132 25133 - 5577e6bd25c1 - "
		     "- Web 12 a\n" },
	{ .what = "modifiers, other names, groups of them",
	  .text = PAD "  ls     1/1     [000]     1.000001:              "
		      "page-faults:u:     7f3993eccb70\n" PAD
		      "  ls     1/1     [000]     1.000002:              "
		      "faults:uppp:     7f3993eccb70\n" PAD
		      "  ls     1/1     [000]     1.000003:              "
		      "software/page-faults/u:     7f3993eccb70\n" PAD
		      "  ls     1/1     [000]     1.000004:              "
		      "page-faults/period=1/:     7f3993eccb70\n",
	  .records = "page-faults 1000001000 1 1 0 7f3993eccb70 - - ls\n"
		     "page-faults 1000002000 1 1 0 7f3993eccb70 - - ls\n"
		     "page-faults 1000003000 1 1 0 7f3993eccb70 - - ls\n"
		     "page-faults 1000004000 1 1 0 7f3993eccb70 - - ls\n" },
	{ .what = "an event whose name begins as the one before",
	  .text = PAD "  ls     1/1     [000]     1.000001:              "
		      "page-faults:     7f3993eccb70\n" PAD
		      "  ls     1/1     [000]     1.000002:              "
		      "page-faults:u:     7f3993eccb70\n",
	  .records = "page-faults 1000001000 1 1 0 7f3993eccb70 - - ls\n"
		     "page-faults 1000002000 1 1 0 7f3993eccb70 - - ls\n" },
	{ .what = "few fields",
	  .text = "14359.132716: page-faults:     563604a53240\n"
		  "   12/13    14359.132717: page-faults:     563604a53240\n",
	  .records =
		  "page-faults 14359132716000 - - - 563604a53240 - - -\n"
		  "page-faults 14359132717000 12 13 - 563604a53240 - - -\n" },
	{ .what = "no time",
	  .text = PAD "  sh 24826 page-faults:     563604a53240\n"
		      "java 19983 page-faults:     563604a53240\n"
		      "java 19983 1 page-faults:     563604a53240\n",
	  .records = "page-faults - - 24826 - 563604a53240 - - sh\n"
		     "page-faults - - 19983 - 563604a53240 - - java\n"
		     "page-faults - - 19983 - 563604a53240 - - java\n",
	  .nr_notes = 1 },
	{ .what = "tracepoints: the payload counts, not the address column",
	  .text = "     Web Content 17739 [001]  1011.947461:   "
		  "exceptions:page_fault_user: address=0x55d173d2d008 "
		  "ip=0x7f58a4a6a106 error_code=0x6\n"
		  "     Web Content 17739/17740 [001]  1011.947462: "
		  "exceptions:page_fault_kernel: address=0x56501c89c5c0 "
		  "ip=elf_load error_code=0x2               0\n"
		  "     Web Content 17739/17740 [001]  1011.947463: "
		  "exceptions:page_fault_user:u:                0 "
		  "address=0x1 ip=0x2 error_code=0x14\n",
	  .records = "exceptions:page_fault_user 1011947461000 - 17739 1 "
		     "55d173d2d008 7f58a4a6a106 6 Web Content\n"
		     "exceptions:page_fault_kernel 1011947462000 17739 17740 "
		     "1 56501c89c5c0 - 2 Web Content\n"
		     "exceptions:page_fault_user 1011947463000 17739 17740 1 "
		     "1 2 14 Web Content\n",
	  .nr_notes = 1 },
	{ .what = "tracepoints without their fields",
	  .text = PAD "  ls     1/1     [001]     1.000001: "
		      "exceptions:page_fault_user:                0\n" PAD
		      "  ls     1/1     [001]     1.000002:              "
		      "page-faults:u:     7f3993eccb70\n",
	  .records = "page-faults 1000002000 1 1 1 7f3993eccb70 - - ls\n",
	  .nr_skipped = 1 },
	{ .what = "both events of a fault, one of them without an address",
	  .text = PAD
	  "  ls     1/1     [001]     1.000001: "
	  "exceptions:page_fault_user: address=0x7f3993eccb70 "
	  "ip=0x7f3993eccb70 error_code=0x14\n" PAD
	  "  ls     1/1     [001]     1.000002:          1 "
	  "             page-faults:u:      7f3993eccb70 _start+0x0 "
	  "(/usr/lib/ld.so)\n",
	  .records = "exceptions:page_fault_user 1000001000 1 1 1 "
		     "7f3993eccb70 7f3993eccb70 14 ls\n",
	  .nr_skipped = 1 },
	{ .what = "kernel addresses and the last one",
	  .text = PAD "  ls     1/1     [001]     1.000001: page-faults: "
		      "ffffffffffffffff [unknown] ffffffff81b75d98 f\n" PAD
		      "  ls     1/1     [001]     1.000002: page-faults: "
		      "ffffffffffffffff\n",
	  .records = "page-faults 1000001000 1 1 1 ffffffffffffffff "
		     "ffffffff81b75d98 - ls\n"
		     "page-faults 1000002000 1 1 1 ffffffffffffffff - - "
		     "ls\n" },
	{ .what = "blanks lost on the way",
	  .text = "ls 1/1 [001] 1.000001: page-faults: 7f3993eccb70\n"
		  "ls 1/1 [001] 1.000002: page-faults: 7f3993eccb70 main "
		  "5629f8f07188 main\n"
		  "ls 1/1 [001] 1.000003: page-faults: 0x7f3993eccb70\n"
		  "ls 1/1 [001] 1.000004: page-faults: 7f3993eccb70 "
		  "_start+0x0 (/usr/lib/ld.so)\n"
		  "ls 1/1 [001] 1.000005: page-faults: ffffffff8175336a "
		  "elf_load+0x28a ([kernel.kallsyms])\n",
	  .records = "page-faults 1000001000 1 1 1 7f3993eccb70 - - ls\n"
		     "page-faults 1000002000 1 1 1 7f3993eccb70 5629f8f07188 "
		     "- ls\n"
		     "page-faults 1000003000 1 1 1 7f3993eccb70 - - ls\n",
	  .nr_skipped = 2 },
	{ .what = "CR at the end of lines",
	  .text = PAD "  ls     1/1     [001]     1.000001: page-faults:     "
		      "7f3993eccb70\r\n\r\n",
	  .records = "page-faults 1000001000 1 1 1 7f3993eccb70 - - ls\n" },
	{ .what = "a header that tells of a frequency",
	  .text = "# ========\n# captured on    : Mon Nov 30 13:47:38 2026\n"
		  "# event : name = page-faults, , id = { 1, 2 }, type = 1, "
		  "size = 128, config = 0x2, { sample_period, sample_freq } "
		  "= 500, sample_type = IP|TID|TIME|ADDR|PERIOD|DATA_SRC, "
		  "disabled = 1, inherit = 1, freq = 1, sample_id_all = 1\n"
		  "# ========\n#\n" PAD
		  "  ls     1/1     [001]     1.000001:         17 "
		  "page-faults:     7f3993eccb70\n",
	  .records = "page-faults 1000001000 1 1 1 7f3993eccb70 - - ls\n",
	  .nr_notes = 2 },
	{ .what = "a header that tells of every fault",
	  .text = "# ========\n# captured on    : Mon Nov 30 13:47:38 2026\n"
		  "# event : name = page-faults:u, , id = { 1, 2 }, type = "
		  "1, { sample_period, sample_freq } = 1, sample_type = "
		  "IP|TID|TIME|CPU|ADDR, disabled = 1\n"
		  "# event : name = dummy:HG, , { sample_period, "
		  "sample_freq } = 4000, sample_type = IP|TID, freq = 1\n" PAD
		  "  ls     1/1     [001]     1.000001:          1 "
		  "page-faults:u:     7f3993eccb70\n",
	  .records = "page-faults 1000001000 1 1 1 7f3993eccb70 - - ls\n" },
	{ .what = "losses: a sample is lost once, and told of twice",
	  .text = PAD "  ls     1/1     [001]     1.000001000: "
		      "PERF_RECORD_LOST lost 17\n" PAD
		      "  ls     1/1     [001]     1.000002000: "
		      "PERF_RECORD_LOST_SAMPLES lost 12\n" PAD
		      "  ls     1/1     [001]     1.000003000: "
		      "PERF_RECORD_LOST_SAMPLES lost 10\n" PAD
		      "  ls     1/1     [001]     1.000004000: page-faults:"
		      "     7f3993eccb70\n",
	  .records = "lost+17 1000001000 1 1 1 - - - ls\n"
		     "lost+5 1000003000 1 1 1 - - - ls\n"
		     "page-faults 1000004000 1 1 1 7f3993eccb70 - - ls\n",
	  .nr_lost = 22 },
	{ .what = "processes",
	  .text = "       perf-exec     0/0     [000]     0.000000000: "
		  "PERF_RECORD_COMM: perf-exec:24826/24826\n" PAD
		  "  sh 24826/24826 [000] 14359.132679398: "
		  "PERF_RECORD_COMM exec: s:1/2:24826/24826\n" PAD
		  "  sh 24826/24826 [000] 14359.133778086: "
		  "PERF_RECORD_FORK(24832:24832):(24826:24826)\n" PAD
		  "  sh 24826/24826 [000] 14359.133778087: "
		  "PERF_RECORD_FORK(24832:24833):(24832:24832)\n" PAD
		  "  ls 24832/24833 [000] 14359.135013451: "
		  "PERF_RECORD_EXIT(24832:24833):(24826:24826)\n" PAD
		  "  ls 24832/24832 [000] 14359.135013452: "
		  "page-faults:     7f3993eccb70\n",
	  .records = "exec 14359132679398 24826 24826 0 - - - sh\n"
		     "fork+24826 14359133778086 24832 24832 0 - - - sh\n"
		     "exit 14359135013451 24832 24833 0 - - - ls\n"
		     "page-faults 14359135013452 24832 24832 0 7f3993eccb70 - "
		     "- ls\n" },
	{ .what = "mappings",
	  .text = "         swapper     0/0     [000]     0.000000000: "
		  "PERF_RECORD_MMAP -1/0: [0xffffffff81000000(0x120bb08) @ "
		  "0xffffffff81000000]: x [kernel.kallsyms]_text\n" PAD
		  "  sh     7/7     [000]     0.000000000: PERF_RECORD_MMAP2 "
		  "7/7: [0x7ffc86a68000(0x21000) @ 0x7ffffffde000 00:00 0 "
		  "0]: rw-p [stack]\n" PAD
		  "  sh     7/7     [000]     1.000000000: PERF_RECORD_MMAP2 "
		  "7/7: [0x563604a38000(0x13000) @ 0x4000 fe:00 247230 0]: "
		  "r-xp /usr/bin/dash ]: x\n" PAD
		  "  sh     7/7     [000]     2.000000000: PERF_RECORD_MMAP2 "
		  "7/7: [0x7f0000000000(0x200000) @ 0 00:0f 247230 0]: rw-p "
		  "/anon_hugepage (deleted)\n" PAD
		  "  sh     7/7     [000]     3.000000000: PERF_RECORD_MMAP2 "
		  "7/7: [0x7f0000200000(0x1000) @ 0x7000 <0123456789abcdef>]: "
		  "rw-p //anon\n" PAD "  sh     7/7     [000]     3.100000000: "
		  "page-faults:     7f3993eccb70\n",
	  .records = "mmap+135168@anon - 7 7 0 7ffc86a68000 - - sh\n"
		     "mmap+77824@file 1000000000 7 7 0 563604a38000 - - sh\n"
		     "mmap+2097152@anon 2000000000 7 7 0 7f0000000000 - - "
		     "sh\n"
		     "mmap+4096@anon 3000000000 7 7 0 7f0000200000 - - sh\n"
		     "page-faults 3100000000 7 7 0 7f3993eccb70 - - sh\n" },
	{ .what = "what is said behind a text, and other events",
	  .text = PAD "  ls     1/1     [001]     1.000001: page-faults:     "
		      "7f3993eccb70\n" PAD
		      "  ls     1/1     [001]     1.000002:     250000 "
		      "cycles:      7f3993eccb70 main\n" PAD
		      "  ls     1/1     [001]     1.000003: "
		      "sched:sched_switch: prev_comm=a\n"
		      "Was the 'perf record' command properly terminated?\n",
	  .records = "page-faults 1000001000 1 1 1 7f3993eccb70 - - ls\n",
	  .nr_skipped = 3 },
	{ .what = "bad lines",
	  .text = PAD "  ls     1/1     [001]     1.000001: page-faults:     "
		      "7f3993eccb70\n"
		      "nonsense\n" PAD
		      "  ls     1/1     [001]     1.000002: page-faults:     "
		      "7f3993eccbxx\n" PAD
		      "  ls     1/1     [001]     1.000003: page-faults: "
		      "1ffffffffffffffff\n" PAD
		      "  ls 99999999999/1 [001]     1.000004: page-faults:     "
		      "7f3993eccb70\n" PAD
		      "  ls     1/1     [001]     1.000005: "
		      "exceptions:page_fault_user: address=0x1 ip=0x2\n" PAD
		      "  ls     1/1     [001]     1.000006: "
		      "PERF_RECORD_FORK(1:\n" PAD
		      "  ls     1/1     [001]     1.000007: page-faults:     "
		      "7f3993eccb7",
	  .records = "page-faults 1000001000 1 1 1 7f3993eccb70 - - ls\n",
	  .nr_bad = 7 },
	{ .what = "damage in front of a period is no other thread",
	  .text = PAD
	  "  ls     1/1     [001] 99999999999999999999.000000004: "
	  "         1 page-faults:     7f3993eccb70\n" PAD
	  "  ls     1/1     [001]     1x000005:          1 "
	  "page-faults:     7f3993eccb70\n" PAD
	  "  ls     1/1     [001]     1.000006;          1 "
	  "page-faults:     7f3993eccb70\n"
	  "ls 1/1 1.00000x:          1 page-faults:     "
	  "7f3993eccb70\n"
	  " l 1/1 1.000x8:          1 page-faults:     7f3993eccb70\n"
	  "ls 1x1 [001] 1.000008:          1 page-faults:     "
	  "7f3993eccb70\n"
	  "ls 1/1 1.000009:          1 page-faults:     "
	  "7f3993eccb70\n",
	  .records = "page-faults 1000009000 1 1 - 7f3993eccb70 - - ls\n",
	  .nr_bad = 6 },
	{ .what = "as perf script prints by default",
	  .text = PAD " thr 17453   994.502336:          1 page-faults:      "
		      "558735ebc1b7 th+0x3e (/path/pf)\n" PAD
		      " thr 17453   994.502337:          1 page-faults:  "
		      "ffffffff8175336a elf_load+0x28a ([kernel.kallsyms])\n",
	  .records = "",
	  .nr_skipped = 2,
	  .error = "perf script --ns -F comm,pid,tid,cpu,time,event,addr" },
	{ .what = "call chains only",
	  .text = "ls 25132 14361.853466:          1 page-faults: \n"
		  "\tffffffff817554ea elf_load+0x28a ([kernel.kallsyms])\n\n",
	  .records = "",
	  .nr_skipped = 1,
	  .error = "perf script --ns -F comm,pid,tid,cpu,time,event,addr" },
	{ .what = "ip alone, without a symbol",
	  .text = PAD "  ls     1/1     [001]     1.000001: page-faults:      "
		      "7f3993eccb70\n" PAD
		      "  ls     1/1     [001]     1.000001: page-faults:  "
		      "ffffffff8175336a\n",
	  .records = "",
	  .nr_skipped = 2,
	  .error = "no fault addresses" },
	{ .what = "a header says that there were no addresses",
	  .text = "# ========\n# captured on    : Mon Nov 30 13:47:38 2026\n"
		  "# event : name = page-faults, , id = { 1, 2 }, type = 1, "
		  "{ sample_period, sample_freq } = 1, sample_type = "
		  "IP|TID|TIME|PHYS_ADDR, disabled = 1\n" PAD
		  "  ls     1 [001]     1.000001:          1 page-faults:      "
		  "7f3993eccb70 main+0x1 (/bin/ls)\n",
	  .records = "",
	  .nr_skipped = 1,
	  .error = "perf record -e page-faults -c 1 -d" },
	{ .what = "perf says that there were no addresses",
	  .text = "Samples for 'page-faults' event do not have ADDR attribute "
		  "set. Cannot print 'addr' field.\n",
	  .records = "",
	  .nr_skipped = 1,
	  .error = "perf record -e page-faults -c 1 -d" },
};

START_TEST(comes_to)
{
	check_format_case(&cases[_i], "perf-script", 0);
}
END_TEST

static const struct {
	const char *name;
	enum fz_fault_backing backing;
} backings[] = {
	{ "//anon", FZ_BACKING_ANON },
	{ "[heap]", FZ_BACKING_ANON },
	{ "[stack]", FZ_BACKING_ANON },
	{ "[stack:123]", FZ_BACKING_ANON },
	{ "[anon:arena]", FZ_BACKING_ANON },
	{ "[anon_shmem:x]", FZ_BACKING_ANON },
	{ "/anon_hugepage (deleted)", FZ_BACKING_ANON },
	{ "/dev/zero", FZ_BACKING_ANON },
	{ "/dev/zero (deleted)", FZ_BACKING_ANON },
	{ "/memfd:pool (deleted)", FZ_BACKING_ANON },
	{ "/SYSV00000000 (deleted)", FZ_BACKING_ANON },
	{ "/dev/hugepages/buffer", FZ_BACKING_ANON },
	{ "/usr/bin/dash", FZ_BACKING_FILE },
	{ "/dev/zeroes", FZ_BACKING_FILE },
	{ "/anon_hugepages/x", FZ_BACKING_FILE },
	{ "/SYSVx/file", FZ_BACKING_FILE },
	{ "[vdso]", FZ_BACKING_FILE },
	{ "[vvar]", FZ_BACKING_FILE },
	{ "anon_inode:[perf_event]", FZ_BACKING_FILE },
	{ "//enomem", FZ_BACKING_UNKNOWN },
	{ "[unknown]", FZ_BACKING_UNKNOWN },
	{ "", FZ_BACKING_UNKNOWN },
};

START_TEST(backing_of)
{
	ck_assert_int_eq(
		backing_of_name(backings[_i].name, strlen(backings[_i].name)),
		backings[_i].backing);
}
END_TEST

/* It is not read to its end to be refused. */
START_TEST(refuses_a_stream_early)
{
	static const char line[] = "             thr 17453   994.502336:    "
				   "      1 page-faults:      558735ebc1b7 "
				   "th+0x3e (/path/pf)\n";
	struct memory_bytes memory = { .chunk = 4096 };
	const size_t copies = 20000;
	char *text = malloc(copies * strlen(line) + 1);
	struct outcome outcome;

	ck_assert_ptr_nonnull(text);
	for (size_t i = 0; i < copies; i++)
		memcpy(text + i * strlen(line), line, sizeof(line));
	memory.bytes = text;
	memory.nr = strlen(text);
	outcome_read(&outcome, memory_source(&memory), NULL, 0);
	ck_assert_int_eq(outcome.code, -EBADMSG);
	ck_assert_uint_lt(memory.at, memory.nr / 2);
	outcome_fini(&outcome);
	free(text);
}
END_TEST

/* The name of the event is kept from line to line: they may change. */
START_TEST(lines_may_differ)
{
	struct outcome outcome;
	char *records;

	outcome_read_text(
		&outcome,
		PAD "   a     1/2     [003]     1.000000001: page-faults:     "
		    "7f0000000001\n" PAD
		    "   b     1/2     [003]     1.000000002: minor-faults:     "
		    "7f0000000002\n" PAD
		    "   a 1000000/2000000 [120]     1.000000003: page-faults:"
		    "     7f0000000003\n"
		    " 123456789012345     1/2     [003]     1.000000004: "
		    "faults:                1\n",
		NULL);
	records = records_text(outcome.faults, outcome.nr);
	ck_assert_str_eq(records,
			 "page-faults 1000000001 1 2 3 7f0000000001 - - a\n"
			 "minor-faults 1000000002 1 2 3 7f0000000002 - - b\n"
			 "page-faults 1000000003 1000000 2000000 120 "
			 "7f0000000003 - - a\n"
			 "page-faults 1000000004 1 2 3 1 - - "
			 "123456789012345\n");
	free(records);
	outcome_fini(&outcome);
}
END_TEST

/* One byte changed from the CPU to the event: what comes of the line is of the
 * same thread, or nothing does. */
START_TEST(damage_is_no_other_thread)
{
	static const char line[] = PAD "  ls    10/20    [003]     "
				       "1.000000001:          1 page-faults:"
				       "     7f0000000001\n";
	const size_t bytes = sizeof(line) - 1;
	const size_t first = (size_t)(strchr(line, '[') - line);
	const size_t end = (size_t)(strstr(line, "s:") + 2 - line);
	char *text = malloc((end - first) * 256 * bytes);
	struct memory_bytes memory = { .bytes = text };
	struct outcome outcome;
	size_t wrong = 0;

	ck_assert_ptr_nonnull(text);
	for (size_t at = first; at < end; at++)
		for (unsigned int byte = 0; byte < 256; byte++) {
			if (byte == '\n')
				continue;
			memcpy(text + memory.nr, line, bytes);
			text[memory.nr + at] = (char)byte;
			memory.nr += bytes;
		}
	outcome_read(&outcome, memory_source(&memory),
		     fz_trace_format_find("perf-script"), 0);
	ck_assert_int_eq(outcome.code, 0);
	ck_assert_uint_gt(outcome.nr, 0);
	for (size_t i = 0; i < outcome.nr; i++)
		wrong += outcome.faults[i].pid != 10 ||
			 outcome.faults[i].tid != 20;
	ck_assert_uint_eq(wrong, 0);
	outcome_fini(&outcome);
	free(text);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("traces.perf_script");
	TCase *tcase = tcase_create("perf script");

	tcase_set_timeout(tcase, 30);
	tcase_add_loop_test(tcase, comes_to, 0, sizeof(cases) / sizeof(*cases));
	tcase_add_loop_test(tcase, backing_of, 0,
			    sizeof(backings) / sizeof(*backings));
	tcase_add_test(tcase, refuses_a_stream_early);
	tcase_add_test(tcase, lines_may_differ);
	tcase_add_test(tcase, damage_is_no_other_thread);
	suite_add_tcase(suite, tcase);
	return suite;
}
