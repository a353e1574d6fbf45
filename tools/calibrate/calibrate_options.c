// SPDX-License-Identifier: GPL-2.0-or-later
/* Parses the options of `foliosim calibrate`. */
#include "calibrate_options.h"

#include <stdio.h>
#include <string.h>

#include <fz/units.h>

#include "bench_lists.h"
#include "command.h"

#define MIN_EXTENT_BYTES ((uint64_t)2 << 20)
#define MAX_EXTENT_BYTES ((uint64_t)1 << 30)
#define MIN_BUDGET_NS    1000000ull
#define MAX_BUDGET_NS    (3600ull * 1000 * 1000 * 1000)

static const char help_text[] =
	"usage: foliosim calibrate [OPTION]...\n"
	"\n"
	"Measure what zeroing costs on this machine: the numbers of a machine\n"
	"profile, which bench, replay, simulate and tune take by --profile FILE.\n"
	"Prices of plans that nothing was fitted to are compared with what they\n"
	"take.\n"
	"\n"
	"  --clear L           primitives (L: a comma-separated list, or 'all';\n"
	"                      default all that this CPU can run)\n"
	"  --budget T          how long it may take, about: 500ms, 20s (default\n"
	"                      50s)\n"
	"  --max-extent S      longest call, 2M to 1G (default 1G, less if time or\n"
	"                      memory are short)\n"
	"  --seed N            orders of what is measured (default 1)\n"
	"  --reserve           add missing huge pages to the pool, and give them\n"
	"                      back\n"
	"\n"
	"  --format FORMAT     text, json (a profile; default text)\n"
	"  --output FILE       write there instead of standard output; if FILE\n"
	"                      ends in .json, and there is no --format, it becomes\n"
	"                      a profile, and text goes to standard output\n"
	"  --help              this text\n"
	"\n"
	"Sizes take K, M, G (1024-based). Exit status: 0 done, 1 failed, 2 usage,\n"
	"77 nothing could run here.\n";

enum option_id {
	OPT_CLEAR = 1,
	OPT_BUDGET,
	OPT_MAX_EXTENT,
	OPT_SEED,
	OPT_RESERVE,
	OPT_FORMAT,
	OPT_OUTPUT,
	OPT_HELP,
};

static const struct option long_options[] = {
	{ "clear", required_argument, NULL, OPT_CLEAR },
	{ "budget", required_argument, NULL, OPT_BUDGET },
	{ "max-extent", required_argument, NULL, OPT_MAX_EXTENT },
	{ "seed", required_argument, NULL, OPT_SEED },
	{ "reserve", no_argument, NULL, OPT_RESERVE },
	{ "format", required_argument, NULL, OPT_FORMAT },
	{ "output", required_argument, NULL, OPT_OUTPUT },
	{ "help", no_argument, NULL, OPT_HELP },
	{ NULL, 0, NULL, 0 },
};

static bool set_budget(struct fz_calibrate_options *o, const char *value)
{
	struct fz_err err = { "" };

	if (fz_parse_ns(value, &o->budget_ns, &err)) {
		fz_complain("--budget: %s", err.msg);
		return false;
	}
	if (o->budget_ns >= MIN_BUDGET_NS && o->budget_ns <= MAX_BUDGET_NS)
		return true;
	fz_complain("--budget: '%s' is out of range: give 1ms to 3600s", value);
	return false;
}

static bool set_extent(struct fz_calibrate_options *o, const char *value)
{
	if (!fz_option_bytes("--max-extent", value, &o->max_extent_bytes))
		return false;
	if (o->max_extent_bytes >= MIN_EXTENT_BYTES &&
	    o->max_extent_bytes <= MAX_EXTENT_BYTES)
		return true;
	fz_complain("--max-extent: '%s' is out of range: give 2M to 1G", value);
	return false;
}

static bool set_option(struct fz_calibrate_options *o, int id,
		       const char *value, bool *has_format)
{
	size_t index;

	switch (id) {
	case OPT_CLEAR:
		return fz_bench_set_clears(&o->bench, value);
	case OPT_BUDGET:
		return set_budget(o, value);
	case OPT_MAX_EXTENT:
		return set_extent(o, value);
	case OPT_SEED:
		return fz_option_number("--seed", value, 0, INT64_MAX,
					&o->bench.seed);
	case OPT_RESERVE:
		o->bench.reserve = true;
		return true;
	case OPT_OUTPUT:
		o->bench.output = value;
		return true;
	default:
		if (!fz_option_index("format", value, fz_document_name_at,
				     &index))
			return false;
		o->bench.format = (enum fz_format)index;
		*has_format = true;
		return true;
	}
}

static bool ends_in_json(const char *path)
{
	static const char suffix[] = ".json";
	const size_t length = path ? strlen(path) : 0;

	return length >= strlen(suffix) &&
	       strcmp(path + length - strlen(suffix), suffix) == 0;
}

int fz_calibrate_options_parse(struct fz_calibrate_options *options, int argc,
			       char **argv)
{
	bool has_format = false;
	int id;

	*options = (struct fz_calibrate_options){
		.bench = { .use = FZ_USE_NONE, .seed = 1 },
		.budget_ns = FZ_CALIBRATE_BUDGET_NS,
	};
	while ((id = fz_option_next(argc, argv, long_options)) != -1) {
		if (id == OPT_HELP) {
			fputs(help_text, stdout);
			return -1;
		}
		if (id == '?')
			return fz_usage("calibrate");
		if (!set_option(options, id, optarg, &has_format))
			return FZ_EXIT_USAGE;
	}
	if (!fz_option_no_arguments(argc, argv))
		return fz_usage("calibrate");
	options->json_file = !has_format && ends_in_json(options->bench.output);
	return FZ_EXIT_DONE;
}
