// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines of perf script, from the left: no field is found by counting words. */
#include "perf_line.h"

#include "backing_name.h"
#include "text_word.h"

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

/* [PERIOD] EVENT: */
static bool scan_event(struct scan *scan, struct perf_line *line)
{
	const char *blank, *name;

	line->period = 1;
	if (scan_is_digit(scan_peek(scan)) &&
	    (!scan_decimal(scan, &line->period) || !scan_spaces(scan)))
		return false;
	name = scan->at;
	blank = memchr(scan->at, ' ', scan_left(scan));
	scan->at = blank ? blank : scan->end;
	if (scan->at - name < 2 || scan->at[-1] != ':')
		return false;
	line->event = perf_event_of_name(name, (size_t)(scan->at - name) - 1);
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

/* A time that is damaged still ends with its colon. */
static bool ends_with_colon(const char *begin, const char *end)
{
	while (end > begin && end[-1] == ' ')
		end--;
	return end > begin && end[-1] == ':';
}

static bool begins_with_ids(struct scan text)
{
	struct fz_fault ignored = { .knows = 0 };

	scan_spaces(&text);
	return scan_ids(&text, &ignored) && scan_spaces(&text) > 0;
}

/*
 * Where there is no time, a period looks like a thread, and all in front of it
 * like a comm: also ids and the time of a line that is damaged.
 */
static bool is_comm_alone(const char *comm, size_t bytes)
{
	struct scan text = { comm, comm + bytes };

	if (ends_with_colon(comm, comm + bytes))
		return false;
	for (; scan_left(&text); text.at++)
		if ((text.at == comm || *text.at == ' ') &&
		    begins_with_ids(text))
			return false;
	return true;
}

/* Blanks at its beginning are perf's. False if it cannot be one. */
static bool take_comm(struct fz_fault *fault, const char *comm, size_t bytes)
{
	if (memchr(comm, '\0', bytes) ||
	    (!(fault->knows & FZ_KNOWS_TIME) && !is_comm_alone(comm, bytes)))
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
			 struct fz_fault *fault)
{
	const char *column = text.at;

	if (scan_left(&text) <= COMM_COLUMNS || column[0] != ' ' ||
	    column[COMM_COLUMNS] != ' ')
		return false;
	text.at += COMM_COLUMNS;
	return scan_from_ids(text, line, fault) &&
	       take_comm(fault, column, COMM_COLUMNS);
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
			return take_comm(fault, first,
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

/*
 * What a padded line says up to its time does not depend on what follows, so
 * that it can be taken from the line before. Lines without padding begin like a
 * padded one in no case: those that do are padded.
 */
static void learn(struct perf_template *template, struct scan text,
		  const struct perf_line *line, const struct fz_fault *fault)
{
	const char *begin = text.at, *dot;
	struct scan middle;

	template->front_bytes = 0;
	if (!(fault->knows & FZ_KNOWS_TIME) || line->is_record)
		return;
	text.at += COMM_COLUMNS;
	dot = memchr(text.at, '.', scan_left(&text));
	middle = (struct scan){ dot + 1, line->rest.at };
	while (scan_is_digit(scan_peek(&middle)))
		middle.at++;
	if (dot - begin >= PERF_TEMPLATE_BYTES ||
	    scan_left(&middle) > PERF_TEMPLATE_BYTES)
		return;
	template->front_bytes = (size_t)(dot + 1 - begin);
	memcpy(template->front, begin, template->front_bytes);
	template->fraction_digits = (size_t)(middle.at - dot) - 1;
	template->middle_bytes = scan_left(&middle);
	memcpy(template->middle, middle.at, template->middle_bytes);
	template->line = *line;
	template->fault = *fault;
	template->fault.time_ns -= fault->time_ns % 1000000000;
}

/* Six or nine digits as perf prints them, in ns. */
static bool scan_fraction(struct scan *scan, size_t digits, uint32_t *fraction)
{
	uint64_t six;

	if (digits != 9) {
		*fraction = 0;
		if (digits != 6 || scan_decimal(scan, &six) != 6)
			return false;
		*fraction = (uint32_t)six * 1000;
		return true;
	}
	if (!text_decimal8(scan->at, fraction) || !scan_is_digit(scan->at[8]))
		return false;
	*fraction = *fraction * 10 + (uint32_t)(scan->at[8] - '0');
	scan->at += 9;
	return true;
}

/* The line as the one before it was, where that is the same. */
static bool follow(const struct perf_template *template, struct scan text,
		   struct perf_line *line, struct fz_fault *fault)
{
	uint32_t fraction;

	if (!template->front_bytes ||
	    scan_left(&text) < template->front_bytes +
				       template->fraction_digits +
				       template->middle_bytes ||
	    memcmp(text.at, template->front, template->front_bytes) != 0)
		return false;
	text.at += template->front_bytes;
	if (!scan_fraction(&text, template->fraction_digits, &fraction) ||
	    memcmp(text.at, template->middle, template->middle_bytes) != 0)
		return false;
	text.at += template->middle_bytes;
	/* "page-faults:" begins "page-faults:u:" too. */
	if (scan_left(&text) && *text.at != ' ')
		return false;
	*fault = template->fault;
	fault->time_ns += fraction;
	*line = template->line;
	line->rest = text;
	return true;
}

/* The one used last is tried first, and the other is learned anew. */
bool perf_line_begin(struct perf_line *line, struct scan text,
		     struct perf_templates *templates, struct fz_fault *fault)
{
	_Static_assert(PERF_TEMPLATES == 2, "the other one is used ^ 1");
	if (follow(&templates->at[templates->used], text, line, fault))
		return true;
	templates->used ^= 1;
	if (follow(&templates->at[templates->used], text, line, fault))
		return true;
	forget(fault);
	if (begin_padded(line, text, fault)) {
		learn(&templates->at[templates->used], text, line, fault);
		return true;
	}
	return begin_unpadded(line, text, fault) ||
	       begin_with_time(line, text, fault);
}

/* Where blanks were lost, a word of so many digits is an address. */
#define MIN_LOOSE_DIGITS 8u

/* A number in hex is next that has the shape of a column. */
static bool scan_hex_column(struct scan *scan, uint64_t *value, bool loose)
{
	size_t digits;

	if (scan_left(scan) > ADDRESS_COLUMNS && *scan->at == ' ' &&
	    text_hex16(scan->at + 1, value)) {
		scan->at += 1 + ADDRESS_COLUMNS;
		return scan_left(scan) == 0 || *scan->at == ' ';
	}
	if (!loose)
		return false;
	scan_spaces(scan);
	digits = scan_hex(scan, value);
	return digits >= MIN_LOOSE_DIGITS &&
	       (scan_left(scan) == 0 || *scan->at == ' ');
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

/* Behind one blank a column with an address that leaves room for another: the
 * usual line, of which nothing else has to be asked. */
static bool scan_usual_address(struct scan *rest, uint64_t *addr)
{
	if (scan_left(rest) < 1 + ADDRESS_COLUMNS || rest->at[0] != ' ' ||
	    rest->at[1] != ' ' || !text_hex16(rest->at + 1, addr))
		return false;
	rest->at += 1 + ADDRESS_COLUMNS;
	return scan_left(rest) == 0 || *rest->at == ' ';
}

/*
 * perf prints an address in ADDRESS_COLUMNS behind one blank, and an ip that
 * comes first behind two: that tells which of them was asked for. Where the
 * blanks are not perf's any more, and where a code address of 16 digits leaves
 * none, two numbers are address and ip, one alone is an address, and one with
 * nothing but a symbol or a file is an ip.
 */
static enum perf_address scan_address(struct scan *rest, uint64_t *addr,
				      bool *loose)
{
	const size_t blanks = scan_spaces(rest);
	struct scan ahead;
	uint64_t number;
	size_t digits;
	bool is_ip;

	if (!scan_left(rest))
		return PERF_ADDRESS_MISSING;
	scan_text(rest, "0x");
	digits = scan_hex(rest, addr);
	if (digits == 0 || (scan_left(rest) && *rest->at != ' '))
		return PERF_ADDRESS_BAD;
	is_ip = blanks + digits == 2 + ADDRESS_COLUMNS;
	*loose = blanks + digits != 1 + ADDRESS_COLUMNS;
	ahead = *rest;
	if (*loose || digits == ADDRESS_COLUMNS)
		is_ip = is_ip || (!scan_to_ip(&ahead, &number, *loose) &&
				  ahead.at - rest->at > 1);
	return is_ip ? PERF_ADDRESS_MISSING : PERF_ADDRESS_THERE;
}

enum perf_address perf_line_address(struct scan rest, struct fz_fault *fault)
{
	struct scan usual = rest;
	const char *symbol;
	bool loose = false;

	if (scan_usual_address(&usual, &fault->addr)) {
		rest = usual;
	} else {
		const enum perf_address found =
			scan_address(&rest, &fault->addr, &loose);

		if (found != PERF_ADDRESS_THERE)
			return found;
	}
	fault->knows |= FZ_KNOWS_ADDR;
	if (!scan_left(&rest))
		return PERF_ADDRESS_THERE;
	symbol = rest.at;
	if (scan_to_ip(&rest, &fault->ip, loose))
		fault->knows |= FZ_KNOWS_IP;
	fault->backing = (uint8_t)backing_of_symbol(symbol, rest.at);
	return PERF_ADDRESS_THERE;
}
