// SPDX-License-Identifier: GPL-2.0-or-later
/* A text cut into lines with bounded memory, however long the text is. */
#include "file_lines.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * A file of /proc is walked from its beginning for each piece that is read
 * from the middle, so the pieces are large: /proc/kallsyms is 5 MiB, smaps a
 * few 10 KiB. Only what is filled takes memory.
 */
#define PIECE_BYTES (4u << 20)

static void line_out(struct fz_lines *lines)
{
	lines->line[lines->used] = '\0';
	lines->used = 0;
	if (!lines->take(lines->arg, lines->line))
		lines->done = true;
}

static void line_add(struct fz_lines *lines, const char *bytes, size_t nr)
{
	const size_t room = FZ_LINE_BYTES - 1 - lines->used;

	if (nr > room)
		nr = room;
	memcpy(lines->line + lines->used, bytes, nr);
	lines->used += nr;
}

void fz_lines_feed(struct fz_lines *lines, const char *bytes, size_t nr)
{
	while (nr > 0 && !lines->done) {
		const char *newline = memchr(bytes, '\n', nr);
		const size_t part = newline ? (size_t)(newline - bytes) : nr;

		line_add(lines, bytes, part);
		if (!newline)
			return;
		line_out(lines);
		bytes += part + 1;
		nr -= part + 1;
	}
}

void fz_lines_end(struct fz_lines *lines)
{
	if (lines->used > 0)
		line_out(lines);
}

int fz_file_lines(const struct fz_hooks *hooks, const char *path,
		  bool (*take)(void *arg, char *line), void *arg)
{
	struct fz_lines lines = { .take = take, .arg = arg };
	char *piece = malloc(PIECE_BYTES);
	uint64_t offset = 0;
	ssize_t got;

	if (!piece)
		return -ENOMEM;
	do {
		got = hooks->read_file(hooks->state, hooks->root, path, offset,
				       piece, PIECE_BYTES);
		if (got > 0) {
			fz_lines_feed(&lines, piece, (size_t)got);
			offset += (uint64_t)got;
		}
	} while (got == PIECE_BYTES - 1 && !lines.done);
	fz_lines_end(&lines);
	free(piece);
	return got < 0 ? (int)got : 0;
}
