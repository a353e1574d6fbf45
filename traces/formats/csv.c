// SPDX-License-Identifier: GPL-2.0-or-later
/* A table for spreadsheets and data frames; quoting as in RFC 4180. */
#include <fz/trace_format.h>

#include <errno.h>
#include <string.h>

#include "record_text.h"

/* More columns than this are somebody else's table. */
#define MAX_COLUMNS 64u

static const struct {
	const char *name;
	enum fz_record_field field;
} columns[] = {
	{ "time_ns", FZ_FIELD_TIME },
	{ "pid", FZ_FIELD_PID },
	{ "tid", FZ_FIELD_TID },
	{ "cpu", FZ_FIELD_CPU },
	{ "comm", FZ_FIELD_COMM },
	{ "event", FZ_FIELD_EVENT },
	{ "addr", FZ_FIELD_ADDR },
	{ "ip", FZ_FIELD_IP },
	{ "error_code", FZ_FIELD_ERROR_CODE },
};

#define NR_COLUMNS (sizeof(columns) / sizeof(columns[0]))

/* Which field stands in which column; FZ_NR_FIELDS = none of ours. */
struct csv_reader {
	size_t nr_columns; /* 0 = the header was not read yet */
	uint8_t field[MAX_COLUMNS];
};

/* A field of a line, without its quotes. */
struct csv_field {
	size_t bytes;
	char text[FZ_FIELD_BYTES];
	bool too_long;
	bool last;
};

static void append(struct csv_field *field, char c)
{
	if (field->bytes < sizeof(field->text))
		field->text[field->bytes++] = c;
	else
		field->too_long = true;
}

/* The byte behind the closing quote; NULL if there is none. */
static const char *take_quoted(struct csv_field *field, const char *at,
			       const char *end)
{
	for (; at < end; at++) {
		if (*at == '"' && (++at == end || *at != '"'))
			return at;
		append(field, *at);
	}
	return NULL;
}

/* The next field; the byte behind its comma, NULL if the quotes are wrong. */
static const char *take_field(struct csv_field *field, const char *at,
			      const char *end)
{
	field->bytes = 0;
	field->too_long = false;
	if (at < end && *at == '"') {
		at = take_quoted(field, at + 1, end);
		if (!at || (at < end && *at != ','))
			return NULL;
	} else {
		for (; at < end && *at != ','; at++)
			append(field, *at);
	}
	field->last = at == end;
	return at + !field->last;
}

static enum fz_record_field field_of_column(const struct csv_field *name)
{
	for (size_t i = 0; i < NR_COLUMNS; i++)
		if (strlen(columns[i].name) == name->bytes &&
		    memcmp(columns[i].name, name->text, name->bytes) == 0)
			return columns[i].field;
	return FZ_NR_FIELDS;
}

static bool has_column(const struct csv_reader *csv, enum fz_record_field field)
{
	return memchr(csv->field, field, csv->nr_columns);
}

/* Of two that mean the same nobody knows which to use. */
static const char *column_twice(const struct csv_reader *csv)
{
	for (size_t i = 0; i < NR_COLUMNS; i++) {
		const uint8_t *first =
			memchr(csv->field, columns[i].field, csv->nr_columns);
		const uint8_t *const end = csv->field + csv->nr_columns;

		if (first && memchr(first + 1, columns[i].field,
				    (size_t)(end - first) - 1))
			return columns[i].name;
	}
	return NULL;
}

/* Columns in any order, others among them. False: it is no header of ours. */
static bool parse_header(struct csv_reader *csv, const char *at, size_t bytes)
{
	const char *const end = at + bytes;
	struct csv_field name;

	/* Spreadsheets begin UTF-8 with a byte order mark. */
	if (bytes > 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0)
		at += 3;
	csv->nr_columns = 0;
	do {
		at = take_field(&name, at, end);
		if (!at || csv->nr_columns == MAX_COLUMNS)
			return false;
		csv->field[csv->nr_columns++] = (uint8_t)field_of_column(&name);
	} while (!name.last);
	return has_column(csv, FZ_FIELD_EVENT) &&
	       has_column(csv, FZ_FIELD_ADDR);
}

static unsigned int csv_probe(const char *head, size_t bytes)
{
	const char *newline = memchr(head, '\n', bytes);
	struct csv_reader csv;
	size_t length;

	if (!newline)
		return 0;
	length = (size_t)(newline - head);
	if (length && head[length - 1] == '\r')
		length--;
	return parse_header(&csv, head, length) ? 100 : 0;
}

static const char *parse_row(const struct csv_reader *csv,
			     const struct fz_trace_line *line,
			     struct fz_fault *fault)
{
	const char *at = line->text, *const end = at + line->bytes;
	struct csv_field text = { .last = false };
	bool has_event = false;

	for (size_t i = 0; i < csv->nr_columns; i++) {
		const enum fz_record_field field =
			(enum fz_record_field)csv->field[i];
		const char *reason;

		if (text.last)
			return "fewer fields than columns";
		at = take_field(&text, at, end);
		if (!at)
			return "quotes that do not match on the line";
		if (field == FZ_NR_FIELDS || !text.bytes)
			continue;
		if (text.too_long)
			return "a field that is too long";
		reason = fz_record_take(fault, field, text.text, text.bytes);
		if (reason)
			return reason;
		has_event |= field == FZ_FIELD_EVENT;
	}
	if (!text.last)
		return "more fields than columns";
	return has_event ? NULL : "no event";
}

static size_t read_row(struct fz_trace_reader *reader,
		       const struct fz_trace_line *line, struct fz_fault *fault)
{
	const char *reason = fz_record_line_reason(line);

	if (line->bytes == 0)
		return 0;
	memset(fault, 0, sizeof(*fault));
	if (!reason)
		reason = parse_row(reader->state, line, fault);
	return fz_record_read(reader, line, fault, reason);
}

static int take_header(struct csv_reader *csv, const struct fz_trace_line *line,
		       struct fz_err *err)
{
	const char *twice;

	if (!parse_header(csv, line->text, line->bytes))
		return fz_err_set(err, -EBADMSG,
				  "has no header line with the columns "
				  "'event' and 'addr'");
	twice = column_twice(csv);
	return twice ? fz_err_set(err, -EBADMSG,
				  "has the column '%s' twice in its header: "
				  "take one of them out",
				  twice)
		     : 0;
}

static ssize_t csv_read(struct fz_trace_reader *reader, struct fz_fault *faults,
			size_t max, struct fz_err *err)
{
	struct csv_reader *csv = reader->state;
	size_t nr = 0;

	while (nr < max) {
		struct fz_trace_line line;
		const int more = fz_trace_input_line(reader->input, &line);

		if (more < 0)
			return fz_err_set(err, more, "cannot be read: %s",
					  strerror(-more));
		if (!more)
			break;
		if (csv->nr_columns) {
			nr += read_row(reader, &line, &faults[nr]);
		} else {
			const int code = take_header(csv, &line, err);

			if (code)
				return code;
		}
	}
	return (ssize_t)nr;
}

static int csv_write_begin(struct fz_trace_writer *writer)
{
	char head[128];
	char *at = head;

	for (size_t i = 0; i < NR_COLUMNS; i++) {
		const size_t bytes = strlen(columns[i].name);

		memcpy(at, columns[i].name, bytes);
		at += bytes;
		*at++ = i + 1 < NR_COLUMNS ? ',' : '\n';
	}
	return writer->sink.write(writer->sink.state, head,
				  (size_t)(at - head));
}

/* Only a comm can hold what must be quoted. */
static char *put_comm(char *at, const struct fz_fault *fault)
{
	char comm[FZ_FIELD_BYTES];
	const size_t bytes =
		(size_t)(fz_record_put(comm, fault, FZ_FIELD_COMM) - comm);

	if (!memchr(comm, '"', bytes) && !memchr(comm, ',', bytes)) {
		memcpy(at, comm, bytes);
		return at + bytes;
	}
	*at++ = '"';
	for (size_t i = 0; i < bytes; i++) {
		if (comm[i] == '"')
			*at++ = '"';
		*at++ = comm[i];
	}
	*at++ = '"';
	return at;
}

static char *put_row(char *at, const struct fz_fault *fault)
{
	for (size_t i = 0; i < NR_COLUMNS; i++) {
		at = columns[i].field == FZ_FIELD_COMM
			     ? put_comm(at, fault)
			     : fz_record_put(at, fault, columns[i].field);
		*at++ = i + 1 < NR_COLUMNS ? ',' : '\n';
	}
	return at;
}

static int csv_write(struct fz_trace_writer *writer,
		     const struct fz_fault *faults, size_t nr)
{
	return fz_record_write_lines(writer, faults, nr, put_row);
}

const struct fz_trace_format fz_trace_format_csv = {
	.name = "csv",
	.summary = "a table with a header line",
	.probe = csv_probe,
	.state_bytes = sizeof(struct csv_reader),
	.read = csv_read,
	.write_begin = csv_write_begin,
	.write = csv_write,
};
