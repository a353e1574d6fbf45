// SPDX-License-Identifier: GPL-2.0-or-later
/* Parses the options of `foliosim replay`. */
#include "replay_options.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fz/folio.h>
#include <fz/units.h>

#include "bench_lists.h"
#include "command.h"

/* THP's only size before multi-size THP, order 9. */
#define THP_ORDERS (1u << FZ_MAX_AUTO_ORDER)

static const char help_text[] =
	"usage: foliosim replay [OPTION]... TRACE...\n"
	"\n"
	"Which folio size and policy would the recorded workload stall least\n"
	"under? Replays the page faults that zeroed memory, for each folio size,\n"
	"and tells what each policy makes of them. '-' is standard input; several\n"
	"traces are merged by time.\n"
	"\n"
	"What would be zeroed (L: a comma-separated list, or 'all')\n"
	"  --folio-size L      4K to 1G, or auto: the largest of 2M that fits into\n"
	"                      the mapping, as THP decides; auto:64K,2M of multi-\n"
	"                      size THP: auto comes last (default 4K,64K,2M, those\n"
	"                      that the recording allows)\n"
	"  --recorded-folio S  what each recorded fault made (default: told from\n"
	"                      where the faults are)\n"
	"  --assume WHAT       faults of which the recording does not say whether\n"
	"                      they zeroed: anon (they did, the default), none\n"
	"  --policy L          policies (default all; see 'foliosim list'), or paths\n"
	"                      of shared objects: ./mine.so\n"
	"  --preempt L         none, voluntary, full, lazy, rt-full, rt-lazy\n"
	"                      (default: the running kernel's model)\n"
	"  --batch L           bytes between two resched points (default: the\n"
	"                      policy's)\n"
	"  --radius L          pages kept on each side of the fault (default 2)\n"
	"\n"
	"How\n"
	"  --engine L          model (work it out, the default), buffers (clear\n"
	"                      memory and measure)\n"
	"  --profile P         with model: whose prices (a name of 'foliosim list\n"
	"                      profiles', or a file; default neutral)\n"
	"  --clear L           with buffers: primitive of cached steps\n"
	"  --stream-clear L    with buffers: primitive of streaming steps\n"
	"  --page-size S       with buffers: memory, as in bench\n"
	"  --size S            with buffers: memory to reuse (default as in bench)\n"
	"  --pace PACE         with buffers: flat (one fault after the other, the\n"
	"                      default), recorded (at the recorded times)\n"
	"  --seed N            orders of rows (default 1)\n"
	"  --reserve           with buffers: add missing huge pages, as in bench\n"
	"\n"
	"The recording\n"
	"  --trace-format NAME format of the traces (default: recognised; see\n"
	"                      'foliosim list formats')\n"
	"  --tsc-hz HZ         ticks a second of traces with trace_clock x86-tsc\n"
	"  --strict            a line that is not understood is a failure\n"
	"\n"
	"Output\n"
	"  --format FORMAT     text, json, csv, commit (default text)\n"
	"  --output FILE       write there instead of standard output\n"
	"  --help              this text\n"
	"\n"
	"Sizes take K, M, G, T (1024-based). Exit status: 0 done, 1 failed,\n"
	"2 usage, 77 nothing could run here.\n";

enum option_id {
	OPT_FOLIO_SIZE = 1,
	OPT_RECORDED,
	OPT_ASSUME,
	OPT_POLICY,
	OPT_PREEMPT,
	OPT_BATCH,
	OPT_RADIUS,
	OPT_ENGINE,
	OPT_PROFILE,
	OPT_CLEAR,
	OPT_STREAM,
	OPT_PAGE_SIZE,
	OPT_SIZE,
	OPT_PACE,
	OPT_SEED,
	OPT_RESERVE,
	OPT_TRACE_FORMAT,
	OPT_TSC_HZ,
	OPT_STRICT,
	OPT_FORMAT,
	OPT_OUTPUT,
	OPT_HELP,
};

static const struct option long_options[] = {
	{ "folio-size", required_argument, NULL, OPT_FOLIO_SIZE },
	{ "recorded-folio", required_argument, NULL, OPT_RECORDED },
	{ "assume", required_argument, NULL, OPT_ASSUME },
	{ "policy", required_argument, NULL, OPT_POLICY },
	{ "preempt", required_argument, NULL, OPT_PREEMPT },
	{ "batch", required_argument, NULL, OPT_BATCH },
	{ "radius", required_argument, NULL, OPT_RADIUS },
	{ "engine", required_argument, NULL, OPT_ENGINE },
	{ "profile", required_argument, NULL, OPT_PROFILE },
	{ "clear", required_argument, NULL, OPT_CLEAR },
	{ "stream-clear", required_argument, NULL, OPT_STREAM },
	{ "page-size", required_argument, NULL, OPT_PAGE_SIZE },
	{ "size", required_argument, NULL, OPT_SIZE },
	{ "pace", required_argument, NULL, OPT_PACE },
	{ "seed", required_argument, NULL, OPT_SEED },
	{ "reserve", no_argument, NULL, OPT_RESERVE },
	{ "trace-format", required_argument, NULL, OPT_TRACE_FORMAT },
	{ "tsc-hz", required_argument, NULL, OPT_TSC_HZ },
	{ "strict", no_argument, NULL, OPT_STRICT },
	{ "format", required_argument, NULL, OPT_FORMAT },
	{ "output", required_argument, NULL, OPT_OUTPUT },
	{ "help", no_argument, NULL, OPT_HELP },
	{ NULL, 0, NULL, 0 },
};

/* The log2 of a size in pages, a power of two within bounds. */
static bool parse_order(const char *option, const char *word,
			unsigned int max_order, unsigned int *order)
{
	uint64_t bytes;

	if (!fz_option_bytes(option, word, &bytes))
		return false;
	for (*order = 0; *order <= max_order; (*order)++)
		if (bytes == FZ_PAGE_BYTES << *order)
			return true;
	fz_complain("%s: '%s' is no folio: give a power of two from 4K to %s",
		    option, word,
		    max_order == FZ_MAX_FOLIO_ORDER ? "1G" : "2M");
	return false;
}

/* "auto", "auto:64K,2M": what is behind it is its own. */
static bool parse_auto(struct fz_replay_options *o, const char *word)
{
	struct fz_folio_choice *choice = &o->choices[o->nr_choices++];
	const char *sizes = word + strlen("auto");
	struct fz_list list;
	bool ok = true;

	*choice = (struct fz_folio_choice){ .auto_orders = THP_ORDERS };
	if (!sizes[0])
		return true;
	if (sizes[0] != ':') {
		fz_complain("--folio-size: '%s': give auto, or auto:64K,2M, "
			    "behind all other sizes",
			    word);
		return false;
	}
	if (!fz_list_parse(&list, "--folio-size", sizes + 1))
		return false;
	choice->auto_orders = 0;
	for (size_t i = 0; i < list.nr && ok; i++) {
		unsigned int order;

		ok = parse_order("--folio-size", list.words[i],
				 FZ_MAX_AUTO_ORDER, &order);
		if (ok)
			choice->auto_orders |= 1u << order;
	}
	fz_list_fini(&list);
	return ok;
}

/* Where the word auto begins; NULL = nowhere. */
static const char *find_auto(const char *value)
{
	const char *at = strncmp(value, "auto", strlen("auto")) == 0
				 ? value
				 : strstr(value, ",auto");

	return at && *at == ',' ? at + 1 : at;
}

static bool add_fixed(struct fz_replay_options *o, const char *word)
{
	struct fz_folio_choice *choice = &o->choices[o->nr_choices];

	*choice = (struct fz_folio_choice){ 0 };
	if (!parse_order("--folio-size", word, FZ_MAX_FOLIO_ORDER,
			 &choice->order))
		return false;
	for (size_t i = 0; i < o->nr_choices; i++) {
		if (o->choices[i].order != choice->order)
			continue;
		fz_complain("--folio-size: '%s' is given twice", word);
		return false;
	}
	o->nr_choices++;
	return true;
}

static bool add_fixed_list(struct fz_replay_options *o, const char *value)
{
	struct fz_list list;
	bool ok = true;

	if (!fz_list_parse(&list, "--folio-size", value))
		return false;
	for (size_t i = 0; i < list.nr && ok; i++)
		ok = add_fixed(o, list.words[i]);
	fz_list_fini(&list);
	return ok;
}

/* "all" is each power of two there is. */
static bool set_folio_sizes(struct fz_replay_options *o, const char *value)
{
	const char *autom = find_auto(value);
	char *fixed;
	bool ok;

	o->nr_choices = 0;
	if (strcmp(value, "all") == 0) {
		for (unsigned int i = 0; i <= FZ_MAX_FOLIO_ORDER; i++)
			o->choices[o->nr_choices++] =
				(struct fz_folio_choice){ .order = i };
		return true;
	}
	if (!autom)
		return add_fixed_list(o, value);
	if (autom == value)
		return parse_auto(o, autom);
	fixed = strndup(value, (size_t)(autom - value) - 1);
	ok = fixed && add_fixed_list(o, fixed);
	if (!fixed)
		fz_complain("--folio-size: no memory");
	free(fixed);
	return ok && parse_auto(o, autom);
}

static const char *engine_name_at(size_t i)
{
	return i == 0   ? fz_engine_model.name
	       : i == 1 ? fz_engine_buffers.name
			: NULL;
}

static bool set_engines(struct fz_replay_options *o, const char *value)
{
	struct fz_list list;
	bool ok = true;

	o->model = o->buffers = strcmp(value, "all") == 0;
	if (o->model)
		return true;
	if (!fz_list_parse(&list, "--engine", value))
		return false;
	for (size_t i = 0; i < list.nr && ok; i++) {
		size_t index;

		ok = fz_option_index("engine", list.words[i], engine_name_at,
				     &index);
		if (ok && index == 0)
			o->model = true;
		else if (ok)
			o->buffers = true;
	}
	fz_list_fini(&list);
	return ok;
}

static const char *assume_name_at(size_t i)
{
	return i == 0 ? "anon" : i == 1 ? "none" : NULL;
}

static const char *pace_name_at(size_t i)
{
	return i == 0 ? "flat" : i == 1 ? "recorded" : NULL;
}

static bool set_recorded(struct fz_replay_options *o, const char *value)
{
	unsigned int order;

	if (!parse_order("--recorded-folio", value, FZ_MAX_FOLIO_ORDER, &order))
		return false;
	o->recorded_bytes = FZ_PAGE_BYTES << order;
	return true;
}

static bool set_choice(struct fz_replay_options *o, int id, const char *value)
{
	size_t index;

	switch (id) {
	case OPT_ASSUME:
		if (!fz_option_index("assumption", value, assume_name_at,
				     &index))
			return false;
		o->assume_anon = index == 0;
		return true;
	case OPT_PACE:
		if (!fz_option_index("pace", value, pace_name_at, &index))
			return false;
		o->recorded_pace = index == 1;
		return true;
	default:
		if (!fz_option_index("format", value, fz_format_name_at,
				     &index))
			return false;
		o->bench.format = (enum fz_format)index;
		return true;
	}
}

static bool set_bench_list(struct fz_bench_options *o, int id,
			   const char *value)
{
	switch (id) {
	case OPT_POLICY:
		return fz_policy_list_parse(&o->policies, value);
	case OPT_PREEMPT:
		return fz_bench_set_preempts(o, value);
	case OPT_BATCH:
		return fz_bench_set_batches(o, value);
	case OPT_RADIUS:
		return fz_bench_set_radii(o, value);
	case OPT_CLEAR:
		return fz_bench_set_clears(o, value);
	case OPT_STREAM:
		return fz_bench_set_streams(o, value);
	default:
		return fz_bench_set_pages(o, value);
	}
}

static bool set_option(struct fz_replay_options *o, int id, const char *value)
{
	switch (id) {
	case OPT_FOLIO_SIZE:
		return set_folio_sizes(o, value);
	case OPT_RECORDED:
		return set_recorded(o, value);
	case OPT_ENGINE:
		return set_engines(o, value);
	case OPT_PROFILE:
		o->profile = value;
		return true;
	case OPT_ASSUME:
	case OPT_PACE:
	case OPT_FORMAT:
		return set_choice(o, id, value);
	case OPT_SIZE:
		return fz_option_bytes("--size", value, &o->bench.bytes);
	case OPT_SEED:
		return fz_option_number("--seed", value, 0, INT64_MAX,
					&o->bench.seed);
	case OPT_RESERVE:
		return o->bench.reserve = true;
	case OPT_TRACE_FORMAT:
		return fz_trace_option_format(&o->trace, value);
	case OPT_TSC_HZ:
		return fz_trace_option_tsc_hz(&o->trace, value);
	case OPT_STRICT:
		return o->trace.strict = true;
	case OPT_OUTPUT:
		o->bench.output = value;
		return true;
	default:
		return set_bench_list(&o->bench, id, value);
	}
}

static bool options_agree(const struct fz_replay_options *o)
{
	const struct fz_bench_options *b = &o->bench;

	if (!o->nr_traces) {
		fz_complain("no trace: name one, or '-' for standard input");
		return false;
	}
	if (o->nr_traces > FZ_REPLAY_MAX_TRACES) {
		fz_complain("more than %d traces", FZ_REPLAY_MAX_TRACES);
		return false;
	}
	if (!o->buffers && (b->nr_clears || b->nr_streams || b->nr_pages ||
			    b->bytes || b->reserve || o->recorded_pace)) {
		fz_complain("--clear, --stream-clear, --page-size, --size, "
			    "--reserve and --pace are for --engine buffers: "
			    "add it");
		return false;
	}
	if (!o->model && o->profile) {
		fz_complain("--profile is for --engine model: add it");
		return false;
	}
	if (b->nr_pages > 1) {
		fz_complain("--page-size: give one: folios of all sizes are "
			    "zeroed in the same memory");
		return false;
	}
	return true;
}

int fz_replay_options_parse(struct fz_replay_options *options, int argc,
			    char **argv)
{
	int id;

	*options = (struct fz_replay_options){
		.bench = { .use = FZ_USE_NONE, .seed = 1 },
		.assume_anon = true,
	};
	while ((id = fz_option_next(argc, argv, long_options)) != -1) {
		if (id == OPT_HELP) {
			fputs(help_text, stdout);
			return -1;
		}
		if (id == '?')
			return fz_usage("replay");
		if (!set_option(options, id, optarg))
			return FZ_EXIT_USAGE;
	}
	if (!options->buffers)
		options->model = true;
	options->traces = argv + optind;
	options->nr_traces = (size_t)(argc - optind);
	if (!options_agree(options))
		return fz_usage("replay");
	return fz_policy_list_load(&options->bench.policies, true);
}

void fz_folio_choice_text(char *buf, size_t cap,
			  const struct fz_folio_choice *choice)
{
	size_t used;

	if (!choice->auto_orders) {
		fz_format_bytes(buf, cap, FZ_PAGE_BYTES << choice->order);
		return;
	}
	used = (size_t)snprintf(buf, cap, "auto");
	if (choice->auto_orders == THP_ORDERS)
		return;
	for (unsigned int o = 0; o <= FZ_MAX_AUTO_ORDER && used < cap; o++) {
		char size[FZ_FORMAT_BYTES];

		if (!(choice->auto_orders & 1u << o))
			continue;
		fz_format_bytes(size, sizeof(size), FZ_PAGE_BYTES << o);
		used += (size_t)snprintf(buf + used, cap - used, "%s%s",
					 used == strlen("auto") ? ":" : ",",
					 size);
	}
}
