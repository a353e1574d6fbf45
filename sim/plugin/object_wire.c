// SPDX-License-Identifier: GPL-2.0-or-later
/* The end of the wire in the object's process. */
#include "object_wire.h"

#include <errno.h>
#include <unistd.h>

bool fz_wire_read(void *bytes, size_t nr)
{
	char *at = bytes;

	while (nr) {
		const ssize_t done = read(FZ_WIRE_FD, at, nr);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return false;
		at += done;
		nr -= (size_t)done;
	}
	return true;
}

bool fz_wire_write(const void *bytes, size_t nr)
{
	const char *at = bytes;

	while (nr) {
		const ssize_t done = write(FZ_WIRE_FD, at, nr);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return false;
		at += done;
		nr -= (size_t)done;
	}
	return true;
}
