// SPDX-License-Identifier: GPL-2.0-or-later
/* Unpacks gzip with zlib. */
#include "byte_gunzip.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <zlib.h>

/* windowBits of inflateInit2(): the largest window, with a gzip header. */
#define GZIP_WINDOW_BITS (15 + 16)

struct fz_gunzip {
	struct fz_byte_source from;
	z_stream z;
	bool ended;     /* there are no more bytes */
	bool in_member; /* a file may be several, one after the other */
	const char *why;
	unsigned char packed[1 << 16];
};

struct fz_gunzip *fz_gunzip_new(struct fz_byte_source from)
{
	struct fz_gunzip *gunzip = calloc(1, sizeof(*gunzip));

	if (!gunzip)
		return NULL;
	gunzip->from = from;
	if (inflateInit2(&gunzip->z, GZIP_WINDOW_BITS) == Z_OK)
		return gunzip;
	free(gunzip);
	return NULL;
}

void fz_gunzip_free(struct fz_gunzip *gunzip)
{
	if (!gunzip)
		return;
	inflateEnd(&gunzip->z);
	free(gunzip);
}

static int refill(struct fz_gunzip *gunzip)
{
	ssize_t got;

	if (gunzip->z.avail_in || gunzip->ended)
		return 0;
	got = gunzip->from.read(gunzip->from.state, gunzip->packed,
				sizeof(gunzip->packed));
	if (got < 0)
		return (int)got;
	gunzip->ended = got == 0;
	gunzip->z.next_in = gunzip->packed;
	gunzip->z.avail_in = (uInt)got;
	return 0;
}

static ssize_t fail(struct fz_gunzip *gunzip, const char *why)
{
	gunzip->why = why;
	return -EBADMSG;
}

/* Goes on until there is something, or an end. */
ssize_t fz_gunzip_read(struct fz_gunzip *gunzip, void *buf, size_t cap)
{
	z_stream *const z = &gunzip->z;
	const uInt room = cap < UINT32_MAX ? (uInt)cap : UINT32_MAX;

	z->next_out = buf;
	z->avail_out = room;
	while (z->avail_out == room) {
		int code = refill(gunzip);

		if (code)
			return code;
		if (gunzip->ended && !z->avail_in)
			return gunzip->in_member
				       ? fail(gunzip, "its gzip is cut short")
				       : 0;
		if (!gunzip->in_member)
			inflateReset(z);
		code = inflate(z, Z_NO_FLUSH);
		if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
			return fail(gunzip, "its gzip is damaged");
		gunzip->in_member = code != Z_STREAM_END;
	}
	return (ssize_t)(room - z->avail_out);
}

const char *fz_gunzip_why(const struct fz_gunzip *gunzip)
{
	return gunzip->why;
}
