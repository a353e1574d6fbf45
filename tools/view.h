/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A view is written in memory first, then to its file in one go. */
#ifndef FZ_VIEW_H
#define FZ_VIEW_H

#include <stddef.h>
#include <stdio.h>

/*
 * One write at the end knows exactly why it failed, and a reader never sees
 * half a document of a program that ran out of memory.
 */
struct fz_view {
	FILE *stream; /* what is written here ... */
	char *text;   /* ... comes to stand here */
	size_t bytes;
};

/* Return: 0 or -ENOMEM. */
int fz_view_begin(struct fz_view *view);

/* Write it out and free it. Return: 0 or -errno. */
int fz_view_end(struct fz_view *view, FILE *out);

/* Free it unwritten. */
void fz_view_drop(struct fz_view *view);

/* Write and flush. Return: 0 or -errno. */
int fz_write_all(FILE *out, const char *text, size_t bytes);

/* Write all of it, whatever signals and full pipes. Return: 0 or -errno. */
int fz_write_fd(int fd, const char *text, size_t bytes);

#endif
