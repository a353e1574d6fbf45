/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A format of traces: how faults are read from bytes and written as bytes. */
#ifndef FZ_TRACE_FORMAT_H
#define FZ_TRACE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <fz/err.h>
#include <fz/fault.h>
#include <fz/trace_input.h>
#include <fz/trace_problems.h>

/* How far times step back between CPUs, unless a format says otherwise. */
#define FZ_TRACE_REORDER_NS 10000000u

/**
 * struct fz_trace_params - what a reader must be told
 * @tsc_hz: rate of times that are ticks of the time-stamp counter; 0 = unknown
 */
struct fz_trace_params {
	double tsc_hz;
};

/**
 * struct fz_trace_reader - what a format reads with
 * @input: the bytes
 * @params: what it was told
 * @problems: what it could not use goes there
 * @state: [state_bytes] its own, zeroed at the start
 */
struct fz_trace_reader {
	struct fz_trace_input *input;
	struct fz_trace_params params;
	struct fz_trace_problems *problems;
	void *state;
};

/**
 * struct fz_byte_sink - where bytes go
 * @state: handed to @write
 * @write: all of them; 0 or -errno
 */
struct fz_byte_sink {
	void *state;
	int (*write)(void *state, const void *bytes, size_t nr);
};

/**
 * struct fz_trace_writer - what a format writes with
 * @sink: the bytes
 * @state: [writer_bytes] its own, zeroed at the start
 */
struct fz_trace_writer {
	struct fz_byte_sink sink;
	void *state;
};

/**
 * struct fz_trace_format - one format
 * @name: name on the command line. Required.
 * @summary: one line. Required.
 * @probe: how sure are the first @bytes bytes (up to 64 KiB, at least the first
 *	lines) of this format? 0 = no, 100 = certainly. Required.
 * @reorder_ns: how far times step back between CPUs: records are sorted within
 *	it, and a larger step begins another session; 0 = FZ_TRACE_REORDER_NS
 * @state_bytes: size of a reader's state
 * @read: up to @max records into @faults, in the order of the file: how many, 0
 *	at the end, -EBADMSG for what makes the rest unreadable (a binary file
 *	that was cut, a text without addresses). A line that cannot be used is
 *	a problem, not an error. Required.
 * @writer_bytes: size of a writer's state
 * @write_begin: what stands before the records; NULL = it cannot be written
 * @write: records; 0 or -errno
 * @write_end: what stands behind them; may be NULL
 *
 * Writing is for struct fz_trace_output, reading for struct fz_trace.
 */
struct fz_trace_format {
	const char *name;
	const char *summary;
	unsigned int (*probe)(const char *head, size_t bytes);
	uint64_t reorder_ns;
	size_t state_bytes;
	ssize_t (*read)(struct fz_trace_reader *reader, struct fz_fault *faults,
			size_t max, struct fz_err *err);
	size_t writer_bytes;
	int (*write_begin)(struct fz_trace_writer *writer);
	int (*write)(struct fz_trace_writer *writer,
		     const struct fz_fault *faults, size_t nr);
	int (*write_end)(struct fz_trace_writer *writer);
};

/* NULL-terminated, in the order of the list in CMakeLists.txt. */
extern const struct fz_trace_format *const fz_trace_formats[];

/**
 * fz_trace_format_find() - the format of that name
 * @name: exact name
 *
 * Return: the format, or NULL.
 */
const struct fz_trace_format *fz_trace_format_find(const char *name);

/**
 * fz_trace_format_reorder_ns() - how far its times step back between CPUs
 * @format: the format
 *
 * Return: that, in ns.
 */
uint64_t fz_trace_format_reorder_ns(const struct fz_trace_format *format);

#endif
