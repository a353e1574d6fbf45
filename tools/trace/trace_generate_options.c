// SPDX-License-Identifier: GPL-2.0-or-later
/* Parses the options of `foliosim trace generate`. */
#include "trace_generate_options.h"

#include <stdio.h>
#include <string.h>

#include <fz/generated.h>
#include <fz/units.h>

#include "command.h"
#include "options.h"
#include "trace_copy.h"

static const char help_text[] =
	"usage: foliosim trace generate NAME [OPTION]...\n"
	"\n"
	"Make up the page faults of threads that write to memory. The same command\n"
	"gives the same bytes, everywhere.\n"
	"\n"
	"  NAME             an access pattern, see 'foliosim list generators'\n"
	"  --size S         region of memory of each process (default 1G)\n"
	"  --page-size S    what a fault maps (default 4K; anon-w-seq-hugetlb: 2M)\n"
	"  --base HEX       where the region begins (default 100000000000)\n"
	"  --processes N    each with a region of its own (default 1;\n"
	"                   anon-w-seq-hugetlb: 8)\n"
	"  --threads N      of each process; they divide its region evenly\n"
	"                   (default 1)\n"
	"  --faults N       end after so many (default: at the end of accesses)\n"
	"  --accesses N     of each thread (default: as many as it has pages; with\n"
	"                   --faults no limit); only the first to a page is a fault\n"
	"  --stride S       stride: from one access to the next (default 16 pages)\n"
	"  --zipf X         zipf: exponent (default 1)\n"
	"  --hot-share P    hot-cold: share of the pages that are hot (default 0.1)\n"
	"  --hot-weight P   hot-cold: share of the accesses to them (default 0.9)\n"
	"  --rate R         faults of each thread at equal distances, R a second;\n"
	"                   1000 or 1000/s (default: as fast as possible, which is\n"
	"                   500 ns a fault and 1 ns for 10 bytes of the page)\n"
	"  --poisson R      at random distances, R a second on average\n"
	"  --seed N         of everything random (default 1)\n"
	"  --event EVENT    exceptions:page_fault_user (default), or page-faults,\n"
	"                   which has no error code\n"
	"  --to FORMAT      csv, canonical or binary (default csv)\n"
	"  -o FILE, --output FILE\n"
	"                   write there instead of standard output; packed if its\n"
	"                   name ends with .gz, .xz or .zst\n"
	"  --help           this text\n"
	"\n"
	"Sizes take K, M, G, T (1024-based). Exit status: 0 done, 1 failed, 2\n"
	"usage.\n";

enum option_id {
	OPT_SIZE = 1,
	OPT_PAGE_SIZE,
	OPT_BASE,
	OPT_PROCESSES,
	OPT_THREADS,
	OPT_FAULTS,
	OPT_ACCESSES,
	OPT_STRIDE,
	OPT_ZIPF,
	OPT_HOT_SHARE,
	OPT_HOT_WEIGHT,
	OPT_RATE,
	OPT_POISSON,
	OPT_SEED,
	OPT_EVENT,
	OPT_TO,
	OPT_HELP,
	NR_OPTIONS,
};

static const struct option long_options[] = {
	{ "size", required_argument, NULL, OPT_SIZE },
	{ "page-size", required_argument, NULL, OPT_PAGE_SIZE },
	{ "base", required_argument, NULL, OPT_BASE },
	{ "processes", required_argument, NULL, OPT_PROCESSES },
	{ "threads", required_argument, NULL, OPT_THREADS },
	{ "faults", required_argument, NULL, OPT_FAULTS },
	{ "accesses", required_argument, NULL, OPT_ACCESSES },
	{ "stride", required_argument, NULL, OPT_STRIDE },
	{ "zipf", required_argument, NULL, OPT_ZIPF },
	{ "hot-share", required_argument, NULL, OPT_HOT_SHARE },
	{ "hot-weight", required_argument, NULL, OPT_HOT_WEIGHT },
	{ "rate", required_argument, NULL, OPT_RATE },
	{ "poisson", required_argument, NULL, OPT_POISSON },
	{ "seed", required_argument, NULL, OPT_SEED },
	{ "event", required_argument, NULL, OPT_EVENT },
	{ "to", required_argument, NULL, OPT_TO },
	{ "output", required_argument, NULL, 'o' },
	{ "help", no_argument, NULL, OPT_HELP },
	{ NULL, 0, NULL, 0 },
};

/* Values as they were given: what they change depends on the generator. */
struct values {
	const char *of[NR_OPTIONS]; /* by enum option_id; NULL = not given */
};

/* What the generator must use for the option to mean something. */
static unsigned int needed_use(int id)
{
	switch (id) {
	case OPT_STRIDE:
		return FZ_USES_STRIDE;
	case OPT_ZIPF:
		return FZ_USES_ZIPF;
	case OPT_HOT_SHARE:
	case OPT_HOT_WEIGHT:
		return FZ_USES_HOT;
	default:
		return 0;
	}
}

static bool set_count(const char *option, const char *value, uint32_t *count)
{
	uint64_t number;

	if (!fz_option_number(option, value, 1, FZ_GENERATED_MAX_THREADS,
			      &number))
		return false;
	*count = (uint32_t)number;
	return true;
}

static bool set_decimal(const char *option, const char *value, double *number)
{
	struct fz_err err;

	if (!fz_parse_decimal(value, number, &err))
		return true;
	fz_complain("%s: %s", option, err.msg);
	return false;
}

static bool set_base(struct fz_generator_params *params, const char *value)
{
	struct fz_err err;

	if (!fz_parse_hex(value, &params->base_addr, &err))
		return true;
	fz_complain("--base: %s", err.msg);
	return false;
}

/* A number, with an optional /s. */
static bool set_rate(struct fz_generator_params *params, const char *option,
		     const char *value, enum fz_arrival arrival)
{
	const size_t bytes = strlen(value);
	char digits[64];

	snprintf(digits, sizeof(digits), "%s", value);
	if (bytes > 2 && bytes < sizeof(digits) &&
	    strcmp(digits + bytes - 2, "/s") == 0)
		digits[bytes - 2] = '\0';
	params->arrival = arrival;
	return fz_option_number(option, digits, 1, FZ_GENERATED_MAX_RATE_PER_S,
				&params->rate_per_s);
}

static const enum fz_event events[] = { FZ_EVENT_USER_FAULT,
					FZ_EVENT_PAGE_FAULTS };

static const char *event_name_at(size_t i)
{
	return i < sizeof(events) / sizeof(events[0]) ? fz_event_name(events[i])
						      : NULL;
}

static bool set_event(struct fz_generator_params *params, const char *value)
{
	size_t i;

	if (!fz_option_index("event", value, event_name_at, &i))
		return false;
	params->event = events[i];
	return true;
}

/* Where everything is, and how long it takes. */
static bool set_place(struct fz_generate_options *o, int id, const char *value)
{
	struct fz_generator_params *p = &o->params;

	switch (id) {
	case OPT_SIZE:
		return fz_option_bytes("--size", value, &p->region_bytes);
	case OPT_PAGE_SIZE:
		return fz_option_bytes("--page-size", value, &p->page_bytes);
	case OPT_BASE:
		return set_base(p, value);
	case OPT_PROCESSES:
		return set_count("--processes", value, &p->nr_processes);
	case OPT_THREADS:
		return set_count("--threads", value, &p->nr_threads);
	case OPT_FAULTS:
		return fz_option_number("--faults", value, 1, UINT64_MAX,
					&p->nr_faults);
	default:
		return fz_option_number("--accesses", value, 1, UINT64_MAX,
					&p->nr_accesses);
	}
}

static bool set_value(struct fz_generate_options *o, int id, const char *value)
{
	struct fz_generator_params *p = &o->params;

	switch (id) {
	case OPT_STRIDE:
		return fz_option_bytes("--stride", value, &p->stride_bytes);
	case OPT_ZIPF:
		return set_decimal("--zipf", value, &p->zipf_exponent);
	case OPT_HOT_SHARE:
		return set_decimal("--hot-share", value, &p->hot_share);
	case OPT_HOT_WEIGHT:
		return set_decimal("--hot-weight", value, &p->hot_weight);
	case OPT_RATE:
		return set_rate(p, "--rate", value, FZ_ARRIVAL_FIXED);
	case OPT_POISSON:
		return set_rate(p, "--poisson", value, FZ_ARRIVAL_POISSON);
	case OPT_SEED:
		return fz_option_number("--seed", value, 0, UINT64_MAX,
					&p->seed);
	case OPT_EVENT:
		return set_event(p, value);
	case OPT_TO:
		return fz_trace_option_to(&o->format, value);
	default:
		return set_place(o, id, value);
	}
}

static bool set_values(struct fz_generate_options *o,
		       const struct values *values)
{
	if (values->of[OPT_RATE] && values->of[OPT_POISSON]) {
		fz_complain("--rate and --poisson both say when faults happen: "
			    "give one");
		return false;
	}
	/* In the order of the ids, which is that of the table. */
	for (int id = 1; id < OPT_HELP; id++) {
		if (!values->of[id])
			continue;
		if (needed_use(id) & ~o->generator->uses) {
			fz_complain("--%s: '%s' does not use it; "
				    "'foliosim list generators' says what "
				    "does",
				    long_options[id - 1].name,
				    o->generator->name);
			return false;
		}
		if (!set_value(o, id, values->of[id]))
			return false;
	}
	return true;
}

static const char *generator_name_at(size_t i)
{
	return fz_generators[i] ? fz_generators[i]->name : NULL;
}

static bool find_generator(struct fz_generate_options *o, int argc, char **argv)
{
	size_t i;

	if (optind >= argc) {
		fz_complain("a name is missing: 'foliosim list generators' "
			    "has them");
		return false;
	}
	if (!fz_option_index("generator", argv[optind++], generator_name_at,
			     &i))
		return false;
	o->generator = fz_generators[i];
	o->params = fz_generator_defaults(o->generator);
	return fz_option_no_arguments(argc, argv);
}

int fz_generate_options_parse(struct fz_generate_options *options, int argc,
			      char **argv)
{
	struct values values = { { NULL } };
	int id;

	*options = (struct fz_generate_options){
		.format = fz_trace_format_find("csv"),
	};
	while ((id = fz_option_next_of(argc, argv, ":o:", long_options)) !=
	       -1) {
		if (id == OPT_HELP) {
			fputs(help_text, stdout);
			return -1;
		}
		if (id == '?')
			return fz_usage("trace generate");
		if (id == 'o')
			options->output = optarg;
		else
			values.of[id] = optarg;
	}
	if (!find_generator(options, argc, argv) ||
	    !set_values(options, &values) ||
	    !fz_trace_fits_output(options->format, options->output))
		return fz_usage("trace generate");
	return FZ_EXIT_DONE;
}
