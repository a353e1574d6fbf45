/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A trace that is being read: its format found, its records in order. */
#ifndef FZ_TRACE_STREAM_H
#define FZ_TRACE_STREAM_H

#include <fz/err.h>
#include <fz/fault_source.h>
#include <fz/trace_format.h>
#include <fz/trace_input.h>
#include <fz/trace_problems.h>

struct fz_trace;

/**
 * fz_trace_open() - begin to read
 * @out: written on success
 * @source: the bytes, decompressed
 * @format: NULL = the one that recognises the first bytes
 * @params: what a reader must be told
 * @err: message on failure: formats that were tried
 *
 * Return: 0; -EBADMSG if the bytes are empty or no format knows them; -ENOMEM;
 * what reading gave.
 */
int fz_trace_open(struct fz_trace **out, struct fz_byte_source source,
		  const struct fz_trace_format *format,
		  const struct fz_trace_params *params, struct fz_err *err);

/**
 * fz_trace_close() - free it
 * @trace: may be NULL
 */
void fz_trace_close(struct fz_trace *trace);

/**
 * fz_trace_source() - its records in order of time
 * @trace: must outlive the source
 *
 * Records without a time keep their place among those around them. The source
 * ends with -EBADMSG where the rest cannot be read, or where not one record
 * came of what was read.
 *
 * Return: the source, of which there is one.
 */
struct fz_fault_source fz_trace_source(struct fz_trace *trace);

/**
 * fz_trace_format_of() - the format it is read with
 * @trace: the trace
 *
 * Return: the format.
 */
const struct fz_trace_format *fz_trace_format_of(const struct fz_trace *trace);

/**
 * fz_trace_problems_of() - what could not be used so far
 * @trace: the trace
 *
 * Return: the problems; complete once the source has ended.
 */
const struct fz_trace_problems *
fz_trace_problems_of(const struct fz_trace *trace);

#endif
