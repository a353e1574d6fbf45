// SPDX-License-Identifier: GPL-2.0-or-later
/* Which definitions are used, now that the preprocessor has chosen. */
#include "kernel_closure.h"

#include <ctype.h>
#include <string.h>

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* What is behind the word at `at` or its like, `end` at the latest. */
static const char *word_end(const char *at, const char *end)
{
	while (at < end && is_word(*at))
		at++;
	return at;
}

/* Marks the names in these lines. */
static void name_all(struct fz_kernel_closure *closure,
		     const struct fz_kernel_source *source,
		     struct fz_kernel_lines lines)
{
	const char *at = source->bare + source->lines[lines.first];
	const char *end = source->bare + source->lines[lines.first + lines.nr];

	for (const char *next; at < end; at = next) {
		const struct fz_kernel_tag *first;
		char name[256];

		next = word_end(at, end);
		if (next == at) {
			next++;
			continue;
		}
		if ((size_t)(next - at) >= sizeof(name))
			continue;
		memcpy(name, at, (size_t)(next - at));
		name[next - at] = '\0';
		first = fz_kernel_tags_find(closure->tags, name);
		if (first)
			closure->named[first - closure->tags->tags] = true;
	}
}

bool fz_kernel_lines_name(const struct fz_kernel_source *source,
			  struct fz_kernel_lines lines, const char *name)
{
	const size_t length = strlen(name);
	const char *begin = source->bare + source->lines[lines.first];
	const char *end = source->bare + source->lines[lines.first + lines.nr];

	for (const char *at = begin; at + length <= end; at++) {
		at = memmem(at, (size_t)(end - at), name, length);
		if (!at)
			return false;
		if ((at == source->bare || !is_word(at[-1])) &&
		    !is_word(at[length]))
			return true;
	}
	return false;
}

/* In its lines, and in those of the preprocessor around them. */
static void name_chunk(struct fz_kernel_closure *closure,
		       const struct fz_kernel_chunk *chunk)
{
	const struct fz_kernel_source *source =
		&closure->tree->sources[chunk->source];

	if (chunk->form == FZ_KERNEL_VERBATIM)
		name_all(closure, source, chunk->lines);
	for (size_t at = source->under[chunk->lines.first];
	     at != FZ_KERNEL_NO_LINE; at = source->under[at])
		name_all(closure, source,
			 fz_kernel_source_directive(source, at));
}

bool fz_kernel_closure_names(const struct fz_kernel_closure *closure,
			     const char *name)
{
	const struct fz_kernel_tag *first =
		fz_kernel_tags_find(closure->tags, name);

	return first && closure->named[first - closure->tags->tags];
}

/* `#define NAME` without a value below `#ifndef NAME`. */
static bool is_include_guard(const struct fz_kernel_closure *closure,
			     const struct fz_kernel_chunk *chunk)
{
	const struct fz_kernel_source *source =
		&closure->tree->sources[chunk->source];
	const size_t above = source->under[chunk->lines.first];
	const char *value;

	if (chunk->kind != 'd' || above == FZ_KERNEL_NO_LINE ||
	    source->under[above] != FZ_KERNEL_NO_LINE)
		return false;
	value = strstr(source->bare + source->lines[chunk->line], chunk->name);
	if (!value)
		return false;
	value += strlen(chunk->name);
	return value[strspn(value, " \t\r")] == '\n' &&
	       fz_kernel_lines_name(source,
				    fz_kernel_source_directive(source, above),
				    chunk->name);
}

static bool can_be_used(const struct fz_kernel_closure *closure,
			const struct fz_kernel_chunk *chunk)
{
	return chunk->active && !chunk->used && !strchr("pU", chunk->kind) &&
	       !is_include_guard(closure, chunk);
}

void fz_kernel_closure_mark_used(struct fz_kernel_closure *closure)
{
	bool more = closure->nr_chunks;

	for (size_t i = 0; i < closure->nr_chunks; i++) {
		struct fz_kernel_chunk *chunk = &closure->chunks[i];

		chunk->used = false;
		chunk->used = can_be_used(closure, chunk) &&
			      strcmp(chunk->name, closure->chunks[0].name) == 0;
		if (chunk->used)
			name_chunk(closure, chunk);
	}
	while (more) {
		more = false;
		for (size_t i = 0; i < closure->nr_chunks; i++) {
			struct fz_kernel_chunk *chunk = &closure->chunks[i];

			if (!can_be_used(closure, chunk) ||
			    !fz_kernel_closure_names(closure, chunk->name))
				continue;
			chunk->used = true;
			name_chunk(closure, chunk);
			more = true;
		}
	}
}

/* `#define` is not asking, nor is what the compiler sees. */
static bool line_asks(const struct fz_kernel_source *source, size_t line)
{
	const struct fz_kernel_lines lines =
		fz_kernel_source_directive(source, line);
	const char *at = source->bare + source->lines[line];
	const char *end = source->bare + source->lines[line + lines.nr];

	at += strspn(at, " \t");
	if (*at != '#')
		return false;
	at += 1 + strspn(at + 1, " \t");
	return (strncmp(at, "if", 2) == 0 || strncmp(at, "elif", 4) == 0) &&
	       memmem(at, (size_t)(end - at), "CONFIG_PREEMPT", 14);
}

const struct fz_kernel_source *
fz_kernel_closure_asks_model(const struct fz_kernel_closure *closure,
			     size_t *line)
{
	for (size_t i = 0; i < closure->nr_chunks; i++) {
		const struct fz_kernel_chunk *chunk = &closure->chunks[i];
		const struct fz_kernel_source *source =
			&closure->tree->sources[chunk->source];

		if (!chunk->used)
			continue;
		for (*line = chunk->lines.first;
		     *line < chunk->lines.first + chunk->lines.nr; ++*line)
			if (line_asks(source, *line))
				return source;
		for (*line = source->under[chunk->lines.first];
		     *line != FZ_KERNEL_NO_LINE; *line = source->under[*line])
			if (line_asks(source, *line))
				return source;
	}
	return NULL;
}
