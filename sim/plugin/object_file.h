/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Is a file a shared object of this machine? */
#ifndef OBJECT_FILE_H
#define OBJECT_FILE_H

#include <fz/err.h>

/*
 * Looks at the file's headers only: the dynamic loader would name no other
 * machine, and does not survive a file that is cut off. 0, -EINVAL or what
 * opening failed with.
 */
int fz_object_file_check(const char *path, struct fz_err *err);

#endif
