/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A trace that is being written. */
#ifndef FZ_TRACE_OUTPUT_H
#define FZ_TRACE_OUTPUT_H

#include <stddef.h>

#include <fz/fault.h>
#include <fz/trace_format.h>

struct fz_trace_output;

/**
 * fz_trace_output_open() - begin to write: what stands before the records
 * @out: written on success
 * @format: one that can be written
 * @sink: copied; its state must outlive the output
 *
 * Return: 0; -ENOTSUP if the format is only read; -ENOMEM; what the sink gave.
 */
int fz_trace_output_open(struct fz_trace_output **out,
			 const struct fz_trace_format *format,
			 struct fz_byte_sink sink);

/**
 * fz_trace_output_write() - records, in the order given
 * @output: the output
 * @faults: [@nr]
 * @nr: how many
 *
 * The bytes written do not depend on how records are dealt out to calls.
 *
 * Return: 0 or -errno.
 */
int fz_trace_output_write(struct fz_trace_output *output,
			  const struct fz_fault *faults, size_t nr);

/**
 * fz_trace_output_end() - what stands behind the records
 * @output: the output; only closed after this
 *
 * Without it a binary trace is one that was cut short.
 *
 * Return: 0 or -errno.
 */
int fz_trace_output_end(struct fz_trace_output *output);

/**
 * fz_trace_output_close() - free it
 * @output: may be NULL
 */
void fz_trace_output_close(struct fz_trace_output *output);

#endif
