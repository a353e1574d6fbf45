// SPDX-License-Identifier: GPL-2.0-or-later
/* Which definitions are used, now that the preprocessor has chosen. */
#include "kernel_closure.h"

#include <ctype.h>
#include <string.h>

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static bool lines_name(const struct fz_kernel_source *source,
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

/* In its lines, or in those of the preprocessor around them. */
static bool chunk_names(const struct fz_kernel_closure *closure,
			const struct fz_kernel_chunk *chunk, const char *name)
{
	const struct fz_kernel_source *source =
		&closure->tree->sources[chunk->source];
	struct fz_kernel_conditions conditions;

	if (chunk->form == FZ_KERNEL_VERBATIM &&
	    lines_name(source, chunk->lines, name))
		return true;
	if (!fz_kernel_source_conditions(source, chunk->lines.first,
					 &conditions))
		return false;
	for (size_t i = 0; i < conditions.nr; i++)
		if (lines_name(source,
			       fz_kernel_source_directive(source,
							  conditions.lines[i]),
			       name))
			return true;
	return false;
}

bool fz_kernel_closure_names(const struct fz_kernel_closure *closure,
			     const char *name)
{
	for (size_t i = 0; i < closure->nr_chunks; i++)
		if (closure->chunks[i].used &&
		    chunk_names(closure, &closure->chunks[i], name))
			return true;
	return false;
}

void fz_kernel_closure_mark_used(struct fz_kernel_closure *closure)
{
	bool more = closure->nr_chunks;

	for (size_t i = 0; i < closure->nr_chunks; i++)
		closure->chunks[i].used = closure->chunks[i].active &&
					  strcmp(closure->chunks[i].name,
						 closure->chunks[0].name) == 0;
	while (more) {
		more = false;
		for (size_t i = 0; i < closure->nr_chunks; i++) {
			struct fz_kernel_chunk *chunk = &closure->chunks[i];

			if (chunk->used || !chunk->active ||
			    !fz_kernel_closure_names(closure, chunk->name))
				continue;
			chunk->used = true;
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
		struct fz_kernel_conditions around;

		if (!chunk->used)
			continue;
		for (*line = chunk->lines.first;
		     *line < chunk->lines.first + chunk->lines.nr; ++*line)
			if (line_asks(source, *line))
				return source;
		if (!fz_kernel_source_conditions(source, chunk->lines.first,
						 &around))
			continue;
		for (size_t n = 0; n < around.nr; n++) {
			*line = around.lines[n];
			if (line_asks(source, *line))
				return source;
		}
	}
	return NULL;
}
