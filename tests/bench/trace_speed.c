// SPDX-License-Identifier: GPL-2.0-or-later
/* Speed of reading and writing every format that can be written. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <fz/random.h>
#include <fz/trace_output.h>
#include <fz/trace_stream.h>

#define RECORDS 4000000u
#define LAPS    5u
#define BATCH   256u

/* A trace in memory. */
struct bytes {
	char *text; /* [room] */
	size_t used;
	size_t room;
	size_t at; /* read so far */
};

static int bytes_write(void *state, const void *bytes, size_t nr)
{
	struct bytes *to = state;

	if (to->used + nr > to->room)
		return -1;
	memcpy(to->text + to->used, bytes, nr);
	to->used += nr;
	return 0;
}

static ssize_t bytes_read(void *state, void *buf, size_t cap)
{
	struct bytes *from = state;
	const size_t left = from->used - from->at;
	const size_t nr = left < cap ? left : cap;

	memcpy(buf, from->text + from->at, nr);
	from->at += nr;
	return (ssize_t)nr;
}

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Four threads that touch memory here and there, as real ones do. */
static struct fz_fault made_fault(struct fz_random *random, size_t i)
{
	const uint32_t thread = (uint32_t)fz_random_below(random, 4);

	return (struct fz_fault){
		.time_ns = 1000000000 + 500 * i + fz_random_below(random, 400),
		.addr = 0x7f0000000000 + ((uint64_t)thread << 32) +
			(fz_random_below(random, 1 << 20) << 12),
		.ip = 0x401000 + 4 * fz_random_below(random, 16),
		.pid = 1000,
		.tid = 1000 + thread,
		.cpu = (uint32_t)fz_random_below(random, 2),
		.error_code = 6,
		.event = FZ_EVENT_USER_FAULT,
		.knows = 0x7f,
		.comm_bytes = 6,
		.comm = "worker",
	};
}

static double seconds_to_write(const struct fz_trace_format *format,
			       struct bytes *bytes,
			       const struct fz_fault *faults)
{
	const struct fz_byte_sink sink = { bytes, bytes_write };
	struct fz_trace_output *output;
	const double begin = now_s();

	bytes->used = 0;
	if (fz_trace_output_open(&output, format, sink))
		exit(1);
	for (size_t i = 0; i < RECORDS; i += BATCH)
		if (fz_trace_output_write(output, faults + i,
					  RECORDS - i < BATCH ? RECORDS - i
							      : BATCH))
			exit(1);
	if (fz_trace_output_end(output))
		exit(1);
	fz_trace_output_close(output);
	return now_s() - begin;
}

/* The format alone, without the sorting of fz_trace_open(). */
static double seconds_to_decode(const struct fz_trace_format *format,
				struct bytes *bytes, uint64_t *sum)
{
	struct fz_trace_problems problems = { .nr_bad = 0 };
	struct fz_trace_reader reader = {
		.problems = &problems,
		.state = calloc(1, format->state_bytes + 1),
	};
	struct fz_fault faults[BATCH];
	double begin;
	ssize_t got;

	bytes->at = 0;
	if (!reader.state ||
	    fz_trace_input_open(&reader.input,
				(struct fz_byte_source){ bytes, bytes_read }))
		exit(1);
	begin = now_s();
	while ((got = format->read(&reader, faults, BATCH, NULL)) > 0)
		for (ssize_t i = 0; i < got; i++)
			*sum += faults[i].addr ^ faults[i].time_ns;
	begin = now_s() - begin;
	fz_trace_input_close(reader.input);
	free(reader.state);
	if (got < 0)
		exit(1);
	return begin;
}

static double seconds_to_read(struct bytes *bytes, uint64_t *sum)
{
	const struct fz_trace_params params = { .tsc_hz = 0 };
	struct fz_trace *trace;
	struct fz_fault_source source;
	struct fz_fault faults[BATCH];
	const double begin = now_s();
	ssize_t got;

	bytes->at = 0;
	if (fz_trace_open(&trace, (struct fz_byte_source){ bytes, bytes_read },
			  NULL, &params, NULL))
		exit(1);
	source = fz_trace_source(trace);
	while ((got = source.next(source.state, faults, BATCH, NULL)) > 0)
		for (ssize_t i = 0; i < got; i++)
			*sum += faults[i].addr ^ faults[i].time_ns;
	fz_trace_close(trace);
	if (got < 0)
		exit(1);
	return now_s() - begin;
}

static double least(double a, double b)
{
	return a < b ? a : b;
}

static void measure(const struct fz_trace_format *format, struct bytes *bytes,
		    const struct fz_fault *faults, uint64_t expected)
{
	double written = 1e9, decoded = 1e9, read = 1e9;

	for (size_t lap = 0; lap < LAPS; lap++) {
		uint64_t sums[2] = { 0, 0 };

		written =
			least(written, seconds_to_write(format, bytes, faults));
		decoded = least(decoded,
				seconds_to_decode(format, bytes, &sums[0]));
		read = least(read, seconds_to_read(bytes, &sums[1]));
		if (sums[0] != expected || sums[1] != expected) {
			fprintf(stderr, "%s: other records were read\n",
				format->name);
			exit(1);
		}
	}
	printf("%-10s %12.1f %10.1f %10.1f %10.1f\n", format->name,
	       (double)bytes->used / RECORDS, RECORDS / written * 1e-6,
	       RECORDS / decoded * 1e-6, RECORDS / read * 1e-6);
}

int main(void)
{
	struct bytes bytes = { .room = (size_t)RECORDS * 128 };
	struct fz_fault *faults = calloc(RECORDS, sizeof(*faults));
	struct fz_random random = fz_random_begin(1, 0);
	uint64_t expected = 0;

	bytes.text = malloc(bytes.room);
	if (!bytes.text || !faults)
		return 1;
	for (size_t i = 0; i < RECORDS; i++) {
		faults[i] = made_fault(&random, i);
		expected += faults[i].addr ^ faults[i].time_ns;
	}
	printf("%u records, best of %u, million records a second\n\n"
	       "format     bytes/record      write     decode  read+sort\n",
	       RECORDS, LAPS);
	for (size_t i = 0; fz_trace_formats[i]; i++)
		if (fz_trace_formats[i]->write_begin)
			measure(fz_trace_formats[i], &bytes, faults, expected);
	free(faults);
	free(bytes.text);
	return 0;
}
