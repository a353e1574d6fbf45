// SPDX-License-Identifier: GPL-2.0-or-later
/* A program's output, in memory. */
#include "captured.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "child.h"

static int open_stream(char *const *text)
{
	return text ? memfd_create("foliosim", MFD_CLOEXEC)
		    : open("/dev/null", O_WRONLY | O_CLOEXEC);
}

static int read_back(int fd, char **text)
{
	struct stat status;
	size_t done = 0, bytes;

	if (!text)
		return 0;
	if (fstat(fd, &status))
		return -errno;
	bytes = (size_t)status.st_size;
	*text = malloc(bytes + 1);
	if (!*text)
		return -ENOMEM;
	while (done < bytes) {
		const ssize_t got =
			pread(fd, *text + done, bytes - done, (off_t)done);

		if (got <= 0)
			return got < 0 ? -errno : -EIO;
		done += (size_t)got;
	}
	(*text)[done] = '\0';
	return 0;
}

static void drop(char **text)
{
	if (!text)
		return;
	free(*text);
	*text = NULL;
}

int fz_captured_run(const char *const *argv, char **out, char **errors)
{
	struct fz_child child = {
		.argv = argv,
		.fds = { open("/dev/null", O_RDONLY | O_CLOEXEC),
			 open_stream(out), open_stream(errors) },
	};
	int code = fz_child_check(argv[0]), status = 0;

	if (out)
		*out = NULL;
	if (errors)
		*errors = NULL;
	for (int i = 0; i < 3 && !code; i++)
		if (child.fds[i] < 0)
			code = -errno;
	if (!code) {
		status = fz_child_run(&child);
		code = status < 0 ? status : 0;
	}
	if (!code)
		code = read_back(child.fds[1], out);
	if (!code)
		code = read_back(child.fds[2], errors);
	if (code) {
		drop(out);
		drop(errors);
	}
	for (int i = 0; i < 3; i++)
		if (child.fds[i] >= 0)
			close(child.fds[i]);
	return code ? code : status;
}
