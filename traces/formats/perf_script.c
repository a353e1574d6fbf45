// SPDX-License-Identifier: GPL-2.0-or-later
/* The text of perf script. */
#include <fz/trace_format.h>

#include <errno.h>

#include "perf_header.h"
#include "perf_line.h"
#include "perf_record.h"
#include "probe_lines.h"
#include "tracepoint_payload.h"

/* So many lines without an address, and none with one: none will come. */
#define ENOUGH_WITHOUT_ADDRESS 1000u

#define PRINT_RECIPE "perf script --ns -F comm,pid,tid,cpu,time,event,addr"

struct perf_script {
	struct perf_templates templates;
	uint64_t nr_with_address;
	uint64_t nr_without_address;
	uint64_t nr_lost, nr_lost_samples; /* the second are among the first */
	bool no_addresses;                 /* were recorded */
	bool told_thread;
};

/* What became of a line. */
enum outcome {
	OUTCOME_NONE,
	OUTCOME_RECORD,
};

static enum outcome problem(struct fz_trace_reader *reader,
			    enum fz_trace_problem_kind kind, const char *reason,
			    const struct fz_trace_line *line)
{
	fz_trace_problem(reader->problems, kind, reason, line->number,
			 line->text, line->bytes);
	return OUTCOME_NONE;
}

/* The kernel counts a lost sample in both kinds of records. */
static bool count_lost(struct fz_trace_reader *reader, struct fz_fault *fault,
		       bool samples)
{
	struct perf_script *script = reader->state;
	uint64_t *count = samples ? &script->nr_lost_samples : &script->nr_lost;
	const uint64_t before = reader->problems->nr_lost;

	if (__builtin_add_overflow(*count, fault->value, count))
		*count = UINT64_MAX;
	if (*count <= before)
		return false;
	reader->problems->nr_lost = *count;
	fault->value = *count - before;
	return true;
}

static enum outcome take_record(struct fz_trace_reader *reader,
				const struct fz_trace_line *line,
				struct scan text, struct fz_fault *fault)
{
	bool samples;

	switch (perf_record(text, fault, &samples)) {
	case PERF_RECORD_USELESS:
		return OUTCOME_NONE;
	case PERF_RECORD_BAD:
		return problem(reader, FZ_TRACE_BAD,
			       "a record of perf that is damaged", line);
	case PERF_RECORD_USED:
		break;
	}
	if (fault->event == FZ_EVENT_LOST &&
	    !count_lost(reader, fault, samples))
		return OUTCOME_NONE;
	return OUTCOME_RECORD;
}

/* Once: what every line of this trace leaves open. */
static void tell_thread(struct fz_trace_reader *reader,
			const struct fz_fault *fault)
{
	struct perf_script *script = reader->state;

	if (script->told_thread || fault->knows & FZ_KNOWS_PID ||
	    !(fault->knows & FZ_KNOWS_TID))
		return;
	script->told_thread = true;
	fz_trace_problem(reader->problems, FZ_TRACE_NOTE,
			 "threads, but not their processes: print pid and tid",
			 0, NULL, 0);
}

static enum outcome take_tracepoint(struct fz_trace_reader *reader,
				    const struct fz_trace_line *line,
				    struct scan rest, struct fz_fault *fault)
{
	const char *wrong;

	if (!memchr(rest.at, '=', scan_left(&rest)))
		return problem(reader, FZ_TRACE_SKIPPED,
			       "a tracepoint without its fields: print trace",
			       line);
	wrong = tracepoint_payload(rest, fault);
	return wrong ? problem(reader, FZ_TRACE_BAD, wrong, line)
		     : OUTCOME_RECORD;
}

static enum outcome take_software(struct fz_trace_reader *reader,
				  const struct fz_trace_line *line,
				  struct scan rest, struct fz_fault *fault)
{
	struct perf_script *script = reader->state;

	switch (perf_line_address(rest, fault)) {
	case PERF_ADDRESS_BAD:
		return problem(reader, FZ_TRACE_BAD,
			       "no number where the address should be", line);
	case PERF_ADDRESS_MISSING:
		script->nr_without_address++;
		return problem(reader, FZ_TRACE_SKIPPED,
			       "a fault without its address: print addr", line);
	case PERF_ADDRESS_THERE:
		break;
	}
	return OUTCOME_RECORD;
}

static enum outcome take_sample(struct fz_trace_reader *reader,
				const struct fz_trace_line *line,
				const struct perf_line *parts,
				struct fz_fault *fault)
{
	struct perf_script *script = reader->state;
	const enum fz_event event = parts->event;
	enum outcome outcome;

	if (event == FZ_NR_EVENTS)
		return problem(reader, FZ_TRACE_SKIPPED,
			       "an event that is no page fault", line);
	fault->event = (uint8_t)event;
	if (event == FZ_EVENT_USER_FAULT || event == FZ_EVENT_KERNEL_FAULT)
		outcome = take_tracepoint(reader, line, parts->rest, fault);
	else
		outcome = take_software(reader, line, parts->rest, fault);
	if (outcome != OUTCOME_RECORD)
		return outcome;
	if (parts->period != 1)
		problem(reader, FZ_TRACE_NOTE,
			"a period other than 1: faults are missing", line);
	tell_thread(reader, fault);
	script->nr_with_address++;
	return OUTCOME_RECORD;
}

static enum outcome take_header(struct fz_trace_reader *reader,
				const struct fz_trace_line *line,
				struct scan text)
{
	struct perf_script *script = reader->state;
	struct perf_header_event found;

	if (!perf_header_event(text, &found))
		return OUTCOME_NONE;
	if (found.event <= FZ_EVENT_MAJOR_FAULTS && !found.has_addresses)
		script->no_addresses = true;
	if (!found.has_every_fault)
		problem(reader, FZ_TRACE_NOTE,
			"recorded with a period other than 1: faults are missing",
			line);
	return OUTCOME_NONE;
}

static enum outcome take_other(struct fz_trace_reader *reader,
			       const struct fz_trace_line *line,
			       struct scan text)
{
	struct perf_script *script = reader->state;
	bool no_addresses;

	if (*line->text == '#')
		return take_header(reader, line, text);
	if (!perf_header_is_message(text, &no_addresses))
		return problem(reader, FZ_TRACE_BAD, "no line of perf script",
			       line);
	script->no_addresses = script->no_addresses || no_addresses;
	return problem(reader, FZ_TRACE_SKIPPED, "a message of perf", line);
}

static enum outcome take_line(struct fz_trace_reader *reader,
			      const struct fz_trace_line *line,
			      struct fz_fault *fault)
{
	struct perf_script *script = reader->state;
	const struct scan text = { line->text, line->text + line->bytes };
	struct perf_line parts;

	if (line->unterminated)
		return problem(reader, FZ_TRACE_BAD, "its end is missing",
			       line);
	if (line->cut)
		return problem(reader, FZ_TRACE_BAD, "too long", line);
	/* Between and in call chains. */
	if (line->bytes == 0 || *line->text == '\t')
		return OUTCOME_NONE;
	if (!perf_line_begin(&parts, text, &script->templates, fault))
		return take_other(reader, line, text);
	if (parts.is_record)
		return take_record(reader, line, parts.rest, fault);
	return take_sample(reader, line, &parts, fault);
}

/* Code addresses are never taken for addresses of faults. */
static int refuse(const struct perf_script *script, struct fz_err *err)
{
	if (script->no_addresses)
		return fz_err_set(
			err, -EBADMSG,
			"was recorded without fault addresses: record with "
			"'perf record -e page-faults -c 1 -d --sample-cpu', "
			"print with '" PRINT_RECIPE "'");
	return fz_err_set(err, -EBADMSG,
			  "has instruction pointers, but no fault "
			  "addresses: print it with '" PRINT_RECIPE "'");
}

static bool has_no_address(const struct perf_script *script, uint64_t enough)
{
	return script->nr_with_address == 0 &&
	       script->nr_without_address >= enough;
}

static ssize_t read_lines(struct fz_trace_reader *reader,
			  struct fz_fault *faults, size_t max,
			  struct fz_err *err)
{
	struct perf_script *script = reader->state;
	struct fz_trace_line line;
	size_t nr = 0;

	while (nr < max) {
		const int more = fz_trace_input_line(reader->input, &line);

		if (more < 0)
			return fz_err_set(err, more, "cannot be read: %s",
					  strerror(-more));
		if (more == 0 && nr == 0 &&
		    (script->no_addresses || script->nr_without_address) &&
		    has_no_address(script, 0))
			return refuse(script, err);
		if (more == 0)
			break;
		nr += take_line(reader, &line, &faults[nr]) == OUTCOME_RECORD;
		if (has_no_address(script, ENOUGH_WITHOUT_ADDRESS))
			return refuse(script, err);
	}
	return (ssize_t)nr;
}

/* Without a time a line is perf's only if its event is known. */
static bool is_line(const char *line, size_t bytes)
{
	struct perf_templates templates = { .used = 0 };
	const struct scan text = { line, line + bytes };
	struct fz_fault fault;
	struct perf_line parts;
	bool no_addresses;

	if (perf_line_begin(&parts, text, &templates, &fault))
		return fault.knows & FZ_KNOWS_TIME || parts.is_record ||
		       parts.event != FZ_NR_EVENTS;
	perf_header_is_message(text, &no_addresses);
	return no_addresses;
}

static unsigned int probe(const char *head, size_t bytes)
{
	static const char first[] = "# ========\n# captured on";

	if (bytes >= sizeof(first) - 1 &&
	    memcmp(head, first, sizeof(first) - 1) == 0)
		return 100;
	return probe_lines(head, bytes, is_line);
}

const struct fz_trace_format fz_trace_format_perf_script = {
	.name = "perf-script",
	.summary = "text of perf script, with fault addresses",
	.probe = probe,
	.state_bytes = sizeof(struct perf_script),
	.read = read_lines,
};
