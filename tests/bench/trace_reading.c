// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How fast a trace is read, in three steps: its bytes cut into lines, the
 * records of its format, the records in order of time. FILE may be packed: its
 * bytes are those that come out. The sum of fields is what trace_reading.sh has
 * another program compute.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <fz/trace_stream.h>

#include "byte_input.h"

#define BATCH_RECORDS 1024u
#define SUM_MODULUS   (1ull << 52)
#define ROUNDS        5u

struct reading {
	uint64_t nr_records;
	uint64_t sum;
	uint64_t bytes;
	double seconds;
};

/* Of the CPU: others may use the machine too. */
static double now(void)
{
	struct timespec at;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
	return (double)at.tv_sec + (double)at.tv_nsec * 1e-9;
}

/* Counts what comes out of a file. */
struct counted {
	struct fz_byte_source from;
	uint64_t nr_bytes;
};

static ssize_t read_counted(void *state, void *buf, size_t cap)
{
	struct counted *counted = state;
	const ssize_t got = counted->from.read(counted->from.state, buf, cap);

	counted->nr_bytes += got > 0 ? (uint64_t)got : 0;
	return got;
}

static void die(const char *what, const char *why)
{
	fprintf(stderr, "trace_reading: %s: %s\n", what, why);
	exit(1);
}

static uint64_t sum_of(const struct fz_fault *fault)
{
	uint64_t sum = fault->time_ns + (fault->addr & ((1ull << 48) - 1)) +
		       3 * (uint64_t)fault->pid + 5 * (uint64_t)fault->tid +
		       7 * (uint64_t)fault->cpu + 11 * (uint64_t)fault->event;

	for (size_t i = 0; i < FZ_COMM_BYTES; i++)
		sum += (unsigned char)fault->comm[i];
	return sum;
}

static void add(struct reading *reading, const struct fz_fault *faults,
		ssize_t nr)
{
	for (ssize_t i = 0; i < nr; i++)
		reading->sum =
			(reading->sum + sum_of(&faults[i])) % SUM_MODULUS;
	reading->nr_records += (uint64_t)nr;
}

static void read_lines(struct fz_byte_source source, struct reading *reading)
{
	struct fz_trace_input *input;
	struct fz_trace_line line;

	if (fz_trace_input_open(&input, source))
		die("input", "out of memory");
	while (fz_trace_input_line(input, &line) > 0)
		reading->nr_records++;
	fz_trace_input_close(input);
}

static void read_format(struct fz_byte_source source, struct reading *reading,
			const struct fz_trace_format *format)
{
	struct fz_trace_problems problems = { .nr_bad = 0 };
	struct fz_trace_reader reader = { .problems = &problems };
	static struct fz_fault faults[BATCH_RECORDS];
	struct fz_err err;
	ssize_t got;

	if (fz_trace_input_open(&reader.input, source))
		die("reader", "out of memory");
	reader.state = calloc(1, format->state_bytes + 1);
	while ((got = format->read(&reader, faults, BATCH_RECORDS, &err)) > 0)
		add(reading, faults, got);
	if (got < 0)
		die("reader", err.msg);
	free(reader.state);
	fz_trace_input_close(reader.input);
}

static void read_stream(struct fz_byte_source source, struct reading *reading,
			const struct fz_trace_format **format)
{
	const struct fz_trace_params params = { .tsc_hz = 2.596e9 };
	static struct fz_fault faults[BATCH_RECORDS];
	struct fz_fault_source records;
	struct fz_trace *trace;
	struct fz_err err;
	ssize_t got;

	if (fz_trace_open(&trace, source, NULL, &params, &err))
		die("stream", err.msg);
	*format = fz_trace_format_of(trace);
	records = fz_trace_source(trace);
	while ((got = records.next(records.state, faults, BATCH_RECORDS,
				   &err)) > 0)
		add(reading, faults, got);
	if (got < 0)
		die("stream", err.msg);
	fz_trace_close(trace);
}

static void print(const char *step, const struct reading *reading)
{
	printf("%-7s %9.6f s %6.2f GB/s %7.1f M/s  %" PRIu64 " sum %" PRIu64
	       "\n",
	       step, reading->seconds,
	       (double)reading->bytes / reading->seconds * 1e-9,
	       (double)reading->nr_records / reading->seconds * 1e-6,
	       reading->nr_records, reading->sum);
}

static void read_step(size_t step, struct fz_byte_source source,
		      struct reading *reading,
		      const struct fz_trace_format **format)
{
	if (step == 0)
		read_stream(source, reading, format);
	else if (step == 1)
		read_lines(source, reading);
	else
		read_format(source, reading, *format);
}

/* The fastest of some rounds. */
static struct reading best_of(const char *path, size_t step,
			      const struct fz_trace_format **format)
{
	struct reading best = { .seconds = 1e9 };

	for (unsigned int round = 0; round < ROUNDS; round++) {
		struct reading reading = { .sum = 0 };
		struct counted counted = { .nr_bytes = 0 };
		struct fz_byte_input *input;
		struct fz_err err;
		double begin;

		if (fz_byte_input_open(&input, path, &err))
			die(path, err.msg);
		counted.from = fz_byte_input_source(input);
		begin = now();
		read_step(step,
			  (struct fz_byte_source){ &counted, read_counted },
			  &reading, format);
		reading.seconds = now() - begin;
		reading.bytes = counted.nr_bytes;
		fz_byte_input_close(input);
		if (reading.seconds < best.seconds)
			best = reading;
	}
	return best;
}

int main(int argc, char **argv)
{
	static const char *const steps[] = { "stream", "lines", "reader" };
	const struct fz_trace_format *format = NULL;

	if (argc != 2)
		die("usage", "trace_reading FILE");
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		const struct reading best = best_of(argv[1], i, &format);

		print(steps[i], &best);
	}
	return 0;
}
