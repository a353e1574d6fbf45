// SPDX-License-Identifier: GPL-2.0-or-later
/* foliosim trace info: what is in traces. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd_trace.h"
#include "command_line.h"
#include "options.h"
#include "trace_file.h"
#include "trace_info.h"
#include "view.h"

static const char help_text[] =
	"usage: foliosim trace info [OPTION]... FILE...\n"
	"\n"
	"Tell what is in each trace: events and what they had to do, processes,\n"
	"memory that was touched and where first, how long faults took, and what\n"
	"was lost. A FILE is plain or packed by gz, xz or zst; '-' is standard\n"
	"input.\n"
	"\n"
	"  --format FORMAT text (the default) or json, which is described in\n"
	"                  docs/foliosim.trace-info-1.schema.json; or a format of\n"
	"                  'foliosim list formats' that the traces are read as\n"
	"  --trace-format NAME  the latter\n" FZ_TRACE_OPTIONS_HELP
	"  --help          this text\n"
	"\n"
	"Exit status: 0 done, also if some lines were not understood; 1 failed,\n"
	"or nothing was understood; 2 usage.\n";

#define MAX_FILES 64

enum option_id {
	OPT_FORMAT = 1,
	OPT_TRACE_FORMAT,
	OPT_TSC_HZ,
	OPT_STRICT,
	OPT_HELP,
};

static const struct option long_options[] = {
	{ "format", required_argument, NULL, OPT_FORMAT },
	{ "trace-format", required_argument, NULL, OPT_TRACE_FORMAT },
	{ "tsc-hz", required_argument, NULL, OPT_TSC_HZ },
	{ "strict", no_argument, NULL, OPT_STRICT },
	{ "help", no_argument, NULL, OPT_HELP },
	{ NULL, 0, NULL, 0 },
};

struct options {
	struct fz_trace_options trace;
	bool json;
};

static const char *const views[] = { "text", "json" };

static const char *view_or_format_at(size_t i)
{
	return i < 2 ? views[i] : fz_trace_format_name_at(i - 2);
}

/* No trace format has the name of a view. */
static bool set_format(struct options *o, const char *value)
{
	size_t i;

	if (!fz_option_index("format", value, view_or_format_at, &i))
		return false;
	if (i < 2)
		o->json = i == 1;
	else
		o->trace.format = fz_trace_formats[i - 2];
	return true;
}

static bool set_option(struct options *o, int id, const char *value)
{
	switch (id) {
	case OPT_FORMAT:
		return set_format(o, value);
	case OPT_TRACE_FORMAT:
		return fz_trace_option_format(&o->trace, value);
	case OPT_TSC_HZ:
		return fz_trace_option_tsc_hz(&o->trace, value);
	default:
		o->trace.strict = true;
		return true;
	}
}

/* What could not be used is told also where the rest is an error. */
static int read_file(struct fz_trace_info *info, const char *path,
		     const struct fz_trace_options *options)
{
	struct fz_trace_file *file;
	struct fz_err err = { "" };
	int code = fz_trace_file_open(&file, path, options, &err);

	if (code) {
		fz_complain("%s", err.msg);
		return FZ_EXIT_FAILED;
	}
	code = fz_trace_info_read(info, fz_trace_file_format(file),
				  fz_trace_file_source(file), &err);
	info->path = path;
	info->problems = *fz_trace_file_problems(file);
	fz_trace_file_complain(file);
	if (code)
		fz_complain("%s", err.msg);
	fz_trace_file_close(file);
	return code ? FZ_EXIT_FAILED : FZ_EXIT_DONE;
}

static int print_text(const struct fz_trace_info *infos, size_t nr)
{
	struct fz_view view;
	const int code = fz_view_begin(&view);

	if (code)
		return code;
	for (size_t i = 0; i < nr; i++) {
		if (i)
			fputc('\n', view.stream);
		fz_trace_info_text(view.stream, &infos[i]);
	}
	return fz_view_end(&view, stdout);
}

static int print(const struct fz_trace_info *infos, size_t nr, bool json,
		 int argc, char **argv)
{
	char *command;
	int code;

	if (!json) {
		code = print_text(infos, nr);
	} else {
		/* The word before ours is "trace". */
		command = fz_command_line(argc + 1, argv - 1);
		code = fz_trace_info_json(stdout, infos, nr,
					  command ? command : "");
		free(command);
	}
	return code ? fz_output_failed(code) : FZ_EXIT_DONE;
}

/* The parts of a trace's info that take memory are not needed once it is
 * known. */
static int inform(const struct options *o, int first, int argc, char **argv)
{
	const size_t nr = (size_t)(argc - first);
	struct fz_trace_info *infos = calloc(nr, sizeof(*infos));
	int status = infos ? FZ_EXIT_DONE : FZ_EXIT_FAILED;
	size_t done = 0;

	if (!infos)
		fz_complain("out of memory");
	while (!status && done < nr) {
		status = read_file(&infos[done], argv[first + (int)done],
				   &o->trace);
		fz_trace_info_shrink(&infos[done++]);
	}
	if (!status)
		status = print(infos, nr, o->json, argc, argv);
	for (size_t i = 0; i < done; i++)
		fz_trace_info_fini(&infos[i]);
	free(infos);
	return status;
}

static int cmd_trace_info(int argc, char **argv)
{
	struct options o = { .json = false };
	int id;

	while ((id = fz_option_next(argc, argv, long_options)) != -1) {
		if (id == OPT_HELP) {
			fputs(help_text, stdout);
			return FZ_EXIT_DONE;
		}
		if (id == '?')
			return fz_usage("trace info");
		if (!set_option(&o, id, optarg))
			return FZ_EXIT_USAGE;
	}
	if (optind == argc) {
		fz_complain("no trace to look into: name a file, or '-' for "
			    "standard input");
		return fz_usage("trace info");
	}
	if (argc - optind > MAX_FILES) {
		fz_complain("more than %d traces", MAX_FILES);
		return FZ_EXIT_USAGE;
	}
	return inform(&o, optind, argc, argv);
}

const struct fz_command fz_trace_command_info = {
	.name = "info",
	.summary = "what is in traces: events, processes, memory, times",
	.run = cmd_trace_info,
};
