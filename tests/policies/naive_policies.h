/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The policies once more, step by step, sharing no code with policies/. */
#ifndef NAIVE_POLICIES_H
#define NAIVE_POLICIES_H

#include <stdbool.h>

#include <fz/policy.h>

#include "plan_steps.h"

/*
 * Appends the steps of the policy of that name; batch_pages 0 is the default.
 * Returns false, and appends nothing, if it is not written here.
 */
bool naive_steps(struct steps *steps, const char *policy,
		 const struct fz_zero_request *request);

/* The i-th policy that is, NULL after the last one. */
const char *naive_policy(size_t i);

#endif
