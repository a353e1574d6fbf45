/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of policies, generated from the list in CMakeLists.txt. */
#ifndef FZ_POLICIES_H
#define FZ_POLICIES_H

#include <fz/policy.h>

/* NULL-terminated, in the order of the list. */
extern const struct fz_policy *const fz_policies[];

/**
 * fz_policy_find() - the policy of that name
 * @name: exact name
 *
 * Return: the policy, or NULL.
 */
const struct fz_policy *fz_policy_find(const char *name);

#endif
