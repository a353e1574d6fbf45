// SPDX-License-Identifier: GPL-2.0-or-later
/* Results made up by hand, so that views can be tested without measuring. */
#include "sample_result.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sample_rows.h"

/* What a path or a message from elsewhere may hold. */
#define NASTY_REASON                                         \
	"cannot use '/sys/\"kernel\"/mm, huge':\n\t\x1b[31m" \
	"no pages, 0 of 512; type: echo 512 > \\x"

static const struct fz_page_size huge_1g = { FZ_PAGES_HUGETLB, GIB };
static const struct fz_page_size base_4k = { FZ_PAGES_BASE, 4096 };

static void set_text(char *buf, size_t cap, const char *text)
{
	assert(strlen(text) < cap);
	memcpy(buf, text, strlen(text) + 1);
}

#define SET(array, text) set_text(array, sizeof(array), text)

static struct fz_finding finding(const char *value, const char *basis)
{
	struct fz_finding f;

	SET(f.value, value);
	SET(f.basis, basis);
	return f;
}

static void fill_topology(struct fz_topology *t)
{
	*t = (struct fz_topology){
		.nr_cpus = 2,
		.nr_cores = 1,
		.nr_packages = 1,
		.nr_nodes = 1,
		.nr_caches = 2,
		.caches = { { "L1d", 32768, 64, 8, 2, 1 },
			    { "L3", 32 * MIB, 64, 0, 2, 1 } },
		.llc_bytes = 32 * MIB,
		.allowed_cpus = "0-1",
	};
}

static void fill_machine(struct fz_machine *m)
{
	SET(m->cpu, "AMD EPYC 9B14");
	SET(m->uarch, "AuthenticAMD 25/17/1");
	SET(m->features, "erms fsrm  rep_good avx2 clzero");
	SET(m->kernel, "6.12.48+deb13-amd64");
	SET(m->kernel_full, "Linux 6.12.48+deb13-amd64 #1 SMP x86_64");
	m->preempt_mode = finding("none", "debugfs");
	m->kernel_policy = finding("discontiguous-page", "symbols");
	m->base_policy = finding("init-pages", "version");
	m->kernel_clear = fz_clear_find("stosb");
	m->init_on_alloc = finding("on", "command line");
	m->hz = 250;
	SET(m->thp_enabled, "madvise");
	SET(m->thp_defrag, "madvise");
	m->thp_pmd_bytes = 2 * MIB;
	m->nr_mthp = 1;
	m->mthp[0] = (struct fz_mthp){ 65536, "never" };
	m->pools.nr = 1;
	m->pools.pool[0] = (struct fz_pool){ .page_bytes = 2 * MIB,
					     .total = 512,
					     .free = 256,
					     .nr_nodes = 1,
					     .nodes = { { 0, 512, 256 } } };
	fill_topology(&m->topology);
	SET(m->clock, "tsc");
	SET(m->clocksource, "tsc");
	SET(m->hypervisor, "kvm");
	m->virtualised = true;
	SET(m->pmu, "no such device");
	m->perf_event_paranoid = 2;
	m->steal_ms = 12;
}

static void add_rows(struct sample *sample, const struct sample_row *rows,
		     size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		sample_add(sample, &rows[i]);
}

#define ADD_ROWS(sample, rows) \
	add_rows(sample, rows, sizeof(rows) / sizeof((rows)[0]))

static void fill_full(struct sample *sample)
{
	const struct sample_row rows[] = {
		{ .policy = "discontiguous-page",
		  .rounds = 11,
		  .gib = 8.21,
		  .points = 513,
		  .near_ns = 210 },
		{ .policy = "contiguous-page",
		  .rounds = 11,
		  .gib = 14.9,
		  .points = 512,
		  .near_ns = 1930 },
		{ .policy = "neighbourhood-last",
		  .rounds = 11,
		  .gib = 15.3,
		  .points = 2.996,
		  .conditional = true,
		  .near_ns = 214 },
		{ .policy = "streaming-neighbourhood-last",
		  .stream = "movnti",
		  .rounds = 11,
		  .gib = 31.7,
		  .points = 2.996,
		  .near_ns = 209 },
		{ .policy = "neighbourhood-last-v6",
		  .rounds = 11,
		  .gib = 15.3,
		  .points = 2.996,
		  .near_ns = 214,
		  .twin = 3 },
		{ .policy = "init-pages",
		  .rounds = 11,
		  .gib = 15.0,
		  .near_ns = 1930 },
		{ .policy = NULL, .rounds = 11, .gib = 7.9, .near_ns = 230 },
		{ .policy = "batched-pages",
		  .rounds = 5,
		  .gib = 15.2,
		  .points = 1,
		  .near_ns = 1900,
		  .reason = "stopped by a signal" },
		{ .policy = "streaming-neighbourhood-last",
		  .stream = "clzero",
		  .reason = "the CPU has no clzero" },
		{ .policy = "discontiguous-page",
		  .page = huge_1g,
		  .bytes = GIB,
		  .reason = NASTY_REASON },
		{ .policy = NULL,
		  .page = huge_1g,
		  .bytes = GIB,
		  .reason = NASTY_REASON },
	};

	fill_machine(&sample->machine);
	sample->result.point_cost_ns = 0.7;
	sample->result.histograms = true;
	sample->result.partial = true;
	ADD_ROWS(sample, rows);
	sample_set_baseline(sample, 1, 8, 1);
	for (size_t id = 1; id <= 8; id++)
		sample_warn(sample, id,
			    "cache-hot: 512M is less than 8 times the "
			    "last-level cache of 480M");
	sample_warn(sample, 2, "spread: rounds differ by 14 % (stdev)");
	sample_warn(sample, 7, "spread: rounds differ by 12 % (stdev)");
	sample_judge(sample, 4, 11, 7)->winner = &sample->rows[3];
}

/* Settings that tell rows of one policy apart. */
static void add_sweep(struct sample *sample, enum fz_page_kind kind)
{
	static const enum fz_preempt models[] = { FZ_PREEMPT_NONE,
						  FZ_PREEMPT_LAZY };
	static const uint64_t batches[] = { 16, 8192 };
	static const char *const streams[] = { "movnti", "avx512-stream" };

	for (size_t i = 0; i < 8; i++) {
		const struct sample_row row = {
			.policy = "streaming-neighbourhood-last",
			.page = { kind, 2 * MIB },
			.fault_at = true,
			.fault_page = 511,
			.stream = streams[i / 4],
			.preempt = models[i / 2 % 2],
			.batch_pages = batches[i % 2],
			.rounds = 13,
			.gib = 20.0 + (double)i / 10.0,
			.points = i / 2 % 2 ? 0 : 3,
			.near_ns = 200
		};

		sample_add(sample, &row);
	}
}

static void fill_lists(struct sample *sample)
{
	const struct sample_row alone = { .policy = "discontiguous-page",
					  .page = base_4k,
					  .bytes = 64 * MIB,
					  .folio_bytes = 65536,
					  .clear = "unrolled",
					  .rounds = 4,
					  .gib = 123.456,
					  .points = 16 };
	const struct sample_row other = { .policy = "init-pages",
					  .page = base_4k,
					  .bytes = 64 * MIB,
					  .folio_bytes = 65536,
					  .clear = "unrolled",
					  .rounds = 4,
					  .gib = 0.0123 };
	struct fz_verdict *verdict;

	fill_machine(&sample->machine);
	sample->machine.preempt_mode = finding("lazy", "config");
	sample->result.command =
		"foliosim bench --policy streaming-neighbourhood-last,"
		"discontiguous-page,init-pages --preempt none,lazy --batch "
		"64K,32M --output '/tmp/it'\\''s here/a file with quite a "
		"long name and blanks, and so on and so forth.json'";
	add_sweep(sample, FZ_PAGES_HUGETLB);
	add_sweep(sample, FZ_PAGES_THP);
	sample_set_baseline(sample, 1, 4, 1);
	sample_set_baseline(sample, 5, 8, 5);
	sample_add(sample, &alone);
	sample_add(sample, &other);
	verdict = sample_judge(sample, 8, 13, 8);
	verdict->rival = &sample->rows[6];
	verdict->nr_rivals = 3;
	sample_judge(sample, 16, 13, 8);
	sample_judge(sample, 17, 4, 2);
}

/* So many settings that names find no room beside the figures. */
static void fill_wide(struct sample *sample)
{
	static const char *const policies[] = { "streaming-neighbourhood-last",
						"discontiguous-page" };

	for (size_t i = 0; i < 4; i++) {
		const struct sample_row row = {
			.policy = policies[i % 2],
			.clear = i < 2 ? "stosb" : "avx512-stream",
			.stream = i < 2 ? "clzero" : "avx512-stream",
			.preempt =
				i < 2 ? FZ_PREEMPT_NONE : FZ_PREEMPT_VOLUNTARY,
			.batch_pages = i < 2 ? 16 : 8192,
			.rounds = 11,
			.gib = 20.0 + (double)i,
			.points = 3,
			.near_ns = 200
		};

		sample_add(sample, &row);
		sample->rows[i].config.radius_pages = 2 + i;
	}
	fill_machine(&sample->machine);
	sample_set_baseline(sample, 1, 2, 2);
	sample_set_baseline(sample, 3, 4, 4);
}

/* One and two threads: a table each. */
static void fill_threads(struct sample *sample)
{
	for (unsigned int i = 0; i < 4; i++) {
		const struct sample_row row = {
			.policy = i % 2 ? NULL : "discontiguous-page",
			.bytes = 128 * MIB,
			.threads = 1 + i / 2,
			.rounds = 11,
			.gib = 7.5 + 0.1 * i + 6.5 * (i / 2),
			.points = 513,
		};

		sample_add(sample, &row);
	}
	fill_machine(&sample->machine);
	sample_set_baseline(sample, 1, 2, 1);
	sample_set_baseline(sample, 3, 4, 3);
	sample_set_scaling(sample, 3, 1);
	sample_set_scaling(sample, 4, 2);
	sample_judge(sample, 2, 11, 2)->winner = &sample->rows[1];
	sample_judge(sample, 4, 11, 2);
}

/* A flag beside the plan, a timer beside the kernel. */
static void fill_wakeups(struct sample *sample)
{
	static const struct fz_wake_source timer = {
		.kind = FZ_WAKER_FAIR,
		.interval_ns = 100000,
		.busy = { 4100, 4000, 9000, 50000 },
		.has_idle = true,
		.idle = { 21000, 20000, 75000, 561000 },
	};
	static const struct fz_wake_source flag = {
		.kind = FZ_WAKER_FLAG,
		.interval_ns = 100000,
		.busy = { 45, 40, 650, 3000 },
	};
	const struct sample_row rows[] = {
		{ .policy = "discontiguous-page",
		  .rounds = 11,
		  .gib = 7.5,
		  .points = 513 },
		{ .policy = "discontiguous-page",
		  .preempt = FZ_PREEMPT_LAZY,
		  .rounds = 11,
		  .gib = 7.6 },
		{ .policy = NULL, .rounds = 11, .gib = 7.4 },
	};

	fill_machine(&sample->machine);
	ADD_ROWS(sample, rows);
	sample_set_baseline(sample, 1, 3, 1);
	sample_wake(sample, 1, &flag, 1);
	sample_wake(sample, 3, &timer, 1);
}

/* One of each status and mode, and more of them than a table is wide. */
static void fill_counters(struct sample *sample)
{
	static const struct fz_counter counters[] = {
		{ .event = { .name = "cycles:u",
			     .perf = { .exclude_kernel = true } } },
		{ .event = { .name = "L1-dcache-load-misses",
			     .perf = { .exclude_kernel = true } },
		  .user_only = true,
		  .reason = "perf_event_paranoid is 2; needs CAP_PERFMON" },
		{ .event = { .name = "MEM_LOAD_RETIRED:L2_MISS" } },
		{ .event = { .name = "l2_lines_in.all" } },
		{ .event = { .name = "r01c2" },
		  .code = -ENOENT,
		  .reason = "ENOENT: no hardware counters" },
		{ .event = { .name = "r01c3" },
		  .code = -ENOENT,
		  .reason = "ENOENT: no hardware counters" },
		{ .event = { .name = "page-faults",
			     .source = FZ_PERF_SOFTWARE,
			     .perf = { .type = 1, .config = 2 } } },
		{ .event = { .name = "task-clock",
			     .source = FZ_PERF_SOFTWARE,
			     .perf = { .type = 1, .config = 1 } } },
		{ .event = { .name = "context-switches",
			     .source = FZ_PERF_SOFTWARE },
		  .code = -EACCES,
		  .reason = "EACCES: perf_event_paranoid is 2; needs "
			    "CAP_PERFMON" },
	};
	static const struct fz_counts counts[] = {
		{ { { 11 * 131072ull, 1100, 1100, false },
		    { 35, 110000, 38500, false },
		    { 7, 1100, 0, false },
		    { 7, 1100, 1100, true },
		    { 0 },
		    { 0 },
		    { 0, 1100, 1100, false },
		    { 1100000000, 1100, 1100, false } } },
		{ { { 11, 1100, 1100, false },
		    { 350000, 1100, 385, false },
		    { 0 },
		    { 1441792000, 1100, 1100, false },
		    { 0 },
		    { 0 },
		    { 2816, 1100, 1100, false },
		    { 440000000, 1100, 1100, false } } },
	};
	const struct sample_row rows[] = {
		{ .policy = "discontiguous-page",
		  .rounds = 11,
		  .gib = 7.5,
		  .points = 513 },
		{ .policy = NULL, .rounds = 11, .gib = 7.4 },
		{ .policy = "contiguous-page", .reason = "no huge pages" },
	};

	fill_machine(&sample->machine);
	ADD_ROWS(sample, rows);
	sample_set_baseline(sample, 1, 2, 1);
	sample->counters.nr = sizeof(counters) / sizeof(counters[0]);
	memcpy(sample->counters.counter, counters, sizeof(counters));
	sample->counters.read_ns = 1200;
	for (size_t i = 0; i < 2; i++)
		sample->rows[i].counts = counts[i];
}

/* Loads were timed: of pages, and of working sets. */
static void set_probe(struct fz_probe *probe)
{
	static const struct fz_level levels[] = {
		{ "L1", 32768, 16384, 5.25, 0 },
		{ "L2", MIB, MIB / 2, 16.5, 1 },
		{ "L3", 32 * MIB, 16 * MIB, 180.0, 2 },
		{ "memory", 0, 128 * MIB, 200.0, 2 },
	};

	*probe = (struct fz_probe){
		.wanted = { true, true },
		.levels = { .nr = 4,
			    .nr_classes = 3,
			    .classes = { { "L1", 9.307 },
					 { "L2", 54.5 },
					 { "L3/memory", INFINITY } },
			    .llc_bytes = 32 * MIB },
		.page = { FZ_PAGES_THP, 2 * MIB },
		.clock_ticks = 44.0,
		.ns_per_tick = 0.5,
		.repeats = 11,
	};
	memcpy(probe->levels.level, levels, sizeof(levels));
	probe->model = (struct fz_probe_model){
		.known = true,
		.spec.geometry = { .line_bytes = 64,
				   .nr_levels = 3,
				   .level = { { 32768, 8, FZ_CACHE_PLAIN,
						5.25 },
					      { MIB, 8, FZ_CACHE_INCLUSIVE,
						16.5 },
					      { 32 * MIB, 16, FZ_CACHE_VICTIM,
						0 } },
				   .memory_cycles = 200 },
	};
	SET(probe->no_victim[2].msg,
	    "a set of 16M, which should fit into L3, reads like memory before "
	    "anything is zeroed");
}

/* Later rows leave pages farther away. */
static void set_row_probe(struct fz_row_probe *found, size_t row)
{
	static const int64_t distances[] = { -256, -128, -64, -32, -16, -8, -4,
					     -3,   -2,   -1,  0,   1,   2,  3,
					     4,    8,    16,  64,  255 };
	const size_t nr = sizeof(distances) / sizeof(distances[0]);

	found->residency = calloc(nr, sizeof(*found->residency));
	assert(found->residency);
	found->nr_residency = nr;
	for (size_t i = 0; i < nr; i++) {
		const int64_t far =
			distances[i] < 0 ? -distances[i] : distances[i];
		const double ticks = 5.5 + (double)far * (double)(row + 1) / 2;

		found->residency[i] = (struct fz_residency){
			.distance_pages = distances[i],
			.class = ticks < 9.307  ? 0
				 : ticks < 54.5 ? 1
						: 2,
			.median_ticks = ticks,
			.ci95_ticks = { ticks - 0.25, ticks + 0.5 },
			.samples = 11,
		};
	}
	found->nr_victims = 2;
	for (size_t i = 0; i < 2; i++)
		found->victims[i] = (struct fz_victim){
			.level = i,
			.loads = i ? 8192 : 256,
			.undisturbed_ns = 1000.0,
			.disturbed_ns = 1500.0,
			.slowdown = { 1.5 + (double)row, { 1.4, 5.25 }, 11 },
		};
}

/* One of the caches has no latency, and the last page no model. */
static void set_row_model(struct fz_row_probe *found)
{
	static const double ticks[] = { 0, 5.25, 16.5, 0, 200 };

	for (size_t i = 0; i + 1 < found->nr_residency; i++) {
		struct fz_residency *r = &found->residency[i];

		r->model_level = 1 + (unsigned int)i % 4;
		r->model_ticks = ticks[r->model_level];
	}
	found->victims[0].model_slowdown = 12.125;
}

static void fill_probes(struct sample *sample)
{
	const struct sample_row rows[] = {
		{ .policy = "discontiguous-page",
		  .fault_at = true,
		  .fault_page = 256,
		  .rounds = 11,
		  .gib = 7.5,
		  .points = 513 },
		{ .policy = "streaming-neighbourhood-last",
		  .stream = "movnti",
		  .fault_at = true,
		  .fault_page = 256,
		  .rounds = 11,
		  .gib = 15.5,
		  .points = 3 },
		{ .policy = "neighbourhood-last-v6",
		  .fault_at = true,
		  .fault_page = 256,
		  .rounds = 11,
		  .gib = 7.5,
		  .points = 513,
		  .twin = 1 },
		{ .policy = "init-pages", .rounds = 11, .gib = 7.6 },
	};

	fill_machine(&sample->machine);
	ADD_ROWS(sample, rows);
	sample_set_baseline(sample, 1, 4, 1);
	set_probe(&sample->probe);
	sample->result.probe = &sample->probe;
	sample->probe.rows = calloc(4, sizeof(*sample->probe.rows));
	assert(sample->probe.rows);
	sample->probe.nr_rows = 4;
	for (size_t i = 0; i < 4; i++)
		sample->rows[i].probe = &sample->probe.rows[i];
	set_row_probe(&sample->probe.rows[0], 0);
	set_row_probe(&sample->probe.rows[1], 1);
	set_row_model(&sample->probe.rows[0]);
	SET(sample->probe.rows[1].not_modelled.msg, "the row runs no plan");
	/* A single sample has no interval. */
	sample->probe.rows[1].residency[0].samples = 1;
	sample->probe.rows[1].victims[1].slowdown.rounds = 1;
	SET(sample->probe.rows[3].reason[FZ_PROBE_RESIDENCY].msg,
	    "the policy is told no faulting page");
	SET(sample->probe.rows[3].reason[FZ_PROBE_VICTIM].msg,
	    "stopped by a signal");
}

static void fill_one(struct sample *sample)
{
	const struct sample_row row = { .policy = "contiguous-page",
					.preempt = FZ_PREEMPT_FULL,
					.rounds = 1,
					.gib = 12.0 };

	fill_machine(&sample->machine);
	sample_add(sample, &row);
	sample->figures[0].line_ns = 45.0;
}

/* Nothing is known and nothing could run. */
static void fill_none(struct sample *sample)
{
	const struct sample_row rows[] = {
		{ .policy = "contiguous-page",
		  .reason = "no huge pages of 2M are free" },
		{ .policy = NULL, .reason = "no huge pages of 2M are free" },
	};

	ADD_ROWS(sample, rows);
	sample->machine.perf_event_paranoid = INT32_MIN;
	sample->machine.steal_ms = UINT64_MAX;
}

static void fill_empty(struct sample *sample)
{
	fill_machine(&sample->machine);
}

const struct sample_kind sample_kinds[] = {
	{ "full", fill_full },       { "lists", fill_lists },
	{ "wide", fill_wide },       { "threads", fill_threads },
	{ "wakeups", fill_wakeups }, { "counters", fill_counters },
	{ "probes", fill_probes },   { "one", fill_one },
	{ "none", fill_none },       { "empty", fill_empty },
};
const size_t nr_sample_kinds = sizeof(sample_kinds) / sizeof(sample_kinds[0]);

const struct sample_view sample_views[] = {
	{ "text", fz_result_text },
	{ "json", fz_result_json },
	{ "csv", fz_result_csv },
	{ "commit", fz_result_commit },
};
const size_t nr_sample_views = sizeof(sample_views) / sizeof(sample_views[0]);

struct sample *sample_new(const struct sample_kind *kind)
{
	struct sample *sample = calloc(1, sizeof(*sample));

	assert(sample);
	sample->result = (struct fz_result){
		.command = "foliosim bench --page-size 2M",
		.seed = 1,
		.machine = &sample->machine,
		.rows = sample->rows,
		.figures = sample->figures,
		.point_cost_ns = NAN,
		.verdicts = sample->verdicts,
		.counters = &sample->counters,
	};
	kind->fill(sample);
	return sample;
}

struct sample *sample_find(const char *name)
{
	for (size_t i = 0; i < nr_sample_kinds; i++)
		if (strcmp(sample_kinds[i].name, name) == 0)
			return sample_new(&sample_kinds[i]);
	return NULL;
}

void sample_free(struct sample *sample)
{
	for (size_t i = 0; i < sample->result.nr_rows; i++)
		fz_row_fini(&sample->rows[i]);
	fz_probe_fini(&sample->probe);
	free(sample);
}

char *sample_print(const struct sample *sample, const char *view)
{
	char *text = NULL;
	size_t bytes;

	for (size_t i = 0; i < nr_sample_views; i++) {
		FILE *out;

		if (strcmp(sample_views[i].name, view) != 0)
			continue;
		out = open_memstream(&text, &bytes);
		assert(out);
		if (sample_views[i].print(out, &sample->result))
			abort();
		fclose(out);
	}
	assert(text);
	return text;
}
