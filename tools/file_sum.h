/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file's checksum, and whether it is still the file that has it. */
#ifndef FZ_FILE_SUM_H
#define FZ_FILE_SUM_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

/* Larger ones are not read. */
#define FZ_FILE_SUM_MAX_BYTES (256ll << 20)

/**
 * struct fz_file_sum - a file as it was read
 * @status: of the file
 * @crc32: as gzip computes it
 */
struct fz_file_sum {
	struct stat status;
	uint32_t crc32;
};

/*
 * Read a file, which never blocks. Return: 0, -EFBIG, -EINVAL if it is no
 * regular file, or another -errno.
 */
int fz_file_sum_read(struct fz_file_sum *sum, const char *path);

/* Is it that file which is at the path? */
bool fz_file_sum_is_at(const struct fz_file_sum *sum, const char *path);

/* Is it that file, and as it was read? */
bool fz_file_sum_holds(const struct fz_file_sum *sum, const char *path);

#endif
