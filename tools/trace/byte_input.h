/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bytes of a file or of standard input; gz, xz and zst are unpacked. */
#ifndef FZ_BYTE_INPUT_H
#define FZ_BYTE_INPUT_H

#include <stdbool.h>
#include <stdint.h>

#include <fz/err.h>
#include <fz/trace_input.h>

struct fz_byte_input;

/*
 * "-" is standard input. Return: 0; a negative errno and a sentence that names
 * the file.
 */
int fz_byte_input_open(struct fz_byte_input **out, const char *path,
		       struct fz_err *err);

/* Of an open file, which is closed with the input, also on failure. */
int fz_byte_input_open_fd(struct fz_byte_input **out, int fd, const char *name,
			  struct fz_err *err);
void fz_byte_input_close(struct fz_byte_input *input);

/*
 * Of which there is one; the input outlives it. Where a signal that is caught
 * comes while nothing can be read, a read fails with -EINTR.
 */
struct fz_byte_source fz_byte_input_source(struct fz_byte_input *input);

/* Why a read failed, where an errno does not say it; else NULL. */
const char *fz_byte_input_why(const struct fz_byte_input *input);

/* Was something of it packed so that damage need not be noticed? */
bool fz_byte_input_lacks_checksum(const struct fz_byte_input *input);

/* Of all bytes of the file, packed as they are, so many were read. */
struct fz_byte_share {
	uint64_t done;
	uint64_t all; /* 0 = nobody knows: a pipe */
};

struct fz_byte_share fz_byte_input_share(const struct fz_byte_input *input);

#endif
