/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file that is written piece by piece, and is there whole or not at all. */
#ifndef FZ_WHOLE_FILE_H
#define FZ_WHOLE_FILE_H

#include <sys/types.h>

#include <fz/trace_format.h>

/**
 * struct fz_whole_file - on its way
 * @path: as it was given; NULL = standard output
 * @real_path: what a link points to; NULL = written in place
 * @temporary: beside it, until it is whole; NULL = written in place
 * @fd: where bytes go
 *
 * What is no file (a pipe, a device, standard output) is written as it comes.
 */
struct fz_whole_file {
	const char *path;
	char *real_path;
	char *temporary;
	int fd;
};

#define FZ_WHOLE_FILE_NONE ((struct fz_whole_file){ .fd = -1 })

/*
 * NULL and "-" are standard output. Return: 0; -errno after a complaint.
 * fz_whole_file_close() follows also then.
 */
int fz_whole_file_open(struct fz_whole_file *file, const char *path);

/* Will that be possible? Nothing is changed. 0; -errno after a complaint. */
int fz_whole_file_check(const char *path);

/* Where to write. */
struct fz_byte_sink fz_whole_file_sink(struct fz_whole_file *file);

/* All is written: let it be seen. 0; -errno after a complaint. */
int fz_whole_file_commit(struct fz_whole_file *file);

/* Say that a write failed. */
void fz_whole_file_complain(const struct fz_whole_file *file, int code);

/* What was not committed is gone. */
void fz_whole_file_close(struct fz_whole_file *file);

#endif
