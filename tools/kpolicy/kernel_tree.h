/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The few files of a kernel's source tree that are read. */
#ifndef FZ_KERNEL_TREE_H
#define FZ_KERNEL_TREE_H

#include <stdbool.h>

#include <fz/err.h>

#include "kernel_source.h"

/**
 * struct fz_kernel_tree_params - which tree, and how it is read
 * @root: its directory
 * @arch: name of a folder of arch/
 * @is_32bit: take the architecture's headers for 32 bits where it has both
 * @also: [nr_also] more files of the tree: inside it, or paths
 * @nr_also: their number
 * @shim: a header of the user, or NULL
 */
struct fz_kernel_tree_params {
	const char *root;
	const char *arch;
	bool is_32bit;
	const char *const *also;
	size_t nr_also;
	const char *shim;
};

/**
 * struct fz_kernel_tree - what was read
 * @root: the directory, as it was given, without slashes at the end
 * @version: "7.2.13"
 * @major: 7
 * @sources: [nr_sources], those of a part together, in the order of parts
 * @nr_sources: number of files
 */
struct fz_kernel_tree {
	char *root;
	char version[64];
	unsigned int major;
	struct fz_kernel_source *sources;
	size_t nr_sources;
};

/* Return: 0 or -errno; fz_kernel_tree_close() follows also then. */
int fz_kernel_tree_open(struct fz_kernel_tree *tree,
			const struct fz_kernel_tree_params *params,
			struct fz_err *err);
void fz_kernel_tree_close(struct fz_kernel_tree *tree);

#endif
