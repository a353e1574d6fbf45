// SPDX-License-Identifier: GPL-2.0-or-later
/* Fields of a record as text. */
#include "record_text.h"

#include <string.h>

/* 2^64 has as many. */
#define U64_DIGITS 20

static const uint8_t known_by[FZ_NR_FIELDS] = {
	[FZ_FIELD_TIME] = FZ_KNOWS_TIME,
	[FZ_FIELD_CPU] = FZ_KNOWS_CPU,
	[FZ_FIELD_PID] = FZ_KNOWS_PID,
	[FZ_FIELD_TID] = FZ_KNOWS_TID,
	[FZ_FIELD_ADDR] = FZ_KNOWS_ADDR,
	[FZ_FIELD_IP] = FZ_KNOWS_IP,
	[FZ_FIELD_ERROR_CODE] = FZ_KNOWS_ERROR_CODE,
};

static const char *const backing_names[] = {
	[FZ_BACKING_UNKNOWN] = "",
	[FZ_BACKING_ANON] = "@anon",
	[FZ_BACKING_FILE] = "@file",
};

static char *put_text(char *at, const char *text)
{
	const size_t bytes = strlen(text);

	memcpy(at, text, bytes);
	return at + bytes;
}

static char *put_decimal(char *at, uint64_t value)
{
	char digits[U64_DIGITS];
	size_t first = U64_DIGITS;

	do {
		digits[--first] = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	memcpy(at, digits + first, U64_DIGITS - first);
	return at + U64_DIGITS - first;
}

static char *put_hex(char *at, uint64_t value)
{
	unsigned int shift = 60;

	*at++ = '0';
	*at++ = 'x';
	while (shift && !(value >> shift))
		shift -= 4;
	for (;; shift -= 4) {
		*at++ = "0123456789abcdef"[value >> shift & 15];
		if (!shift)
			return at;
	}
}

static char *put_event(char *at, const struct fz_fault *fault)
{
	at = put_text(at, fz_event_name((enum fz_event)fault->event));
	if (fault->value) {
		*at++ = '+';
		at = put_decimal(at, fault->value);
	}
	return put_text(at, backing_names[fault->backing]);
}

static char *put_byte(char *at, unsigned char byte)
{
	if (byte >= 0x20 && byte <= 0x7e && byte != '\\') {
		*at++ = (char)byte;
		return at;
	}
	*at++ = '\\';
	*at++ = 'x';
	*at++ = "0123456789abcdef"[byte >> 4];
	*at++ = "0123456789abcdef"[byte & 15];
	return at;
}

static char *put_comm(char *at, const struct fz_fault *fault)
{
	for (size_t i = 0; i < fault->comm_bytes; i++)
		at = put_byte(at, (unsigned char)fault->comm[i]);
	return at;
}

char *fz_record_put(char *at, const struct fz_fault *fault,
		    enum fz_record_field field)
{
	if (known_by[field] && !(fault->knows & known_by[field]))
		return at;
	switch (field) {
	case FZ_FIELD_TIME:
		return put_decimal(at, fault->time_ns);
	case FZ_FIELD_CPU:
		return put_decimal(at, fault->cpu);
	case FZ_FIELD_PID:
		return put_decimal(at, fault->pid);
	case FZ_FIELD_TID:
		return put_decimal(at, fault->tid);
	case FZ_FIELD_EVENT:
		return put_event(at, fault);
	case FZ_FIELD_ADDR:
		return put_hex(at, fault->addr);
	case FZ_FIELD_IP:
		return put_hex(at, fault->ip);
	case FZ_FIELD_ERROR_CODE:
		return put_decimal(at, fault->error_code);
	case FZ_FIELD_COMM:
	case FZ_NR_FIELDS:
		break;
	}
	return put_comm(at, fault);
}

bool fz_take_decimal(const char *text, size_t bytes, uint64_t max,
		     uint64_t *value)
{
	uint64_t sum = 0;

	if (!bytes)
		return false;
	for (size_t i = 0; i < bytes; i++) {
		const unsigned int digit = (unsigned char)text[i] - '0';

		if (digit > 9 || sum > (max - digit) / 10)
			return false;
		sum = sum * 10 + digit;
	}
	*value = sum;
	return true;
}

/* The value of a hexadecimal digit; more than 15 = it is none. */
static unsigned int hex_digit(char c)
{
	const unsigned int digit = (unsigned char)c - '0';
	const unsigned int letter = ((unsigned char)c | 0x20) - 'a';

	return digit <= 9 ? digit : letter <= 5 ? letter + 10 : 16;
}

static bool has_0x(const char *text, size_t bytes)
{
	return bytes > 2 && text[0] == '0' && (text[1] | 0x20) == 'x';
}

static bool take_hex(const char *text, size_t bytes, uint64_t *value)
{
	uint64_t sum = 0;

	if (has_0x(text, bytes)) {
		text += 2;
		bytes -= 2;
	}
	if (bytes < 1 || bytes > 16)
		return false;
	for (size_t i = 0; i < bytes; i++) {
		const unsigned int digit = hex_digit(text[i]);

		if (digit > 15)
			return false;
		sum = sum << 4 | digit;
	}
	*value = sum;
	return true;
}

static bool take_u32(const char *text, size_t bytes, uint32_t *value)
{
	uint64_t number;

	if (has_0x(text, bytes)
		    ? !take_hex(text, bytes, &number) || number > UINT32_MAX
		    : !fz_take_decimal(text, bytes, UINT32_MAX, &number))
		return false;
	*value = (uint32_t)number;
	return true;
}

static bool take_backing(const char *text, size_t bytes, struct fz_fault *fault)
{
	for (uint8_t i = FZ_BACKING_ANON; i <= FZ_BACKING_FILE; i++) {
		if (strlen(backing_names[i]) != bytes ||
		    memcmp(backing_names[i], text, bytes) != 0)
			continue;
		fault->backing = i;
		return true;
	}
	return false;
}

static bool take_event(const char *text, size_t bytes, struct fz_fault *fault)
{
	const char *at = memchr(text, '@', bytes), *plus;
	enum fz_event event;

	if (at && !take_backing(at, bytes - (size_t)(at - text), fault))
		return false;
	if (at)
		bytes = (size_t)(at - text);
	plus = memchr(text, '+', bytes);
	if (plus &&
	    !fz_take_decimal(plus + 1, bytes - (size_t)(plus - text) - 1,
			     UINT64_MAX, &fault->value))
		return false;
	if (plus)
		bytes = (size_t)(plus - text);
	if (!fz_event_find(text, bytes, &event))
		return false;
	fault->event = (uint8_t)event;
	return true;
}

/* A backslash that begins no \xNN stands for itself: others do not escape. */
static bool take_comm(const char *text, size_t bytes, struct fz_fault *fault)
{
	size_t nr = 0;

	for (size_t i = 0; i < bytes; i++) {
		char c = text[i];

		if (c == '\\' && bytes - i >= 4 && text[i + 1] == 'x' &&
		    hex_digit(text[i + 2]) < 16 &&
		    hex_digit(text[i + 3]) < 16) {
			c = (char)(hex_digit(text[i + 2]) << 4 |
				   hex_digit(text[i + 3]));
			i += 3;
		}
		if (!c || nr == FZ_COMM_BYTES)
			return false;
		fault->comm[nr++] = c;
	}
	fault->comm_bytes = (uint8_t)nr;
	return true;
}

static bool take(struct fz_fault *fault, enum fz_record_field field,
		 const char *text, size_t bytes)
{
	switch (field) {
	case FZ_FIELD_TIME:
		return fz_take_decimal(text, bytes, UINT64_MAX,
				       &fault->time_ns);
	case FZ_FIELD_CPU:
		return take_u32(text, bytes, &fault->cpu);
	case FZ_FIELD_PID:
		return take_u32(text, bytes, &fault->pid);
	case FZ_FIELD_TID:
		return take_u32(text, bytes, &fault->tid);
	case FZ_FIELD_EVENT:
		return take_event(text, bytes, fault);
	case FZ_FIELD_ADDR:
		return take_hex(text, bytes, &fault->addr);
	case FZ_FIELD_IP:
		return take_hex(text, bytes, &fault->ip);
	case FZ_FIELD_ERROR_CODE:
		return take_u32(text, bytes, &fault->error_code);
	case FZ_FIELD_COMM:
	case FZ_NR_FIELDS:
		break;
	}
	return take_comm(text, bytes, fault);
}

const char *fz_record_take(struct fz_fault *fault, enum fz_record_field field,
			   const char *text, size_t bytes)
{
	static const char *const reasons[FZ_NR_FIELDS] = {
		[FZ_FIELD_TIME] = "a time that is no number of nanoseconds",
		[FZ_FIELD_CPU] = "a CPU that is no number",
		[FZ_FIELD_PID] = "a pid that is no number",
		[FZ_FIELD_TID] = "a tid that is no number",
		[FZ_FIELD_EVENT] = "an event that is not known",
		[FZ_FIELD_ADDR] = "an address that is not hexadecimal",
		[FZ_FIELD_IP] = "an ip that is not hexadecimal",
		[FZ_FIELD_ERROR_CODE] = "an error code that is no number",
		[FZ_FIELD_COMM] = ("a comm that is longer than 16 bytes, or "
				   "has a NUL"),
	};

	if (!take(fault, field, text, bytes))
		return reasons[field];
	fault->knows |= known_by[field];
	return NULL;
}

const char *fz_record_line_reason(const struct fz_trace_line *line)
{
	if (line->cut)
		return "longer than 64 KiB";
	return line->unterminated ? "the last line does not end" : NULL;
}

size_t fz_record_read(struct fz_trace_reader *reader,
		      const struct fz_trace_line *line,
		      const struct fz_fault *fault, const char *reason)
{
	if (reason) {
		fz_trace_problem(reader->problems, FZ_TRACE_BAD, reason,
				 line->number, line->text, line->bytes);
		return 0;
	}
	if (fault->event == FZ_EVENT_LOST)
		fz_trace_lost(reader->problems, fault->value);
	return 1;
}

int fz_record_write_lines(struct fz_trace_writer *writer,
			  const struct fz_fault *faults, size_t nr,
			  char *(*put)(char *at, const struct fz_fault *fault))
{
	char lines[64 * FZ_RECORD_LINE_BYTES];
	char *at = lines;
	int code = 0;

	for (size_t i = 0; i < nr && !code; i++) {
		at = put(at, &faults[i]);
		if (i + 1 < nr && (size_t)(lines + sizeof(lines) - at) >=
					  FZ_RECORD_LINE_BYTES)
			continue;
		code = writer->sink.write(writer->sink.state, lines,
					  (size_t)(at - lines));
		at = lines;
	}
	return code;
}
