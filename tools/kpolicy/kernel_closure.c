// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A function, and all that it uses: the names in its lines and in those of the
 * preprocessor around them, then those in their definitions, and so on. Which
 * of several definitions is the right one, the preprocessor will decide.
 */
#include "kernel_closure.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NAME 256

/* An architecture's own stores, which no policy can call: the shim has them. */
static const char *const leaves[] = {
	"clear_pages",         "clear_user_page",      "clear_user_pages",
	"clear_user_highpage", "clear_user_highpages",
};

static bool is_leaf(const char *name)
{
	for (size_t i = 0; i < sizeof(leaves) / sizeof(leaves[0]); i++)
		if (strcmp(leaves[i], name) == 0)
			return true;
	return false;
}

static enum fz_kernel_part part_of(const struct fz_kernel_closure *closure,
				   const struct fz_kernel_tag *tag)
{
	return closure->tree->sources[tag->source].part;
}

/* Tags of structs and the like are names of their own. */
static bool is_of_class(char kind, bool is_struct)
{
	return strchr(is_struct ? "sug" : "deftv", kind);
}

/* An array with room for one more, or NULL. */
static void *grown(struct fz_kernel_closure *closure, void *array, size_t nr,
		   size_t bytes)
{
	void *bigger = array;

	/* Doubled at each power of two. */
	if (nr == 0 || (nr & (nr - 1)) == 0)
		bigger = realloc(array, (nr ? 2 * nr : 1) * bytes);
	if (!bigger)
		closure->code = -ENOMEM;
	return bigger;
}

/* In which lines an enumerator's enum is. */
static struct fz_kernel_lines enum_of(const struct fz_kernel_closure *closure,
				      const struct fz_kernel_tag *tag)
{
	const struct fz_kernel_source *source =
		&closure->tree->sources[tag->source];
	const struct fz_kernel_tag *best = tag;

	for (size_t i = 0; i < closure->tags->nr; i++) {
		const struct fz_kernel_tag *other = &closure->tags->tags[i];

		if (other->kind == 'g' && other->source == tag->source &&
		    other->line <= tag->line && other->end >= tag->line &&
		    (best == tag || other->line > best->line))
			best = other;
	}
	return fz_kernel_source_definition(source, best->line,
					   FZ_KERNEL_NO_LINE);
}

static void add_chunk(struct fz_kernel_closure *closure,
		      const struct fz_kernel_tag *tag, enum fz_kernel_form form)
{
	const struct fz_kernel_source *source =
		&closure->tree->sources[tag->source];
	struct fz_kernel_chunk chunk = {
		.name = tag->name,
		.kind = tag->kind,
		.source = tag->source,
		.line = tag->line,
		.form = form,
	};
	struct fz_kernel_chunk *chunks;

	if (strchr("dU", tag->kind))
		chunk.lines = fz_kernel_source_directive(source, tag->line);
	else if (tag->kind == 'e')
		chunk.lines = enum_of(closure, tag);
	else
		chunk.lines = fz_kernel_source_definition(source, tag->line,
							  tag->end);
	for (size_t i = 0; i < closure->nr_chunks; i++)
		if (closure->chunks[i].source == chunk.source &&
		    closure->chunks[i].lines.first == chunk.lines.first)
			return;
	chunks = grown(closure, closure->chunks, closure->nr_chunks,
		       sizeof(*chunks));
	if (!chunks)
		return;
	closure->chunks = chunks;
	chunks[closure->nr_chunks++] = chunk;
}

static void add_shim(struct fz_kernel_closure *closure,
		     const struct fz_kernel_tag *tag)
{
	const struct fz_kernel_tag **shims = grown(
		closure, closure->shims, closure->nr_shims, sizeof(*shims));

	if (!shims)
		return;
	closure->shims = shims;
	shims[closure->nr_shims++] = tag;
}

/* `#define NAME NAME` says to others that there is one. */
static bool names_itself(const struct fz_kernel_closure *closure,
			 const struct fz_kernel_tag *tag)
{
	const struct fz_kernel_source *source =
		&closure->tree->sources[tag->source];
	const char *line = source->bare + source->lines[tag->line];
	const size_t length = strlen(tag->name);
	const char *at = strstr(line, tag->name);

	if (!at)
		return false;
	at += length;
	at += strspn(at, " \t");
	return strncmp(at, tag->name, length) == 0 &&
	       at[length + strspn(at + length, " \t\r")] == '\n';
}

/* What the architecture has of a leaf, in its places. */
static void add_leaf(struct fz_kernel_closure *closure,
		     const struct fz_kernel_tag *first)
{
	const struct fz_kernel_tag *function = NULL, *tag;

	for (tag = first; tag; tag = fz_kernel_tags_next(closure->tags, tag))
		if (part_of(closure, tag) == FZ_KERNEL_ARCH &&
		    (tag->kind == 'f' || (tag->kind == 'p' && !function)))
			function = tag;
	for (tag = first; tag; tag = fz_kernel_tags_next(closure->tags, tag)) {
		if (part_of(closure, tag) != FZ_KERNEL_ARCH)
			continue;
		if (function && tag->kind == function->kind &&
		    (tag->kind == 'f' || tag == function))
			add_chunk(closure, tag, FZ_KERNEL_LEAF);
		else if (tag->kind == 'd' && !function)
			add_chunk(closure, tag, FZ_KERNEL_LEAF_BOTH);
		else if (tag->kind == 'd')
			add_chunk(closure, tag,
				  names_itself(closure, tag)
					  ? FZ_KERNEL_VERBATIM
					  : FZ_KERNEL_LEAF_MACRO);
	}
}

/* Is it what a file of `from` means by a name? */
static bool is_visible(const struct fz_kernel_closure *closure,
		       const struct fz_kernel_tag *tag, size_t from)
{
	const enum fz_kernel_part part = part_of(closure, tag);

	return tag->source == from || part == FZ_KERNEL_HEADER ||
	       (part == FZ_KERNEL_ARCH && !is_leaf(tag->name));
}

static size_t add_definitions(struct fz_kernel_closure *closure,
			      const struct fz_kernel_tag *first, bool is_struct,
			      size_t from, enum fz_kernel_part part)
{
	const struct fz_kernel_tag *tag;
	size_t nr = 0;

	for (tag = first; tag; tag = fz_kernel_tags_next(closure->tags, tag)) {
		const bool fits = part == FZ_KERNEL_HEADER
					  ? is_visible(closure, tag, from)
					  : part_of(closure, tag) == part;

		if (!fits || !is_of_class(tag->kind, is_struct))
			continue;
		add_chunk(closure, tag, FZ_KERNEL_VERBATIM);
		nr++;
	}
	return nr;
}

static bool add_from_shim(struct fz_kernel_closure *closure,
			  const struct fz_kernel_tag *first, bool is_struct)
{
	const struct fz_kernel_tag *tag;

	for (tag = first; tag; tag = fz_kernel_tags_next(closure->tags, tag)) {
		if (part_of(closure, tag) != FZ_KERNEL_SHIM ||
		    !(is_of_class(tag->kind, is_struct) || tag->kind == 'p'))
			continue;
		add_shim(closure, tag);
		return true;
	}
	return false;
}

static bool was_seen(struct fz_kernel_closure *closure,
		     const struct fz_kernel_tag *first, bool is_struct)
{
	bool *seen = (is_struct ? closure->structs : closure->seen) +
		     (first - closure->tags->tags);
	const bool before = *seen;

	*seen = true;
	return before;
}

/* What nobody has, the compiler will tell. */
static void resolve(struct fz_kernel_closure *closure, const char *name,
		    bool is_struct, size_t from)
{
	const struct fz_kernel_tag *first =
		fz_kernel_tags_find(closure->tags, name);

	if (!first || was_seen(closure, first, is_struct) ||
	    add_from_shim(closure, first, is_struct))
		return;
	if (!is_struct && is_leaf(name))
		add_leaf(closure, first);
	if (add_definitions(closure, first, is_struct, from, FZ_KERNEL_HEADER))
		return;
	if (!add_definitions(closure, first, is_struct, from, FZ_KERNEL_CODE))
		add_definitions(closure, first, is_struct, from,
				FZ_KERNEL_SPARE);
}

/* A parameter, variable or member inside these lines. */
static bool is_local(const struct fz_kernel_closure *closure, const char *name,
		     size_t source, struct fz_kernel_lines lines)
{
	const struct fz_kernel_tag *tag;

	for (tag = fz_kernel_tags_find(closure->tags, name); tag;
	     tag = fz_kernel_tags_next(closure->tags, tag))
		if (strchr("lmzD", tag->kind) && tag->source == source &&
		    tag->line >= lines.first &&
		    tag->line < lines.first + lines.nr)
			return true;
	return false;
}

/* A member's name follows '.' or '->'. */
static bool is_member(const char *text, size_t at)
{
	while (at && isspace((unsigned char)text[at - 1]))
		at--;
	/* `...` is a range, and what is behind it a name. */
	if (at > 1 && text[at - 1] == '.' && text[at - 2] == '.')
		return false;
	return at && (text[at - 1] == '.' ||
		      (text[at - 1] == '>' && at > 1 && text[at - 2] == '-'));
}

static bool is_struct_word(const char *word)
{
	return strcmp(word, "struct") == 0 || strcmp(word, "union") == 0 ||
	       strcmp(word, "enum") == 0;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* All names in these lines. */
static void scan(struct fz_kernel_closure *closure, size_t from,
		 struct fz_kernel_lines lines)
{
	const struct fz_kernel_source *source = &closure->tree->sources[from];
	const size_t end = source->lines[lines.first + lines.nr];
	char word[MAX_NAME] = "";

	for (size_t at = source->lines[lines.first], next; at < end;
	     at = next) {
		const bool is_struct = is_struct_word(word);

		next = at + 1;
		if (!is_word(source->bare[at]))
			continue;
		while (next < end && is_word(source->bare[next]))
			next++;
		if (next - at >= MAX_NAME ||
		    isdigit((unsigned char)source->bare[at]))
			continue;
		memcpy(word, source->bare + at, next - at);
		word[next - at] = '\0';
		if (is_member(source->bare, at) ||
		    (!is_struct && is_local(closure, word, from, lines)))
			continue;
		resolve(closure, word, is_struct, from);
	}
}

/* Each once: those around it were then looked at too. */
static void scan_conditions(struct fz_kernel_closure *closure,
			    const struct fz_kernel_chunk *chunk)
{
	const struct fz_kernel_source *source =
		&closure->tree->sources[chunk->source];
	bool *asked = closure->asked[chunk->source];

	for (size_t at = source->under[chunk->lines.first];
	     at != FZ_KERNEL_NO_LINE && !asked[at]; at = source->under[at]) {
		asked[at] = true;
		scan(closure, chunk->source,
		     fz_kernel_source_directive(source, at));
	}
}

static void scan_chunks(struct fz_kernel_closure *closure, size_t from)
{
	for (size_t i = from; i < closure->nr_chunks && !closure->code; i++) {
		const struct fz_kernel_chunk chunk = closure->chunks[i];

		/* The types of a prototype are those of the function. */
		if (chunk.form == FZ_KERNEL_VERBATIM &&
		    !strchr("pU", chunk.kind))
			scan(closure, chunk.source, chunk.lines);
		scan_conditions(closure, &chunk);
	}
}

/* The first tag of what line `at` undefines, if that is the tree's. */
static const struct fz_kernel_tag *
undefined_in(const struct fz_kernel_closure *closure,
	     const struct fz_kernel_source *source, size_t at)
{
	const char *word = strstr(source->bare + source->lines[at], "undef");
	const struct fz_kernel_tag *first, *tag;
	char name[MAX_NAME];
	size_t length = 0;

	word += strlen("undef");
	word += strspn(word, " \t");
	while (is_word(word[length]))
		length++;
	if (length >= sizeof(name))
		return NULL;
	memcpy(name, word, length);
	name[length] = '\0';
	first = fz_kernel_tags_find(closure->tags, name);
	for (tag = first; tag; tag = fz_kernel_tags_next(closure->tags, tag))
		if (part_of(closure, tag) == FZ_KERNEL_SHIM)
			return NULL;
	return first;
}

static bool has_chunk(const struct fz_kernel_closure *closure, size_t source)
{
	for (size_t i = 0; i < closure->nr_chunks; i++)
		if (closure->chunks[i].source == source)
			return true;
	return false;
}

/* With all that the same file then defines under that name. */
static void add_undef(struct fz_kernel_closure *closure, size_t source,
		      size_t line)
{
	const struct fz_kernel_tag *tag =
		undefined_in(closure, &closure->tree->sources[source], line);
	struct fz_kernel_tag undef;

	if (!tag || !closure->seen[tag - closure->tags->tags])
		return;
	undef = (struct fz_kernel_tag){
		.name = tag->name,
		.source = source,
		.kind = 'U',
		.line = line,
	};
	add_chunk(closure, &undef, FZ_KERNEL_VERBATIM);
	for (; tag; tag = fz_kernel_tags_next(closure->tags, tag))
		if (tag->kind == 'd' && tag->source == source)
			add_chunk(closure, tag,
				  is_leaf(tag->name) ? FZ_KERNEL_LEAF_MACRO
						     : FZ_KERNEL_VERBATIM);
}

static void add_undefs(struct fz_kernel_closure *closure)
{
	for (size_t i = 0; i < closure->tree->nr_sources; i++) {
		const struct fz_kernel_source *source =
			&closure->tree->sources[i];

		if (source->part < FZ_KERNEL_ARCH ||
		    (source->part == FZ_KERNEL_CODE && !has_chunk(closure, i)))
			continue;
		for (size_t line = 0; line < source->nr_lines; line++)
			if (fz_kernel_source_word(source, line) ==
			    FZ_KERNEL_UNDEF)
				add_undef(closure, i, line);
	}
}

static bool is_before(const struct fz_kernel_chunk *a,
		      const struct fz_kernel_chunk *b)
{
	return a->source != b->source ? a->source < b->source
				      : a->lines.first < b->lines.first;
}

static void add_prototypes_of(struct fz_kernel_closure *closure,
			      const struct fz_kernel_chunk *function)
{
	const struct fz_kernel_tag *tag;

	for (tag = fz_kernel_tags_find(closure->tags, function->name); tag;
	     tag = fz_kernel_tags_next(closure->tags, tag))
		if (tag->kind == 'p' &&
		    is_visible(closure, tag, function->source))
			add_chunk(closure, tag, FZ_KERNEL_VERBATIM);
}

/* Of functions that are used above their definition. */
static void add_prototypes(struct fz_kernel_closure *closure)
{
	const size_t nr = closure->nr_chunks;

	for (size_t i = 0; i < nr && !closure->code; i++) {
		const struct fz_kernel_chunk function = closure->chunks[i];
		bool early = false;

		if (function.kind != 'f' || function.form != FZ_KERNEL_VERBATIM)
			continue;
		for (size_t n = 0; n < nr && !early; n++)
			early = strchr("fv", closure->chunks[n].kind) &&
				is_before(&closure->chunks[n], &function) &&
				fz_kernel_lines_name(
					&closure->tree->sources
						 [closure->chunks[n].source],
					closure->chunks[n].lines,
					function.name);
		if (early)
			add_prototypes_of(closure, &function);
	}
}

static int begin(struct fz_kernel_closure *closure)
{
	const size_t nr_sources = closure->tree->nr_sources;
	const size_t nr = closure->tags->nr;

	closure->seen = calloc(nr, sizeof(bool));
	closure->structs = calloc(nr, sizeof(bool));
	closure->named = calloc(nr, sizeof(bool));
	closure->asked = calloc(nr_sources, sizeof(*closure->asked));
	if (!closure->seen || !closure->structs || !closure->named ||
	    !closure->asked)
		return -ENOMEM;
	for (size_t i = 0; i < nr_sources; i++) {
		closure->asked[i] = calloc(
			closure->tree->sources[i].nr_lines + 1, sizeof(bool));
		if (!closure->asked[i])
			return -ENOMEM;
	}
	return 0;
}

int fz_kernel_closure_init(struct fz_kernel_closure *closure,
			   const struct fz_kernel_tree *tree,
			   const struct fz_kernel_tags *tags,
			   const struct fz_kernel_tag *entry)
{
	const struct fz_kernel_tag *first =
		fz_kernel_tags_find(tags, entry->name);
	size_t done = 0;

	*closure = (struct fz_kernel_closure){ .tree = tree, .tags = tags };
	closure->code = begin(closure);
	if (closure->code)
		return closure->code;
	was_seen(closure, first, false);
	add_definitions(closure, first, false, entry->source, FZ_KERNEL_HEADER);
	while (done < closure->nr_chunks && !closure->code) {
		scan_chunks(closure, done);
		done = closure->nr_chunks;
		add_undefs(closure);
		if (done == closure->nr_chunks)
			add_prototypes(closure);
	}
	return closure->code;
}

void fz_kernel_closure_fini(struct fz_kernel_closure *closure)
{
	for (size_t i = 0; closure->asked && i < closure->tree->nr_sources; i++)
		free(closure->asked[i]);
	free(closure->asked);
	free(closure->seen);
	free(closure->structs);
	free(closure->named);
	free(closure->shims);
	free(closure->chunks);
}
