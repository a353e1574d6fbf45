/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of a line of perf script. */
#ifndef PERF_LINE_H
#define PERF_LINE_H

#include <fz/fault.h>

#include "text_scan.h"

/* Lines are alike: what the one before had in the same place. */
struct perf_line_memo {
	char comm_column[16];
	char comm[FZ_COMM_BYTES];
	uint8_t comm_bytes;
	uint8_t event; /* enum fz_event; FZ_NR_EVENTS: no page fault */
	uint8_t name_bytes;
	char name[64];
};

/*
 * A line up to the name of its event. @rest is behind it; of a line about a
 * process or a mapping (@is_record) behind PERF_RECORD_.
 */
struct perf_line {
	struct scan rest;
	const char *event; /* [event_bytes], without the colon at its end */
	size_t event_bytes;
	uint64_t period; /* 1 if it is not printed */
	bool is_record;
};

/*
 * Fills in what stands before the event: comm, pid, tid, cpu and time, as far
 * as they are printed. A single number in place of both ids is the thread's.
 * False if it is no such line.
 */
bool perf_line_begin(struct perf_line *line, struct scan text,
		     struct perf_line_memo *memo, struct fz_fault *fault);

/* The event of a line, FZ_NR_EVENTS if it is no page fault. */
enum fz_event perf_line_event(const struct perf_line *line,
			      struct perf_line_memo *memo);

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
