// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How many records a second go through the sorting of a trace, where a format
 * costs next to nothing: it makes them up. So many ns apart, and every so many
 * late by up to 1 ms.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <fz/trace_stream.h>

#define NR_RECORDS    20000000u
#define BATCH_RECORDS 1024u

static const struct kind {
	const char *name;
	uint64_t step_ns;
	uint64_t late_every; /* 0 = never */
} kinds[] = {
	{ "1 us apart", 1000, 0 },
	{ "50 ns apart", 50, 0 },
	{ "1 ns apart", 1, 0 },
	{ "1 us apart, 1 of 100 late", 1000, 100 },
	{ "1 us apart, 1 of 3 late", 1000, 3 },
};

static const struct kind *kind;
static uint64_t nr_made;

static unsigned int never(const char *head, size_t bytes)
{
	(void)head;
	(void)bytes;
	return 0;
}

static ssize_t make(struct fz_trace_reader *reader, struct fz_fault *faults,
		    size_t max, struct fz_err *err)
{
	(void)reader;
	(void)err;
	if (nr_made == NR_RECORDS)
		return 0;
	for (size_t i = 0; i < max; i++) {
		struct fz_fault *fault = &faults[i];

		memset(fault, 0, sizeof(*fault));
		fault->time_ns = 1000000000 + nr_made * kind->step_ns;
		fault->knows = FZ_KNOWS_TIME;
		if (kind->late_every && nr_made % kind->late_every == 0)
			fault->time_ns -= nr_made * 7919 % 1000000;
		if (++nr_made == NR_RECORDS)
			return (ssize_t)i + 1;
	}
	return (ssize_t)max;
}

static const struct fz_trace_format made = {
	.name = "made",
	.summary = "made up",
	.probe = never,
	.read = make,
};

static ssize_t one_byte(void *state, void *buf, size_t cap)
{
	(void)cap;
	memset(buf, 'x', 1);
	return ++*(int *)state == 1;
}

static double now(void)
{
	struct timespec at;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
	return (double)at.tv_sec + (double)at.tv_nsec * 1e-9;
}

static double sort_all(void)
{
	static struct fz_fault faults[BATCH_RECORDS];
	const struct fz_trace_params params = { .tsc_hz = 0 };
	struct fz_fault_source records;
	struct fz_trace *trace;
	struct fz_err err;
	int nr_reads = 0;
	uint64_t nr = 0;
	ssize_t got;
	double begin;

	nr_made = 0;
	begin = now();
	if (fz_trace_open(&trace,
			  (struct fz_byte_source){ &nr_reads, one_byte }, &made,
			  &params, &err))
		exit(1);
	records = fz_trace_source(trace);
	while ((got = records.next(records.state, faults, BATCH_RECORDS,
				   &err)) > 0)
		nr += (uint64_t)got;
	fz_trace_close(trace);
	if (nr != NR_RECORDS)
		exit(1);
	return now() - begin;
}

int main(void)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		kind = &kinds[i];
		printf("%-26s %6.1f million/s\n", kind->name,
		       NR_RECORDS / sort_all() * 1e-6);
	}
	return 0;
}
