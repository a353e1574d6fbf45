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
 * @source: index of its file
 * @line: where the name stands, from 0
 * @lines: the definition
 * @form: what is written for it
 * @used: the compiler comes to it under this configuration
 */
struct fz_kernel_chunk {
	const char *name;
	size_t source;
	size_t line;
	struct fz_kernel_lines lines;
	enum fz_kernel_form form;
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
	char **seen; /* [nr_seen] names and, with a blank, tags */
	size_t nr_seen;
	int code; /* -ENOMEM sticks */
};

/*
 * What the function at `entry` uses. Return: 0 or -ENOMEM;
 * fz_kernel_closure_fini() follows also then.
 */
int fz_kernel_closure_init(struct fz_kernel_closure *closure,
			   const struct fz_kernel_tree *tree,
			   const struct fz_kernel_tags *tags,
			   const struct fz_kernel_tag *entry);
void fz_kernel_closure_fini(struct fz_kernel_closure *closure);

#endif
