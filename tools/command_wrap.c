// SPDX-License-Identifier: GPL-2.0-or-later
/* A command line cut to a width so that a shell still reads it. */
#include "command_wrap.h"

#include <stdbool.h>
#include <string.h>

/* More than the first line, so that the next words are seen to belong to it. */
#define HANG 4
/* " \" behind a line, or "'\" inside a quoted word. */
#define TAIL 2

struct wrap {
	FILE *out;
	size_t width;
	size_t column;
	bool quoted; /* inside single quotes */
};

/* The word at the start of text, up to a blank that is not quoted. */
static size_t word_length(const char *text)
{
	bool quoted = false;
	size_t len = 0;

	for (; text[len]; len++) {
		if (!quoted && text[len] == ' ')
			break;
		if (text[len] == '\'')
			quoted = !quoted;
		else if (!quoted && text[len] == '\\' && text[len + 1])
			len++;
	}
	return len;
}

static size_t columns_of(const char *text, size_t len)
{
	size_t columns = 0;

	for (size_t i = 0; i < len; i++)
		columns += ((unsigned char)text[i] & 0xc0) != 0x80;
	return columns;
}

static void put(struct wrap *w, char c)
{
	const bool control = (unsigned char)c < ' ' || c == 0x7f;

	fputc(control ? ' ' : c, w->out);
	w->column += columns_of(&c, 1);
}

static void cut_word(struct wrap *w)
{
	const char *quote = w->quoted ? "'" : "";

	fprintf(w->out, "%s\\\n%s", quote, quote);
	w->column = strlen(quote);
}

/* A backslash and what it protects stay together, as do UTF-8 characters. */
static void put_word(struct wrap *w, const char *word, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		const bool pair = !w->quoted && word[i] == '\\' && i + 1 < len;

		if (columns_of(&word[i], 1) &&
		    w->column + pair + TAIL >= w->width)
			cut_word(w);
		if (word[i] == '\'')
			w->quoted = !w->quoted;
		put(w, word[i]);
		if (pair)
			put(w, word[++i]);
	}
}

void fz_command_wrap(FILE *out, const char *command, size_t width,
		     size_t indent)
{
	struct wrap w = { .out = out, .width = width, .column = indent + 1 };

	fprintf(out, "%*s$", (int)indent, "");
	while (*command) {
		const size_t len = word_length(command);

		if (w.column + 1 + columns_of(command, len) + TAIL > width &&
		    w.column > indent + HANG) {
			fprintf(out, " \\\n%*s", (int)(indent + HANG), "");
			w.column = indent + HANG;
		} else {
			fputc(' ', out);
			w.column++;
		}
		put_word(&w, command, len);
		command += len;
		command += strspn(command, " ");
	}
	fputc('\n', out);
}
