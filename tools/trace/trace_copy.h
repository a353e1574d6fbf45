/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records from a source to a file. */
#ifndef FZ_TRACE_COPY_H
#define FZ_TRACE_COPY_H

#include <stdbool.h>

#include <fz/fault_source.h>
#include <fz/trace_format.h>

/* Parse the value of --to; false after a complaint. */
bool fz_trace_option_to(const struct fz_trace_format **to, const char *value);

/* Complain about bytes that a terminal should not get. */
bool fz_trace_fits_output(const struct fz_trace_format *to, const char *path);

/*
 * All of them to the file at `path`, NULL = standard output; one whose name
 * ends with .gz, .xz or .zst is packed. A file is there only if all went well.
 * A signal that comes meanwhile and would end the program stops it; the caller
 * lets it. Return: an exit status, after a complaint.
 */
int fz_trace_copy(struct fz_fault_source source,
		  const struct fz_trace_format *to, const char *path);

#endif
