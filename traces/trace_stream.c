// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the format of a trace and sorts its records within a window. */
#include <fz/trace_stream.h>

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Records held back until no earlier one can come: 10 ms of 6 million faults a
 * second. When it is full, the earliest goes. */
#define RING_RECORDS (1u << 16)
#define RING_MASK    (RING_RECORDS - 1)

/* Records that a format is asked for at a time. */
#define BATCH_RECORDS 256u

struct fz_trace {
	const struct fz_trace_format *format;
	struct fz_trace_reader reader;
	struct fz_trace_input *input;
	struct fz_trace_problems problems;
	uint64_t nr_records;
	uint64_t latest_ns; /* of the session */
	bool has_latest;
	bool ended;
	int code;          /* why it ended */
	struct fz_err err; /* with a code */
	size_t first, nr;  /* in the ring */
	size_t nr_due;     /* of the first ones: they wait for nobody */
	struct fz_fault ring[RING_RECORDS];
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

int fz_trace_open(struct fz_trace **out, struct fz_byte_source source,
		  const struct fz_trace_format *format,
		  const struct fz_trace_params *params, struct fz_err *err)
{
	struct fz_trace *trace = calloc(1, sizeof(*trace));
	int code;

	if (!trace)
		return fz_err_set(err, -ENOMEM, "out of memory");
	trace->format = format;
	code = fz_trace_input_open(&trace->input, source);
	if (code)
		fz_err_set(err, code, "out of memory");
	else
		code = find_format(trace, err);
	if (!code) {
		trace->reader = (struct fz_trace_reader){
			.input = trace->input,
			.params = *params,
			.problems = &trace->problems,
			.state = calloc(1, trace->format->state_bytes + 1),
		};
		if (!trace->reader.state)
			code = fz_err_set(err, -ENOMEM, "out of memory");
	}
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
	free(trace);
}

static struct fz_fault *ring_at(struct fz_trace *trace, size_t i)
{
	return &trace->ring[(trace->first + i) & RING_MASK];
}

/* Behind all that are not later: times that are alike keep their order. */
static void ring_insert(struct fz_trace *trace, const struct fz_fault *fault)
{
	size_t at = trace->nr++;

	while (at > trace->nr_due &&
	       ring_at(trace, at - 1)->time_ns > fault->time_ns) {
		*ring_at(trace, at) = *ring_at(trace, at - 1);
		at--;
	}
	*ring_at(trace, at) = *fault;
}

/* Those that no later record can come before. */
static void count_due(struct fz_trace *trace)
{
	while (trace->nr_due < trace->nr &&
	       (trace->ended || trace->nr == RING_RECORDS ||
		ring_at(trace, trace->nr_due)->time_ns + FZ_TRACE_REORDER_NS <=
			trace->latest_ns)) {
		trace->nr_due++;
		if (trace->nr == RING_RECORDS && !trace->ended)
			break;
	}
}

static void new_session(struct fz_trace *trace)
{
	fz_trace_problem(&trace->problems, FZ_TRACE_NOTE,
			 "time steps back by more than 10 ms: another session",
			 0, NULL, 0);
	trace->nr_due = trace->nr;
}

static void keep(struct fz_trace *trace, struct fz_fault fault)
{
	trace->nr_records++;
	if (!(fault.knows & FZ_KNOWS_TIME))
		fault.time_ns = trace->latest_ns;
	else if (!trace->has_latest || fault.time_ns > trace->latest_ns)
		trace->latest_ns = fault.time_ns;
	else if (trace->latest_ns - fault.time_ns > FZ_TRACE_REORDER_NS) {
		new_session(trace);
		trace->latest_ns = fault.time_ns;
	}
	trace->has_latest = trace->has_latest || fault.knows & FZ_KNOWS_TIME;
	ring_insert(trace, &fault);
}

static void read_more(struct fz_trace *trace)
{
	struct fz_fault batch[BATCH_RECORDS];
	const size_t room = RING_RECORDS - trace->nr;
	const ssize_t got = trace->format->read(
		&trace->reader, batch,
		room < BATCH_RECORDS ? room : BATCH_RECORDS, &trace->err);

	if (got <= 0) {
		trace->ended = true;
		trace->code = (int)got;
		if (got == 0 && trace->nr_records == 0)
			trace->code = fz_err_set(
				&trace->err, -EBADMSG,
				"has no record that '%s' understands",
				trace->format->name);
	}
	for (ssize_t i = 0; i < got; i++)
		keep(trace, batch[i]);
	count_due(trace);
}

static size_t hand_out(struct fz_trace *trace, struct fz_fault *faults,
		       size_t max)
{
	const size_t nr = trace->nr_due < max ? trace->nr_due : max;

	for (size_t i = 0; i < nr; i++) {
		faults[i] = *ring_at(trace, i);
		/* A borrowed time only kept its place. */
		if (!(faults[i].knows & FZ_KNOWS_TIME))
			faults[i].time_ns = 0;
	}
	trace->first = (trace->first + nr) & RING_MASK;
	trace->nr -= nr;
	trace->nr_due -= nr;
	return nr;
}

/* What came before the end of what can be read is still handed out. */
static ssize_t trace_next(void *state, struct fz_fault *faults, size_t max,
			  struct fz_err *err)
{
	struct fz_trace *trace = state;

	while (!trace->nr_due && !trace->ended)
		read_more(trace);
	if (trace->nr_due)
		return (ssize_t)hand_out(trace, faults, max);
	return trace->code ? fz_err_set(err, trace->code, "%s", trace->err.msg)
			   : 0;
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
