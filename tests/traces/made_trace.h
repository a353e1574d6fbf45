/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Traces in memory, and records to fill them with. */
#ifndef MADE_TRACE_H
#define MADE_TRACE_H

#include <stddef.h>

#include <fz/random.h>
#include <fz/trace_output.h>
#include <fz/trace_stream.h>

/* Bytes that grow as they are written; begin with { 0 }. */
struct made_bytes {
	char *text; /* [bytes] */
	size_t bytes;
	size_t room;
	size_t at;      /* read so far */
	size_t at_once; /* handed out by a read; 0 = as many as are wanted */
};

void made_bytes_fini(struct made_bytes *bytes);
struct fz_byte_sink made_sink(struct made_bytes *bytes);

/* Reads them from the beginning. */
struct fz_byte_source made_source(struct made_bytes *bytes);

/* Bytes of a text; sizeof() of a literal counts NULs in it. */
void made_text(struct made_bytes *bytes, const char *text, size_t nr);

/* Any record that can be: events, what is known, comms of any bytes. */
struct fz_fault made_fault(struct fz_random *random);

/* [nr] of them, for free(); those with times in order of time. */
struct fz_fault *made_faults(struct fz_random *random, size_t nr);

/* Written in that format, in calls of random lengths. */
void made_write(struct made_bytes *bytes, const struct fz_trace_format *format,
		const struct fz_fault *faults, size_t nr,
		struct fz_random *random);

/* What was read. */
struct made_reading {
	struct fz_fault *faults; /* [nr], for free() */
	size_t nr;
	int code; /* of opening or reading */
	struct fz_err err;
	struct fz_trace_problems problems;
};

/* Read all of it; a NULL format is found. */
struct made_reading made_read(struct made_bytes *bytes,
			      const struct fz_trace_format *format);

/* Of two lists of records, how many differ. */
size_t made_differences(const struct fz_fault *a, size_t nr_a,
			const struct fz_fault *b, size_t nr_b);

#endif
