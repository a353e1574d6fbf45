// SPDX-License-Identifier: GPL-2.0-or-later
/* The text of tracefs (trace, trace_pipe) and of trace-cmd report. */
#include <fz/trace_format.h>

#include <errno.h>

#include "perf_line.h"
#include "probe_lines.h"
#include "text_scan.h"
#include "tracepoint_payload.h"

/* A comm is padded on its left to this. */
#define COMM_COLUMNS 16u

/* A line up to its event. */
struct tracefs_line {
	struct scan rest;
	const char *event; /* [event_bytes] */
	size_t event_bytes;
	bool has_ticks; /* of a counter, in place of a time */
	uint64_t ticks;
};

/* Room for the name of an event that was found; longer ones are none of ours.
 */
#define EVENT_BYTES 64u

struct tracefs {
	bool told_thread;
	size_t event_bytes; /* of the event found last */
	char event[EVENT_BYTES];
	enum fz_event found;
};

/* (TGID), where the option record-tgid was on; dashes: not recorded. */
static bool scan_process(struct scan *scan, struct fz_fault *fault)
{
	if (!scan_char(scan, '('))
		return true;
	scan_spaces(scan);
	if (scan_is_digit(scan_peek(scan))) {
		if (!scan_decimal32(scan, &fault->pid))
			return false;
		fault->knows |= FZ_KNOWS_PID;
	}
	while (scan_char(scan, '-'))
		;
	return scan_char(scan, ')') && scan_spaces(scan) > 0;
}

static bool scan_cpu(struct scan *scan, struct fz_fault *fault)
{
	if (!scan_char(scan, '[') || !scan_decimal32(scan, &fault->cpu) ||
	    !scan_char(scan, ']'))
		return false;
	fault->knows |= FZ_KNOWS_CPU;
	return scan_spaces(scan) > 0;
}

/* SECONDS.FRACTION: or TICKS: */
static bool scan_time(struct scan *scan, struct tracefs_line *line,
		      struct fz_fault *fault)
{
	struct scan ahead = *scan;

	if (scan_seconds(&ahead, &fault->time_ns) && scan_char(&ahead, ':')) {
		fault->knows |= FZ_KNOWS_TIME;
		line->has_ticks = false;
		*scan = ahead;
		return true;
	}
	fault->time_ns = 0;
	line->has_ticks = true;
	return scan_decimal(scan, &line->ticks) && scan_char(scan, ':');
}

/* Flags, where the option irq-info was on. */
static void scan_flags(struct scan *scan)
{
	const char *blank = memchr(scan->at, ' ', scan_left(scan));

	if (!blank || blank[-1] == ':')
		return;
	scan->at = blank;
	scan_spaces(scan);
}

static bool scan_event(struct scan *scan, struct tracefs_line *line)
{
	const char *blank;

	scan_spaces(scan);
	blank = memchr(scan->at, ' ', scan_left(scan));
	line->event = scan->at;
	scan->at = blank ? blank : scan->end;
	if (scan->at - line->event < 2 || scan->at[-1] != ':')
		return false;
	line->event_bytes = (size_t)(scan->at - line->event) - 1;
	line->rest = *scan;
	return true;
}

/* From the dash that joins comm and thread. */
static bool scan_from_dash(struct scan scan, struct tracefs_line *line,
			   struct fz_fault *fault)
{
	*fault = (struct fz_fault){ .knows = FZ_KNOWS_TID };
	if (!scan_char(&scan, '-') || !scan_decimal32(&scan, &fault->tid) ||
	    !scan_spaces(&scan) || !scan_process(&scan, fault) ||
	    !scan_cpu(&scan, fault))
		return false;
	scan_flags(&scan);
	return scan_time(&scan, line, fault) && scan_event(&scan, line);
}

/* <...> is for a name the kernel did not keep. */
static bool set_comm(struct fz_fault *fault, const char *comm, size_t bytes)
{
	while (bytes && *comm == ' ') {
		comm++;
		bytes--;
	}
	if (memchr(comm, '\0', bytes))
		return false;
	if (bytes == 5 && memcmp(comm, "<...>", bytes) == 0)
		return true;
	fault->comm_bytes =
		(uint8_t)(bytes < FZ_COMM_BYTES ? bytes : FZ_COMM_BYTES);
	memcpy(fault->comm, comm, fault->comm_bytes);
	return true;
}

/* Where the name is padded, its end is known; else the first dash that the rest
 * can follow ends it. */
static bool scan_line(struct scan text, struct tracefs_line *line,
		      struct fz_fault *fault)
{
	const char *begin = text.at;

	if (scan_left(&text) > COMM_COLUMNS) {
		text.at += COMM_COLUMNS;
		if (scan_from_dash(text, line, fault))
			return set_comm(fault, begin, COMM_COLUMNS);
		text.at = begin;
	}
	while ((text.at = memchr(text.at, '-', scan_left(&text)))) {
		if (scan_from_dash(text, line, fault))
			return set_comm(fault, begin,
					(size_t)(text.at - begin));
		text.at++;
	}
	return false;
}

static int problem(struct fz_trace_reader *reader,
		   enum fz_trace_problem_kind kind, const char *reason,
		   const struct fz_trace_line *line)
{
	fz_trace_problem(reader->problems, kind, reason, line->number,
			 line->text, line->bytes);
	return 0;
}

/* CPU:N [LOST N EVENTS], in trace-cmd CPU:N [N EVENTS DROPPED]. */
static bool scan_lost(struct scan text, struct fz_fault *fault)
{
	*fault = (struct fz_fault){ .event = FZ_EVENT_LOST,
				    .knows = FZ_KNOWS_CPU };
	if (!scan_text(&text, "CPU:") || !scan_decimal32(&text, &fault->cpu) ||
	    !scan_text(&text, " ["))
		return false;
	if (scan_text(&text, "LOST ")) {
		return scan_decimal(&text, &fault->value) &&
		       scan_text(&text, " EVENTS]");
	}
	if (scan_is_digit(scan_peek(&text)) &&
	    (!scan_decimal(&text, &fault->value) || !scan_char(&text, ' ')))
		return false;
	return scan_text(&text, "EVENTS DROPPED]");
}

static int take_lost(struct fz_trace_reader *reader,
		     const struct fz_trace_line *line,
		     const struct fz_fault *fault)
{
	if (fault->value == 0)
		return problem(reader, FZ_TRACE_NOTE,
			       "events were lost, nobody knows how many", line);
	fz_trace_lost(reader->problems, fault->value);
	return 1;
}

/* What stands between records and says nothing. */
static bool is_noise(const struct fz_trace_line *line)
{
	const struct scan whole = { line->text, line->text + line->bytes };
	struct scan text = whole;

	return line->bytes == 0 || *line->text == '#' ||
	       scan_text(&text, "cpus=") || scan_text(&text, "version = ");
}

static bool is_rate(double hz)
{
	return hz >= 1 && hz <= 1e12;
}

/* A counter's ticks in ns; -1: more than 64 bits. */
static int set_time(struct fz_fault *fault, uint64_t ticks, double tsc_hz)
{
	const unsigned __int128 ns = (unsigned __int128)ticks * 1000000000000u /
				     (uint64_t)(tsc_hz * 1000);

	if (ns > UINT64_MAX)
		return -1;
	fault->time_ns = (uint64_t)ns;
	fault->knows |= FZ_KNOWS_TIME;
	return 0;
}

static void tell_thread(struct fz_trace_reader *reader,
			const struct fz_fault *fault)
{
	struct tracefs *state = reader->state;

	if (state->told_thread || fault->knows & FZ_KNOWS_PID)
		return;
	state->told_thread = true;
	fz_trace_problem(reader->problems, FZ_TRACE_NOTE,
			 "threads, but not their processes: record with "
			 "'echo 1 > options/record-tgid'",
			 0, NULL, 0);
}

/* The one before is asked first. */
static enum fz_event find_event(struct tracefs *tracefs,
				const struct tracefs_line *parts)
{
	if (parts->event_bytes == tracefs->event_bytes &&
	    memcmp(parts->event, tracefs->event, parts->event_bytes) == 0)
		return tracefs->found;
	if (parts->event_bytes > EVENT_BYTES)
		return FZ_NR_EVENTS;
	tracefs->event_bytes = parts->event_bytes;
	memcpy(tracefs->event, parts->event, parts->event_bytes);
	tracefs->found = perf_event_of_name(parts->event, parts->event_bytes);
	return tracefs->found;
}

static int take_event(struct fz_trace_reader *reader,
		      const struct fz_trace_line *line,
		      const struct tracefs_line *parts, struct fz_fault *fault,
		      struct fz_err *err)
{
	const enum fz_event event = find_event(reader->state, parts);
	const char *wrong;

	if (event != FZ_EVENT_USER_FAULT && event != FZ_EVENT_KERNEL_FAULT)
		return problem(reader, FZ_TRACE_SKIPPED,
			       "an event that is no page fault", line);
	if (parts->has_ticks && !is_rate(reader->params.tsc_hz))
		return fz_err_set(
			err, -EBADMSG,
			"has times that are ticks of a counter: name the "
			"rate with --tsc-hz (dmesg tells it: 'tsc: "
			"Refined TSC clocksource calibration')");
	if (parts->has_ticks &&
	    set_time(fault, parts->ticks, reader->params.tsc_hz))
		return problem(reader, FZ_TRACE_BAD,
			       "a time beyond 64 bits of nanoseconds", line);
	fault->event = (uint8_t)event;
	wrong = tracepoint_payload(parts->rest, fault);
	if (wrong)
		return problem(reader, FZ_TRACE_BAD, wrong, line);
	tell_thread(reader, fault);
	return 1;
}

/* 1: a record; 0: none; -errno. */
static int take_line(struct fz_trace_reader *reader,
		     const struct fz_trace_line *line, struct fz_fault *fault,
		     struct fz_err *err)
{
	const struct scan text = { line->text, line->text + line->bytes };
	struct tracefs_line parts;

	if (line->unterminated)
		return problem(reader, FZ_TRACE_BAD, "its end is missing",
			       line);
	if (line->cut)
		return problem(reader, FZ_TRACE_BAD, "too long", line);
	if (scan_line(text, &parts, fault))
		return take_event(reader, line, &parts, fault, err);
	if (scan_lost(text, fault))
		return take_lost(reader, line, fault);
	if (is_noise(line))
		return 0;
	return problem(reader, FZ_TRACE_BAD, "no line of tracefs", line);
}

static ssize_t read_lines(struct fz_trace_reader *reader,
			  struct fz_fault *faults, size_t max,
			  struct fz_err *err)
{
	struct fz_trace_line line;
	size_t nr = 0;

	while (nr < max) {
		int code = fz_trace_input_line(reader->input, &line);

		if (code < 0)
			return fz_err_set(err, code, "cannot be read: %s",
					  strerror(-code));
		if (code == 0)
			break;
		code = take_line(reader, &line, &faults[nr], err);
		if (code < 0)
			return code;
		nr += (size_t)code;
	}
	return (ssize_t)nr;
}

static bool is_line(const char *line, size_t bytes)
{
	const struct scan text = { line, line + bytes };
	struct tracefs_line parts;
	struct fz_fault fault;

	return scan_line(text, &parts, &fault) || scan_lost(text, &fault);
}

static unsigned int probe(const char *head, size_t bytes)
{
	static const char first[] = "# tracer: ";

	if (bytes >= sizeof(first) - 1 &&
	    memcmp(head, first, sizeof(first) - 1) == 0)
		return 100;
	return probe_lines(head, bytes, is_line);
}

const struct fz_trace_format fz_trace_format_tracefs = {
	.name = "tracefs",
	.summary = "text of trace_pipe and of trace-cmd report",
	.probe = probe,
	.state_bytes = sizeof(struct tracefs),
	.read = read_lines,
};
