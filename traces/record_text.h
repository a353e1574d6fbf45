/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fields of a record as text: what canonical and CSV traces have in common. */
#ifndef FZ_RECORD_TEXT_H
#define FZ_RECORD_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fz/fault.h>
#include <fz/trace_format.h>

/* The fields in the order of a canonical line. */
enum fz_record_field {
	FZ_FIELD_TIME,
	FZ_FIELD_CPU,
	FZ_FIELD_PID,
	FZ_FIELD_TID,
	FZ_FIELD_EVENT,
	FZ_FIELD_ADDR,
	FZ_FIELD_IP,
	FZ_FIELD_ERROR_CODE,
	FZ_FIELD_COMM,
	FZ_NR_FIELDS,
};

/* Bytes that the longest field may take: a comm of escapes, an event. */
#define FZ_FIELD_BYTES (4 * FZ_COMM_BYTES)

/* Bytes that a line with all fields may take. */
#define FZ_RECORD_LINE_BYTES 512

/*
 * Write a field, which is not NUL-terminated then; an unknown one is nothing.
 * A byte of the comm outside 0x20-0x7e, and a backslash, becomes \xNN. Return:
 * the byte behind it.
 */
char *fz_record_put(char *at, const struct fz_fault *fault,
		    enum fz_record_field field);

/*
 * Read what fz_record_put() wrote; addresses also without 0x. The caller has
 * dealt with unknown fields. Return: NULL, or why it cannot be used.
 */
const char *fz_record_take(struct fz_fault *fault, enum fz_record_field field,
			   const char *text, size_t bytes);

/* Digits only; at most `max`. */
bool fz_take_decimal(const char *text, size_t bytes, uint64_t max,
		     uint64_t *value);

/* Why a line may not even be looked at; NULL = it may. */
const char *fz_record_line_reason(const struct fz_trace_line *line);

/*
 * A line was read: with a reason it is a problem, without one it is a record,
 * which may tell of losses. Return: the number of records, 0 or 1.
 */
size_t fz_record_read(struct fz_trace_reader *reader,
		      const struct fz_trace_line *line,
		      const struct fz_fault *fault, const char *reason);

/* Write lines; `put` writes at most FZ_RECORD_LINE_BYTES. 0 or -errno. */
int fz_record_write_lines(struct fz_trace_writer *writer,
			  const struct fz_fault *faults, size_t nr,
			  char *(*put)(char *at, const struct fz_fault *fault));

#endif
