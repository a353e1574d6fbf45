/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a policy that was made comes to stand. */
#ifndef FZ_KPOLICY_FILES_H
#define FZ_KPOLICY_FILES_H

#include <stddef.h>

#include <fz/err.h>

/**
 * struct fz_kpolicy_files - the files
 * @object: the shared object; has a '/' in it, as --policy wants it
 * @source: the C file beside it
 * @new_object: the object until it is whole, in the same folder
 * @new_source: the C file until then
 * @name: of the policy
 */
struct fz_kpolicy_files {
	char *object;
	char *source;
	char *new_object;
	char *new_source;
	char *name;
};

/*
 * `output` is NULL for a file that is named after the function. Nothing in
 * `root` is a place, nor is where something stands that is not of kpolicy.
 * Return: 0 or -errno; fz_kpolicy_files_fini() follows also then.
 */
int fz_kpolicy_files_init(struct fz_kpolicy_files *files, const char *output,
			  const char *function, const char *root,
			  struct fz_err *err);
void fz_kpolicy_files_fini(struct fz_kpolicy_files *files);

/* Write the new C file. */
int fz_kpolicy_files_write(const struct fz_kpolicy_files *files,
			   const char *text, size_t bytes, struct fz_err *err);

/* The object is made: if it loads, both take their names. */
int fz_kpolicy_files_commit(const struct fz_kpolicy_files *files,
			    struct fz_err *err);

#endif
