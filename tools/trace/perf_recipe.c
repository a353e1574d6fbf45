// SPDX-License-Identifier: GPL-2.0-or-later
/* How perf is asked for page faults. */
#include "perf_recipe.h"

#include <stddef.h>

const char *const fz_perf_script_words[] = {
	"perf",
	"script",
	"--show-lost-events",
	"--show-mmap-events",
	"--show-task-events",
	"--ns",
	"-F",
	"comm,pid,tid,cpu,time,event,addr",
	NULL,
};

void fz_perf_recipe_print(FILE *out)
{
	fputs("To record by hand, also on another machine:\n"
	      "\n"
	      "  perf record -e page-faults -c 1 -d --sample-cpu -m 16M -- CMD\n"
	      "  perf script --show-lost-events --show-mmap-events \\\n"
	      "          --show-task-events --ns \\\n"
	      "          -F comm,pid,tid,cpu,time,event,addr > trace.txt\n"
	      "  foliosim trace convert --to binary trace.txt -o trace\n"
	      "\n"
	      "or, as root, where there is bpftrace:\n"
	      "\n"
	      "  bpftrace -o trace.txt -c CMD tools/trace.bt\n"
	      "\n"
	      "Without root, perf needs /proc/sys/kernel/perf_event_paranoid\n"
	      "to be 2 or less, and -m 512K instead of -m 16M.\n",
	      out);
}
