/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A trace that is read from a file, and what is said about it. */
#ifndef FZ_TRACE_FILE_H
#define FZ_TRACE_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include <fz/trace_stream.h>

#include "byte_input.h"

/**
 * struct fz_trace_options - how traces are read
 * @format: NULL = found by their first bytes
 * @params: what readers must be told
 * @strict: a line that is not understood is an error
 */
struct fz_trace_options {
	const struct fz_trace_format *format;
	struct fz_trace_params params;
	bool strict;
};

/* Parse the value of --format or --tsc-hz; false after a complaint. */
bool fz_trace_option_format(struct fz_trace_options *options,
			    const char *value);
bool fz_trace_option_tsc_hz(struct fz_trace_options *options,
			    const char *value);

/* These lines of help go with them. */
#define FZ_TRACE_OPTIONS_HELP                                                   \
	"  --tsc-hz HZ     ticks a second of traces with trace_clock x86-tsc\n" \
	"  --strict        a line that is not understood is a failure\n"

/* Names of the trace formats; NULL behind the last. */
const char *fz_trace_format_name_at(size_t i);

struct fz_trace_file;

/*
 * "-" is standard input. Return: 0; a negative errno and a sentence that names
 * the file.
 */
int fz_trace_file_open(struct fz_trace_file **out, const char *path,
		       const struct fz_trace_options *options,
		       struct fz_err *err);

/* Of an open file, which is closed with the trace, also on failure. */
int fz_trace_file_open_fd(struct fz_trace_file **out, int fd, const char *name,
			  const struct fz_trace_options *options,
			  struct fz_err *err);
void fz_trace_file_close(struct fz_trace_file *file);

/* Its records, of which there is one source; errors name the file. With
 * --strict a line that is not understood is one. */
struct fz_fault_source fz_trace_file_source(struct fz_trace_file *file);

const struct fz_trace_format *
fz_trace_file_format(const struct fz_trace_file *file);
struct fz_byte_share fz_trace_file_share(const struct fz_trace_file *file);
const struct fz_trace_problems *
fz_trace_file_problems(const struct fz_trace_file *file);

/* What could not be used, to standard error. At the end, whatever it was. */
void fz_trace_file_complain(const struct fz_trace_file *file);

#endif
