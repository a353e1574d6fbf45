/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Policies that are shared objects, as documents name them. */
#ifndef FZ_POLICY_OBJECTS_H
#define FZ_POLICY_OBJECTS_H

#include <stdbool.h>
#include <stdio.h>

#include <jansson.h>

#include "note.h"
#include "policy_option.h"

/* Is any of them from a file? NULL: there are none. */
bool fz_policy_objects_any(const struct fz_policy_list *policies);

/* An array of those that are. */
json_t *fz_policy_objects_json(const struct fz_policy_list *policies);

/* A paragraph for each. */
void fz_policy_objects_text(FILE *out, const struct fz_policy_list *policies,
			    struct fz_margins margins);

#endif
