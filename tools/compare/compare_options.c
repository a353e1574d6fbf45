// SPDX-License-Identifier: GPL-2.0-or-later
/* Parses the options of `foliosim compare`. */
#include "compare_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help_text[] =
	"usage: foliosim compare [OPTION]... BASE OTHER...\n"
	"\n"
	"Compare results of 'foliosim bench --format json'. BASE and each OTHER\n"
	"are a file, '-' for standard input, or, which says much more, several\n"
	"runs of one command with commas between them:\n"
	"\n"
	"  foliosim compare before.json after.json\n"
	"  foliosim compare before1.json,before2.json,before3.json \\\n"
	"          after1.json,after2.json,after3.json\n"
	"\n"
	"Rows with the same settings are compared. Runs of one command differ by\n"
	"more than the rounds inside a run show. With several runs a side that\n"
	"is seen, and counted; with one it is assumed.\n"
	"\n"
	"  --between-runs PCT  what runs of one command differ by, as a standard\n"
	"                      deviation in per cent (default: half of the\n"
	"                      spread of the rounds, at least 1), for rows that\n"
	"                      have one run a side; with it, runs that other\n"
	"                      tasks disturbed count as well\n"
	"  --format FORMAT     text, json, csv, commit (default text)\n"
	"  --output FILE       write there instead of standard output\n"
	"  --help              this text\n"
	"\n"
	"Exit status: 0 compared, whatever came of it; 1 failed, or no row in\n"
	"common; 2 usage.\n";

enum option_id {
	OPT_BETWEEN_RUNS = 1,
	OPT_FORMAT,
	OPT_OUTPUT,
	OPT_HELP,
};

static const struct option long_options[] = {
	{ "between-runs", required_argument, NULL, OPT_BETWEEN_RUNS },
	{ "format", required_argument, NULL, OPT_FORMAT },
	{ "output", required_argument, NULL, OPT_OUTPUT },
	{ "help", no_argument, NULL, OPT_HELP },
	{ NULL, 0, NULL, 0 },
};

static bool set_between_runs(struct fz_compare_options *o, const char *value)
{
	const size_t digits = strspn(value, "0123456789");
	const size_t fraction =
		value[digits] == '.'
			? 1 + strspn(value + digits + 1, "0123456789")
			: 0;
	const double pct = strtod(value, NULL);

	if (!digits || fraction == 1 || value[digits + fraction] || pct > 100) {
		fz_complain("--between-runs: '%s' is not between 0 and 100, "
			    "like 2 or 1.5",
			    value);
		return false;
	}
	o->between_runs = pct / 100;
	return true;
}

static bool set_option(struct fz_compare_options *o, int id, const char *value)
{
	size_t index;

	switch (id) {
	case OPT_BETWEEN_RUNS:
		return set_between_runs(o, value);
	case OPT_FORMAT:
		if (!fz_option_index("format", value, fz_format_name_at,
				     &index))
			return false;
		o->format = (enum fz_format)index;
		return true;
	default:
		o->output = value;
		return true;
	}
}

static bool add_side(struct fz_compare_options *o, const char *argument)
{
	if (o->nr_sides == FZ_COMPARE_MAX_SIDES) {
		fz_complain("more than %d files to compare",
			    FZ_COMPARE_MAX_SIDES);
		return false;
	}
	if (!fz_list_parse(&o->sides[o->nr_sides], "files", argument))
		return false;
	o->nr_sides++;
	return true;
}

static size_t nr_of_stdin(const struct fz_compare_options *o)
{
	size_t nr = 0;

	for (size_t side = 0; side < o->nr_sides; side++)
		for (size_t i = 0; i < o->sides[side].nr; i++)
			nr += strcmp(o->sides[side].words[i], "-") == 0;
	return nr;
}

static int add_sides(struct fz_compare_options *o, int argc, char **argv)
{
	for (; optind < argc; optind++)
		if (!add_side(o, argv[optind]))
			return FZ_EXIT_USAGE;
	if (o->nr_sides < 2) {
		fz_complain(o->nr_sides ? "one file is nothing to compare; "
					  "name a second one"
					: "no files to compare");
		return fz_usage("compare");
	}
	if (nr_of_stdin(o) > 1) {
		fz_complain("standard input can be read once: '-' is given "
			    "twice");
		return FZ_EXIT_USAGE;
	}
	return FZ_EXIT_DONE;
}

int fz_compare_options_parse(struct fz_compare_options *options, int argc,
			     char **argv)
{
	int id;

	*options = (struct fz_compare_options){ .between_runs = -1 };
	while ((id = fz_option_next(argc, argv, long_options)) != -1) {
		if (id == OPT_HELP) {
			fputs(help_text, stdout);
			return -1;
		}
		if (id == '?')
			return fz_usage("compare");
		if (!set_option(options, id, optarg))
			return FZ_EXIT_USAGE;
	}
	return add_sides(options, argc, argv);
}

void fz_compare_options_fini(struct fz_compare_options *options)
{
	for (size_t i = 0; i < options->nr_sides; i++)
		fz_list_fini(&options->sides[i]);
	options->nr_sides = 0;
}
