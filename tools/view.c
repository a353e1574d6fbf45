// SPDX-License-Identifier: GPL-2.0-or-later
/* A view is written in memory first, then to its file in one go. */
#include "view.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

int fz_view_begin(struct fz_view *view)
{
	view->text = NULL;
	view->bytes = 0;
	view->stream = open_memstream(&view->text, &view->bytes);
	return view->stream ? 0 : -ENOMEM;
}

int fz_view_end(struct fz_view *view, FILE *out)
{
	const int broken = ferror(view->stream);
	int code;

	if (fclose(view->stream) || broken)
		code = -ENOMEM;
	else
		code = fz_write_all(out, view->text, view->bytes);
	free(view->text);
	return code;
}

void fz_view_drop(struct fz_view *view)
{
	fclose(view->stream);
	free(view->text);
}

int fz_write_all(FILE *out, const char *text, size_t bytes)
{
	const int fd = fileno(out);

	errno = 0;
	if (fflush(out) == 0) {
		if (fd >= 0)
			return fz_write_fd(fd, text, bytes);
		/* A stream in memory. */
		if (fwrite(text, 1, bytes, out) == bytes && fflush(out) == 0)
			return 0;
	}
	return errno ? -errno : -EIO;
}

/* A pipe may be non-blocking by somebody else's choice. */
static void wait_until_writable(int fd)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLOUT };

	poll(&poll_fd, 1, -1);
}

int fz_write_fd(int fd, const char *text, size_t bytes)
{
	while (bytes) {
		const ssize_t written = write(fd, text, bytes);

		if (written < 0 && errno == EAGAIN)
			wait_until_writable(fd);
		if (written < 0 && errno != EAGAIN && errno != EINTR)
			return -errno;
		if (written > 0) {
			text += written;
			bytes -= (size_t)written;
		}
	}
	return 0;
}
