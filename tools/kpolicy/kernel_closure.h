/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A function, and all that it uses. */
#ifndef FZ_KERNEL_CLOSURE_H
#define FZ_KERNEL_CLOSURE_H

#include <stdbool.h>

#include <fz/err.h>

#include "kernel_tags.h"
#include "kernel_tree.h"

/* What is written for a chunk. */
enum fz_kernel_form {
	FZ_KERNEL_VERBATIM,   /* its lines */
	FZ_KERNEL_LEAF,       /* the shim's function of that name */
	FZ_KERNEL_LEAF_MACRO, /* that the architecture has one */
	FZ_KERNEL_LEAF_BOTH,
};

/**
 * struct fz_kernel_chunk - a definition
 * @name: what is defined
 * @kind: as of struct fz_kernel_tag; 'U' for #undef
 * @source: index of its file
 * @line: where the name stands, from 0
 * @lines: the definition
 * @form: what is written for it
 * @active: the compiler comes to it under this configuration
 * @used: and something that is used names it
 */
struct fz_kernel_chunk {
	const char *name;
	char kind;
	size_t source;
	size_t line;
	struct fz_kernel_lines lines;
	enum fz_kernel_form form;
	bool active;
	bool used;
};

/**
 * struct fz_kernel_closure - what is needed
 * @chunks: [nr_chunks] in the order in which they were come across; the
 *	function itself first
 * @nr_chunks: their number
 * @shims: [nr_shims] names that are the shim's
 * @nr_shims: their number
 */
struct fz_kernel_closure {
	struct fz_kernel_chunk *chunks;
	size_t nr_chunks;
	const struct fz_kernel_tag **shims;
	size_t nr_shims;
	/* private: */
	const struct fz_kernel_tree *tree;
	const struct fz_kernel_tags *tags;
	/* Of the first tag of each name: */
	bool *seen;    /* [tags->nr] it was looked for */
	bool *structs; /* [tags->nr] also with struct, union or enum */
	bool *named;   /* [tags->nr] what is used names it */
	bool **asked;  /* [tree->nr_sources][nr_lines] conditions looked at */
	int code;      /* -ENOMEM sticks */
};

/*
 * What the function at `entry` uses. Return: 0 or -ENOMEM;
 * fz_kernel_closure_fini() follows also then.
 */
int fz_kernel_closure_init(struct fz_kernel_closure *closure,
			   const struct fz_kernel_tree *tree,
			   const struct fz_kernel_tags *tags,
			   const struct fz_kernel_tag *entry);

/* Once it is known which chunks are active: which of them are used. */
void fz_kernel_closure_mark_used(struct fz_kernel_closure *closure);

/* Is it a word of these lines, outside of comments and literals? */
bool fz_kernel_lines_name(const struct fz_kernel_source *source,
			  struct fz_kernel_lines lines, const char *name);

/* Does a chunk that is used name it? */
bool fz_kernel_closure_names(const struct fz_kernel_closure *closure,
			     const char *name);

/*
 * The first place in what is used where the preprocessor is asked for the
 * preemption model; NULL if there is none. `line` from 0.
 */
const struct fz_kernel_source *
fz_kernel_closure_asks_model(const struct fz_kernel_closure *closure,
			     size_t *line);

void fz_kernel_closure_fini(struct fz_kernel_closure *closure);

#endif
