// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes beside a file, then renames. */
#include "whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "options.h"
#include "view.h"

/* What a file that is made new may have. */
static mode_t new_mode(void)
{
	const mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

static int make_temporary(struct fz_whole_file *file, mode_t mode)
{
	file->real_path = realpath(file->path, NULL);
	if (!file->real_path)
		file->real_path = strdup(file->path);
	if (!file->real_path ||
	    asprintf(&file->temporary, "%s.XXXXXX", file->real_path) < 0) {
		file->temporary = NULL;
		return -ENOMEM;
	}
	file->fd = mkostemp(file->temporary, O_CLOEXEC);
	if (file->fd >= 0)
		return fchmod(file->fd, mode) ? -errno : 0;
	free(file->temporary);
	file->temporary = NULL;
	return -errno;
}

static int open_path(struct fz_whole_file *file)
{
	struct stat status;

	if (!file->path) {
		file->fd = STDOUT_FILENO;
		return 0;
	}
	if (stat(file->path, &status))
		return errno == ENOENT ? make_temporary(file, new_mode())
				       : -errno;
	if (S_ISREG(status.st_mode))
		return access(file->path, W_OK)
			       ? -errno
			       : make_temporary(file, status.st_mode & 07777);
	file->fd = open(file->path, O_WRONLY | O_CLOEXEC);
	return file->fd < 0 ? -errno : 0;
}

int fz_whole_file_open(struct fz_whole_file *file, const char *path)
{
	int code;

	*file = FZ_WHOLE_FILE_NONE;
	file->path = path && strcmp(path, "-") ? path : NULL;
	code = open_path(file);
	if (code)
		fz_complain("cannot write '%s': %s", file->path,
			    strerror(-code));
	return code;
}

/* One that reads a pipe would take closing it for the end. */
static bool is_open_end(const char *path)
{
	struct stat status;

	return path && !stat(path, &status) && !S_ISREG(status.st_mode) &&
	       !S_ISDIR(status.st_mode);
}

int fz_whole_file_check(const char *path)
{
	struct fz_whole_file file = FZ_WHOLE_FILE_NONE;
	int code;

	if (!is_open_end(path)) {
		code = fz_whole_file_open(&file, path);
		fz_whole_file_close(&file);
		return code;
	}
	code = access(path, W_OK) ? -errno : 0;
	if (code)
		fz_complain("cannot write '%s': %s", path, strerror(-code));
	return code;
}

static int write_bytes(void *state, const void *bytes, size_t nr)
{
	const struct fz_whole_file *file = state;

	return fz_write_fd(file->fd, bytes, nr);
}

struct fz_byte_sink fz_whole_file_sink(struct fz_whole_file *file)
{
	return (struct fz_byte_sink){ .state = file, .write = write_bytes };
}

void fz_whole_file_complain(const struct fz_whole_file *file, int code)
{
	if (!file->path)
		fz_output_failed(code);
	else
		fz_complain("cannot write '%s': %s", file->path,
			    strerror(-code));
}

/* Closing may be when a disk of the network says that it is full. */
int fz_whole_file_commit(struct fz_whole_file *file)
{
	int code = 0;

	if (!file->path)
		return 0;
	if (close(file->fd))
		code = -errno;
	file->fd = -1;
	if (!code && file->temporary &&
	    rename(file->temporary, file->real_path))
		code = -errno;
	if (code) {
		fz_whole_file_complain(file, code);
		return code;
	}
	free(file->temporary);
	file->temporary = NULL;
	return 0;
}

void fz_whole_file_close(struct fz_whole_file *file)
{
	if (file->path && file->fd >= 0)
		close(file->fd);
	if (file->temporary)
		unlink(file->temporary);
	free(file->temporary);
	free(file->real_path);
	*file = FZ_WHOLE_FILE_NONE;
}
