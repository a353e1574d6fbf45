/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What foliosim kpolicy tells: which name came from where. */
#ifndef FZ_KPOLICY_TABLE_H
#define FZ_KPOLICY_TABLE_H

#include <stdio.h>

#include "kernel_closure.h"
#include "kpolicy_files.h"

/* The faulting address is of interest to the policy, or not. Errors show on the
 * stream. */
void fz_kpolicy_table(FILE *out, const struct fz_kernel_tree *tree,
		      const struct fz_kernel_closure *closure,
		      const struct fz_kpolicy_files *files, bool has_address);

#endif
