// SPDX-License-Identifier: GPL-2.0-or-later
/* One C file, by lines, and the preprocessor's conditions that they are under.
 */
#include "kernel_source.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Where the comment at `at` ends; `at` if there is none. */
static size_t comment_end(const char *text, size_t at)
{
	const char *end;

	if (text[at] != '/' || (text[at + 1] != '*' && text[at + 1] != '/'))
		return at;
	if (text[at + 1] == '/') {
		/* The next line is of it too after a backslash. */
		do
			at += strcspn(text + at + 1, "\n") + 1;
		while (text[at] && text[at - 1] == '\\');
		return at;
	}
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

/* Where the braces were opened that line `at` closes: `struct {...} name;`. */
static size_t opening_line(const struct fz_kernel_source *source, size_t at)
{
	int depth = 0, open = 0;
	size_t line = at;

	for (size_t i = source->lines[at]; i < source->lines[at + 1]; i++) {
		depth += (source->bare[i] == '{') - (source->bare[i] == '}');
		if (depth < -open)
			open = -depth;
	}
	for (size_t i = source->lines[at]; i-- && open;) {
		line -= i + 1 == source->lines[line];
		open += (source->bare[i] == '}') - (source->bare[i] == '{');
	}
	return open ? at : line;
}

struct fz_kernel_lines
fz_kernel_source_definition(const struct fz_kernel_source *source, size_t at,
			    size_t end)
{
	size_t first = opening_line(source, at);

	/* Its type may stand in lines before. */
	while (first && last_of(source, first - 1) != '\n' &&
	       !strchr(";}", last_of(source, first - 1)) &&
	       !is_in_directive(source, first - 1))
		first--;
	if (end == FZ_KERNEL_NO_LINE || end < at)
		end = definition_end(source, first);
	if (end < at)
		end = at;
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

enum fz_kernel_word fz_kernel_source_word(const struct fz_kernel_source *source,
					  size_t line)
{
	const char *word = directive_at(source, line);

	if (!word)
		return FZ_KERNEL_NONE;
	if (begins_condition(word))
		return FZ_KERNEL_IF;
	if (continues_condition(word))
		return FZ_KERNEL_ELSE;
	if (word_is(word, "endif"))
		return FZ_KERNEL_ENDIF;
	return word_is(word, "undef") ? FZ_KERNEL_UNDEF : FZ_KERNEL_NONE;
}

/* Of what does not match, the compiler knows more to say. */
static int find_conditions(struct fz_kernel_source *source)
{
	/* What each open group stands under. */
	size_t *outer = calloc(source->nr_lines + 1, sizeof(*outer));
	size_t depth = 0, under = FZ_KERNEL_NO_LINE;
	struct fz_kernel_lines lines;

	source->under = calloc(source->nr_lines + 1, sizeof(*source->under));
	if (!outer || !source->under) {
		free(outer);
		return -ENOMEM;
	}
	for (size_t at = 0; at < source->nr_lines; at += lines.nr) {
		const enum fz_kernel_word word =
			fz_kernel_source_word(source, at);

		lines = (struct fz_kernel_lines){ at, 1 };
		if (directive_at(source, at))
			lines = fz_kernel_source_directive(source, at);
		if (word == FZ_KERNEL_ENDIF && depth)
			under = outer[--depth];
		for (size_t i = 0; i < lines.nr; i++)
			source->under[at + i] = under;
		if (word == FZ_KERNEL_IF)
			outer[depth++] = under;
		if (word == FZ_KERNEL_IF || (word == FZ_KERNEL_ELSE && depth))
			under = at;
	}
	free(outer);
	return 0;
}

int fz_kernel_source_init(struct fz_kernel_source *source,
			  enum fz_kernel_part part, const char *name,
			  char *text, size_t bytes)
{
	int code;

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
	code = find_lines(source);
	return code ? code : find_conditions(source);
}

void fz_kernel_source_fini(struct fz_kernel_source *source)
{
	free(source->name);
	free(source->text);
	free(source->bare);
	free(source->lines);
	free(source->under);
}

/* Largest file that is read: the kernel's own are far below. */
#define MAX_BYTES (16u << 20)

static int read_all(const char *path, char **text, size_t *bytes)
{
	/* A pipe would be waited for. */
	const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct stat status;
	int code = 0;
	FILE *in;

	if (fd < 0)
		return -errno;
	in = fdopen(fd, "r");
	if (!in || fstat(fd, &status)) {
		code = -errno;
		in ? fclose(in) : close(fd);
		return code;
	}
	if (!S_ISREG(status.st_mode)) {
		fclose(in);
		return S_ISDIR(status.st_mode) ? -EISDIR : -EINVAL;
	}
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
				 code == -EINVAL ? "it is no regular file"
						 : strerror(-code))
		    : 0;
}
