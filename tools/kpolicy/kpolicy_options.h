/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of foliosim kpolicy. */
#ifndef FZ_KPOLICY_OPTIONS_H
#define FZ_KPOLICY_OPTIONS_H

#include <stdbool.h>

#include "kernel_tree.h"
#include "options.h"

#define FZ_KPOLICY_MAX_ALSO 32

/**
 * struct fz_kpolicy_options - what is asked for
 * @tree: the tree
 * @function: NULL = the first of the usual ones
 * @config: words of --config
 * @has_config: there are any
 * @output: path of the shared object; NULL = named after the function
 * @also: what @tree points to
 * @help: only the help text is wanted
 */
struct fz_kpolicy_options {
	struct fz_kernel_tree_params tree;
	const char *function;
	struct fz_list config;
	bool has_config;
	const char *output;
	const char *also[FZ_KPOLICY_MAX_ALSO];
	bool help;
};

/* Return: enum fz_exit; fz_kpolicy_options_fini() follows also then. */
int fz_kpolicy_options_parse(struct fz_kpolicy_options *options, int argc,
			     char **argv);
void fz_kpolicy_options_fini(struct fz_kpolicy_options *options);

#endif
