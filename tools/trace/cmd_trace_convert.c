// SPDX-License-Identifier: GPL-2.0-or-later
/* foliosim trace convert: traces of any format to one of ours. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fz/fault_merge.h>

#include "cmd_trace.h"
#include "options.h"
#include "stop_signal.h"
#include "trace_copy.h"
#include "trace_file.h"

static const char help_text[] =
	"usage: foliosim trace convert --to FORMAT [OPTION]... FILE...\n"
	"\n"
	"Write traces in another format. A FILE is plain or packed by gz, xz or\n"
	"zst; '-' is standard input. Several become one, in order of time. What\n"
	"could not be used is counted on standard error.\n"
	"\n"
	"  --to FORMAT     binary, canonical or csv\n"
	"  -o, --output FILE  write there instead of standard output; packed if its\n"
	"                  name ends with .gz, .xz or .zst\n"
	"  --format NAME, --trace-format NAME  format of the traces (default:\n"
	"                  recognised; see 'foliosim list formats')\n" FZ_TRACE_OPTIONS_HELP
	"  --help          this text\n"
	"\n"
	"Exit status: 0 done, also if some lines were not understood; 1 failed,\n"
	"or nothing was understood; 2 usage.\n";

#define MAX_FILES 64

enum option_id {
	OPT_TO = 1,
	OPT_FORMAT,
	OPT_TSC_HZ,
	OPT_STRICT,
	OPT_HELP,
};

static const struct option long_options[] = {
	{ "to", required_argument, NULL, OPT_TO },
	{ "output", required_argument, NULL, 'o' },
	{ "format", required_argument, NULL, OPT_FORMAT },
	{ "trace-format", required_argument, NULL, OPT_FORMAT },
	{ "tsc-hz", required_argument, NULL, OPT_TSC_HZ },
	{ "strict", no_argument, NULL, OPT_STRICT },
	{ "help", no_argument, NULL, OPT_HELP },
	{ NULL, 0, NULL, 0 },
};

/* Everything of one conversion, so that one function can give it all back. */
struct conversion {
	struct fz_trace_options options;
	const struct fz_trace_format *to;
	const char *output;                     /* NULL = standard output */
	struct fz_trace_file *files[MAX_FILES]; /* [nr_files] */
	size_t nr_files;
	struct fz_fault_merge *merge;
};

static bool set_option(struct conversion *c, int id, const char *value)
{
	switch (id) {
	case OPT_TO:
		return fz_trace_option_to(&c->to, value);
	case OPT_FORMAT:
		return fz_trace_option_format(&c->options, value);
	case OPT_TSC_HZ:
		return fz_trace_option_tsc_hz(&c->options, value);
	case OPT_STRICT:
		c->options.strict = true;
		return true;
	default:
		c->output = value;
		return true;
	}
}

static bool check_options(const struct conversion *c, int nr_files)
{
	if (!c->to) {
		fz_complain("--to is missing: what to convert to");
		return false;
	}
	if (nr_files == 0) {
		fz_complain("no trace to convert: name a file, or '-' for "
			    "standard input");
		return false;
	}
	if (nr_files > MAX_FILES) {
		fz_complain("more than %d traces", MAX_FILES);
		return false;
	}
	return fz_trace_fits_output(c->to, c->output);
}

static int open_files(struct conversion *c, char **paths, int nr)
{
	struct fz_fault_source sources[MAX_FILES];
	struct fz_err err = { "" };

	for (int i = 0; i < nr; i++) {
		if (fz_trace_file_open(&c->files[i], paths[i], &c->options,
				       &err)) {
			fz_complain("%s", err.msg);
			return FZ_EXIT_FAILED;
		}
		sources[c->nr_files++] = fz_trace_file_source(c->files[i]);
	}
	if (fz_fault_merge_open(&c->merge, sources, c->nr_files)) {
		fz_complain("out of memory");
		return FZ_EXIT_FAILED;
	}
	return FZ_EXIT_DONE;
}

static int convert(struct conversion *c, char **paths, int nr)
{
	int status = open_files(c, paths, nr);

	if (!status)
		status = fz_trace_copy(fz_fault_merge_source(c->merge), c->to,
				       c->output);
	for (size_t i = 0; i < c->nr_files; i++)
		fz_trace_file_complain(c->files[i]);
	return status;
}

static int cmd_trace_convert(int argc, char **argv)
{
	struct conversion c = { .to = NULL };
	int id, status;

	while ((id = fz_option_next_of(argc, argv, ":o:", long_options)) !=
	       -1) {
		if (id == OPT_HELP) {
			fputs(help_text, stdout);
			return FZ_EXIT_DONE;
		}
		if (id == '?')
			return fz_usage("trace convert");
		if (!set_option(&c, id, optarg))
			return FZ_EXIT_USAGE;
	}
	if (!check_options(&c, argc - optind))
		return fz_usage("trace convert");
	status = convert(&c, argv + optind, argc - optind);
	fz_fault_merge_close(c.merge);
	for (size_t i = 0; i < c.nr_files; i++)
		fz_trace_file_close(c.files[i]);
	fz_stop_signal_reraise();
	return status;
}

const struct fz_command fz_trace_command_convert = {
	.name = "convert",
	.summary = "write traces in another format, several as one",
	.run = cmd_trace_convert,
};
