// SPDX-License-Identifier: GPL-2.0-or-later
/* The text of perf trace -F. */
#include <fz/trace_format.h>

#include <errno.h>

#include "backing_name.h"
#include "probe_lines.h"
#include "text_scan.h"

/* The buffers of CPUs are printed one after the other: recordings step back by
 * up to 149 ms. */
#define REORDER_NS 1000000000u

struct perf_trace {
	bool told_thread;
};

/* What became of a line. */
enum outcome {
	OUTCOME_NO_FAULT, /* no line of that form */
	OUTCOME_RECORD,
	OUTCOME_OFFSET, /* of a file, in place of an address */
	OUTCOME_BAD,
};

/* MILLISECONDS.MICROSECONDS ( DURATION ms): */
static bool scan_time(struct scan *scan, struct fz_fault *fault)
{
	uint64_t ms, us;

	scan_spaces(scan);
	if (!scan_decimal(scan, &ms) || !scan_char(scan, '.') ||
	    scan_decimal(scan, &us) != 3 || ms > UINT64_MAX / 1000000 - 1 ||
	    !scan_text(scan, " (") || !scan_find(scan, "):"))
		return false;
	scan_spaces(scan);
	fault->time_ns = ms * 1000000 + us * 1000;
	fault->knows |= FZ_KNOWS_TIME;
	return true;
}

static bool scan_kind(struct scan *scan, struct fz_fault *fault)
{
	if (scan_text(scan, "minfault ["))
		fault->event = FZ_EVENT_MINOR_FAULTS;
	else if (scan_text(scan, "majfault ["))
		fault->event = FZ_EVENT_MAJOR_FAULTS;
	else
		return false;
	return true;
}

/* From the slash that joins comm and thread. */
static bool scan_from_slash(struct scan *scan, struct fz_fault *fault)
{
	if (!scan_char(scan, '/') || !scan_decimal32(scan, &fault->tid) ||
	    !scan_spaces(scan) || !scan_kind(scan, fault))
		return false;
	fault->knows |= FZ_KNOWS_TID;
	return true;
}

/* COMM/TID minfault [, or no COMM/TID where a single task was traced. */
static bool scan_task(struct scan *scan, struct fz_fault *fault)
{
	const char *begin = scan->at;

	if (scan_kind(scan, fault))
		return true;
	while ((scan->at = memchr(scan->at, '/', scan_left(scan)))) {
		const char *slash = scan->at;

		if (scan_from_slash(scan, fault)) {
			const size_t bytes = (size_t)(slash - begin);

			fault->comm_bytes = (uint8_t)(bytes < FZ_COMM_BYTES
							      ? bytes
							      : FZ_COMM_BYTES);
			memcpy(fault->comm, begin, fault->comm_bytes);
			return !memchr(begin, '\0', bytes);
		}
		scan->at = slash + 1;
	}
	return false;
}

/* " (d.)" ends a line: what kind of mapping, and who ran. */
static bool cut_tail(struct scan *scan)
{
	if (scan_left(scan) < 5 || memcmp(scan->end - 5, " (", 2) != 0 ||
	    scan->end[-1] != ')')
		return false;
	scan->end -= 5;
	return true;
}

/* NAME@0xADDRESS, or 0xADDRESS of what perf knows no mapping of. */
static enum outcome scan_target(struct scan scan, struct fz_fault *fault)
{
	const char *at;

	if (!cut_tail(&scan))
		return OUTCOME_BAD;
	at = memrchr(scan.at, '@', scan_left(&scan));
	if (at) {
		fault->backing = (uint8_t)backing_of_name(
			scan.at, (size_t)(at - scan.at));
		if (fault->backing == FZ_BACKING_FILE)
			return OUTCOME_OFFSET;
		scan.at = at + 1;
	}
	if (!scan_0x(&scan, &fault->addr) || scan_left(&scan))
		return OUTCOME_BAD;
	fault->knows |= FZ_KNOWS_ADDR;
	return OUTCOME_RECORD;
}

/* The first "] => " behind the code's symbol is the arrow: names of files may
 * hold one too. */
static enum outcome scan_line(struct scan scan, struct fz_fault *fault)
{
	*fault = (struct fz_fault){ .knows = 0 };
	if (!scan_time(&scan, fault) || !scan_task(&scan, fault))
		return OUTCOME_NO_FAULT;
	return scan_find(&scan, "] => ") ? scan_target(scan, fault)
					 : OUTCOME_BAD;
}

/* LOST N events! */
static bool scan_lost(struct scan scan, struct fz_fault *fault)
{
	*fault = (struct fz_fault){ .event = FZ_EVENT_LOST };
	return scan_find(&scan, "LOST ") &&
	       scan_decimal(&scan, &fault->value) &&
	       scan_text(&scan, " events!") && fault->value > 0;
}

static bool problem(struct fz_trace_reader *reader,
		    enum fz_trace_problem_kind kind, const char *reason,
		    const struct fz_trace_line *line)
{
	fz_trace_problem(reader->problems, kind, reason, line->number,
			 line->text, line->bytes);
	return false;
}

static void tell_thread(struct fz_trace_reader *reader)
{
	struct perf_trace *state = reader->state;

	if (state->told_thread)
		return;
	state->told_thread = true;
	fz_trace_problem(reader->problems, FZ_TRACE_NOTE,
			 "threads, but not their processes", 0, NULL, 0);
}

/* A line of another event, or of a system call, also begins with a time. */
static bool take_other(struct fz_trace_reader *reader,
		       const struct fz_trace_line *line, struct scan text,
		       struct fz_fault *fault)
{
	if (scan_lost(text, fault)) {
		fz_trace_lost(reader->problems, fault->value);
		return true;
	}
	if (line->bytes == 0 || *line->text == '#')
		return false;
	if (scan_time(&text, fault))
		return problem(reader, FZ_TRACE_SKIPPED,
			       "an event that is no page fault", line);
	return problem(reader, FZ_TRACE_BAD, "no line of perf trace", line);
}

static bool take_line(struct fz_trace_reader *reader,
		      const struct fz_trace_line *line, struct fz_fault *fault)
{
	const struct scan text = { line->text, line->text + line->bytes };

	if (line->unterminated)
		return problem(reader, FZ_TRACE_BAD, "its end is missing",
			       line);
	if (line->cut)
		return problem(reader, FZ_TRACE_BAD, "too long", line);
	switch (scan_line(text, fault)) {
	case OUTCOME_RECORD:
		tell_thread(reader);
		return true;
	case OUTCOME_OFFSET:
		return problem(reader, FZ_TRACE_SKIPPED,
			       "a fault of a file: its offset is printed, not "
			       "its address",
			       line);
	case OUTCOME_BAD:
		return problem(reader, FZ_TRACE_BAD,
			       "no address behind the arrow", line);
	case OUTCOME_NO_FAULT:
		break;
	}
	return take_other(reader, line, text, fault);
}

static ssize_t read_lines(struct fz_trace_reader *reader,
			  struct fz_fault *faults, size_t max,
			  struct fz_err *err)
{
	struct fz_trace_line line;
	size_t nr = 0;

	while (nr < max) {
		const int code = fz_trace_input_line(reader->input, &line);

		if (code < 0)
			return fz_err_set(err, code, "cannot be read: %s",
					  strerror(-code));
		if (code == 0)
			break;
		nr += take_line(reader, &line, &faults[nr]);
	}
	return (ssize_t)nr;
}

static bool is_line(const char *line, size_t bytes)
{
	const struct scan text = { line, line + bytes };
	struct fz_fault fault;

	return scan_line(text, &fault) != OUTCOME_NO_FAULT ||
	       scan_lost(text, &fault);
}

static unsigned int probe(const char *head, size_t bytes)
{
	return probe_lines(head, bytes, is_line);
}

const struct fz_trace_format fz_trace_format_perf_trace = {
	.name = "perf-trace",
	.summary = "text of perf trace -F",
	.probe = probe,
	.reorder_ns = REORDER_NS,
	.state_bytes = sizeof(struct perf_trace),
	.read = read_lines,
};
