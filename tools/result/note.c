// SPDX-License-Identifier: GPL-2.0-or-later
/* A paragraph of text output: put together piece by piece, then wrapped. */
#include "note.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>

void fz_note_add(struct fz_note *note, const char *format, ...)
{
	const size_t room = sizeof(note->text) - note->used;
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(note->text + note->used, room, format, args);
	va_end(args);
	if (len > 0)
		note->used += (size_t)len < room ? (size_t)len : room - 1;
}

void fz_note_add_count(struct fz_note *note, uint64_t nr, const char *what)
{
	fz_note_add(note, "%" PRIu64 " %s%s", nr, what, nr == 1 ? "" : "s");
}

static bool is_blank(char c)
{
	return c == ' ' || ((unsigned char)c < ' ' && c != '\0') || c == 0x7f;
}

/* A byte inside a UTF-8 character: takes no column, cannot begin a line. */
static bool is_inside(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* The word at the start of text: bytes, and columns in *columns. */
static size_t word_at(const char *text, size_t max_columns, size_t *columns)
{
	size_t len = 0;

	*columns = 0;
	while (text[len] && !is_blank(text[len])) {
		if (!is_inside(text[len]) && (*columns)++ == max_columns) {
			(*columns)--;
			break;
		}
		len++;
	}
	return len;
}

void fz_note_print(FILE *out, const struct fz_note *note,
		   struct fz_margins margins)
{
	fz_note_print_label(out, "", note, margins);
}

void fz_note_print_label(FILE *out, const char *label,
			 const struct fz_note *note, struct fz_margins margins)
{
	const char *c = note->text;
	size_t column = 0;  /* 0 = nothing on this line yet */
	bool glued = false; /* a piece of a word that was cut */

	assert(margins.width >= margins.first + 20);
	assert(margins.width >= margins.rest + 20);
	if (!note->used)
		return;
	for (;;) {
		size_t columns, len;

		while (is_blank(*c))
			c++;
		if (!*c)
			break;
		len = word_at(c, margins.width - margins.rest, &columns);
		if (column && (glued || column + 1 + columns > margins.width)) {
			fprintf(out, "\n%*s", (int)margins.rest, "");
			column = margins.rest;
		} else if (column) {
			fputc(' ', out);
			column++;
		} else {
			fprintf(out, "%-*s", (int)margins.first, label);
			column = margins.first;
		}
		fwrite(c, 1, len, out);
		column += columns;
		c += len;
		glued = *c && !is_blank(*c);
	}
	fputc('\n', out);
}
