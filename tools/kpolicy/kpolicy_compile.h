/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The user's C compiler. */
#ifndef FZ_KPOLICY_COMPILE_H
#define FZ_KPOLICY_COMPILE_H

#include "kernel_closure.h"

/* Is there a compiler? Return: 0, or -ENOENT with what to install in `err`. */
int fz_kpolicy_compiler_check(struct fz_err *err);

/*
 * Let the preprocessor say which chunks of the C file are active. Return: 0 or
 * -errno; `messages` as in the next.
 */
int fz_kpolicy_preprocess(const char *source, struct fz_kernel_closure *closure,
			  char **messages, struct fz_err *err);

/*
 * Make a shared object of a C file. Return: 0 or -errno. `messages` is what the
 * compiler said, to be freed; NULL if it was not started. Messages about
 * names that are missing leave the tree's root away.
 */
int fz_kpolicy_compile(const char *source, const char *object,
		       const struct fz_kernel_closure *closure, char **messages,
		       struct fz_err *err);

#endif
