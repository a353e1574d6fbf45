// SPDX-License-Identifier: GPL-2.0-or-later
/* One C file, by lines, and the preprocessor's conditions that they are under.
 */
#include "kernel_source.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where the comment at `at` ends; `at` if there is none. */
static size_t comment_end(const char *text, size_t at)
{
	const char *end;

	if (text[at] != '/' || (text[at + 1] != '*' && text[at + 1] != '/'))
		return at;
	if (text[at + 1] == '/')
		return at + strcspn(text + at, "\n");
	end = strstr(text + at + 2, "*/");
	return end ? (size_t)(end + 2 - text) : at + strlen(text + at);
}

/* Where the literal at `at` ends, in the same line at the latest. */
static size_t literal_end(const char *text, size_t at)
{
	const char quote = text[at];

	if (quote != '"' && quote != '\'')
		return at;
	for (at++; text[at] && text[at] != '\n'; at++) {
		if (text[at] == quote)
			return at + 1;
		if (text[at] == '\\' && text[at + 1])
			at++;
	}
	return at;
}

static void make_bare(char *bare)
{
	size_t at = 0;

	while (bare[at]) {
		size_t end = comment_end(bare, at);

		if (end == at)
			end = literal_end(bare, at);
		if (end == at)
			at++;
		for (; at < end; at++)
			if (bare[at] != '\n')
				bare[at] = ' ';
	}
}

static int find_lines(struct fz_kernel_source *source)
{
	size_t nr = 0;

	for (size_t i = 0; i < source->bytes; i++)
		nr += source->text[i] == '\n';
	source->lines = calloc(nr + 2, sizeof(*source->lines));
	if (!source->lines)
		return -ENOMEM;
	nr = 0;
	for (size_t i = 0; i < source->bytes; i++)
		if (i == 0 || source->text[i - 1] == '\n')
			source->lines[nr++] = i;
	source->lines[nr] = source->bytes;
	source->nr_lines = nr;
	return 0;
}

int fz_kernel_source_init(struct fz_kernel_source *source,
			  enum fz_kernel_part part, const char *name,
			  char *text, size_t bytes)
{
	*source = (struct fz_kernel_source){
		.name = strdup(name),
		.part = part,
		.text = text,
		.bare = malloc(bytes + 1),
		.bytes = bytes,
	};
	if (!source->name || !source->bare)
		return -ENOMEM;
	/* No C, but nothing here stops at one. */
	for (size_t i = 0; i < bytes; i++)
		if (!text[i])
			text[i] = ' ';
	memcpy(source->bare, text, bytes + 1);
	make_bare(source->bare);
	return find_lines(source);
}

void fz_kernel_source_fini(struct fz_kernel_source *source)
{
	free(source->name);
	free(source->text);
	free(source->bare);
	free(source->lines);
}

/* Largest file that is read: the kernel's own are far below. */
#define MAX_BYTES (16u << 20)

static int read_all(const char *path, char **text, size_t *bytes)
{
	FILE *in = fopen(path, "re");
	int code = 0;

	if (!in)
		return -errno;
	*text = malloc(MAX_BYTES + 1);
	if (!*text) {
		fclose(in);
		return -ENOMEM;
	}
	errno = 0;
	*bytes = fread(*text, 1, MAX_BYTES, in);
	if (ferror(in))
		code = errno ? -errno : -EIO;
	else if (*bytes == MAX_BYTES)
		code = -EFBIG;
	fclose(in);
	if (code) {
		free(*text);
		return code;
	}
	(*text)[*bytes] = '\0';
	return 0;
}

int fz_kernel_source_read(struct fz_kernel_source *source,
			  enum fz_kernel_part part, const char *name,
			  const char *path, struct fz_err *err)
{
	char *text = NULL, *fit;
	size_t bytes = 0;
	int code = read_all(path, &text, &bytes);

	*source = (struct fz_kernel_source){ .part = part };
	if (!code) {
		fit = realloc(text, bytes + 1);
		code = fz_kernel_source_init(source, part, name,
					     fit ? fit : text, bytes);
	}
	return code ? fz_err_set(err, code, "cannot read '%s': %s", path,
				 strerror(-code))
		    : 0;
}

/* The last character of a bare line that is no blank; '\n' if there is none. */
static char last_of(const struct fz_kernel_source *source, size_t line)
{
	size_t end = source->lines[line + 1];

	while (end > source->lines[line]) {
		end--;
		if (!isspace((unsigned char)source->bare[end]))
			return source->bare[end];
	}
	return '\n';
}

/* A word of the preprocessor in this line, else NULL. */
static const char *directive_at(const struct fz_kernel_source *source,
				size_t line)
{
	const char *at = source->bare + source->lines[line];

	at += strspn(at, " \t");
	if (*at != '#')
		return NULL;
	return at + 1 + strspn(at + 1, " \t");
}

static bool is_in_directive(const struct fz_kernel_source *source, size_t line)
{
	while (line && !directive_at(source, line) &&
	       last_of(source, line - 1) == '\\')
		line--;
	return directive_at(source, line);
}

struct fz_kernel_lines
fz_kernel_source_directive(const struct fz_kernel_source *source, size_t at)
{
	size_t end = at;

	while (end + 1 < source->nr_lines && last_of(source, end) == '\\')
		end++;
	return (struct fz_kernel_lines){ at, end + 1 - at };
}

/* The line with the ';' of what begins in line `at`. */
static size_t definition_end(const struct fz_kernel_source *source, size_t at)
{
	int depth = 0;

	for (size_t i = source->lines[at]; i < source->bytes; i++) {
		const char c = source->bare[i];

		at += i == source->lines[at + 1];
		depth += (c == '{') - (c == '}');
		if (depth <= 0 && c == ';')
			break;
	}
	return at;
}

struct fz_kernel_lines
fz_kernel_source_definition(const struct fz_kernel_source *source, size_t at,
			    size_t end)
{
	size_t first = at;

	/* Its type may stand in lines before. */
	while (first && last_of(source, first - 1) != '\n' &&
	       !strchr(";}", last_of(source, first - 1)) &&
	       !is_in_directive(source, first - 1))
		first--;
	if (end == FZ_KERNEL_NO_LINE || end < at)
		end = definition_end(source, at);
	if (end >= source->nr_lines)
		end = source->nr_lines - 1;
	return (struct fz_kernel_lines){ first, end + 1 - first };
}

static bool word_is(const char *at, const char *word)
{
	const size_t bytes = strlen(word);

	return strncmp(at, word, bytes) == 0 &&
	       !isalnum((unsigned char)at[bytes]) && at[bytes] != '_';
}

static bool begins_condition(const char *word)
{
	return word_is(word, "if") || word_is(word, "ifdef") ||
	       word_is(word, "ifndef");
}

static bool continues_condition(const char *word)
{
	return word_is(word, "elif") || word_is(word, "else") ||
	       word_is(word, "elifdef") || word_is(word, "elifndef");
}

/* `#ifndef NAME` above an empty `#define NAME`, before any other directive. */
static bool is_include_guard(const struct fz_kernel_source *source, size_t line)
{
	const char *guard = directive_at(source, line), *define = NULL;
	size_t length;

	for (size_t i = 0; i < line; i++)
		if (directive_at(source, i))
			return false;
	while (!define && ++line < source->nr_lines)
		define = directive_at(source, line);
	if (!define || !word_is(guard, "ifndef") || !word_is(define, "define"))
		return false;
	guard += strlen("ifndef") + strspn(guard + strlen("ifndef"), " \t");
	define += strlen("define") + strspn(define + strlen("define"), " \t");
	length = strcspn(define, " \t\r\n");
	return strncmp(guard, define, length) == 0 &&
	       define[length + strspn(define + length, " \t\r")] == '\n';
}

bool fz_kernel_source_conditions(const struct fz_kernel_source *source,
				 size_t line, struct fz_kernel_conditions *out)
{
	/* How many lines there were when each began. */
	size_t begin[FZ_KERNEL_MAX_CONDITIONS];

	out->nr = out->depth = 0;
	for (size_t i = 0; i < line; i++) {
		const char *word = directive_at(source, i);
		const bool begins = word && begins_condition(word);

		if (begins && !out->depth && is_include_guard(source, i))
			continue;
		if (begins || (word && continues_condition(word))) {
			if (out->nr == FZ_KERNEL_MAX_CONDITIONS)
				return false;
			if (begins)
				begin[out->depth++] = out->nr;
			else if (!out->depth)
				return false;
			out->lines[out->nr++] = i;
		} else if (word && word_is(word, "endif")) {
			/* That of an include guard is the last of all. */
			if (out->depth)
				out->nr = begin[--out->depth];
		}
	}
	return true;
}
