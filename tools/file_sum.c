// SPDX-License-Identifier: GPL-2.0-or-later
/* A file's checksum, and whether it is still the file that has it. */
#include "file_sum.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

/* The stack may be small. */
#define PART_BYTES 4096

/* No more than its size: a file may grow while it is read. */
static int read_sum(struct fz_file_sum *sum, int fd)
{
	unsigned char part[PART_BYTES];
	uLong crc = crc32(0, NULL, 0);
	off_t left = sum->status.st_size;
	ssize_t nr = 1;

	while (left && nr) {
		nr = read(fd, part,
			  left < PART_BYTES ? (size_t)left : sizeof(part));
		if (nr < 0 && errno == EINTR)
			continue;
		if (nr < 0)
			return -errno;
		crc = crc32(crc, part, (uInt)nr);
		left -= nr;
	}
	sum->crc32 = (uint32_t)crc;
	return 0;
}

static int check_and_read(struct fz_file_sum *sum, int fd)
{
	if (fstat(fd, &sum->status))
		return -errno;
	if (!S_ISREG(sum->status.st_mode))
		return -EINVAL;
	if (sum->status.st_size > FZ_FILE_SUM_MAX_BYTES)
		return -EFBIG;
	return read_sum(sum, fd);
}

int fz_file_sum_read(struct fz_file_sum *sum, const char *path)
{
	/* Nobody may have the other end of a pipe. */
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	int code;

	if (fd < 0)
		return -errno;
	code = check_and_read(sum, fd);
	close(fd);
	return code;
}

static bool is_same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool is_same_time(struct timespec a, struct timespec b)
{
	return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

bool fz_file_sum_is_at(const struct fz_file_sum *sum, const char *path)
{
	struct stat now;

	return !stat(path, &now) && is_same_file(&sum->status, &now);
}

/* The time of its last change tells of a file that was away meanwhile. */
bool fz_file_sum_holds(const struct fz_file_sum *sum, const char *path)
{
	const struct stat *then = &sum->status;
	struct stat now;

	return !stat(path, &now) && is_same_file(then, &now) &&
	       then->st_size == now.st_size &&
	       is_same_time(then->st_mtim, now.st_mtim) &&
	       is_same_time(then->st_ctim, now.st_ctim);
}
