// SPDX-License-Identifier: GPL-2.0-or-later
/* Quotes a command line so that it can be pasted into a shell. */
#include "command_line.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_plain(const char *word)
{
	return word[0] && !word[strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
					     "abcdefghijklmnopqrstuvwxyz"
					     "0123456789-_=+,./:@%")];
}

static bool is_printable(const char *word)
{
	for (; *word; word++)
		if (*word < ' ' || *word > '~')
			return false;
	return true;
}

/* Bytes that are not printable ASCII need the shell's $'...'. */
static void put_escaped(FILE *out, const char *word)
{
	fputs("$'", out);
	for (; *word; word++) {
		if (*word < ' ' || *word > '~' || *word == '\'' ||
		    *word == '\\')
			fprintf(out, "\\x%02x", (unsigned char)*word);
		else
			fputc(*word, out);
	}
	fputc('\'', out);
}

static void put_word(FILE *out, const char *word)
{
	if (is_plain(word)) {
		fputs(word, out);
		return;
	}
	if (!is_printable(word)) {
		put_escaped(out, word);
		return;
	}
	fputc('\'', out);
	for (; *word; word++) {
		if (*word == '\'')
			fputs("'\\''", out);
		else
			fputc(*word, out);
	}
	fputc('\'', out);
}

char *fz_command_line(int argc, char **argv)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	if (!out)
		return NULL;
	fputs("foliosim", out);
	for (int i = 0; i < argc; i++) {
		fputc(' ', out);
		put_word(out, argv[i]);
	}
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}
