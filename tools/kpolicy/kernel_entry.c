// SPDX-License-Identifier: GPL-2.0-or-later
/* The function that a policy is made of, and how it is called. */
#include "kernel_entry.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Since 6.11, and before. */
static const char *const defaults[] = { "folio_zero_user", "clear_huge_page" };

#define MAX_CANDIDATES 16

/* A function of C files, of `file` if that is not empty. */
static bool is_candidate(const struct fz_kernel_tree *tree,
			 const struct fz_kernel_tag *tag, const char *file)
{
	const struct fz_kernel_source *source = &tree->sources[tag->source];

	return tag->kind == 'f' && source->part >= FZ_KERNEL_HEADER &&
	       (!*file || strcmp(source->name, file) == 0);
}

/* In one file they may be alternatives of the preprocessor, or a header's empty
 * one beside the real one. */
static bool are_alternatives(const struct fz_kernel_tree *tree,
			     const struct fz_kernel_tag *a,
			     const struct fz_kernel_tag *b)
{
	const struct fz_kernel_source *source = &tree->sources[a->source];

	if (a->source != b->source)
		return source->part != tree->sources[b->source].part;
	return source->under[a->line] != source->under[b->line];
}

static int complain_two(const struct fz_kernel_tree *tree,
			const struct fz_kernel_tag *a,
			const struct fz_kernel_tag *b, struct fz_err *err)
{
	return fz_err_set(err, -EINVAL,
			  "'%s' is defined twice, %s:%zu and %s:%zu: take one "
			  "by --function FILE:NAME, or leave a file of --also "
			  "out",
			  a->name, tree->sources[a->source].name, a->line + 1,
			  tree->sources[b->source].name, b->line + 1);
}

/* NULL with an error if there are two, without one if there is none. */
static const struct fz_kernel_tag *choose(const struct fz_kernel_tree *tree,
					  const struct fz_kernel_tags *tags,
					  const char *name, const char *file,
					  struct fz_err *err)
{
	const struct fz_kernel_tag *chosen = NULL, *tag;

	for (tag = fz_kernel_tags_find(tags, name); tag;
	     tag = fz_kernel_tags_next(tags, tag)) {
		if (!is_candidate(tree, tag, file))
			continue;
		if (chosen && !are_alternatives(tree, chosen, tag)) {
			complain_two(tree, chosen, tag, err);
			return NULL;
		}
		/* Code comes after headers. */
		chosen = tag;
	}
	return chosen;
}

static int complain_none(const struct fz_kernel_tree *tree, const char *word,
			 struct fz_err *err)
{
	char files[512] = "";
	size_t used = 0;

	for (size_t i = 0; i < tree->nr_sources; i++)
		if (tree->sources[i].part == FZ_KERNEL_CODE &&
		    used < sizeof(files))
			used += (size_t)snprintf(
				files + used, sizeof(files) - used, "%s%s",
				used ? ", " : "", tree->sources[i].name);
	return fz_err_set(err, -ENOENT,
			  "'%s' has no function '%s' in %s: name another by "
			  "--function, or its file by --also",
			  tree->root, word, files);
}

static bool contains(const char *text, const char *word)
{
	return strstr(text, word);
}

/* What to pass for one parameter, or NULL. */
static const char *argument_of(struct fz_kernel_entry *entry,
			       const char *parameter)
{
	const char *name = parameter + strlen(parameter);

	while (name > parameter &&
	       (isalnum((unsigned char)name[-1]) || name[-1] == '_'))
		name--;
	if (contains(parameter, "struct folio *"))
		return "fz_folio";
	if (contains(parameter, "struct page *"))
		return "fz_pages";
	if (contains(parameter, "struct vm_area_struct *"))
		return "NULL";
	if (contains(parameter, "gfp_t"))
		return "1";
	if (strpbrk(parameter, "*([{"))
		return NULL;
	if (contains(name, "addr")) {
		entry->has_address = true;
		return "fz_address";
	}
	if (contains(name, "order"))
		return "folio_order(fz_folio)";
	if (contains(name, "page") || contains(name, "nr") ||
	    contains(name, "num") || contains(name, "count"))
		return "folio_nr_pages(fz_folio)";
	return NULL;
}

/* Without one of these there is nothing to zero. */
static bool is_memory(const char *argument)
{
	return strcmp(argument, "fz_folio") == 0 ||
	       strcmp(argument, "fz_pages") == 0;
}

static int make_call(struct fz_kernel_entry *entry, struct fz_err *err)
{
	const char *signature = entry->tag->signature;
	size_t used = (size_t)snprintf(entry->call, sizeof(entry->call), "%s(",
				       entry->tag->name);
	bool has_memory = false;

	if (!signature || *signature != '(')
		signature = "()";
	for (const char *at = signature + 1; *at && *at != ')';) {
		const size_t length = strcspn(at, ",)");
		const char *argument;
		char parameter[128];

		snprintf(parameter, sizeof(parameter), "%.*s", (int)length, at);
		argument = argument_of(entry, parameter);
		if (!argument || used >= sizeof(entry->call))
			return fz_err_set(err, -EINVAL,
					  "cannot tell what to pass for '%s' "
					  "of '%s'",
					  parameter, entry->tag->name);
		has_memory |= is_memory(argument);
		used += (size_t)snprintf(
			entry->call + used, sizeof(entry->call) - used, "%s%s",
			at == signature + 1 ? "" : ", ", argument);
		at += length + (at[length] == ',');
	}
	if (!has_memory || used + 2 > sizeof(entry->call))
		return fz_err_set(err, -EINVAL,
				  "'%s' is given neither a folio nor pages",
				  entry->tag->name);
	memcpy(entry->call + used, ")", 2);
	return 0;
}

int fz_kernel_entry_find(struct fz_kernel_entry *entry,
			 const struct fz_kernel_tree *tree,
			 const struct fz_kernel_tags *tags, const char *word,
			 struct fz_err *err)
{
	const char *colon = word ? strrchr(word, ':') : NULL;
	struct fz_err two = { "" };
	char file[256] = "";

	*entry = (struct fz_kernel_entry){ .tag = NULL };
	if (colon)
		snprintf(file, sizeof(file), "%.*s", (int)(colon - word), word);
	if (word)
		entry->tag = choose(tree, tags, colon ? colon + 1 : word, file,
				    &two);
	for (size_t i = 0; i < 2 && !word && !entry->tag && !*two.msg; i++)
		entry->tag = choose(tree, tags, defaults[i], "", &two);
	if (*two.msg)
		return fz_err_set(err, -EINVAL, "%s", two.msg);
	if (!entry->tag)
		return complain_none(
			tree,
			word ? word : "folio_zero_user' or 'clear_huge_page",
			err);
	return make_call(entry, err);
}
