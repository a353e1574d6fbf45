// SPDX-License-Identifier: GPL-2.0-or-later
/* foliosim trace: finds the subcommand and runs it. */
#include <stdio.h>
#include <string.h>

#include "cmd_trace.h"
#include "options.h"

/* In the order of --help. */
static const struct fz_command *const subcommands[] = {
	&fz_trace_command_info,
	&fz_trace_command_convert,
	&fz_trace_command_record,
	&fz_trace_command_generate,
	NULL,
};

static const char *subcommand_name_at(size_t i)
{
	return subcommands[i] ? subcommands[i]->name : NULL;
}

static void print_usage(FILE *out)
{
	fputs("usage: foliosim trace SUBCOMMAND [OPTION]...\n"
	      "       foliosim trace SUBCOMMAND --help\n"
	      "\n"
	      "Recordings of page faults: what is in them, made into other formats,\n"
	      "recorded, or made up.\n"
	      "\n",
	      out);
	for (size_t i = 0; subcommands[i]; i++)
		fprintf(out, "  %-9s %s\n", subcommands[i]->name,
			subcommands[i]->summary);
	fputs("\n"
	      "  --help    this text\n"
	      "\n"
	      "Exit status: 0 done, 1 failed, 2 usage, 77 nothing could run "
	      "here.\n",
	      out);
}

static int cmd_trace(int argc, char **argv)
{
	size_t i;

	if (argc < 2) {
		print_usage(stderr);
		return FZ_EXIT_USAGE;
	}
	if (strcmp(argv[1], "--help") == 0) {
		print_usage(stdout);
		return FZ_EXIT_DONE;
	}
	if (argv[1][0] == '-') {
		fz_complain("unknown option '%s'", argv[1]);
		return fz_usage("trace");
	}
	if (!fz_option_index("subcommand", argv[1], subcommand_name_at, &i))
		return fz_usage("trace");
	return subcommands[i]->run(argc - 1, argv + 1);
}

const struct fz_command fz_command_trace = {
	.name = "trace",
	.summary = "recordings of page faults: look into, convert, record",
	.run = cmd_trace,
};
