/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The function that a policy is made of, and how it is called. */
#ifndef FZ_KERNEL_ENTRY_H
#define FZ_KERNEL_ENTRY_H

#include <stdbool.h>

#include <fz/err.h>

#include "kernel_tags.h"
#include "kernel_tree.h"

/**
 * struct fz_kernel_entry - a function
 * @tag: where it is defined
 * @call: the call of it, in C, with the words of kpolicy_wrap.c
 * @has_address: it is told the faulting address
 */
struct fz_kernel_entry {
	const struct fz_kernel_tag *tag;
	char call[512];
	bool has_address;
};

/*
 * `word` is NAME or FILE:NAME; NULL stands for the first that there is of
 * folio_zero_user and clear_huge_page. Return: 0; -ENOENT, or -EINVAL if there
 * are two or it cannot be called.
 */
int fz_kernel_entry_find(struct fz_kernel_entry *entry,
			 const struct fz_kernel_tree *tree,
			 const struct fz_kernel_tags *tags, const char *word,
			 struct fz_err *err);

#endif
