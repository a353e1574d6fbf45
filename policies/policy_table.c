// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of policies. */
#include <fz/policies.h>

#include <stddef.h>
#include <string.h>

#define X(word) extern const struct fz_policy fz_policy_##word;
#include "policy_list.h"
#undef X

const struct fz_policy *const fz_policies[] = {
#define X(word) &fz_policy_##word,
#include "policy_list.h"
#undef X
	NULL,
};

const struct fz_policy *fz_policy_find(const char *name)
{
	for (size_t i = 0; fz_policies[i]; i++)
		if (strcmp(name, fz_policies[i]->name) == 0)
			return fz_policies[i];
	return NULL;
}
