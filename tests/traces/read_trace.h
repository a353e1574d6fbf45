/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Traces from memory, read to their end, for tests. */
#ifndef READ_TRACE_H
#define READ_TRACE_H

#include <stddef.h>

#include <fz/trace_stream.h>

/* Bytes that are handed out so many at a time. */
struct memory_bytes {
	const char *bytes;
	size_t nr;
	size_t chunk; /* 0 = as many as are asked for */
	size_t at;
};

struct fz_byte_source memory_source(struct memory_bytes *memory);

/* All that came of a trace. */
struct outcome {
	struct fz_fault *faults; /* [nr], in the order they came */
	size_t nr;
	int code; /* why it ended: 0 = it was the end */
	const struct fz_trace_format *format;
	struct fz_trace_problems problems;
	struct fz_err err;
};

/* NULL for a format that the trace is to be recognised by. */
void outcome_read(struct outcome *outcome, struct fz_byte_source source,
		  const struct fz_trace_format *format, double tsc_hz);
void outcome_read_text(struct outcome *outcome, const char *text,
		       const char *format);
void outcome_fini(struct outcome *outcome);

/* How many problems there were of a kind. */
uint64_t outcome_count(const struct outcome *outcome,
		       enum fz_trace_problem_kind kind);

/*
 * Records as lines for comparison: event+value@backing, time in ns, pid, tid,
 * cpu, address, ip, error code, comm; - for what is unknown.
 */
char *records_text(const struct fz_fault *faults, size_t nr);

/* A file of tests/traces/data; freed by the caller. */
char *read_sample(const char *name, size_t *bytes);

#endif
