// SPDX-License-Identifier: GPL-2.0-or-later
/* foliosim trace record: the page faults of a command, by perf. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "child.h"
#include "cmd_trace.h"
#include "options.h"
#include "perf_recipe.h"
#include "perf_recording.h"
#include "stop_signal.h"
#include "trace_copy.h"
#include "whole_file.h"

static const char help_text[] =
	"usage: foliosim trace record [OPTION]... -- CMD [ARGUMENT]...\n"
	"\n"
	"Run a command and record its page faults with perf. Without -o the trace\n"
	"goes to standard output, and what the command prints there to standard\n"
	"error. A signal ends the command; what was recorded until then is kept.\n"
	"\n"
	"  --to FORMAT     binary (the default), canonical or csv\n"
	"  -o, --output FILE  write there instead of standard output; packed if its\n"
	"                  name ends with .gz, .xz or .zst\n"
	"  --help          this text\n"
	"\n";

static const char help_end[] =
	"\n"
	"Exit status: 0 recorded, whatever became of the command; 1 failed,\n"
	"2 usage, 77 perf or the rights for it are missing.\n";

enum option_id {
	OPT_TO = 1,
	OPT_HELP,
};

static const struct option long_options[] = {
	{ "to", required_argument, NULL, OPT_TO },
	{ "output", required_argument, NULL, 'o' },
	{ "help", no_argument, NULL, OPT_HELP },
	{ NULL, 0, NULL, 0 },
};

struct options {
	const struct fz_trace_format *to;
	const char *output; /* NULL = standard output */
};

/* Before the command has run for nothing. */
static bool can_begin(const struct options *o, const char *command)
{
	const int code = fz_child_check(command);

	if (code)
		fz_complain("cannot run '%s': %s", command, strerror(-code));
	return !code && !fz_whole_file_check(o->output);
}

static int record(struct fz_perf_recording *recording, const struct options *o,
		  const char *const *argv)
{
	struct fz_fault_source source;
	int status;

	if (!fz_perf_recording_is_possible(recording)) {
		fz_perf_recipe_print(stderr);
		return FZ_EXIT_CANNOT_RUN;
	}
	if (!can_begin(o, argv[0]))
		return FZ_EXIT_FAILED;
	if (!fz_perf_recording_make(recording, argv,
				    o->output ? -1 : STDERR_FILENO))
		return FZ_EXIT_FAILED;
	if (!fz_perf_recording_read(recording, &source))
		return FZ_EXIT_FAILED;
	status = fz_trace_copy(source, o->to, o->output);
	fz_perf_recording_complain(recording);
	return status;
}

static int cmd_trace_record(int argc, char **argv)
{
	struct options o = { .to = fz_trace_format_find("binary") };
	struct fz_perf_recording *recording;
	int id, status;

	while ((id = fz_option_next_of(argc, argv, "+:o:", long_options)) !=
	       -1) {
		if (id == OPT_HELP) {
			fputs(help_text, stdout);
			fz_perf_recipe_print(stdout);
			fputs(help_end, stdout);
			return FZ_EXIT_DONE;
		}
		if (id == '?')
			return fz_usage("trace record");
		if (id == 'o')
			o.output = strcmp(optarg, "-") ? optarg : NULL;
		else if (!fz_trace_option_to(&o.to, optarg))
			return FZ_EXIT_USAGE;
	}
	if (optind == argc) {
		fz_complain("no command to record: give it behind '--'");
		return fz_usage("trace record");
	}
	if (!fz_trace_fits_output(o.to, o.output))
		return fz_usage("trace record");
	fz_stop_signal_catch();
	recording = fz_perf_recording_new();
	status = recording ? record(recording, &o,
				    (const char *const *)argv + optind)
			   : FZ_EXIT_FAILED;
	fz_perf_recording_free(recording);
	fz_stop_signal_reraise();
	return status;
}

const struct fz_command fz_trace_command_record = {
	.name = "record",
	.summary = "run a command and record its page faults with perf",
	.run = cmd_trace_record,
};
