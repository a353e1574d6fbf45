/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `foliosim plan --diff`. */
#ifndef FZ_CMD_PLAN_DIFF_H
#define FZ_CMD_PLAN_DIFF_H

#include "plan_options.h"

/* Compare and print. Return: FZ_EXIT_DONE if the policies' plans are equal,
 * FZ_EXIT_FAILED if not, or after a complaint. */
int fz_plan_diff_run(const struct fz_plan_options *options);

#endif
