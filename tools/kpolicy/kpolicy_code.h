/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The C file that a policy is compiled from. */
#ifndef FZ_KPOLICY_CODE_H
#define FZ_KPOLICY_CODE_H

#include <stdio.h>

#include "kernel_closure.h"
#include "kernel_entry.h"

/* The first line of every such file begins so: others are not overwritten. */
#define FZ_KPOLICY_MARK "/* Made by foliosim kpolicy"

/* In front of each chunk where the preprocessor comes to it, with its index. */
#define FZ_KPOLICY_PRAGMA "foliosim_chunk"

/**
 * struct fz_kpolicy_code - what goes into it
 * @tree: the tree
 * @closure: its definitions that are needed
 * @entry: the function
 * @name: of the policy
 * @arch: of the tree
 * @is_32bit: a kernel of 32 bits
 * @config: [nr_config] more words of --config
 * @nr_config: their number
 * @shim: path of the user's header, or NULL
 */
struct fz_kpolicy_code {
	const struct fz_kernel_tree *tree;
	const struct fz_kernel_closure *closure;
	const struct fz_kernel_entry *entry;
	const char *name;
	const char *arch;
	bool is_32bit;
	const char *const *config;
	size_t nr_config;
	const char *shim;
};

/* Errors show on the stream. */
void fz_kpolicy_code_write(FILE *out, const struct fz_kpolicy_code *code);

#endif
