/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Many short lines to a stream, several times faster than printf. */
#ifndef FZ_LINE_BUFFER_H
#define FZ_LINE_BUFFER_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * For expanded plans: half a million lines for 1 GiB page by page. The first
 * error sticks, nothing is written after it, and fz_lines_finish() gives it.
 */
#define FZ_LINES_BYTES 65536

/**
 * struct fz_lines - bytes on their way to a stream
 * @out: the stream
 * @error: 0, or the -errno of the first failed write
 * @used: bytes waiting in @bytes
 * @bytes: [FZ_LINES_BYTES]
 */
struct fz_lines {
	FILE *out;
	int error;
	size_t used;
	char bytes[FZ_LINES_BYTES];
};

void fz_lines_init(struct fz_lines *lines, FILE *out);

/* Append a short text, at most FZ_LINES_BYTES. */
void fz_lines_text(struct fz_lines *lines, const char *text);

/* Append a number in decimal. */
void fz_lines_u64(struct fz_lines *lines, uint64_t value);

/* Hand over what is waiting, and flush; 0 or the first error. */
int fz_lines_finish(struct fz_lines *lines);

#endif
