// SPDX-License-Identifier: GPL-2.0-or-later
/* Many short lines to a stream. */
#include "line_buffer.h"

#include <assert.h>
#include <string.h>

#include "view.h"

/* 2^64 has 20 digits. */
#define U64_DIGITS 20

void fz_lines_init(struct fz_lines *lines, FILE *out)
{
	lines->out = out;
	lines->error = 0;
	lines->used = 0;
}

static void lines_drain(struct fz_lines *lines)
{
	const size_t used = lines->used;

	lines->used = 0;
	if (!lines->error)
		lines->error = fz_write_all(lines->out, lines->bytes, used);
}

static void lines_append(struct fz_lines *lines, const char *bytes, size_t nr)
{
	assert(nr <= FZ_LINES_BYTES);
	if (nr > FZ_LINES_BYTES - lines->used)
		lines_drain(lines);
	memcpy(lines->bytes + lines->used, bytes, nr);
	lines->used += nr;
}

void fz_lines_text(struct fz_lines *lines, const char *text)
{
	lines_append(lines, text, strlen(text));
}

void fz_lines_u64(struct fz_lines *lines, uint64_t value)
{
	char digits[U64_DIGITS];
	size_t first = U64_DIGITS;

	do {
		digits[--first] = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	lines_append(lines, digits + first, U64_DIGITS - first);
}

int fz_lines_finish(struct fz_lines *lines)
{
	lines_drain(lines);
	return lines->error;
}
