// SPDX-License-Identifier: GPL-2.0-or-later
/* Parses the options of `foliosim tune`. */
#include "tune_options.h"

#include <stdio.h>
#include <string.h>

#include <fz/folio.h>
#include <fz/plan.h>
#include <fz/statistics.h>
#include <fz/units.h>

#include "bench_lists.h"
#include "command.h"

static const char help_text[] =
	"usage: foliosim tune [OPTION]...\n"
	"\n"
	"How much should be cleared between two resched points? Measures, or\n"
	"predicts by a machine's profile, how fast a folio is cleared in batches,\n"
	"and how long others wait meanwhile: from 4K to the whole folio.\n"
	"\n"
	"  --profile NAME      predict, by a profile of 'foliosim list profiles' or\n"
	"                      a .json file; nothing is measured\n"
	"  --engine buffers    measure on real memory (default without --profile;\n"
	"                      takes about half a minute)\n"
	"  --clear L           primitives (default: the one the kernel picks on\n"
	"                      this CPU, or all of the profile)\n"
	"  --folio-size S      folio to clear (default: the page size)\n"
	"  --page-size P       as for bench, one (default: 2M hugetlb, else THP;\n"
	"                      of a prediction 1G)\n"
	"  --preempt M         none or voluntary (default none)\n"
	"  --share N%          of the bandwidth of the whole folio in one batch that\n"
	"                      is enough (default 95%)\n"
	"  --max-latency T     longest stretch without a resched point (default 3ms)\n"
	"  --batches L         these sizes only (default: powers of two, and then\n"
	"                      closer around the answer)\n"
	"\n"
	"How to measure\n"
	"  --size S            buffer, as for bench\n"
	"  --repeat N          rounds (default: at least 11)\n"
	"  --seed N            order of the rounds (default 1)\n"
	"  --reserve           add missing huge pages to the pool, and give them\n"
	"                      back at the end\n"
	"\n"
	"Output\n"
	"  --format FORMAT     text, json (default text)\n"
	"  --output FILE       write there instead of standard output\n"
	"  --help              this text\n"
	"\n"
	"Sizes take K, M, G, T (1024-based). Exit status: 0 done, 1 failed,\n"
	"2 usage, 77 nothing could run here.\n";

enum option_id {
	OPT_PROFILE = 1,
	OPT_ENGINE,
	OPT_CLEAR,
	OPT_FOLIO_SIZE,
	OPT_PAGE_SIZE,
	OPT_PREEMPT,
	OPT_SHARE,
	OPT_MAX_LATENCY,
	OPT_BATCHES,
	OPT_SIZE,
	OPT_REPEAT,
	OPT_SEED,
	OPT_RESERVE,
	OPT_FORMAT,
	OPT_OUTPUT,
	OPT_HELP,
};

static const struct option long_options[] = {
	{ "profile", required_argument, NULL, OPT_PROFILE },
	{ "engine", required_argument, NULL, OPT_ENGINE },
	{ "clear", required_argument, NULL, OPT_CLEAR },
	{ "folio-size", required_argument, NULL, OPT_FOLIO_SIZE },
	{ "page-size", required_argument, NULL, OPT_PAGE_SIZE },
	{ "preempt", required_argument, NULL, OPT_PREEMPT },
	{ "share", required_argument, NULL, OPT_SHARE },
	{ "max-latency", required_argument, NULL, OPT_MAX_LATENCY },
	{ "batches", required_argument, NULL, OPT_BATCHES },
	{ "size", required_argument, NULL, OPT_SIZE },
	{ "repeat", required_argument, NULL, OPT_REPEAT },
	{ "seed", required_argument, NULL, OPT_SEED },
	{ "reserve", no_argument, NULL, OPT_RESERVE },
	{ "format", required_argument, NULL, OPT_FORMAT },
	{ "output", required_argument, NULL, OPT_OUTPUT },
	{ "help", no_argument, NULL, OPT_HELP },
	{ NULL, 0, NULL, 0 },
};

/* The one engine that can be named. */
static const char *engine_at(size_t i)
{
	return i == 0 ? fz_engine_buffers.name : NULL;
}

static bool set_engine(struct fz_tune_options *o, const char *value)
{
	size_t index;

	if (!fz_option_index("engine", value, engine_at, &index))
		return false;
	o->bench.engines[0] = &fz_engine_buffers;
	o->bench.nr_engines = 1;
	return true;
}

static bool set_page(struct fz_tune_options *o, const char *value)
{
	if (!fz_bench_set_pages(&o->bench, value))
		return false;
	if (o->bench.nr_pages == 1)
		return true;
	fz_complain("--page-size: give one");
	return false;
}

/* Under the others nobody waits for a resched point. */
static bool set_preempt(struct fz_tune_options *o, const char *value)
{
	size_t index;

	if (!fz_option_index("preemption model", value, fz_preempt_name_at,
			     &index))
		return false;
	o->preempt = (enum fz_preempt)index;
	if (fz_op_acts(FZ_OP_COND_RESCHED, o->preempt))
		return true;
	fz_complain("--preempt: under '%s' no resched point acts, so there is "
		    "nothing to tune: give none or voluntary",
		    value);
	return false;
}

/* "95%" or "95". */
static bool set_share(struct fz_tune_options *o, const char *value)
{
	const size_t length = strlen(value);
	struct fz_err err = { "" };
	char text[32];
	double percent;

	snprintf(text, sizeof(text), "%s", value);
	if (length && length < sizeof(text) && text[length - 1] == '%')
		text[length - 1] = '\0';
	if (length >= sizeof(text) || fz_parse_decimal(text, &percent, &err) ||
	    !(percent >= 1.0 && percent <= 100.0)) {
		fz_complain("--share: '%s' is no share: give 1%% to 100%%",
			    value);
		return false;
	}
	o->wish.share = percent / 100.0;
	return true;
}

static bool set_max_latency(struct fz_tune_options *o, const char *value)
{
	struct fz_err err = { "" };
	uint64_t ns;

	if (fz_parse_ns(value, &ns, &err)) {
		fz_complain("--max-latency: %s", err.msg);
		return false;
	}
	if (!ns) {
		fz_complain("--max-latency: '%s' is too short: give 1ns or "
			    "more",
			    value);
		return false;
	}
	o->wish.max_ns = (double)ns;
	return true;
}

static bool set_format(struct fz_tune_options *o, const char *value)
{
	size_t index;

	if (!fz_option_index("format", value, fz_document_name_at, &index))
		return false;
	o->bench.format = (enum fz_format)index;
	return true;
}

static bool set_folio_size(struct fz_tune_options *o, const char *value)
{
	uint64_t pages;

	if (!fz_option_pages("--folio-size", value, &pages))
		return false;
	o->bench.folio_bytes = pages << FZ_PAGE_SHIFT;
	return true;
}

/* "64K,65536" is one size. */
static bool set_batches(struct fz_tune_options *o, const char *value)
{
	struct fz_list list;
	bool ok = true;

	if (!fz_list_parse(&list, "--batches", value))
		return false;
	for (size_t i = 0; i < list.nr && ok; i++)
		ok = fz_option_pages("--batches", list.words[i],
				     &o->bench.batches[i]);
	o->bench.nr_batches = list.nr;
	fz_list_fini(&list);
	return ok;
}

static bool set_option(struct fz_tune_options *o, int id, const char *value)
{
	switch (id) {
	case OPT_PROFILE:
		o->profile = value;
		return true;
	case OPT_ENGINE:
		return set_engine(o, value);
	case OPT_CLEAR:
		return fz_bench_set_clears(&o->bench, value);
	case OPT_FOLIO_SIZE:
		return set_folio_size(o, value);
	case OPT_PAGE_SIZE:
		return set_page(o, value);
	case OPT_PREEMPT:
		return set_preempt(o, value);
	case OPT_SHARE:
		return set_share(o, value);
	case OPT_MAX_LATENCY:
		return set_max_latency(o, value);
	case OPT_BATCHES:
		return set_batches(o, value);
	case OPT_SIZE:
		return fz_option_bytes("--size", value, &o->bench.bytes);
	case OPT_REPEAT:
		return fz_option_number("--repeat", value, 1, FZ_MAX_ROUNDS,
					&o->bench.repeat);
	case OPT_SEED:
		return fz_option_number("--seed", value, 0, INT64_MAX,
					&o->bench.seed);
	case OPT_RESERVE:
		return o->bench.reserve = true;
	case OPT_FORMAT:
		return set_format(o, value);
	default:
		o->bench.output = value;
		return true;
	}
}

static bool options_agree(const struct fz_tune_options *o)
{
	if (o->profile && o->bench.nr_engines) {
		fz_complain("--profile predicts and --engine buffers measures: "
			    "give one of them");
		return false;
	}
	if (o->profile &&
	    (o->bench.reserve || o->bench.repeat || o->bench.bytes)) {
		fz_complain("--reserve, --repeat and --size are for what is "
			    "measured: leave --profile out");
		return false;
	}
	return true;
}

int fz_tune_options_parse(struct fz_tune_options *options, int argc,
			  char **argv)
{
	int id;

	*options = (struct fz_tune_options){
		.bench = { .seed = 1, .use = FZ_USE_NONE },
		.preempt = FZ_PREEMPT_NONE,
		.wish = { .share = 0.95, .max_ns = 3e6 },
	};
	while ((id = fz_option_next(argc, argv, long_options)) != -1) {
		if (id == OPT_HELP) {
			fputs(help_text, stdout);
			return -1;
		}
		if (id == '?')
			return fz_usage("tune");
		if (!set_option(options, id, optarg))
			return FZ_EXIT_USAGE;
	}
	if (!fz_option_no_arguments(argc, argv))
		return fz_usage("tune");
	return options_agree(options) ? FZ_EXIT_DONE : FZ_EXIT_USAGE;
}
