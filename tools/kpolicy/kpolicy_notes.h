/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a policy may lack though nothing failed. */
#ifndef FZ_KPOLICY_NOTES_H
#define FZ_KPOLICY_NOTES_H

#include "kernel_closure.h"

/* Which words #if took for 0, as the preprocessor has warned of. */
void fz_kpolicy_note_unread(const char *messages, const char *root);

/* Which calls of the scheduler are inside of stores that are the shim's. Once
 * it is known what is used. */
void fz_kpolicy_note_leaves(const struct fz_kernel_closure *closure);

#endif
