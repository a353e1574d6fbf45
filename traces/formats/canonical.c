// SPDX-License-Identifier: GPL-2.0-or-later
/* Our own lines of text, which bpftrace can print too: docs/trace-formats.md */
#include <fz/trace_format.h>

#include <errno.h>
#include <string.h>

#include "record_text.h"

#define MAGIC   "# foliosim-trace "
#define VERSION "1"

static bool begins_with(const char *text, size_t bytes, const char *word)
{
	return bytes >= strlen(word) && memcmp(text, word, strlen(word)) == 0;
}

/* bpftrace says first what it attaches to; versions of it word that so. */
static bool is_bpftrace_greeting(const char *text, size_t bytes)
{
	return begins_with(text, bytes, "Attaching ") ||
	       begins_with(text, bytes, "Attached ");
}

static unsigned int canonical_probe(const char *head, size_t bytes)
{
	const char *newline;

	if (begins_with(head, bytes, MAGIC))
		return 100;
	newline = memchr(head, '\n', bytes);
	if (!newline || !is_bpftrace_greeting(head, bytes))
		return 0;
	newline++;
	return begins_with(newline, bytes - (size_t)(newline - head), MAGIC)
		       ? 100
		       : 0;
}

/* "Lost 17 events" is bpftrace's word for it. */
static bool is_lost(const struct fz_trace_line *line, struct fz_fault *fault)
{
	static const char before[] = "Lost ", behind[] = " events";
	const size_t words = strlen(before) + strlen(behind);

	if (line->bytes <= words ||
	    !begins_with(line->text, line->bytes, before) ||
	    memcmp(line->text + line->bytes - strlen(behind), behind,
		   strlen(behind)) != 0)
		return false;
	fault->event = FZ_EVENT_LOST;
	return fz_take_decimal(line->text + strlen(before), line->bytes - words,
			       UINT64_MAX, &fault->value);
}

/* The comm is the rest of the line, blanks and all. */
static const char *parse(const struct fz_trace_line *line,
			 struct fz_fault *fault)
{
	const char *at = line->text, *const end = at + line->bytes;

	for (unsigned int field = 0; field < FZ_NR_FIELDS; field++) {
		const char *stop =
			field == FZ_FIELD_COMM
				? end
				: memchr(at, ' ', (size_t)(end - at));
		const size_t bytes = (size_t)((stop ? stop : end) - at);
		const char *reason;

		if (!stop)
			return "not nine fields with a blank between them";
		if (bytes != 1 || *at != '-') {
			reason = fz_record_take(
				fault, (enum fz_record_field)field, at, bytes);
			if (reason)
				return reason;
		} else if (field == FZ_FIELD_EVENT) {
			return "no event";
		}
		at = stop + 1;
	}
	return NULL;
}

static size_t read_line(struct fz_trace_reader *reader,
			const struct fz_trace_line *line,
			struct fz_fault *fault)
{
	const char *reason = fz_record_line_reason(line);

	if (line->bytes == 0 || line->text[0] == '#' ||
	    is_bpftrace_greeting(line->text, line->bytes))
		return 0;
	memset(fault, 0, sizeof(*fault));
	if (!reason && !is_lost(line, fault))
		reason = parse(line, fault);
	return fz_record_read(reader, line, fault, reason);
}

static int check_version(const struct fz_trace_line *line, struct fz_err *err)
{
	const char *version = line->text + strlen(MAGIC);
	const size_t bytes = line->bytes - strlen(MAGIC);

	if (bytes == strlen(VERSION) && memcmp(version, VERSION, bytes) == 0)
		return 0;
	return fz_err_set(err, -EBADMSG,
			  "is a canonical trace of version '%.*s'; this "
			  "foliosim reads version '" VERSION "'",
			  bytes < 20 ? (int)bytes : 20, version);
}

static ssize_t canonical_read(struct fz_trace_reader *reader,
			      struct fz_fault *faults, size_t max,
			      struct fz_err *err)
{
	size_t nr = 0;

	while (nr < max) {
		struct fz_trace_line line;
		const int more = fz_trace_input_line(reader->input, &line);

		if (more < 0)
			return fz_err_set(err, more, "cannot be read: %s",
					  strerror(-more));
		if (!more)
			break;
		if (begins_with(line.text, line.bytes, MAGIC) &&
		    check_version(&line, err))
			return -EBADMSG;
		nr += read_line(reader, &line, &faults[nr]);
	}
	return (ssize_t)nr;
}

static int canonical_write_begin(struct fz_trace_writer *writer)
{
	static const char head[] = MAGIC VERSION "\n";

	return writer->sink.write(writer->sink.state, head, strlen(head));
}

/* A comm "-" must not be read back as an unknown one. */
static char *put_comm(char *at, const struct fz_fault *fault)
{
	static const char dash[] = "\\x2d";

	if (fault->comm_bytes != 1 || fault->comm[0] != '-')
		return fz_record_put(at, fault, FZ_FIELD_COMM);
	memcpy(at, dash, strlen(dash));
	return at + strlen(dash);
}

static char *put_line(char *at, const struct fz_fault *fault)
{
	for (unsigned int field = 0; field < FZ_NR_FIELDS; field++) {
		char *const begin = at;

		at = field == FZ_FIELD_COMM
			     ? put_comm(at, fault)
			     : fz_record_put(at, fault,
					     (enum fz_record_field)field);
		if (at == begin)
			*at++ = '-';
		*at++ = field == FZ_FIELD_COMM ? '\n' : ' ';
	}
	return at;
}

static int canonical_write(struct fz_trace_writer *writer,
			   const struct fz_fault *faults, size_t nr)
{
	return fz_record_write_lines(writer, faults, nr, put_line);
}

const struct fz_trace_format fz_trace_format_canonical = {
	.name = "canonical",
	.summary = "our own text, one line a record; tools/trace.bt prints it",
	.probe = canonical_probe,
	.read = canonical_read,
	.write_begin = canonical_write_begin,
	.write = canonical_write,
};
