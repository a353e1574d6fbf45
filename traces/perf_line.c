// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines of perf script, from the left: no field is found by counting words. */
#include "perf_line.h"

#include "backing_name.h"

/* perf pads a comm on its left to this, except above call chains. */
#define COMM_COLUMNS 16u

/* The comm of a kernel thread may be as long as this. */
#define MAX_COMM_BYTES 64u

/* An address is padded on its left to this; in front of it goes a blank. */
#define ADDRESS_COLUMNS 16u

/* A decimal; -1 is for none. */
static bool scan_id(struct scan *scan, uint32_t *id, uint8_t *knows,
		    enum fz_fault_knows which)
{
	uint32_t ignored;

	if (scan_char(scan, '-'))
		return scan_decimal32(scan, &ignored);
	if (!scan_decimal32(scan, id))
		return false;
	*knows |= which;
	return true;
}

/* PID/TID or TID. */
static bool scan_ids(struct scan *scan, struct fz_fault *fault)
{
	if (!scan_id(scan, &fault->pid, &fault->knows, FZ_KNOWS_PID))
		return false;
	if (scan_char(scan, '/'))
		return scan_id(scan, &fault->tid, &fault->knows, FZ_KNOWS_TID);
	fault->tid = fault->pid;
	fault->pid = 0;
	if (fault->knows & FZ_KNOWS_PID)
		fault->knows ^= FZ_KNOWS_PID | FZ_KNOWS_TID;
	return true;
}

/* [CPU], if there is one. */
static bool scan_cpu(struct scan *scan, struct fz_fault *fault)
{
	if (!scan_char(scan, '['))
		return true;
	if (!scan_decimal32(scan, &fault->cpu) || !scan_char(scan, ']'))
		return false;
	fault->knows |= FZ_KNOWS_CPU;
	return scan_spaces(scan) > 0;
}

/* SECONDS.FRACTION: or nothing. */
static void scan_time(struct scan *scan, struct fz_fault *fault)
{
	struct scan ahead = *scan;
	uint64_t time_ns;

	if (!scan_seconds(&ahead, &time_ns) || !scan_char(&ahead, ':'))
		return;
	scan_spaces(&ahead);
	fault->time_ns = time_ns;
	fault->knows |= FZ_KNOWS_TIME;
	*scan = ahead;
}

/* [PERIOD] EVENT: */
static bool scan_event(struct scan *scan, struct perf_line *line)
{
	const char *blank;

	line->period = 1;
	if (scan_is_digit(scan_peek(scan)) &&
	    (!scan_decimal(scan, &line->period) || !scan_spaces(scan)))
		return false;
	line->event = scan->at;
	blank = memchr(scan->at, ' ', scan_left(scan));
	scan->at = blank ? blank : scan->end;
	if (scan->at - line->event < 2 || scan->at[-1] != ':')
		return false;
	line->event_bytes = (size_t)(scan->at - line->event) - 1;
	return true;
}

static bool scan_from_time(struct scan scan, struct perf_line *line,
			   struct fz_fault *fault)
{
	scan_time(&scan, fault);
	line->is_record = scan_text(&scan, "PERF_RECORD_");
	if (!line->is_record && !scan_event(&scan, line))
		return false;
	line->rest = scan;
	return true;
}

static bool scan_from_ids(struct scan scan, struct perf_line *line,
			  struct fz_fault *fault)
{
	scan_spaces(&scan);
	return scan_ids(&scan, fault) && scan_spaces(&scan) > 0 &&
	       scan_cpu(&scan, fault) && scan_from_time(scan, line, fault);
}

static void forget(struct fz_fault *fault)
{
	*fault = (struct fz_fault){ .knows = 0 };
}

/* Blanks at its beginning are perf's. False if it cannot be one. */
static bool set_comm(struct fz_fault *fault, const char *comm, size_t bytes)
{
	if (memchr(comm, '\0', bytes))
		return false;
	while (bytes && *comm == ' ') {
		comm++;
		bytes--;
	}
	fault->comm_bytes =
		(uint8_t)(bytes < FZ_COMM_BYTES ? bytes : FZ_COMM_BYTES);
	memcpy(fault->comm, comm, fault->comm_bytes);
	return true;
}

static bool begin_padded(struct perf_line *line, struct scan text,
			 struct perf_line_memo *memo, struct fz_fault *fault)
{
	const char *column = text.at;

	if (scan_left(&text) <= COMM_COLUMNS || column[0] != ' ' ||
	    column[COMM_COLUMNS] != ' ')
		return false;
	text.at += COMM_COLUMNS;
	if (!scan_from_ids(text, line, fault))
		return false;
	if (memcmp(column, memo->comm_column, COMM_COLUMNS) != 0) {
		if (!set_comm(fault, column, COMM_COLUMNS))
			return false;
		memcpy(memo->comm_column, column, COMM_COLUMNS);
		memcpy(memo->comm, fault->comm, sizeof(memo->comm));
		memo->comm_bytes = fault->comm_bytes;
	}
	memcpy(fault->comm, memo->comm, sizeof(fault->comm));
	fault->comm_bytes = memo->comm_bytes;
	return true;
}

/* The comm ends with the first blank that the rest can follow. */
static bool begin_unpadded(struct perf_line *line, struct scan text,
			   struct fz_fault *fault)
{
	const char *first = text.at;

	for (; text.at < text.end && text.at - first <= MAX_COMM_BYTES;
	     text.at++) {
		if (text.at > first && *text.at != ' ')
			continue;
		forget(fault);
		if (scan_from_ids(text, line, fault))
			return set_comm(fault, first,
					(size_t)(text.at - first));
	}
	return false;
}

/* Neither comm nor ids: it begins with the time. */
static bool begin_with_time(struct perf_line *line, struct scan text,
			    struct fz_fault *fault)
{
	forget(fault);
	scan_spaces(&text);
	return scan_from_time(text, line, fault) &&
	       fault->knows & FZ_KNOWS_TIME;
}

bool perf_line_begin(struct perf_line *line, struct scan text,
		     struct perf_line_memo *memo, struct fz_fault *fault)
{
	forget(fault);
	return begin_padded(line, text, memo, fault) ||
	       begin_unpadded(line, text, fault) ||
	       begin_with_time(line, text, fault);
}

static bool is_modifiers(const char *text, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		if ((text[i] | 0x20) < 'a' || (text[i] | 0x20) > 'z')
			return false;
	return true;
}

static const struct {
	const char *name;
	enum fz_event event;
} other_names[] = {
	{ "page_fault_user", FZ_EVENT_USER_FAULT },
	{ "page_fault_kernel", FZ_EVENT_KERNEL_FAULT },
};

static enum fz_event find_event(const char *name, size_t bytes)
{
	enum fz_event event;

	if (fz_event_find(name, bytes, &event) && fz_event_is_fault(event))
		return event;
	for (size_t i = 0; i < sizeof(other_names) / sizeof(*other_names); i++)
		if (strlen(other_names[i].name) == bytes &&
		    memcmp(name, other_names[i].name, bytes) == 0)
			return other_names[i].event;
	return FZ_NR_EVENTS;
}

/* [PMU/]EVENT[/MODIFIERS] */
static enum fz_event find_between_slashes(const char *name, size_t bytes,
					  const char *slash)
{
	const char *begin = slash + 1, *end = name + bytes;
	const char *next = memchr(begin, '/', (size_t)(end - begin));
	const enum fz_event event = find_event(name, (size_t)(slash - name));

	if (event != FZ_NR_EVENTS)
		return event;
	return find_event(begin, (size_t)((next ? next : end) - begin));
}

enum fz_event perf_event_of_name(const char *name, size_t bytes)
{
	const char *colon = memrchr(name, ':', bytes);
	const char *slash = memchr(name, '/', bytes);
	enum fz_event event = find_event(name, bytes);

	if (event == FZ_NR_EVENTS && colon &&
	    is_modifiers(colon + 1, (size_t)(name + bytes - colon) - 1))
		event = find_event(name, (size_t)(colon - name));
	if (event == FZ_NR_EVENTS && slash)
		event = find_between_slashes(name, bytes, slash);
	return event;
}

enum fz_event perf_line_event(const struct perf_line *line,
			      struct perf_line_memo *memo)
{
	if (line->event_bytes == memo->name_bytes &&
	    memcmp(line->event, memo->name, memo->name_bytes) == 0)
		return memo->event;
	if (line->event_bytes > sizeof(memo->name))
		return FZ_NR_EVENTS;
	memo->name_bytes = (uint8_t)line->event_bytes;
	memcpy(memo->name, line->event, line->event_bytes);
	memo->event =
		(uint8_t)perf_event_of_name(line->event, line->event_bytes);
	return memo->event;
}

/* Where blanks were lost, a word of so many digits is an address. */
#define MIN_LOOSE_DIGITS 8u

/* A number in hex is next that has the shape of a column. */
static bool scan_hex_column(struct scan *scan, uint64_t *value, bool loose)
{
	const size_t blanks = scan_spaces(scan);
	const size_t digits = scan_hex(scan, value);

	if (scan_left(scan) && *scan->at != ' ')
		return false;
	return blanks + digits == 1 + ADDRESS_COLUMNS ||
	       (loose && digits >= MIN_LOOSE_DIGITS);
}

static void skip_word(struct scan *scan)
{
	const char *blank;

	scan_spaces(scan);
	blank = memchr(scan->at, ' ', scan_left(scan));
	scan->at = blank ? blank : scan->end;
}

/* The ip is the next column of hex, behind a symbol, if there is one. Moves to
 * where it begins, or to the end. */
static bool scan_to_ip(struct scan *scan, uint64_t *ip, bool loose)
{
	for (; scan_left(scan); skip_word(scan)) {
		struct scan ahead = *scan;

		if (scan_hex_column(&ahead, ip, loose))
			return true;
	}
	*ip = 0;
	return false;
}

/* SYMBOL (NAME): the name, which may hold parentheses, is the mapping's. A
 * symbol may end with some too, but not with a path or brackets in them. */
static enum fz_fault_backing backing_of_symbol(const char *begin,
					       const char *end)
{
	const char *at = end;
	size_t depth = 0;

	if (at == begin || at[-1] != ')')
		return FZ_BACKING_UNKNOWN;
	do {
		at--;
		depth += *at == ')';
		depth -= *at == '(';
	} while (depth && at > begin);
	if (depth || at == begin || at[-1] != ' ' ||
	    (at[1] != '/' && at[1] != '['))
		return FZ_BACKING_UNKNOWN;
	return backing_of_name(at + 1, (size_t)(end - at) - 2);
}

/*
 * perf prints an address in ADDRESS_COLUMNS behind one blank, and an ip that
 * comes first behind two: that tells which of them was asked for. Where the
 * blanks are not perf's any more, and where a code address of 16 digits leaves
 * none, two numbers are address and ip, one alone is an address, and one with
 * nothing but a symbol or a file is an ip.
 */
enum perf_address perf_line_address(struct scan rest, struct fz_fault *fault)
{
	const size_t blanks = scan_spaces(&rest);
	bool is_ip, loose, has_ip;
	const char *symbol;
	size_t digits;

	if (!scan_left(&rest))
		return PERF_ADDRESS_MISSING;
	scan_text(&rest, "0x");
	digits = scan_hex(&rest, &fault->addr);
	if (digits == 0 || (scan_left(&rest) && *rest.at != ' '))
		return PERF_ADDRESS_BAD;
	is_ip = blanks + digits == 2 + ADDRESS_COLUMNS;
	loose = blanks + digits != 1 + ADDRESS_COLUMNS;
	symbol = rest.at;
	has_ip = scan_to_ip(&rest, &fault->ip, loose);
	if (loose || digits == ADDRESS_COLUMNS)
		is_ip = is_ip || (!has_ip && rest.at - symbol > 1);
	if (is_ip)
		return PERF_ADDRESS_MISSING;
	fault->knows |= FZ_KNOWS_ADDR | (has_ip ? FZ_KNOWS_IP : 0);
	fault->backing = (uint8_t)backing_of_symbol(symbol, rest.at);
	return PERF_ADDRESS_THERE;
}
