// SPDX-License-Identifier: GPL-2.0-or-later
/* Records in order of time: compared with sorting all of them at once. */
#include "fz_test.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <fz/random.h>
#include <fz/trace_stream.h>

#include "read_trace.h"

#define MS 1000000u

/* A format of the test: records as they lie in memory. */
static ssize_t raw_read(struct fz_trace_reader *reader, struct fz_fault *faults,
			size_t max, struct fz_err *err)
{
	const void *bytes;
	size_t nr = 0;
	int code = 1;

	while (nr < max && code > 0) {
		code = fz_trace_input_take(reader->input, sizeof(*faults),
					   &bytes);
		if (code > 0)
			memcpy(&faults[nr++], bytes, sizeof(*faults));
	}
	if (code < 0 && nr == 0)
		return fz_err_set(err, code, "cut short");
	return (ssize_t)nr;
}

static unsigned int never(const char *head, size_t bytes)
{
	(void)head;
	(void)bytes;
	return 0;
}

static const struct fz_trace_format raw = {
	.name = "raw",
	.summary = "of the test",
	.probe = never,
	.read = raw_read,
};

/* One that says how far its times step back. */
static const struct fz_trace_format loose = {
	.name = "loose",
	.summary = "of the test",
	.probe = never,
	.reorder_ns = 1000 * (uint64_t)MS,
	.read = raw_read,
};

/* How often memory for late records is still given; SIZE_MAX = always. */
static size_t reallocs_left = SIZE_MAX;

void *__real_realloc(void *memory, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);

void *__wrap_realloc(void *memory, size_t bytes)
{
	if (!reallocs_left)
		return NULL;
	if (reallocs_left != SIZE_MAX)
		reallocs_left--;
	return __real_realloc(memory, bytes);
}

struct trace_of {
	struct fz_fault *faults; /* [nr]; ip is the number of a record */
	size_t nr;
	const struct fz_trace_format *format;
};

static struct trace_of trace_new(size_t nr)
{
	struct trace_of trace = { calloc(nr, sizeof(*trace.faults)), nr, &raw };

	ck_assert_ptr_nonnull(trace.faults);
	for (size_t i = 0; i < nr; i++) {
		trace.faults[i].ip = i;
		trace.faults[i].knows = FZ_KNOWS_TIME;
	}
	return trace;
}

static void read_raw(struct outcome *outcome, const struct trace_of *trace,
		     size_t chunk)
{
	struct memory_bytes memory = {
		.bytes = (const char *)trace->faults,
		.nr = trace->nr * sizeof(*trace->faults),
		.chunk = chunk,
	};

	outcome_read(outcome, memory_source(&memory), trace->format, 0);
	ck_assert_int_eq(outcome->code, 0);
	ck_assert_uint_eq(outcome->nr, trace->nr);
}

struct key {
	size_t session;
	uint64_t time_ns;
	size_t number;
};

static int compare_keys(const void *left, const void *right)
{
	const struct key *a = left, *b = right;

	if (a->session != b->session)
		return a->session < b->session ? -1 : 1;
	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	return a->number < b->number ? -1 : 1;
}

/* The order they should come in, and how many sessions there are. */
static size_t sort_all(const struct trace_of *trace, struct key *keys)
{
	uint64_t latest = 0;
	bool begun = false;
	size_t session = 0;

	for (size_t i = 0; i < trace->nr; i++) {
		const struct fz_fault *fault = &trace->faults[i];
		const bool timed = fault->knows & FZ_KNOWS_TIME;

		if (timed && begun && fault->time_ns < latest &&
		    latest - fault->time_ns >
			    fz_trace_format_reorder_ns(trace->format)) {
			session++;
			latest = 0;
		}
		if (timed && fault->time_ns > latest)
			latest = fault->time_ns;
		begun = begun || timed;
		keys[i] = (struct key){ session,
					timed ? fault->time_ns : latest, i };
	}
	qsort(keys, trace->nr, sizeof(*keys), compare_keys);
	return session + 1;
}

static void check_order(const struct trace_of *trace, size_t chunk)
{
	struct key *keys = calloc(trace->nr, sizeof(*keys));
	const size_t nr_sessions = sort_all(trace, keys);
	struct outcome outcome;
	size_t wrong = 0;

	read_raw(&outcome, trace, chunk);
	for (size_t i = 0; i < trace->nr; i++) {
		const struct fz_fault *expected =
			&trace->faults[keys[i].number];

		wrong += memcmp(&outcome.faults[i], expected,
				sizeof(*expected)) != 0;
	}
	ck_assert_uint_eq(wrong, 0);
	ck_assert_uint_eq(outcome_count(&outcome, FZ_TRACE_NOTE),
			  nr_sessions - 1);
	outcome_fini(&outcome);
	free(keys);
}

/* Steps of the clock: forward, and back as far as CPUs may be apart. */
static const struct {
	uint64_t forward_ns, back_ns;
	unsigned int back_of_100, untimed_of_100, sessions_of_10000;
} walks[] = {
	{ 1000, 0, 0, 0, 0 },
	{ 1000, 10 * MS, 10, 0, 0 },
	{ 5 * MS, 10 * MS, 30, 0, 0 },
	{ 100, 10 * MS, 50, 0, 0 },
	{ 1000, 1000, 50, 20, 0 },
	{ 1000, 10 * MS, 10, 5, 50 },
	{ 0, 0, 0, 0, 0 },
	{ 50 * MS, 10 * MS, 20, 50, 100 },
	{ MS, 400 * MS, 30, 0, 0 },
};

static void walk(struct trace_of *trace, int which, uint64_t seed)
{
	struct fz_random random = fz_random_begin(seed, 1);
	uint64_t now = 1000 * (uint64_t)MS;

	for (size_t i = 0; i < trace->nr; i++) {
		struct fz_fault *fault = &trace->faults[i];

		fault->time_ns = now;
		if (fz_random_below(&random, 100) < walks[which].back_of_100)
			fault->time_ns -= fz_random_below(
				&random, walks[which].back_ns + 1);
		else
			now += fz_random_below(&random,
					       walks[which].forward_ns + 1);
		if (fz_random_below(&random, 100) <
		    walks[which].untimed_of_100) {
			fault->time_ns = 0;
			fault->knows = 0;
		}
		if (fz_random_below(&random, 10000) <
		    walks[which].sessions_of_10000)
			now = now / 2 + 50 * (uint64_t)MS;
	}
}

START_TEST(comes_in_order)
{
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct trace_of trace = trace_new(1 + 157 * seed);

		walk(&trace, _i, seed);
		check_order(&trace, seed % 2 ? 0 : 1000);
		free(trace.faults);
	}
}
END_TEST

/* The same, of a format whose CPUs are further apart. */
START_TEST(comes_in_order_of_its_format)
{
	for (uint64_t seed = 1; seed <= 10; seed++) {
		struct trace_of trace = trace_new(1 + 157 * seed);

		trace.format = &loose;
		walk(&trace, _i, seed);
		check_order(&trace, 0);
		free(trace.faults);
	}
}
END_TEST

/* More than is held back: what is in order stays so. */
START_TEST(many_at_a_time)
{
	struct trace_of trace = trace_new(300000);

	for (size_t i = 0; i < trace.nr; i++)
		trace.faults[i].time_ns = i;
	check_order(&trace, 0);
	free(trace.faults);
}
END_TEST

/* Few at first, so that the places for them are used up to the end and again,
 * then more than there are places. */
START_TEST(more_and_more)
{
	struct trace_of trace = trace_new(100000);
	uint64_t now = 0;

	for (size_t i = 0; i < trace.nr; i++) {
		trace.faults[i].time_ns = now;
		now += i < 1500 ? MS : i % 20000 ? 500 : 20 * MS;
	}
	check_order(&trace, 0);
	free(trace.faults);
}
END_TEST

/* How many of the records came, each once. */
static size_t count_once(const struct outcome *outcome)
{
	bool *seen = calloc(outcome->nr, sizeof(*seen));
	size_t nr = 0;

	for (size_t i = 0; i < outcome->nr; i++) {
		nr += !seen[outcome->faults[i].ip];
		seen[outcome->faults[i].ip] = true;
	}
	free(seen);
	return nr;
}

/* All within 10 ms, and from the last to the first: no more can be asked than
 * that each comes, and soon. */
START_TEST(backwards)
{
	struct trace_of trace = trace_new(300000);
	struct outcome outcome;

	for (size_t i = 0; i < trace.nr; i++)
		trace.faults[i].time_ns = trace.nr - i;
	read_raw(&outcome, &trace, 0);
	ck_assert_uint_eq(count_once(&outcome), trace.nr);
	outcome_fini(&outcome);
	free(trace.faults);
}
END_TEST

/* The last times that there are. */
START_TEST(greatest_times)
{
	struct trace_of trace = trace_new(4);

	trace.faults[0].time_ns = UINT64_MAX - 5;
	trace.faults[1].time_ns = UINT64_MAX;
	trace.faults[2].time_ns = UINT64_MAX - 10 * MS;
	trace.faults[3].time_ns = UINT64_MAX - 1;
	check_order(&trace, 0);
	free(trace.faults);
}
END_TEST

/* Records before the end come before its error. */
START_TEST(cut_short)
{
	struct trace_of trace = trace_new(1000);
	struct memory_bytes memory = {
		.bytes = (const char *)trace.faults,
		.nr = trace.nr * sizeof(*trace.faults) - 1,
	};
	struct outcome outcome;

	outcome_read(&outcome, memory_source(&memory), &raw, 0);
	ck_assert_int_eq(outcome.code, -EBADMSG);
	ck_assert_str_eq(outcome.err.msg, "cut short");
	ck_assert_uint_eq(outcome.nr, 999);
	outcome_fini(&outcome);
	free(trace.faults);
}
END_TEST

START_TEST(nothing_in_it)
{
	struct outcome outcome;

	outcome_read_text(&outcome, "", NULL);
	ck_assert_int_eq(outcome.code, -EBADMSG);
	ck_assert_str_eq(outcome.err.msg, "is empty");
	outcome_fini(&outcome);
	outcome_read_text(&outcome, "", "perf-script");
	ck_assert_int_eq(outcome.code, -EBADMSG);
	outcome_fini(&outcome);
	outcome_read_text(&outcome, "\n\n\n", "perf-script");
	ck_assert_int_eq(outcome.code, -EBADMSG);
	ck_assert_ptr_nonnull(strstr(outcome.err.msg, "'perf-script'"));
	outcome_fini(&outcome);
}
END_TEST

START_TEST(unknown_names_those_tried)
{
	struct outcome outcome;

	outcome_read_text(&outcome, "Dear reader,\nthis is a letter.\n", NULL);
	ck_assert_int_eq(outcome.code, -EBADMSG);
	for (size_t i = 0; fz_trace_formats[i]; i++)
		ck_assert_ptr_nonnull(
			strstr(outcome.err.msg, fz_trace_formats[i]->name));
	outcome_fini(&outcome);
}
END_TEST

static ssize_t fail_to_read(void *state, void *buf, size_t cap)
{
	(void)buf;
	(void)cap;
	return (*(int *)state)++ < 2 ? (ssize_t)strlen(strcpy(buf, "x\n"))
				     : -EIO;
}

START_TEST(failing_source)
{
	int nr_reads = 0;
	struct outcome outcome;

	outcome_read(&outcome,
		     (struct fz_byte_source){ &nr_reads, fail_to_read }, NULL,
		     0);
	ck_assert_int_eq(outcome.code, -EIO);
	outcome_fini(&outcome);
}
END_TEST

/* The second half comes first: all of the other one is late. */
static struct trace_of swapped_halves(size_t nr)
{
	struct trace_of trace = trace_new(nr);

	for (size_t i = 0; i < nr; i++)
		trace.faults[i].time_ns = (i + nr / 2) % nr;
	return trace;
}

static int open_raw(struct fz_trace **trace, struct memory_bytes *memory)
{
	const struct fz_trace_params params = { 0 };
	struct fz_err err = { "" };

	return fz_trace_open(trace, memory_source(memory), &raw, &params, &err);
}

static size_t count_in_order(struct fz_trace *trace)
{
	struct fz_fault_source source = fz_trace_source(trace);
	struct fz_fault faults[64];
	struct fz_err err = { "" };
	size_t nr = 0;
	ssize_t got;

	while ((got = source.next(source.state, faults, 64, &err)) > 0)
		for (ssize_t i = 0; i < got; i++)
			nr += faults[i].time_ns == nr;
	ck_assert_int_eq(got, 0);
	return nr;
}

/* It ends, with all records or with the reason. */
START_TEST(no_memory_for_late_ones)
{
	struct trace_of halves = swapped_halves(2000);
	struct memory_bytes memory = {
		.bytes = (const char *)halves.faults,
		.nr = halves.nr * sizeof(*halves.faults),
	};
	struct memory_bytes again = memory;
	struct fz_trace *trace = NULL;

	reallocs_left = 0;
	ck_assert_int_eq(open_raw(&trace, &memory), -ENOMEM);
	ck_assert_ptr_null(trace);
	reallocs_left = 1;
	ck_assert_int_eq(open_raw(&trace, &again), 0);
	ck_assert_uint_eq(count_in_order(trace), 2000);
	fz_trace_close(trace);
	reallocs_left = SIZE_MAX;
	free(halves.faults);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("traces.trace_stream");
	TCase *tcase = tcase_create("stream");

	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, comes_in_order, 0,
			    sizeof(walks) / sizeof(*walks));
	tcase_add_loop_test(tcase, comes_in_order_of_its_format, 0,
			    sizeof(walks) / sizeof(*walks));
	tcase_add_test(tcase, many_at_a_time);
	tcase_add_test(tcase, more_and_more);
	tcase_add_test(tcase, backwards);
	tcase_add_test(tcase, greatest_times);
	tcase_add_test(tcase, cut_short);
	tcase_add_test(tcase, nothing_in_it);
	tcase_add_test(tcase, unknown_names_those_tried);
	tcase_add_test(tcase, failing_source);
	tcase_add_test(tcase, no_memory_for_late_ones);
	suite_add_tcase(suite, tcase);
	return suite;
}
