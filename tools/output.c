// SPDX-License-Identifier: GPL-2.0-or-later
/* Where a document goes: standard output, or the file of --output. */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "options.h"
#include "view.h"

int fz_output_open(struct fz_output *output, const char *path)
{
	*output = FZ_OUTPUT_STDOUT;
	if (!path)
		return FZ_EXIT_DONE;
	output->path = path;
	output->fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	output->made = output->fd >= 0;
	if (output->fd < 0 && errno == EEXIST)
		output->fd = open(path, O_WRONLY | O_CLOEXEC);
	if (output->fd >= 0)
		return FZ_EXIT_DONE;
	fz_complain("cannot write '%s': %s", path, strerror(errno));
	return FZ_EXIT_FAILED;
}

int fz_output_write(struct fz_output *output, const char *document,
		    size_t bytes)
{
	const int fd = output->fd >= 0 ? output->fd : STDOUT_FILENO;
	int code = 0;

	if (output->fd >= 0 && ftruncate(fd, 0) && errno != EINVAL)
		code = -errno; /* EINVAL: a pipe or a device */
	if (!code)
		code = fz_write_fd(fd, document, bytes);
	output->written = !code;
	if (!code)
		return FZ_EXIT_DONE;
	fz_complain("cannot write to %s: %s",
		    output->path ? output->path : "standard output",
		    strerror(-code));
	return FZ_EXIT_FAILED;
}

void fz_output_close(struct fz_output *output)
{
	if (output->fd < 0)
		return;
	close(output->fd);
	if (output->made && !output->written)
		unlink(output->path);
	*output = FZ_OUTPUT_STDOUT;
}
