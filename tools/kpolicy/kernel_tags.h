/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What C files define, as universal-ctags sees it. */
#ifndef FZ_KERNEL_TAGS_H
#define FZ_KERNEL_TAGS_H

#include <fz/err.h>

#include "kernel_source.h"

/**
 * struct fz_kernel_tag - a name and where it is defined
 * @name: the name
 * @source: index of its file
 * @kind: ctags' letter: d macro, e enumerator, f function, g enum, l local
 *	variable, m member, p prototype, s struct, t typedef, u union,
 *	v variable, z parameter, D that of a macro
 * @line: from 0
 * @end: last line, from 0, or FZ_KERNEL_NO_LINE
 * @signature: of a function: its parameters in parentheses; else NULL
 */
struct fz_kernel_tag {
	const char *name;
	size_t source;
	char kind;
	size_t line;
	size_t end;
	const char *signature;
};

/**
 * struct fz_kernel_tags - all of them
 * @tags: [nr] by name, then by file and line
 * @nr: number of tags
 * @text: what the names point into
 */
struct fz_kernel_tags {
	struct fz_kernel_tag *tags;
	size_t nr;
	char *text;
};

/*
 * Run ctags over the files. Return: 0, -ENOENT where there is no
 * universal-ctags, or another -errno. fz_kernel_tags_fini() follows also then.
 */
int fz_kernel_tags_read(struct fz_kernel_tags *tags,
			const struct fz_kernel_source *sources,
			size_t nr_sources, struct fz_err *err);
void fz_kernel_tags_fini(struct fz_kernel_tags *tags);

/* Tags of a name stand together: the first of them, or NULL. */
const struct fz_kernel_tag *
fz_kernel_tags_find(const struct fz_kernel_tags *tags, const char *name);

/* The next of the same name, or NULL. */
const struct fz_kernel_tag *
fz_kernel_tags_next(const struct fz_kernel_tags *tags,
		    const struct fz_kernel_tag *tag);

#endif
