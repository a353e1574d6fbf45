// SPDX-License-Identifier: GPL-2.0-or-later
/* Parses the options of `foliosim bench`. */
#include "bench_options.h"

#include <stdio.h>
#include <string.h>

#include <fz/folio.h>
#include <fz/policies.h>
#include <fz/statistics.h>
#include <fz/units.h>
#include <fz/use.h>

#include "bench_counters.h"
#include "bench_lists.h"
#include "command.h"

/* Several wake-ups in a folio of 2 MiB, and most of the CPU left. */
#define DEFAULT_INTERVAL_NS 100000u

/* Three chunks of 8 MiB side by side. */
#define OVERHEAD_MIN_BYTES ((uint64_t)24 << 20)

static const char help_text[] =
	"usage: foliosim bench [OPTION]...\n"
	"\n"
	"Measure ways of zeroing huge pages on real memory, next to the running\n"
	"kernel's own page faults. Without options: all policies on 2M hugetlb\n"
	"pages if enough are free, else on THP, in about 10 seconds.\n"
	"\n"
	"What to measure (L: a comma-separated list, or 'all')\n"
	"  --policy L          policies (default all; see 'foliosim list'), or paths\n"
	"                      of shared objects: ./mine.so\n"
	"  --engine L          buffers, bare, kernel (default buffers,kernel; all\n"
	"                      is these); model prices the same plans\n"
	"  --profile NAME      of engine model: the machine whose prices it takes,\n"
	"                      see 'foliosim list profiles', or a .json file\n"
	"  --clear L           primitive of cached steps (default: the one the\n"
	"                      kernel picks on this CPU)\n"
	"  --stream-clear L    primitive of streaming steps (default: the fastest\n"
	"                      here, measured)\n"
	"  --page-size L       4K, thp, the size of a hugetlb pool, 2M or 1G, or\n"
	"                      of multi-size THP, 64K or, if also a pool's,\n"
	"                      mthp-64K\n"
	"  --folio-size S      folio to zero (default: the page size)\n"
	"  --size S            buffer (default: 8 times the last-level cache,\n"
	"                      within 64M and 256M, at least one page)\n"
	"  --fault-page L      N, first, middle, last, random (default random)\n"
	"  --preempt L         none, voluntary, full, lazy, rt-full, rt-lazy\n"
	"                      (default: the running kernel's model)\n"
	"  --batch L           bytes between two resched points (default: the\n"
	"                      policy's)\n"
	"  --radius L          pages kept on each side of the fault (default 2)\n"
	"  --highmem           clear page by page, as 32-bit kernels do\n"
	"  --per-page-clear    one clear call a page, the same resched points\n"
	"  --use USE           read after the fault: none, line, near, folio, or\n"
	"                      phase: everything at the end of a round (default\n"
	"                      near; with --threads phase)\n"
	"\n"
	"How to measure\n"
	"  --baseline POLICY   what ratios compare with, by name or path (default:\n"
	"                      the policy of the running kernel)\n"
	"  --threads L         N threads that zero at the same time, each a buffer\n"
	"                      of --size of its own; 1,2,4 shows how they scale\n"
	"  --cpu L             CPUs of the threads, in turn: 0-3,8 (default: where\n"
	"                      it starts, then one a core)\n"
	"  --node N            threads and memory on this NUMA node\n"
	"  --waker [CLASS]     also measure how late a task comes that is woken while\n"
	"                      folios are zeroed: fifo (SCHED_FIFO, the default) or\n"
	"                      fair; rows of buffers see a flag from another CPU\n"
	"  --interval T        mean time between wake-ups (default 100us)\n"
	"  --counters L        also count events while folios are zeroed: cycles,\n"
	"                      page-faults, r01c2; see 'foliosim list events'\n"
	"  --probe L           afterwards time loads: residency (what zeroing left\n"
	"                      in the caches), victim (what it pushed out of them)\n"
	"  --cache [GEOMETRY]  with --probe: the caches to model beside it, as for\n"
	"                      'foliosim plan' (default: here)\n"
	"  --repeat N          rounds (default: at least 11, about 8 seconds)\n"
	"  --seed N            random faulting pages and orders (default 1)\n"
	"  --reserve           add missing huge pages to the pool, switch THP that\n"
	"                      is 'never' to 'madvise', and set both back at the\n"
	"                      end; nothing is written without it\n"
	"  --overhead          what recording costs: buffers against bare\n"
	"\n"
	"Output\n"
	"  --format FORMAT     text, json, csv, commit (default text)\n"
	"  --histogram         with text: draw the stretches of each row\n"
	"  --output FILE       write there instead of standard output\n"
	"  --help              this text\n"
	"\n"
	"Sizes take K, M, G, T (1024-based). Exit status: 0 done, 1 failed,\n"
	"2 usage, 77 nothing could run here.\n";

enum option_id {
	OPT_POLICY = 1,
	OPT_ENGINE,
	OPT_PROFILE,
	OPT_CLEAR,
	OPT_STREAM,
	OPT_PAGE_SIZE,
	OPT_FOLIO_SIZE,
	OPT_SIZE,
	OPT_FAULT_PAGE,
	OPT_PREEMPT,
	OPT_BATCH,
	OPT_RADIUS,
	OPT_HIGHMEM,
	OPT_PER_PAGE,
	OPT_USE,
	OPT_BASELINE,
	OPT_THREADS,
	OPT_CPU,
	OPT_NODE,
	OPT_WAKER,
	OPT_INTERVAL,
	OPT_COUNTERS,
	OPT_PROBE,
	OPT_CACHE,
	OPT_REPEAT,
	OPT_SEED,
	OPT_RESERVE,
	OPT_OVERHEAD,
	OPT_FORMAT,
	OPT_HISTOGRAM,
	OPT_OUTPUT,
	OPT_HELP,
};

static const struct option long_options[] = {
	{ "policy", required_argument, NULL, OPT_POLICY },
	{ "engine", required_argument, NULL, OPT_ENGINE },
	{ "profile", required_argument, NULL, OPT_PROFILE },
	{ "clear", required_argument, NULL, OPT_CLEAR },
	{ "stream-clear", required_argument, NULL, OPT_STREAM },
	{ "page-size", required_argument, NULL, OPT_PAGE_SIZE },
	{ "folio-size", required_argument, NULL, OPT_FOLIO_SIZE },
	{ "size", required_argument, NULL, OPT_SIZE },
	{ "fault-page", required_argument, NULL, OPT_FAULT_PAGE },
	{ "preempt", required_argument, NULL, OPT_PREEMPT },
	{ "batch", required_argument, NULL, OPT_BATCH },
	{ "radius", required_argument, NULL, OPT_RADIUS },
	{ "highmem", no_argument, NULL, OPT_HIGHMEM },
	{ "per-page-clear", no_argument, NULL, OPT_PER_PAGE },
	{ "use", required_argument, NULL, OPT_USE },
	{ "baseline", required_argument, NULL, OPT_BASELINE },
	{ "threads", required_argument, NULL, OPT_THREADS },
	{ "cpu", required_argument, NULL, OPT_CPU },
	{ "node", required_argument, NULL, OPT_NODE },
	{ "waker", optional_argument, NULL, OPT_WAKER },
	{ "interval", required_argument, NULL, OPT_INTERVAL },
	{ "counters", required_argument, NULL, OPT_COUNTERS },
	{ "probe", required_argument, NULL, OPT_PROBE },
	{ "cache", optional_argument, NULL, OPT_CACHE },
	{ "repeat", required_argument, NULL, OPT_REPEAT },
	{ "seed", required_argument, NULL, OPT_SEED },
	{ "reserve", no_argument, NULL, OPT_RESERVE },
	{ "overhead", no_argument, NULL, OPT_OVERHEAD },
	{ "format", required_argument, NULL, OPT_FORMAT },
	{ "histogram", no_argument, NULL, OPT_HISTOGRAM },
	{ "output", required_argument, NULL, OPT_OUTPUT },
	{ "help", no_argument, NULL, OPT_HELP },
	{ NULL, 0, NULL, 0 },
};

static const char *use_name_at(size_t i)
{
	return i < FZ_NR_USES ? fz_use_name((enum fz_use)i) : NULL;
}

static bool set_list(struct fz_bench_options *o, int id, const char *value)
{
	switch (id) {
	case OPT_POLICY:
		return fz_policy_list_parse(&o->policies, value);
	case OPT_ENGINE:
		return fz_bench_set_engines(o, value);
	case OPT_CLEAR:
		return fz_bench_set_clears(o, value);
	case OPT_STREAM:
		return fz_bench_set_streams(o, value);
	case OPT_PAGE_SIZE:
		return fz_bench_set_pages(o, value);
	case OPT_FAULT_PAGE:
		return fz_bench_set_faults(o, value);
	case OPT_PREEMPT:
		return fz_bench_set_preempts(o, value);
	case OPT_BATCH:
		return fz_bench_set_batches(o, value);
	case OPT_THREADS:
		return fz_bench_set_threads(o, value);
	case OPT_PROBE:
		return fz_bench_set_probes(o, value);
	default:
		return fz_bench_set_radii(o, value);
	}
}

/* The classes that a task can have. */
static const char *waker_name_at(size_t i)
{
	return i <= FZ_WAKER_FAIR ? fz_waker_kind_name((enum fz_waker_kind)i)
				  : NULL;
}

static bool set_waker(struct fz_bench_options *o, const char *value)
{
	size_t index = FZ_WAKER_FIFO;

	if (value &&
	    !fz_option_index("class of waker", value, waker_name_at, &index))
		return false;
	o->has_waker = true;
	o->waker = (enum fz_waker_kind)index;
	return true;
}

static bool set_interval(struct fz_bench_options *o, const char *value)
{
	struct fz_err err;

	if (fz_parse_ns(value, &o->interval_ns, &err)) {
		fz_complain("--interval: %s", err.msg);
		return false;
	}
	if (o->interval_ns >= FZ_WAKER_MIN_INTERVAL_NS &&
	    o->interval_ns <= FZ_WAKER_MAX_INTERVAL_NS)
		return true;
	fz_complain("--interval: %s is out of range: give 10us to 1s", value);
	return false;
}

static bool set_choice(struct fz_bench_options *o, int id, const char *value)
{
	size_t index;

	switch (id) {
	case OPT_USE:
		if (!fz_option_index("use", value, use_name_at, &index))
			return false;
		o->use = (enum fz_use)index;
		o->has_use = true;
		return true;
	default:
		if (!fz_option_index("format", value, fz_format_name_at,
				     &index))
			return false;
		o->format = (enum fz_format)index;
		return true;
	}
}

static bool set_flag(struct fz_bench_options *o, int id)
{
	switch (id) {
	case OPT_HIGHMEM:
		return o->highmem = true;
	case OPT_PER_PAGE:
		return o->per_page_clear = true;
	case OPT_RESERVE:
		return o->reserve = true;
	case OPT_OVERHEAD:
		return o->overhead = true;
	default:
		return o->histogram = true;
	}
}

static bool set_folio_size(struct fz_bench_options *o, const char *value)
{
	uint64_t pages;

	if (!fz_option_pages("--folio-size", value, &pages))
		return false;
	o->folio_bytes = pages << FZ_PAGE_SHIFT;
	return true;
}

static bool set_option(struct fz_bench_options *o, int id, const char *value)
{
	switch (id) {
	case OPT_FOLIO_SIZE:
		return set_folio_size(o, value);
	case OPT_SIZE:
		return fz_option_bytes("--size", value, &o->bytes);
	case OPT_USE:
	case OPT_FORMAT:
		return set_choice(o, id, value);
	case OPT_BASELINE:
		o->baseline = value; /* policies may still have to be loaded */
		return true;
	case OPT_PROFILE:
		o->profile = value;
		return true;
	case OPT_CPU:
		o->cpus = value;
		return true;
	case OPT_NODE:
		o->has_node = true;
		return fz_option_number("--node", value, 0, UINT16_MAX,
					&o->node);
	case OPT_REPEAT:
		return fz_option_number("--repeat", value, 1, FZ_MAX_ROUNDS,
					&o->repeat);
	case OPT_SEED:
		return fz_option_number("--seed", value, 0, INT64_MAX,
					&o->seed);
	case OPT_WAKER:
		return set_waker(o, value);
	case OPT_INTERVAL:
		return set_interval(o, value);
	case OPT_COUNTERS:
		return fz_bench_set_counters(o, value);
	case OPT_CACHE:
		o->cache = value ? value : "here";
		return true;
	case OPT_OUTPUT:
		o->output = value;
		return true;
	default:
		return value ? set_list(o, id, value) : set_flag(o, id);
	}
}

static bool goes_with_overhead(const struct fz_bench_options *o)
{
	const size_t lists = o->policies.nr + o->nr_engines + o->nr_streams +
			     o->nr_faults + o->nr_preempts + o->nr_batches +
			     o->nr_radii;

	return !lists && o->nr_pages <= 1 && o->nr_clears <= 1 &&
	       !o->folio_bytes && !o->baseline && !o->has_use && !o->highmem &&
	       !o->per_page_clear && !o->histogram && !o->nr_threads &&
	       !o->has_waker && !o->nr_counters && !o->has_node &&
	       !o->has_probe;
}

static bool runs_plans(const struct fz_bench_options *o)
{
	for (size_t i = 0; i < o->nr_engines; i++)
		if (o->engines[i]->runs_plans)
			return true;
	return !o->nr_engines;
}

/* The policy that is meant must be there, and be measured. */
static bool settle_baseline(struct fz_bench_options *o)
{
	const struct fz_policy *policy;

	if (!o->baseline)
		return true;
	policy = fz_policy_list_find(&o->policies, o->baseline);
	if (policy && runs_plans(o)) {
		o->baseline = policy->name;
		return true;
	}
	if (policy || fz_policy_find(o->baseline) || strchr(o->baseline, '/'))
		fz_complain("--baseline %s is not among the rows: add it to "
			    "--policy, and engine buffers or bare",
			    o->baseline);
	else
		fz_policy_list_complain_unknown(&o->policies, o->baseline);
	return false;
}

/* Whose prices? None that is shipped is of the machine at hand. */
static bool profile_agrees(const struct fz_bench_options *o)
{
	if (fz_bench_models(o) && !o->profile) {
		fz_complain("--engine model needs a --profile: 'foliosim "
			    "calibrate --output my.json' makes one of this "
			    "machine, 'foliosim list profiles' lists those of "
			    "others");
		return false;
	}
	if (o->profile && !fz_bench_models(o)) {
		fz_complain("--profile is for --engine model: add it");
		return false;
	}
	if (!fz_bench_measures(o) &&
	    (o->has_waker || o->nr_counters || o->has_probe)) {
		fz_complain("--waker, --counters and --probe watch what is "
			    "measured: add buffers to --engine");
		return false;
	}
	return true;
}

/* Options that contradict each other. */
static bool options_agree(const struct fz_bench_options *o)
{
	if (o->histogram && o->format != FZ_FORMAT_TEXT) {
		fz_complain("--histogram goes with --format text only");
		return false;
	}
	if (o->overhead && !goes_with_overhead(o)) {
		fz_complain("--overhead measures fixed cases: it goes with one "
			    "--page-size, one --clear, --size, --cpu, "
			    "--repeat, --seed, --reserve and the output "
			    "options only");
		return false;
	}
	if (o->overhead && o->bytes && o->bytes < OVERHEAD_MIN_BYTES) {
		fz_complain("--overhead needs a --size of at least 24M");
		return false;
	}
	if (o->nr_threads && o->use != FZ_USE_NONE && o->use != FZ_USE_PHASE) {
		fz_complain("--threads goes with --use none or phase: reading "
			    "after each fault would hold up the thread");
		return false;
	}
	if (o->nr_threads && o->has_waker) {
		fz_complain("--waker looks at one thread: leave --threads out");
		return false;
	}
	if (o->nr_threads && o->has_probe) {
		fz_complain("--probe looks at the caches of one thread: leave "
			    "--threads out");
		return false;
	}
	if (o->interval_ns && !o->has_waker) {
		fz_complain("--interval is for --waker: add it");
		return false;
	}
	if (o->cache && !o->has_probe) {
		fz_complain("--cache is for --probe: add it");
		return false;
	}
	return profile_agrees(o);
}

int fz_bench_options_parse(struct fz_bench_options *options, int argc,
			   char **argv)
{
	int id, status;

	*options = (struct fz_bench_options){ .use = FZ_USE_NEAR, .seed = 1 };
	while ((id = fz_option_next(argc, argv, long_options)) != -1) {
		if (id == OPT_HELP) {
			fputs(help_text, stdout);
			return -1;
		}
		if (id == '?')
			return fz_usage("bench");
		if (id == OPT_WAKER || id == OPT_CACHE)
			optarg = fz_option_optional_value(argc, argv);
		if (!set_option(options, id, optarg))
			return FZ_EXIT_USAGE;
	}
	if (!fz_option_no_arguments(argc, argv))
		return fz_usage("bench");
	if (options->has_waker && !options->interval_ns)
		options->interval_ns = DEFAULT_INTERVAL_NS;
	if (options->nr_threads && !options->has_use)
		options->use = FZ_USE_PHASE;
	if (!options_agree(options))
		return FZ_EXIT_USAGE;
	status = fz_policy_list_load(&options->policies, true);
	return status                     ? status
	       : settle_baseline(options) ? FZ_EXIT_DONE
					  : FZ_EXIT_USAGE;
}

void fz_bench_options_fini(struct fz_bench_options *options)
{
	fz_policy_list_fini(&options->policies);
}

unsigned int fz_bench_max_threads(const struct fz_bench_options *options)
{
	uint64_t max = 1;

	for (size_t i = 0; i < options->nr_threads; i++)
		if (options->threads[i] > max)
			max = options->threads[i];
	return (unsigned int)max;
}

bool fz_bench_measures(const struct fz_bench_options *options)
{
	for (size_t i = 0; i < options->nr_engines; i++)
		if (options->engines[i]->zero)
			return true;
	return !options->nr_engines;
}

bool fz_bench_models(const struct fz_bench_options *options)
{
	for (size_t i = 0; i < options->nr_engines; i++)
		if (!options->engines[i]->zero)
			return true;
	return false;
}
