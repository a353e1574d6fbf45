// SPDX-License-Identifier: GPL-2.0-or-later
/* Traces in memory, and records to fill them with. */
#include "made_trace.h"

#include <stdlib.h>
#include <string.h>

void made_bytes_fini(struct made_bytes *bytes)
{
	free(bytes->text);
	*bytes = (struct made_bytes){ .text = NULL };
}

void made_text(struct made_bytes *bytes, const char *text, size_t nr)
{
	if (bytes->bytes + nr > bytes->room) {
		bytes->room = 2 * (bytes->bytes + nr);
		bytes->text = realloc(bytes->text, bytes->room);
		if (!bytes->text)
			abort();
	}
	memcpy(bytes->text + bytes->bytes, text, nr);
	bytes->bytes += nr;
}

static int sink_write(void *state, const void *bytes, size_t nr)
{
	made_text(state, bytes, nr);
	return 0;
}

struct fz_byte_sink made_sink(struct made_bytes *bytes)
{
	return (struct fz_byte_sink){ .state = bytes, .write = sink_write };
}

static ssize_t source_read(void *state, void *buf, size_t cap)
{
	struct made_bytes *bytes = state;
	size_t nr = bytes->bytes - bytes->at;

	nr = nr < cap ? nr : cap;
	if (bytes->at_once && nr > bytes->at_once)
		nr = bytes->at_once;
	memcpy(buf, bytes->text + bytes->at, nr);
	bytes->at += nr;
	return (ssize_t)nr;
}

struct fz_byte_source made_source(struct made_bytes *bytes)
{
	bytes->at = 0;
	return (struct fz_byte_source){ .state = bytes, .read = source_read };
}

/* Of few values, so that records have something in common, or of all. */
static uint64_t any_u64(struct fz_random *random)
{
	const uint64_t value = fz_random_next(random);

	switch (fz_random_below(random, 8)) {
	case 0:
		return 0;
	case 1:
		return UINT64_MAX;
	case 2:
		return value;
	default:
		return value >> fz_random_below(random, 64);
	}
}

static uint32_t any_u32(struct fz_random *random)
{
	if (fz_random_below(random, 4))
		return (uint32_t)fz_random_below(random, 4);
	return (uint32_t)any_u64(random);
}

static void any_comm(struct fz_random *random, struct fz_fault *fault)
{
	static const char *const comms[] = { "", "-", "a b", "sh", "x\\x41" };
	const char *comm = comms[fz_random_below(random, 5)];

	if (fz_random_below(random, 8)) {
		fault->comm_bytes = (uint8_t)strlen(comm);
		memcpy(fault->comm, comm, fault->comm_bytes);
		return;
	}
	fault->comm_bytes = (uint8_t)fz_random_below(random, 17);
	for (size_t i = 0; i < fault->comm_bytes; i++)
		fault->comm[i] = (char)(1 + fz_random_below(random, 255));
}

struct fz_fault made_fault(struct fz_random *random)
{
	const uint8_t knows = (uint8_t)fz_random_below(random, 128);
	struct fz_fault fault;

	memset(&fault, 0, sizeof(fault));
	fault.event = (uint8_t)fz_random_below(random, FZ_NR_EVENTS);
	fault.backing = (uint8_t)fz_random_below(random, 3);
	fault.knows = knows;
	if (fz_random_below(random, 4) == 0)
		fault.value = any_u64(random);
	if (knows & FZ_KNOWS_TIME)
		fault.time_ns = any_u64(random);
	if (knows & FZ_KNOWS_ADDR)
		fault.addr = any_u64(random);
	if (knows & FZ_KNOWS_IP)
		fault.ip = any_u64(random);
	if (knows & FZ_KNOWS_PID)
		fault.pid = any_u32(random);
	if (knows & FZ_KNOWS_TID)
		fault.tid = any_u32(random);
	if (knows & FZ_KNOWS_CPU)
		fault.cpu = any_u32(random);
	if (knows & FZ_KNOWS_ERROR_CODE)
		fault.error_code = any_u32(random);
	any_comm(random, &fault);
	return fault;
}

struct fz_fault *made_faults(struct fz_random *random, size_t nr)
{
	struct fz_fault *faults = calloc(nr + 1, sizeof(*faults));
	uint64_t time_ns = 0;

	if (!faults)
		abort();
	for (size_t i = 0; i < nr; i++) {
		faults[i] = made_fault(random);
		if (!(faults[i].knows & FZ_KNOWS_TIME))
			continue;
		time_ns += fz_random_below(random, 2000000);
		faults[i].time_ns = time_ns;
	}
	return faults;
}

void made_write(struct made_bytes *bytes, const struct fz_trace_format *format,
		const struct fz_fault *faults, size_t nr,
		struct fz_random *random)
{
	struct fz_trace_output *output;
	size_t done = 0;

	if (fz_trace_output_open(&output, format, made_sink(bytes)))
		abort();
	while (done < nr) {
		const size_t some = fz_random_below(random, nr - done + 1);

		if (fz_trace_output_write(output, faults + done, some))
			abort();
		done += some;
	}
	if (fz_trace_output_end(output))
		abort();
	fz_trace_output_close(output);
}

static void read_all(struct fz_trace *trace, struct made_reading *reading)
{
	const struct fz_fault_source source = fz_trace_source(trace);
	size_t room = 0;

	for (;;) {
		ssize_t got;

		if (room - reading->nr < 100) {
			room = 2 * room + 100;
			reading->faults =
				realloc(reading->faults,
					room * sizeof(struct fz_fault));
			if (!reading->faults)
				abort();
		}
		got = source.next(source.state, reading->faults + reading->nr,
				  100, &reading->err);
		reading->code = got < 0 ? (int)got : 0;
		if (got <= 0)
			return;
		reading->nr += (size_t)got;
	}
}

struct made_reading made_read(struct made_bytes *bytes,
			      const struct fz_trace_format *format)
{
	const struct fz_trace_params params = { .tsc_hz = 0 };
	struct made_reading reading = { .faults = NULL };
	struct fz_trace *trace;

	reading.code = fz_trace_open(&trace, made_source(bytes), format,
				     &params, &reading.err);
	if (reading.code)
		return reading;
	read_all(trace, &reading);
	reading.problems = *fz_trace_problems_of(trace);
	fz_trace_close(trace);
	return reading;
}

static int is_different(const struct fz_fault *a, const struct fz_fault *b)
{
	return a->time_ns != b->time_ns || a->addr != b->addr ||
	       a->ip != b->ip || a->value != b->value || a->pid != b->pid ||
	       a->tid != b->tid || a->cpu != b->cpu ||
	       a->error_code != b->error_code || a->event != b->event ||
	       a->knows != b->knows || a->backing != b->backing ||
	       a->comm_bytes != b->comm_bytes ||
	       memcmp(a->comm, b->comm, a->comm_bytes) != 0;
}

size_t made_differences(const struct fz_fault *a, size_t nr_a,
			const struct fz_fault *b, size_t nr_b)
{
	const size_t nr = nr_a < nr_b ? nr_a : nr_b;
	size_t differences = nr_a < nr_b ? nr_b - nr_a : nr_a - nr_b;

	for (size_t i = 0; i < nr; i++)
		differences += (size_t)is_different(&a[i], &b[i]);
	return differences;
}
