/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bytes of a trace, buffered, and cut into lines without copying them. */
#ifndef FZ_TRACE_INPUT_H
#define FZ_TRACE_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/**
 * struct fz_byte_source - where bytes come from
 * @state: handed to @read
 * @read: up to @cap bytes into @buf; how many, 0 at the end, or -errno
 */
struct fz_byte_source {
	void *state;
	ssize_t (*read)(void *state, void *buf, size_t cap);
};

/* What is beyond this of a line is dropped. */
#define FZ_TRACE_LINE_BYTES ((size_t)64 << 10)

/* What a format may look at to recognise itself. */
#define FZ_TRACE_HEAD_BYTES ((size_t)64 << 10)

struct fz_trace_input;

/**
 * fz_trace_input_open() - nothing is read yet
 * @out: written on success
 * @source: copied; its state must outlive the input
 *
 * Return: 0 or -ENOMEM.
 */
int fz_trace_input_open(struct fz_trace_input **out,
			struct fz_byte_source source);

/**
 * fz_trace_input_close() - free it
 * @input: may be NULL
 */
void fz_trace_input_close(struct fz_trace_input *input);

/**
 * fz_trace_input_peek() - the next bytes, without taking them
 * @input: the input
 * @head: written: [the number returned], valid until the next call
 *
 * Return: as many as there are, up to FZ_TRACE_HEAD_BYTES; -errno.
 */
ssize_t fz_trace_input_peek(struct fz_trace_input *input, const char **head);

/**
 * struct fz_trace_line - a line
 * @text: [@bytes], any bytes but a newline; a CR at its end is gone
 * @bytes: its length
 * @number: 1 = the first
 * @cut: it was longer than FZ_TRACE_LINE_BYTES
 * @unterminated: the bytes ended without a newline
 */
struct fz_trace_line {
	const char *text;
	size_t bytes;
	uint64_t number;
	bool cut;
	bool unterminated;
};

/**
 * fz_trace_input_line() - the next line
 * @input: the input
 * @line: written if there is one; its text is valid until the next call
 *
 * Return: 1, 0 at the end, or -errno.
 */
int fz_trace_input_line(struct fz_trace_input *input,
			struct fz_trace_line *line);

/**
 * fz_trace_input_take() - exactly so many bytes
 * @input: the input
 * @bytes: at most FZ_TRACE_HEAD_BYTES
 * @out: written on success: [@bytes], valid until the next call
 *
 * Return: 1; 0 if the bytes had ended before; -EBADMSG if there were fewer;
 * -errno.
 */
int fz_trace_input_take(struct fz_trace_input *input, size_t bytes,
			const void **out);

#endif
