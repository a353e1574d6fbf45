// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the format of a trace and sorts its records within a window. */
#include <fz/trace_stream.h>

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "late_records.h"

/* Records held back until no earlier one can come: room for them grows up to
 * 10 ms of 6 million faults a second, or 1 s of 65 thousand. When it is full,
 * the earliest go. */
#define MIN_RING_RECORDS ((size_t)1 << 10)
#define MAX_RING_RECORDS ((size_t)1 << 16)

/* Records that a format is asked for at a time. */
#define BATCH_RECORDS ((size_t)256)

/*
 * A format writes its records into the ring, behind those that wait there in
 * order of time. One that is in order stays; one that is not goes to the late
 * ones. Places in the ring are counted from the beginning of the trace:
 * [head, tail) are in order, [new_head, new_tail) were not looked at yet.
 */
struct fz_trace {
	const struct fz_trace_format *format;
	struct fz_trace_reader reader;
	struct fz_trace_input *input;
	struct fz_trace_problems problems;
	uint64_t nr_records;
	uint64_t reorder_ns; /* of the format */
	uint64_t latest_ns;  /* of the session */
	bool has_latest;
	bool has_borrowed; /* some have another's time, to keep their place */
	bool session_ends; /* nothing new before all that wait are gone */
	bool ended;
	int code;          /* why it ended */
	struct fz_err err; /* with a code */
	size_t head, tail, new_head, new_tail;
	size_t ring_records, max_ring_records; /* powers of two */
	struct fz_fault *ring;                 /* [ring_records] */
	struct late_records late;
	bool no_room_for_late;
};

static const struct fz_trace_format *recognise(const char *head, size_t bytes)
{
	const struct fz_trace_format *best = NULL;
	unsigned int sure = 0;

	for (size_t i = 0; fz_trace_formats[i]; i++) {
		const unsigned int score =
			fz_trace_formats[i]->probe(head, bytes);

		if (score > sure) {
			sure = score;
			best = fz_trace_formats[i];
		}
	}
	return best;
}

static int unknown_format(struct fz_err *err)
{
	char names[256] = "";
	size_t used = 0;

	for (size_t i = 0; fz_trace_formats[i] && used < sizeof(names); i++)
		used += (size_t)snprintf(names + used, sizeof(names) - used,
					 "%s%s", i ? ", " : "",
					 fz_trace_formats[i]->name);
	return fz_err_set(
		err, -EBADMSG,
		"is of no format that is known; tried %s; name one with "
		"--trace-format",
		names);
}

static int find_format(struct fz_trace *trace, struct fz_err *err)
{
	const char *head;
	const ssize_t bytes = fz_trace_input_peek(trace->input, &head);

	if (bytes < 0)
		return fz_err_set(err, (int)bytes, "cannot be read: %s",
				  strerror((int)-bytes));
	if (bytes == 0)
		return fz_err_set(err, -EBADMSG, "is empty");
	if (!trace->format)
		trace->format = recognise(head, (size_t)bytes);
	return trace->format ? 0 : unknown_format(err);
}

static int allocate(struct fz_trace *trace, struct fz_byte_source source,
		    struct fz_err *err)
{
	trace->ring_records = MIN_RING_RECORDS;
	trace->max_ring_records = MAX_RING_RECORDS;
	trace->ring = malloc(MIN_RING_RECORDS * sizeof(*trace->ring));
	/* Whoever waits for room among the late ones waits for one of them. */
	if (!trace->ring || !late_records_has_room(&trace->late) ||
	    fz_trace_input_open(&trace->input, source))
		return fz_err_set(err, -ENOMEM, "out of memory");
	return 0;
}

static int begin_reading(struct fz_trace *trace,
			 const struct fz_trace_params *params,
			 struct fz_err *err)
{
	trace->reader = (struct fz_trace_reader){
		.input = trace->input,
		.params = *params,
		.problems = &trace->problems,
		.state = calloc(1, trace->format->state_bytes + 1),
	};
	trace->reorder_ns = fz_trace_format_reorder_ns(trace->format);
	return trace->reader.state ? 0
				   : fz_err_set(err, -ENOMEM, "out of memory");
}

int fz_trace_open(struct fz_trace **out, struct fz_byte_source source,
		  const struct fz_trace_format *format,
		  const struct fz_trace_params *params, struct fz_err *err)
{
	struct fz_trace *trace = calloc(1, sizeof(*trace));
	int code;

	if (!trace)
		return fz_err_set(err, -ENOMEM, "out of memory");
	trace->format = format;
	code = allocate(trace, source, err);
	if (!code)
		code = find_format(trace, err);
	if (!code)
		code = begin_reading(trace, params, err);
	if (code)
		fz_trace_close(trace);
	else
		*out = trace;
	return code;
}

void fz_trace_close(struct fz_trace *trace)
{
	if (!trace)
		return;
	free(trace->reader.state);
	fz_trace_input_close(trace->input);
	late_records_fini(&trace->late);
	free(trace->ring);
	free(trace);
}

static struct fz_fault *ring_at(struct fz_trace *trace, size_t place)
{
	return &trace->ring[place & (trace->ring_records - 1)];
}

static void end_session(struct fz_trace *trace)
{
	fz_trace_problem(&trace->problems, FZ_TRACE_NOTE,
			 "time steps back further than between CPUs: another "
			 "session",
			 0, NULL, 0);
	trace->session_ends = true;
}

static void begin_session(struct fz_trace *trace)
{
	trace->session_ends = false;
	trace->has_latest = false;
	trace->latest_ns = 0;
}

/* Who has no time borrows the latest, which keeps it behind that one. */
static void lend_time(struct fz_trace *trace, struct fz_fault *fault)
{
	if (fault->knows & FZ_KNOWS_TIME) {
		trace->has_latest = true;
		return;
	}
	fault->time_ns = trace->latest_ns;
	trace->has_borrowed = true;
}

static void keep_in_order(struct fz_trace *trace, const struct fz_fault *fault)
{
	trace->latest_ns = fault->time_ns;
	if (trace->tail != trace->new_head)
		*ring_at(trace, trace->tail) = *fault;
	trace->tail++;
}

/* Until there is none, or what waits has to be handed out first. */
static void take_new(struct fz_trace *trace)
{
	for (; trace->new_head < trace->new_tail; trace->new_head++) {
		struct fz_fault *fault = ring_at(trace, trace->new_head);
		const bool was_begun = trace->has_latest;

		lend_time(trace, fault);
		if (!was_begun || fault->time_ns >= trace->latest_ns) {
			keep_in_order(trace, fault);
			continue;
		}
		if (trace->latest_ns - fault->time_ns > trace->reorder_ns) {
			end_session(trace);
			return;
		}
		trace->no_room_for_late = !late_records_has_room(&trace->late);
		if (trace->no_room_for_late)
			return;
		late_records_add(&trace->late, fault);
	}
}

/* Where there is no memory for more, it is full from then on. */
static void grow_ring(struct fz_trace *trace)
{
	const size_t nr = 2 * trace->ring_records;
	struct fz_fault *ring = malloc(nr * sizeof(*ring));

	if (!ring) {
		trace->max_ring_records = trace->ring_records;
		return;
	}
	for (size_t place = trace->head; place < trace->tail; place++)
		ring[place & (nr - 1)] = *ring_at(trace, place);
	free(trace->ring);
	trace->ring = ring;
	trace->ring_records = nr;
}

/* Places that are free if that is the ring's head. */
static size_t ring_room(const struct fz_trace *trace, size_t head)
{
	return trace->ring_records - (trace->new_tail - head);
}

/* As many as there is room for up to the end of the ring. */
static ssize_t read_batch(struct fz_trace *trace)
{
	const size_t begin = trace->tail & (trace->ring_records - 1);
	const size_t to_end = trace->ring_records - begin;

	return trace->format->read(
		&trace->reader, &trace->ring[begin],
		to_end < BATCH_RECORDS ? to_end : BATCH_RECORDS, &trace->err);
}

static void read_more(struct fz_trace *trace)
{
	ssize_t got;

	trace->new_head = trace->new_tail = trace->tail;
	if (ring_room(trace, trace->head) < BATCH_RECORDS) {
		grow_ring(trace);
		return;
	}
	got = read_batch(trace);
	if (got > 0) {
		trace->new_tail += (size_t)got;
		trace->nr_records += (uint64_t)got;
		return;
	}
	trace->ended = true;
	trace->code = (int)got;
	if (got == 0 && trace->nr_records == 0)
		trace->code = fz_err_set(&trace->err, -EBADMSG,
					 "has no record that '%s' understands",
					 trace->format->name);
}

/* Need one that waits wait no longer? @head: of the ring, when it is asked. */
static bool is_due(const struct fz_trace *trace, const struct fz_fault *fault,
		   size_t head)
{
	return trace->ended || trace->session_ends || trace->no_room_for_late ||
	       trace->latest_ns - fault->time_ns >= trace->reorder_ns ||
	       (trace->ring_records == trace->max_ring_records &&
		ring_room(trace, head) < BATCH_RECORDS);
}

/* Those at the head of the ring that are due: they are in order. */
static size_t hand_out_ring(struct fz_trace *trace, struct fz_fault *faults,
			    size_t max)
{
	const size_t begin = trace->head & (trace->ring_records - 1);
	const size_t to_end = trace->ring_records - begin;
	const size_t nr_waiting = trace->tail - trace->head;
	size_t nr = 0;

	max = max < to_end ? max : to_end;
	max = max < nr_waiting ? max : nr_waiting;
	while (nr < max && is_due(trace, ring_at(trace, trace->head + nr),
				  trace->head + nr))
		nr++;
	memcpy(faults, ring_at(trace, trace->head), nr * sizeof(*faults));
	trace->head += nr;
	return nr;
}

/* Of equal times those in the ring came first. */
static size_t hand_out_merged(struct fz_trace *trace, struct fz_fault *faults,
			      size_t max)
{
	size_t nr = 0;

	while (nr < max && trace->late.nr) {
		const struct fz_fault *late = late_records_first(&trace->late);
		const struct fz_fault *next = ring_at(trace, trace->head);
		const bool is_late = trace->head == trace->tail ||
				     late->time_ns < next->time_ns;

		if (!is_due(trace, is_late ? late : next, trace->head))
			break;
		faults[nr++] = is_late ? *late : *next;
		if (is_late) {
			late_records_drop_first(&trace->late);
			trace->no_room_for_late = false;
		} else {
			trace->head++;
		}
	}
	return nr;
}

static size_t hand_out(struct fz_trace *trace, struct fz_fault *faults,
		       size_t max)
{
	const size_t nr = trace->late.nr ? hand_out_merged(trace, faults, max)
					 : hand_out_ring(trace, faults, max);

	for (size_t i = 0; trace->has_borrowed && i < nr; i++)
		if (!(faults[i].knows & FZ_KNOWS_TIME))
			faults[i].time_ns = 0;
	return nr;
}

static void go_on(struct fz_trace *trace)
{
	if (trace->session_ends) /* all that waited are gone */
		begin_session(trace);
	if (trace->new_head < trace->new_tail)
		take_new(trace);
	else
		read_more(trace);
}

/* What came before the end of what can be read is still handed out. */
static ssize_t trace_next(void *state, struct fz_fault *faults, size_t max,
			  struct fz_err *err)
{
	struct fz_trace *trace = state;
	size_t nr;

	while ((nr = hand_out(trace, faults, max)) == 0) {
		if (trace->ended)
			return trace->code ? fz_err_set(err, trace->code, "%s",
							trace->err.msg)
					   : 0;
		go_on(trace);
	}
	return (ssize_t)nr;
}

struct fz_fault_source fz_trace_source(struct fz_trace *trace)
{
	return (struct fz_fault_source){ .state = trace, .next = trace_next };
}

const struct fz_trace_format *fz_trace_format_of(const struct fz_trace *trace)
{
	return trace->format;
}

const struct fz_trace_problems *
fz_trace_problems_of(const struct fz_trace *trace)
{
	return &trace->problems;
}
