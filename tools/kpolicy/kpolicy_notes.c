// SPDX-License-Identifier: GPL-2.0-or-later
/* What a policy may lack though nothing failed. */
#include "kpolicy_notes.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"

/* FILE:LINE:COLUMN: warning: "WORD" is not defined, evaluates to 0 */
static const char unread[] = " is not defined, evaluates to 0";

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* The word in quotes in front of `end`. */
static const char *word_before(const char *messages, const char *end,
			       size_t *length)
{
	const char *word = end > messages ? end - 1 : end;

	*length = 0;
	while (word > messages && is_word(word[-1])) {
		word--;
		++*length;
	}
	return word;
}

static bool was_noted(const char *messages, const char *at, const char *word,
		      size_t length)
{
	const char *other;
	size_t bytes;

	for (const char *end = messages;
	     (end = strstr(end, unread)) && end < at; end++) {
		other = word_before(messages, end, &bytes);
		if (bytes == length && memcmp(other, word, length) == 0)
			return true;
	}
	return false;
}

void fz_kpolicy_note_unread(const char *messages, const char *root)
{
	const size_t skip = strlen(root);

	for (const char *at = messages; (at = strstr(at, unread)); at++) {
		size_t length, place;
		const char *word = word_before(messages, at, &length);
		const char *where = word;

		/* That one has a note of its own. */
		if (!length || strncmp(word, "CONFIG_PREEMPT", 14) == 0 ||
		    was_noted(messages, at, word, length))
			continue;
		while (where > messages && where[-1] != '\n')
			where--;
		if (strncmp(where, root, skip) == 0 && where[skip] == '/')
			where += skip + 1;
		place = strcspn(where, ":");
		if (where[place])
			place += 1 + strcspn(where + place + 1, ":");
		fz_complain("note: '%.*s' is asked by #if at %.*s and defined "
			    "by no file that was read: taken as 0",
			    (int)length, word, (int)place, where);
	}
}

/* Those that would be steps of a plan. */
static const char *const scheduler[] = { "cond_resched", "might_sleep",
					 "might_resched", "need_resched",
					 "schedule" };

static bool is_scheduler(const char *name)
{
	for (size_t i = 0; i < sizeof(scheduler) / sizeof(scheduler[0]); i++)
		if (strcmp(scheduler[i], name) == 0)
			return true;
	return false;
}

/**
 * struct search - through a function and what it calls
 * @closure: what is needed
 * @seen: [tags] names that were looked into, by their first tag
 * @leaf: the function
 */
struct search {
	const struct fz_kernel_closure *closure;
	bool *seen;
	const struct fz_kernel_chunk *leaf;
};

static void note_call(const struct search *search, const char *name,
		      const struct fz_kernel_source *source, size_t at)
{
	size_t line = 0;

	while (line < source->nr_lines && source->lines[line + 1] <= at)
		line++;
	fz_complain("note: the shim stands in for the tree's %s(): its %s() at "
		    "%s:%zu is not in the plan",
		    search->leaf->name, name, source->name, line + 1);
}

static void search_lines(const struct search *search, size_t from,
			 struct fz_kernel_lines lines);

/* In headers: code calls no less than everything. */
static void search_name(const struct search *search, const char *name)
{
	const struct fz_kernel_tags *tags = search->closure->tags;
	const struct fz_kernel_tag *tag = fz_kernel_tags_find(tags, name);

	if (!tag || search->seen[tag - tags->tags])
		return;
	search->seen[tag - tags->tags] = true;
	for (; tag; tag = fz_kernel_tags_next(tags, tag)) {
		const struct fz_kernel_source *source =
			&search->closure->tree->sources[tag->source];

		if (source->part != FZ_KERNEL_ARCH &&
		    source->part != FZ_KERNEL_HEADER)
			continue;
		if (tag->kind == 'd')
			search_lines(
				search, tag->source,
				fz_kernel_source_directive(source, tag->line));
		if (tag->kind == 'f')
			search_lines(search, tag->source,
				     fz_kernel_source_definition(
					     source, tag->line, tag->end));
	}
}

static void search_lines(const struct search *search, size_t from,
			 struct fz_kernel_lines lines)
{
	const struct fz_kernel_source *source =
		&search->closure->tree->sources[from];
	const size_t end = source->lines[lines.first + lines.nr];

	for (size_t at = source->lines[lines.first], next; at < end;
	     at = next) {
		char name[256];

		next = at + 1;
		if (!is_word(source->bare[at]))
			continue;
		while (next < end && is_word(source->bare[next]))
			next++;
		if (next - at >= sizeof(name))
			continue;
		memcpy(name, source->bare + at, next - at);
		name[next - at] = '\0';
		if (is_scheduler(name))
			note_call(search, name, source, at);
		else
			search_name(search, name);
	}
}

static void note_leaf(const struct fz_kernel_closure *closure,
		      const struct fz_kernel_chunk *leaf)
{
	const struct fz_kernel_tags *tags = closure->tags;
	const struct search search = {
		.closure = closure,
		.seen = calloc(tags->nr + 1, sizeof(bool)),
		.leaf = leaf,
	};

	if (!search.seen)
		return;
	/* It names itself. */
	search.seen[fz_kernel_tags_find(tags, leaf->name) - tags->tags] = true;
	search_lines(&search, leaf->source, leaf->lines);
	free(search.seen);
}

void fz_kpolicy_note_leaves(const struct fz_kernel_closure *closure)
{
	for (size_t i = 0; i < closure->nr_chunks; i++)
		if (closure->chunks[i].used &&
		    closure->chunks[i].form != FZ_KERNEL_VERBATIM)
			note_leaf(closure, &closure->chunks[i]);
}
