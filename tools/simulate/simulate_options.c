// SPDX-License-Identifier: GPL-2.0-or-later
/* Parses the options of `foliosim simulate`. */
#include "simulate_options.h"

#include <stdio.h>
#include <string.h>

#include <fz/folio.h>
#include <fz/units.h>

#include "bench_lists.h"
#include "command.h"
#include "workload_made.h"

/* What a process of a built-in workload writes, and in which pieces. */
#define DEFAULT_BYTES       (1ull << 30)
#define DEFAULT_FOLIO_BYTES (2ull << 20)

/* base_slice of Linux 6.12 to 7.x with 8 CPUs and more: 4 times 0.7 ms. */
#define DEFAULT_SLICE_NS    2800000u
#define DEFAULT_INTERVAL_NS 1000000u

#define MAX_JOBS 1024u

static const char help_text[] =
	"usage: foliosim simulate --profile P --workload FILE [OPTION]...\n"
	"       foliosim simulate --profile P --generate NAME [OPTION]...\n"
	"       foliosim simulate --profile P [OPTION]... TRACE...\n"
	"\n"
	"Many CPUs that fault, zero, compute and wake each other, simulated with\n"
	"the prices of a machine profile: what each policy makes of a workload in\n"
	"time, latency and bandwidth. Nothing is measured.\n"
	"\n"
	"The workload\n"
	"  --workload FILE     tasks and their programs, see docs/simulating.md\n"
	"  --generate NAME     anon-w-seq-hugetlb: on each CPU a process that\n"
	"                      faults and writes folios in order\n"
	"  TRACE...            recorded faults: a task for each process, which\n"
	"                      takes its own at the recorded times; '-' is\n"
	"                      standard input\n"
	"  --size S            with --generate: of each process (default 1G)\n"
	"  --folio-size S      with --generate and traces (default 2M)\n"
	"  --wake CLASS        and on each CPU a task that is woken at random\n"
	"                      instants and runs for 1us: rt or fair\n"
	"  --interval T        of these, in the mean (default 1ms)\n"
	"  --page-kind KIND    whose folios they are: hugetlb or thp (default thp,\n"
	"                      of anon-w-seq-hugetlb hugetlb)\n"
	"\n"
	"The machine\n"
	"  --profile P         a name of 'foliosim list profiles', or a file\n"
	"  --set KEY=VALUE     assume a number that the profile does not have, or\n"
	"                      has otherwise, as memory.bps=300G; repeatable\n"
	"  --cpus N            CPUs (default: the workload's, or all hardware\n"
	"                      threads of the profile)\n"
	"  --clear P           primitive of cached steps (default: the profile's\n"
	"                      first)\n"
	"  --stream-clear P    primitive of streaming steps (the same)\n"
	"\n"
	"The kernel (L: a comma-separated list, or 'all': a row for each)\n"
	"  --policy L          policies (default all; see 'foliosim list'), or paths\n"
	"                      of shared objects: ./mine.so\n"
	"  --preempt L         none, voluntary, full, lazy, rt-full, rt-lazy\n"
	"                      (default none)\n"
	"  --batch L           bytes between two resched points (default: the\n"
	"                      policy's)\n"
	"  --radius N          pages kept on each side of the fault (default 2)\n"
	"  --context C         where faults zero: user-fault, alloc-sleepable,\n"
	"                      alloc-pte-lock, alloc-irq (default user-fault)\n"
	"  --init-on-alloc K   6.12 or 7.3: the kernel that zeroes THP in its\n"
	"                      allocator too, or only there\n"
	"  --wins P            probability that a fair wake-up wins (default 1)\n"
	"  --slice T           turn of a fair task (default 2800us)\n"
	"  --hz N              ticks a second: --set hz=N\n"
	"  --warn-ms N         resched_latency_warn_ms (default 0: off)\n"
	"\n"
	"How\n"
	"  --until T           end then, whether or not tasks have ended\n"
	"  --max-events N      give up on a row that has more (default: no limit)\n"
	"  --seed N            random draws (default 1)\n"
	"  --jobs N            rows at the same time; no difference to the result\n"
	"                      (default 1)\n"
	"\n"
	"Recordings\n"
	"  --recorded-folio S  what each recorded fault made, as in replay\n"
	"  --trace-format NAME format of the traces (default: recognised)\n"
	"\n"
	"Output\n"
	"  --timeline FILE     of one row: what each CPU did, for trace viewers;\n"
	"                      '-' is standard output, with --output\n"
	"  --format FORMAT     text, json, csv (default text)\n"
	"  --output FILE       write there instead of standard output\n"
	"  --help              this text\n"
	"\n"
	"Sizes take K, M, G, T (1024-based), times ns, us, ms, s. Exit status:\n"
	"0 done, 1 failed, 2 usage, 77 nothing could be simulated.\n";

enum option_id {
	OPT_WORKLOAD = 1,
	OPT_GENERATE,
	OPT_SIZE,
	OPT_FOLIO_SIZE,
	OPT_WAKE,
	OPT_INTERVAL,
	OPT_PAGE_KIND,
	OPT_PROFILE,
	OPT_SET,
	OPT_CPUS,
	OPT_CLEAR,
	OPT_STREAM,
	OPT_POLICY,
	OPT_PREEMPT,
	OPT_BATCH,
	OPT_RADIUS,
	OPT_CONTEXT,
	OPT_INIT,
	OPT_WINS,
	OPT_SLICE,
	OPT_HZ,
	OPT_WARN,
	OPT_UNTIL,
	OPT_MAX_EVENTS,
	OPT_SEED,
	OPT_JOBS,
	OPT_RECORDED,
	OPT_TRACE_FORMAT,
	OPT_TIMELINE,
	OPT_FORMAT,
	OPT_OUTPUT,
	OPT_HELP,
};

static const struct option long_options[] = {
	{ "workload", required_argument, NULL, OPT_WORKLOAD },
	{ "generate", required_argument, NULL, OPT_GENERATE },
	{ "size", required_argument, NULL, OPT_SIZE },
	{ "folio-size", required_argument, NULL, OPT_FOLIO_SIZE },
	{ "wake", required_argument, NULL, OPT_WAKE },
	{ "interval", required_argument, NULL, OPT_INTERVAL },
	{ "page-kind", required_argument, NULL, OPT_PAGE_KIND },
	{ "profile", required_argument, NULL, OPT_PROFILE },
	{ "set", required_argument, NULL, OPT_SET },
	{ "cpus", required_argument, NULL, OPT_CPUS },
	{ "clear", required_argument, NULL, OPT_CLEAR },
	{ "stream-clear", required_argument, NULL, OPT_STREAM },
	{ "policy", required_argument, NULL, OPT_POLICY },
	{ "preempt", required_argument, NULL, OPT_PREEMPT },
	{ "batch", required_argument, NULL, OPT_BATCH },
	{ "radius", required_argument, NULL, OPT_RADIUS },
	{ "context", required_argument, NULL, OPT_CONTEXT },
	{ "init-on-alloc", required_argument, NULL, OPT_INIT },
	{ "wins", required_argument, NULL, OPT_WINS },
	{ "slice", required_argument, NULL, OPT_SLICE },
	{ "hz", required_argument, NULL, OPT_HZ },
	{ "warn-ms", required_argument, NULL, OPT_WARN },
	{ "until", required_argument, NULL, OPT_UNTIL },
	{ "max-events", required_argument, NULL, OPT_MAX_EVENTS },
	{ "seed", required_argument, NULL, OPT_SEED },
	{ "jobs", required_argument, NULL, OPT_JOBS },
	{ "recorded-folio", required_argument, NULL, OPT_RECORDED },
	{ "trace-format", required_argument, NULL, OPT_TRACE_FORMAT },
	{ "timeline", required_argument, NULL, OPT_TIMELINE },
	{ "format", required_argument, NULL, OPT_FORMAT },
	{ "output", required_argument, NULL, OPT_OUTPUT },
	{ "help", no_argument, NULL, OPT_HELP },
	{ NULL, 0, NULL, 0 },
};

static const char *class_name_at(size_t i)
{
	return i == 0 ? "fair" : i == 1 ? "rt" : NULL;
}

/* Those that there are: a simulation is nothing for a commit message. */
static const char *view_name_at(size_t i)
{
	return i < FZ_FORMAT_COMMIT ? fz_format_name_at(i) : NULL;
}

static bool set_ns(const char *option, const char *value, uint64_t min,
		   uint64_t *ns)
{
	struct fz_err err;

	if (fz_parse_ns(value, ns, &err)) {
		fz_complain("%s: %s", option, err.msg);
		return false;
	}
	if (*ns >= min && *ns <= FZ_WORKLOAD_MAX_NS)
		return true;
	fz_complain("%s: '%s' is out of range: give %lluns to %llus", option,
		    value, (unsigned long long)min,
		    (unsigned long long)(FZ_WORKLOAD_MAX_NS / 1000000000));
	return false;
}

static bool set_wins(struct fz_simulate_options *o, const char *value)
{
	if (fz_parse_decimal(value, &o->wins, NULL) == 0 && o->wins <= 1)
		return true;
	fz_complain("--wins: '%s' is no probability: give 0 to 1", value);
	return false;
}

static bool set_folio(struct fz_simulate_options *o, const char *value)
{
	o->has_folio = true;
	if (!fz_option_bytes("--folio-size", value, &o->folio_bytes))
		return false;
	if (o->folio_bytes % FZ_PAGE_BYTES == 0 &&
	    o->folio_bytes <= FZ_WORKLOAD_MAX_FOLIO_BYTES)
		return true;
	fz_complain("--folio-size: '%s' is no folio: give a multiple of 4K up "
		    "to 16G",
		    value);
	return false;
}

static bool set_source(struct fz_simulate_options *o,
		       enum fz_simulate_source source, const char *value)
{
	size_t i;

	if (o->workload) {
		fz_complain("--workload and --generate: give one, once");
		return false;
	}
	o->source = source;
	o->workload = value;
	return source == FZ_SIMULATE_FILE ||
	       fz_option_index("workload", value, fz_workload_name_at, &i);
}

static bool add_set(struct fz_simulate_options *o, const char *value)
{
	if (o->nr_sets == FZ_LIST_MAX) {
		fz_complain("--set: more than %d", FZ_LIST_MAX);
		return false;
	}
	o->sets[o->nr_sets++] = value;
	return true;
}

static bool add_hz(struct fz_simulate_options *o, const char *value)
{
	uint64_t hz;

	if (!fz_option_number("--hz", value, 1, 1000000, &hz))
		return false;
	snprintf(o->hz_set, sizeof(o->hz_set), "hz=%llu",
		 (unsigned long long)hz);
	return add_set(o, o->hz_set);
}

/* Options that take a name of a few. */
static bool set_name(struct fz_simulate_options *o, int id, const char *value)
{
	size_t i = 0;

	switch (id) {
	case OPT_WAKE:
		if (!fz_option_index("class", value, class_name_at, &i))
			return false;
		o->has_waker = true;
		o->waker = i ? FZ_SIM_RT : FZ_SIM_FAIR;
		return true;
	case OPT_PAGE_KIND:
		if (!fz_option_index("kind of pages", value, fz_owner_name_at,
				     &i))
			return false;
		o->has_kind = true;
		o->hugetlb = i == FZ_OWNER_HUGETLB;
		return true;
	case OPT_CONTEXT:
		if (!fz_option_index("context", value, fz_context_name_at, &i))
			return false;
		o->context = &fz_contexts[i];
		return true;
	case OPT_INIT:
		if (!fz_option_index("kernel with init_on_alloc", value,
				     fz_init_name_at, &i))
			return false;
		o->init = (enum fz_init_on_alloc)i;
		return true;
	default:
		if (!fz_option_index("format", value, view_name_at, &i))
			return false;
		o->replay.bench.format = (enum fz_format)i;
		return true;
	}
}

/* Options that take a number. */
static bool set_number(struct fz_simulate_options *o, int id, const char *value)
{
	uint64_t ms;

	switch (id) {
	case OPT_SIZE:
		o->has_size = true;
		return fz_option_bytes("--size", value, &o->bytes);
	case OPT_INTERVAL:
		o->has_interval = true;
		return set_ns("--interval", value, 1, &o->interval_ns);
	case OPT_CPUS:
		return fz_option_number("--cpus", value, 1,
					FZ_WORKLOAD_MAX_CPUS, &o->nr_cpus);
	case OPT_RADIUS:
		return fz_option_number("--radius", value, 0, UINT32_MAX,
					&o->radius_pages);
	case OPT_SLICE:
		return set_ns("--slice", value, 1, &o->slice_ns);
	case OPT_WARN:
		if (!fz_option_number("--warn-ms", value, 0, 1000000, &ms))
			return false;
		o->warn_ns = ms * 1000000;
		return true;
	case OPT_UNTIL:
		return set_ns("--until", value, 1, &o->until_ns);
	case OPT_MAX_EVENTS:
		return fz_option_number("--max-events", value, 1, INT64_MAX,
					&o->max_events);
	case OPT_SEED:
		return fz_option_number("--seed", value, 0, INT64_MAX,
					&o->replay.bench.seed);
	default:
		return fz_option_number("--jobs", value, 1, MAX_JOBS,
					&o->nr_jobs);
	}
}

/* Options that are kept as they are, and lists. */
static bool set_option(struct fz_simulate_options *o, int id, const char *value)
{
	switch (id) {
	case OPT_WORKLOAD:
		return set_source(o, FZ_SIMULATE_FILE, value);
	case OPT_GENERATE:
		return set_source(o, FZ_SIMULATE_GENERATED, value);
	case OPT_FOLIO_SIZE:
		return set_folio(o, value);
	case OPT_WINS:
		return set_wins(o, value);
	case OPT_PROFILE:
		o->profile = value;
		return true;
	case OPT_SET:
		return add_set(o, value);
	case OPT_HZ:
		return add_hz(o, value);
	case OPT_CLEAR:
		o->clear = value;
		return true;
	case OPT_STREAM:
		o->stream = value;
		return true;
	case OPT_POLICY:
		return fz_policy_list_parse(&o->replay.bench.policies, value);
	case OPT_PREEMPT:
		return fz_bench_set_preempts(&o->replay.bench, value);
	case OPT_BATCH:
		return fz_bench_set_batches(&o->replay.bench, value);
	case OPT_RECORDED:
		return fz_option_bytes("--recorded-folio", value,
				       &o->replay.recorded_bytes);
	case OPT_TRACE_FORMAT:
		return fz_trace_option_format(&o->replay.trace, value);
	case OPT_TIMELINE:
		o->timeline = value;
		return true;
	case OPT_OUTPUT:
		o->replay.bench.output = value;
		return true;
	case OPT_WAKE:
	case OPT_PAGE_KIND:
	case OPT_CONTEXT:
	case OPT_INIT:
	case OPT_FORMAT:
		return set_name(o, id, value);
	default:
		return set_number(o, id, value);
	}
}

static bool is_power_of_two(uint64_t number)
{
	return number && !(number & (number - 1));
}

/* How a replay would have been asked. */
static bool settle_replay(struct fz_simulate_options *o)
{
	const uint64_t max_bytes = FZ_PAGE_BYTES << FZ_MAX_FOLIO_ORDER;
	struct fz_replay_options *replay = &o->replay;
	unsigned int order = 0;

	if (!is_power_of_two(o->folio_bytes) || o->folio_bytes > max_bytes) {
		fz_complain("--folio-size: recorded faults make folios of a "
			    "power of two from 4K to 1G");
		return false;
	}
	if (replay->recorded_bytes &&
	    (!is_power_of_two(replay->recorded_bytes) ||
	     replay->recorded_bytes < FZ_PAGE_BYTES ||
	     replay->recorded_bytes > max_bytes)) {
		fz_complain("--recorded-folio: give a power of two from 4K to "
			    "1G");
		return false;
	}
	if (replay->nr_traces > FZ_REPLAY_MAX_TRACES) {
		fz_complain("more than %d traces", FZ_REPLAY_MAX_TRACES);
		return false;
	}
	while (FZ_PAGE_BYTES << order < o->folio_bytes)
		order++;
	replay->choices[0] = (struct fz_folio_choice){ .order = order };
	replay->nr_choices = 1;
	return true;
}

static bool sizes_agree(const struct fz_simulate_options *o)
{
	if (o->has_size && o->source != FZ_SIMULATE_GENERATED) {
		fz_complain("--size is for --generate");
		return false;
	}
	if (o->has_folio && o->source == FZ_SIMULATE_FILE) {
		fz_complain("--folio-size is for --generate and traces: a "
			    "workload file has its own");
		return false;
	}
	if (o->source != FZ_SIMULATE_GENERATED ||
	    o->bytes % o->folio_bytes == 0)
		return true;
	fz_complain("--size is no multiple of --folio-size: give folios that "
		    "fill it");
	return false;
}

static bool recordings_agree(const struct fz_simulate_options *o)
{
	if (o->source == FZ_SIMULATE_TRACES ||
	    (!o->replay.recorded_bytes && !o->replay.trace.format))
		return true;
	fz_complain("--recorded-folio and --trace-format are for traces");
	return false;
}

/* Which of the three; or a complaint. */
static bool settle_source(struct fz_simulate_options *o)
{
	if (o->workload && o->replay.nr_traces) {
		fz_complain("unexpected argument '%s': traces are simulated "
			    "without --workload and --generate",
			    o->replay.traces[0]);
		return false;
	}
	if (!o->workload && !o->replay.nr_traces) {
		fz_complain("nothing to simulate: give --workload, --generate "
			    "or a trace");
		return false;
	}
	if (!o->workload)
		o->source = FZ_SIMULATE_TRACES;
	if (!o->has_kind)
		o->hugetlb = o->source == FZ_SIMULATE_GENERATED;
	return true;
}

static bool options_agree(struct fz_simulate_options *o)
{
	const char *output = o->replay.bench.output;

	if (!settle_source(o) || !sizes_agree(o) || !recordings_agree(o))
		return false;
	if (o->source == FZ_SIMULATE_TRACES && !settle_replay(o))
		return false;
	if (!o->profile) {
		fz_complain("--profile is missing: 'foliosim list profiles' "
			    "names them");
		return false;
	}
	if (o->has_interval && !o->has_waker) {
		fz_complain("--interval is for --wake: add it");
		return false;
	}
	if (output && o->timeline && strcmp(output, o->timeline) == 0) {
		fz_complain("--output and --timeline are the same file");
		return false;
	}
	if (!output && o->timeline && strcmp(o->timeline, "-") == 0) {
		fz_complain("--timeline: the result is written to standard "
			    "output: give it a file with --output");
		return false;
	}
	return true;
}

int fz_simulate_options_parse(struct fz_simulate_options *options, int argc,
			      char **argv)
{
	int id;

	*options = (struct fz_simulate_options){
		.replay = { .bench.seed = 1, .assume_anon = true },
		.bytes = DEFAULT_BYTES,
		.folio_bytes = DEFAULT_FOLIO_BYTES,
		.interval_ns = DEFAULT_INTERVAL_NS,
		.context = &fz_contexts[0],
		.radius_pages = FZ_RADIUS_PAGES,
		.wins = 1,
		.slice_ns = DEFAULT_SLICE_NS,
		.until_ns = UINT64_MAX,
		.nr_jobs = 1,
	};
	while ((id = fz_option_next(argc, argv, long_options)) != -1) {
		if (id == OPT_HELP) {
			fputs(help_text, stdout);
			return -1;
		}
		if (id == '?')
			return fz_usage("simulate");
		if (!set_option(options, id, optarg))
			return FZ_EXIT_USAGE;
	}
	options->replay.traces = argv + optind;
	options->replay.nr_traces = (size_t)(argc - optind);
	if (!options_agree(options))
		return fz_usage("simulate");
	return fz_policy_list_load(&options->replay.bench.policies, true);
}
