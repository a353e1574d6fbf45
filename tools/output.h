/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a document goes: standard output, or the file of --output. */
#ifndef FZ_OUTPUT_H
#define FZ_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct fz_output - opened before the work, written when there is a result
 * @path: NULL = standard output
 * @fd: -1 = standard output
 * @made: the file was not there before
 * @written: the document is in it
 *
 * A file that is there keeps its content until there is a new document; one
 * that was made for a document and got none goes again.
 */
struct fz_output {
	const char *path;
	int fd;
	bool made;
	bool written;
};

#define FZ_OUTPUT_STDOUT ((struct fz_output){ .fd = -1 })

/* NULL for standard output. Return: FZ_EXIT_DONE, or an exit status after a
 * complaint. fz_output_close() follows also then. */
int fz_output_open(struct fz_output *output, const char *path);
int fz_output_write(struct fz_output *output, const char *document,
		    size_t bytes);
void fz_output_close(struct fz_output *output);

#endif
