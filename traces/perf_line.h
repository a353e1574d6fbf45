/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of a line of perf script. */
#ifndef PERF_LINE_H
#define PERF_LINE_H

#include <fz/fault.h>

#include "text_scan.h"

/*
 * A line up to the name of its event. @rest is behind it; of a line about a
 * process or a mapping (@is_record) behind PERF_RECORD_.
 */
struct perf_line {
	struct scan rest;
	enum fz_event event; /* FZ_NR_EVENTS: no page fault */
	uint64_t period;     /* 1 if it is not printed */
	bool is_record;
};

/* More of a line is not compared. */
#define PERF_TEMPLATE_BYTES 64u

/*
 * Lines are alike, those of a CPU more than others. @front is a line up to the
 * dot of its time, @middle what is between the time and the rest; where they
 * come again, so do @fault, with whole seconds in its time, and @line.
 */
struct perf_template {
	size_t front_bytes, fraction_digits, middle_bytes;
	char front[PERF_TEMPLATE_BYTES];
	char middle[PERF_TEMPLATE_BYTES];
	struct fz_fault fault;
	struct perf_line line;
};

#define PERF_TEMPLATES 2u

/* Zeroed at the start. */
struct perf_templates {
	size_t used; /* the last one */
	struct perf_template at[PERF_TEMPLATES];
};

/*
 * Fills in what stands before the event: comm, pid, tid, cpu and time, as far
 * as they are printed. A single number in place of both ids is the thread's.
 * False if it is no such line. One of the templates is the line's afterwards.
 */
bool perf_line_begin(struct perf_line *line, struct scan text,
		     struct perf_templates *templates, struct fz_fault *fault);

/* The event of a name with modifiers (page-faults:u), or FZ_NR_EVENTS. */
enum fz_event perf_event_of_name(const char *name, size_t bytes);

/* What perf_line_address() found. */
enum perf_address {
	PERF_ADDRESS_THERE,
	PERF_ADDRESS_MISSING, /* only an instruction pointer, or nothing */
	PERF_ADDRESS_BAD,
};

/* Fills in address, ip and backing of a software event. */
enum perf_address perf_line_address(struct scan rest, struct fz_fault *fault);

#endif
