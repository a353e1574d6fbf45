// SPDX-License-Identifier: GPL-2.0-or-later
/* Generated traces: known answers, first touches, merging, reproducibility. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <fz/generated.h>

#include "fz_test.h"

#define NR(a)  (sizeof(a) / sizeof((a)[0]))
#define PAGE   4096ull
#define MiB    (1ull << 20)
#define MAX_NR 100000u

/* A whole trace. */
struct trace {
	struct fz_fault *faults;
	size_t nr;
	int code; /* of its end */
	struct fz_err err;
};

/* Ask for so many at a time; 0 = for another number each time. */
static struct trace generate_by(const char *name,
				const struct fz_generator_params *params,
				size_t at_a_time)
{
	struct trace trace = { .faults = calloc(MAX_NR,
						sizeof(struct fz_fault)) };
	struct fz_generated *generated;
	struct fz_fault_source source;
	ssize_t got = 1;

	ck_assert_ptr_nonnull(trace.faults);
	ck_assert_msg(!fz_generated_open(&generated, fz_generator_find(name),
					 params, &trace.err),
		      "%s: %s", name, trace.err.msg);
	source = fz_generated_source(generated);
	for (size_t turn = 0; got > 0; turn++) {
		const size_t room = MAX_NR - trace.nr;
		const size_t wanted = at_a_time ? at_a_time : turn % 13 + 1;

		ck_assert_uint_gt(room, 0);
		got = source.next(source.state, trace.faults + trace.nr,
				  wanted < room ? wanted : room, &trace.err);
		trace.nr += got > 0 ? (size_t)got : 0;
	}
	trace.code = (int)got;
	/* The end stays the end. */
	ck_assert_int_eq(source.next(source.state, trace.faults, 1, &trace.err),
			 got);
	fz_generated_close(generated);
	return trace;
}

static struct trace generate(const char *name,
			     const struct fz_generator_params *params)
{
	return generate_by(name, params, 1000);
}

static void trace_free(struct trace *trace)
{
	free(trace->faults);
}

static struct fz_generator_params params_of(const char *name,
					    uint64_t region_bytes)
{
	const struct fz_generator *generator = fz_generator_find(name);
	struct fz_generator_params params;

	ck_assert_ptr_nonnull(generator);
	params = fz_generator_defaults(generator);
	params.region_bytes = region_bytes;
	params.seed = 42;
	return params;
}

static uint64_t page_of(const struct trace *trace, size_t i,
			const struct fz_generator_params *params)
{
	return (trace->faults[i].addr - params->base_addr) / params->page_bytes;
}

/*
 * Of process 1 of 2, for 1000 pages and seed 42, from a second implementation,
 * in Python, of the same published methods.
 */
static const struct {
	const char *name;
	uint64_t pages[8];
	size_t busy_nr;     /* of a trace of busy_params() */
	uint64_t busy_hash; /* and trace_hash() of it */
} known[] = {
	{ "sequential", { 0, 1, 2, 3, 4, 5, 6, 7 }, 3009, 0x31daf998ccc29260 },
	{ "reverse",
	  { 999, 998, 997, 996, 995, 994, 993, 992 },
	  3009,
	  0x4d27170aa9d30ff0 },
	{ "stride",
	  { 0, 16, 32, 48, 64, 80, 96, 112 },
	  3009,
	  0x1aa9ae12956a0dc0 },
	{ "uniform",
	  { 260, 6, 52, 232, 106, 265, 450, 407 },
	  1912,
	  0xbde79422fd9541d6 },
	{ "zipf",
	  { 389, 793, 819, 535, 582, 82, 606, 86 },
	  1130,
	  0x0db1c70355f84c1e },
	{ "hot-cold",
	  { 42, 78, 53, 407, 52, 258, 10, 81 },
	  556,
	  0x62116cf881c423c3 },
	{ "pointer-chase",
	  { 793, 34, 609, 908, 484, 172, 251, 395 },
	  3009,
	  0xe92f735adc296bf4 },
	{ "anon-w-seq-hugetlb",
	  { 0, 1, 2, 3, 4, 5, 6, 7 },
	  3009,
	  0xd429bb6c2d4411e5 },
};

static const uint64_t known_ns[] = { 51133,   2723999, 5148976,  6593715,
				     7338822, 9268996, 10672976, 10756798 };

START_TEST(known_answers)
{
	struct fz_generator_params params = params_of(known[_i].name, 0);
	struct trace trace;
	unsigned int wrong = 0, nr = 0;

	params.region_bytes = 1000 * params.page_bytes;
	params.nr_processes = 2;
	params.arrival = FZ_ARRIVAL_POISSON;
	params.rate_per_s = 1000;
	trace = generate(known[_i].name, &params);
	for (size_t i = 0; i < trace.nr && nr < NR(known_ns); i++) {
		if (trace.faults[i].pid != 1001)
			continue;
		wrong += page_of(&trace, i, &params) != known[_i].pages[nr];
		wrong += trace.faults[i].time_ns != known_ns[nr];
		nr++;
	}
	trace_free(&trace);
	ck_assert_uint_eq(nr, NR(known_ns));
	ck_assert_uint_eq(wrong, 0);
}
END_TEST

/* Several processes and threads, that share pages unevenly. */
static struct fz_generator_params busy_params(const char *name)
{
	struct fz_generator_params params = params_of(name, 0);

	params.region_bytes = 1003 * params.page_bytes;
	params.nr_processes = 3;
	params.nr_threads = 4;
	params.arrival = FZ_ARRIVAL_POISSON;
	params.rate_per_s = 12345;
	return params;
}

/* FNV-1a of times, addresses and threads, as eight bytes each. */
static uint64_t trace_hash(const struct trace *trace)
{
	uint64_t hash = 0xcbf29ce484222325;

	for (size_t i = 0; i < trace->nr; i++) {
		const struct fz_fault *f = &trace->faults[i];
		const uint64_t words[] = { f->time_ns, f->addr, f->tid };

		for (size_t byte = 0; byte < 24; byte++) {
			hash ^= words[byte / 8] >> byte % 8 * 8 & 0xff;
			hash *= 0x100000001b3;
		}
	}
	return hash;
}

START_TEST(known_hashes)
{
	const struct fz_generator_params params = busy_params(known[_i].name);
	struct trace trace = generate(known[_i].name, &params);
	const uint64_t hash = trace_hash(&trace);

	ck_assert_uint_eq(trace.nr, known[_i].busy_nr);
	ck_assert_uint_eq(hash, known[_i].busy_hash);
	trace_free(&trace);
}
END_TEST

/* All of them, also those that a later version adds. */
static int nr_generators(void)
{
	int nr = 0;

	while (fz_generators[nr])
		nr++;
	return nr;
}

START_TEST(any_number_at_a_time)
{
	const char *name = fz_generators[_i]->name;
	static const size_t numbers[] = { 1, 7, 4096, 0 };
	const struct fz_generator_params params = busy_params(name);
	struct trace whole = generate_by(name, &params, 1000);

	ck_assert_int_eq(whole.code, 0);
	ck_assert_uint_gt(whole.nr, 100);
	for (size_t i = 0; i < NR(numbers); i++) {
		struct trace other = generate_by(name, &params, numbers[i]);

		ck_assert_uint_eq(other.nr, whole.nr);
		ck_assert_mem_eq(other.faults, whole.faults,
				 whole.nr * sizeof(*whole.faults));
		trace_free(&other);
	}
	trace_free(&whole);
}
END_TEST

static unsigned int wrong_records(const struct trace *trace,
				  const struct fz_generator *g,
				  const struct fz_generator_params *params)
{
	const char *comm = g->comm ? g->comm : g->name;
	const size_t comm_bytes = strlen(comm) < 15 ? strlen(comm) : 15;
	unsigned int wrong = 0;

	for (size_t i = 0; i < trace->nr; i++) {
		const struct fz_fault *f = &trace->faults[i];

		wrong += i && f->time_ns < f[-1].time_ns;
		wrong += f->addr % params->page_bytes != 0;
		wrong += f->addr < params->base_addr;
		wrong += f->addr >= params->base_addr + params->region_bytes;
		wrong += f->pid != 1000 + f->cpu / params->nr_threads *
						   params->nr_threads;
		wrong += f->tid != 1000 + f->cpu;
		wrong += f->cpu >= params->nr_threads * params->nr_processes;
		wrong += f->ip != 0 || f->value != 0;
		wrong += f->event != FZ_EVENT_USER_FAULT;
		wrong += f->error_code != 6;
		wrong += f->knows != (127 & ~FZ_KNOWS_IP);
		wrong += fz_fault_class_of(f) != FZ_CLASS_ZERO_FILL;
		wrong += f->comm_bytes != comm_bytes ||
			 memcmp(f->comm, comm, comm_bytes);
	}
	return wrong;
}

/* No process touches a page twice; each thread stays in its part. */
static unsigned int touched_twice(const struct trace *trace,
				  const struct fz_generator_params *params)
{
	const uint64_t nr_pages = params->region_bytes / params->page_bytes;
	unsigned char *seen = calloc(nr_pages * params->nr_processes, 1);
	unsigned int twice = 0;

	ck_assert_ptr_nonnull(seen);
	for (size_t i = 0; i < trace->nr; i++) {
		const uint32_t thread =
			trace->faults[i].cpu % params->nr_threads;
		const uint32_t process =
			trace->faults[i].cpu / params->nr_threads;
		const uint64_t page = page_of(trace, i, params);

		twice += seen[process * nr_pages + page]++;
		twice += page < nr_pages * thread / params->nr_threads;
		twice += page >= nr_pages * (thread + 1) / params->nr_threads;
	}
	free(seen);
	return twice;
}

START_TEST(records_are_first_writes)
{
	const struct fz_generator *g = fz_generators[_i];
	const struct fz_generator_params params = busy_params(g->name);
	struct trace trace = generate(g->name, &params);

	ck_assert_uint_eq(wrong_records(&trace, g, &params), 0);
	ck_assert_uint_eq(touched_twice(&trace, &params), 0);
	if (!g->repeats)
		ck_assert_uint_eq(trace.nr, 3 * 1003);
	trace_free(&trace);
}
END_TEST

/* The records of some CPU are alike in both. */
static unsigned int differences(const struct trace *a, const struct trace *b,
				uint32_t cpu)
{
	unsigned int different = 0;
	size_t j = 0;

	for (size_t i = 0; i < a->nr; i++) {
		if (a->faults[i].cpu != cpu)
			continue;
		while (j < b->nr && b->faults[j].cpu != cpu)
			j++;
		different += j == b->nr || memcmp(&a->faults[i], &b->faults[j],
						  sizeof(a->faults[i]));
		j += j < b->nr;
	}
	for (; j < b->nr; j++)
		different += b->faults[j].cpu == cpu;
	return different;
}

START_TEST(others_change_nothing)
{
	const char *name = fz_generators[_i]->name;
	struct fz_generator_params params = busy_params(name);
	struct trace three = generate(name, &params), five;
	unsigned int different = 0;

	params.nr_processes = 5;
	five = generate(name, &params);
	for (uint32_t cpu = 0; cpu < 12; cpu++)
		different += differences(&three, &five, cpu);
	ck_assert_uint_eq(different, 0);
	ck_assert_uint_gt(five.nr, three.nr);
	trace_free(&three);
	trace_free(&five);
}
END_TEST

static bool same_addresses(const struct trace *a, const struct trace *b)
{
	size_t different = a->nr != b->nr;

	for (size_t i = 0; i < a->nr && i < b->nr; i++)
		different += a->faults[i].addr != b->faults[i].addr;
	return different == 0;
}

START_TEST(seed_matters_where_said)
{
	const struct fz_generator *g = fz_generators[_i];
	struct fz_generator_params params = busy_params(g->name);
	struct trace one, other;

	params.arrival = FZ_ARRIVAL_FIXED;
	one = generate(g->name, &params);
	params.seed = 43;
	other = generate(g->name, &params);
	ck_assert_int_eq(same_addresses(&one, &other),
			 !(g->uses & FZ_USES_SEED));
	trace_free(&one);
	trace_free(&other);
}
END_TEST

static unsigned int not_the_beginning(const struct trace *cut,
				      const struct trace *whole)
{
	return cut->nr > whole->nr ||
	       memcmp(cut->faults, whole->faults,
		      cut->nr * sizeof(*cut->faults)) != 0;
}

/* What the number of faults or accesses cuts off was the end. */
START_TEST(limits_cut_the_end_off)
{
	const struct fz_generator *g = fz_generators[_i];
	struct fz_generator_params params = params_of(g->name, 0);
	struct trace whole, cut;
	unsigned int wrong = 0;

	params.region_bytes = 1000 * params.page_bytes;
	params.nr_processes = 1;
	whole = generate(g->name, &params);
	params.nr_faults = 150;
	cut = generate(g->name, &params);
	wrong += cut.nr != 150 || not_the_beginning(&cut, &whole);
	trace_free(&cut);

	params.nr_faults = 0;
	params.nr_accesses = 100;
	cut = generate(g->name, &params);
	wrong += g->repeats ? cut.nr >= 100 : cut.nr != 100;
	wrong += not_the_beginning(&cut, &whole);
	trace_free(&cut);

	params.nr_accesses = 10000;
	cut = generate(g->name, &params);
	wrong += g->repeats ? cut.nr <= whole.nr : cut.nr != whole.nr;
	wrong += not_the_beginning(g->repeats ? &whole : &cut,
				   g->repeats ? &cut : &whole);
	trace_free(&cut);
	trace_free(&whole);
	ck_assert_uint_eq(wrong, 0);
}
END_TEST

/* First touches of the accesses, found with a plain list. */
START_TEST(first_touches_of_the_accesses)
{
	const struct fz_generator *g = fz_generators[_i];
	const uint64_t nr_pages = 500, nr_accesses = 700;
	struct fz_generator_params params = params_of(g->name, 0);
	struct fz_walk walk = { .nr_pages = nr_pages, .setup_stream = 1 };
	void *state = calloc(1, g->state_bytes + 1);
	bool seen[500] = { false };
	struct trace trace;
	unsigned int wrong = 0;
	size_t nr = 0;

	ck_assert_ptr_nonnull(state);
	params.region_bytes = nr_pages * params.page_bytes;
	params.nr_processes = 1;
	params.nr_accesses = nr_accesses;
	trace = generate(g->name, &params);
	walk.params = &params;
	walk.state = state;
	if (g->begin)
		g->begin(state, &walk);
	for (uint64_t i = 0; i < (g->repeats ? nr_accesses : nr_pages); i++) {
		const uint64_t page = g->page(&walk, i);

		if (seen[page])
			continue;
		seen[page] = true;
		wrong += nr >= trace.nr || page_of(&trace, nr, &params) != page;
		nr++;
	}
	free(state);
	ck_assert_uint_eq(nr, trace.nr);
	ck_assert_uint_eq(wrong, 0);
	trace_free(&trace);
}
END_TEST

/* Each way to say it gives the same addresses. */
START_TEST(sweeps_are_related)
{
	struct fz_generator_params params = params_of("sequential", MiB);
	struct trace up = generate("sequential", &params), other;
	const size_t nr = MiB / PAGE;
	size_t wrong = 0;

	ck_assert_uint_eq(up.nr, nr);
	for (size_t i = 0; i < nr; i++) {
		wrong += up.faults[i].addr != params.base_addr + i * PAGE;
		wrong += up.faults[i].time_ns != i * 909;
	}

	other = generate("reverse", &params);
	for (size_t i = 0; i < nr; i++)
		wrong += other.faults[i].addr != up.faults[nr - 1 - i].addr;
	trace_free(&other);

	params.stride_bytes = PAGE;
	other = generate("stride", &params);
	wrong += !same_addresses(&up, &other);
	trace_free(&other);

	params.region_bytes = 2 * MiB;
	other = generate("sequential", &params);
	wrong += other.nr != 2 * nr;
	wrong += memcmp(other.faults, up.faults, nr * sizeof(*up.faults)) != 0;
	for (size_t i = 0; i < nr; i++)
		wrong += other.faults[nr + i].addr != up.faults[i].addr + MiB;
	trace_free(&other);
	trace_free(&up);
	ck_assert_uint_eq(wrong, 0);
}
END_TEST

START_TEST(vm_scalability_is_sequential)
{
	struct fz_generator_params params =
		params_of("anon-w-seq-hugetlb", 64 * MiB);
	struct trace huge = generate("anon-w-seq-hugetlb", &params), plain;
	size_t wrong = 0;

	ck_assert_uint_eq(huge.nr, 8 * 32);
	params = params_of("sequential", 64 * MiB);
	params.page_bytes = 2 * MiB;
	params.nr_processes = 8;
	plain = generate("sequential", &params);
	wrong += !same_addresses(&huge, &plain);
	/* Side by side: all of them in every turn. */
	for (size_t i = 0; i < huge.nr; i++) {
		wrong += huge.faults[i].cpu != i % 8;
		wrong += huge.faults[i].pid != 1000 + i % 8;
		wrong += page_of(&huge, i, &params) != i / 8;
		wrong += huge.faults[i].comm_bytes != 6 ||
			 memcmp(huge.faults[i].comm, "usemem", 6);
	}
	trace_free(&plain);
	trace_free(&huge);
	ck_assert_uint_eq(wrong, 0);
}
END_TEST

/* Of as many accesses as pages, each page is missed by all with 1/e. */
START_TEST(uniform_misses_its_share)
{
	struct fz_generator_params params = params_of("uniform", 256 * MiB);
	struct trace trace = generate("uniform", &params);

	ck_assert_double_eq_tol((double)trace.nr / 65536, 1 - exp(-1), 0.01);
	trace_free(&trace);

	params = params_of("uniform", 4 * MiB);
	params.nr_faults = 1024;
	trace = generate("uniform", &params);
	ck_assert_int_eq(trace.code, 0);
	ck_assert_uint_eq(trace.nr, 1024);
	trace_free(&trace);
}
END_TEST

/* Faults that do not come end in a sentence, after those that did. */
START_TEST(in_vain)
{
	struct fz_generator_params params = params_of("hot-cold", 4 * MiB);
	struct trace trace;

	params.hot_weight = 1;
	params.nr_faults = 200;
	trace = generate("hot-cold", &params);
	ck_assert_int_eq(trace.code, -ERANGE);
	ck_assert_uint_eq(trace.nr, 102);
	ck_assert_str_eq(trace.err.msg,
			 "'hot-cold' touched 102 of 1024 pages, then none that "
			 "is new in 1081344 accesses: give fewer faults, or "
			 "how many accesses there are");
	trace_free(&trace);

	/* Who says how many accesses gets what there is. */
	params.nr_accesses = 5000000;
	trace = generate_by("hot-cold", &params, 1);
	ck_assert_int_eq(trace.code, -ERANGE);
	trace_free(&trace);
	params.nr_faults = 0;
	params.nr_accesses = 5000;
	trace = generate("hot-cold", &params);
	ck_assert_int_eq(trace.code, 0);
	ck_assert_uint_eq(trace.nr, 102);
	trace_free(&trace);
}
END_TEST

/* New pages that are rare, but come: millions of accesses in all are no end. */
START_TEST(rarely_in_vain)
{
	struct fz_generator_params params = params_of("hot-cold", 4 * MiB);
	struct trace trace;

	params.hot_weight = 0.999;
	params.nr_faults = 1000;
	trace = generate("hot-cold", &params);
	ck_assert_msg(trace.code == 0, "%s", trace.err.msg);
	ck_assert_uint_eq(trace.nr, 1000);
	trace_free(&trace);
}
END_TEST

START_TEST(software_events_have_no_error_code)
{
	struct fz_generator_params params = params_of("sequential", MiB);
	struct trace trace;
	unsigned int wrong = 0;

	params.event = FZ_EVENT_PAGE_FAULTS;
	trace = generate("sequential", &params);
	for (size_t i = 0; i < trace.nr; i++)
		wrong +=
			trace.faults[i].error_code != 0 ||
			trace.faults[i].knows & FZ_KNOWS_ERROR_CODE ||
			fz_fault_class_of(&trace.faults[i]) != FZ_CLASS_UNKNOWN;
	ck_assert_uint_eq(trace.nr, 256);
	ck_assert_uint_eq(wrong, 0);
	trace_free(&trace);
}
END_TEST

/* As many threads as there may be, with a page each. */
START_TEST(many_threads)
{
	struct fz_generator_params params =
		params_of("pointer-chase", 128 * PAGE);
	struct trace trace;

	params.nr_processes = 128;
	params.nr_threads = 128;
	trace = generate("pointer-chase", &params);
	ck_assert_uint_eq(trace.nr, FZ_GENERATED_MAX_THREADS);
	ck_assert_uint_eq(touched_twice(&trace, &params), 0);
	trace_free(&trace);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("generated");
	TCase *tc = tcase_create("generated");
	const int nr = nr_generators();

	tcase_add_loop_test(tc, known_answers, 0, NR(known));
	tcase_add_loop_test(tc, known_hashes, 0, NR(known));
	tcase_add_loop_test(tc, any_number_at_a_time, 0, nr);
	tcase_add_loop_test(tc, records_are_first_writes, 0, nr);
	tcase_add_loop_test(tc, others_change_nothing, 0, nr);
	tcase_add_loop_test(tc, seed_matters_where_said, 0, nr);
	tcase_add_loop_test(tc, limits_cut_the_end_off, 0, nr);
	tcase_add_loop_test(tc, first_touches_of_the_accesses, 0, nr);
	tcase_add_test(tc, sweeps_are_related);
	tcase_add_test(tc, vm_scalability_is_sequential);
	tcase_add_test(tc, uniform_misses_its_share);
	tcase_add_test(tc, in_vain);
	tcase_add_test(tc, rarely_in_vain);
	tcase_add_test(tc, software_events_have_no_error_code);
	tcase_add_test(tc, many_threads);
	suite_add_tcase(suite, tc);
	return suite;
}
