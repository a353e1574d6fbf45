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
 * @temporary: the object until it is whole
 * @name: of the policy
 */
struct fz_kpolicy_files {
	char *object;
	char *source;
	char *temporary;
	char *name;
};

/*
 * `output` is NULL for a file that is named after the function. Nothing in
 * `root` is a place. Return: 0 or -errno; fz_kpolicy_files_fini() follows also
 * then.
 */
int fz_kpolicy_files_init(struct fz_kpolicy_files *files, const char *output,
			  const char *function, const char *root,
			  struct fz_err *err);
void fz_kpolicy_files_fini(struct fz_kpolicy_files *files);

/* Write the C file, but not over one that is not ours. */
int fz_kpolicy_files_write(const struct fz_kpolicy_files *files,
			   const char *text, size_t bytes, struct fz_err *err);

/* The object is whole. */
int fz_kpolicy_files_commit(const struct fz_kpolicy_files *files,
			    struct fz_err *err);

#endif
