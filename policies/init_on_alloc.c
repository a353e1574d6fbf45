// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What init_on_alloc=1 makes of a policy: the allocator's runs before its own,
 * or instead of them. A plan is made without any state, so each policy has a
 * function of its own, written by the list of policies.
 */
#include <fz/init_on_alloc.h>

#include <stddef.h>

#define X(word) extern const struct fz_policy fz_policy_##word;
#include "policy_list.h"
#undef X

#define X(word)                                                         \
	static void twice_##word(struct fz_plan_builder *builder,       \
				 const struct fz_zero_request *request) \
	{                                                               \
		fz_policy_init_pages.plan(builder, request);            \
		fz_policy_##word.plan(builder, request);                \
	}
#include "policy_list.h"
#undef X

static const struct {
	const struct fz_policy *policy;
	void (*plan)(struct fz_plan_builder *builder,
		     const struct fz_zero_request *request);
} twice[] = {
#define X(word) { &fz_policy_##word, twice_##word },
#include "policy_list.h"
#undef X
	{ NULL, NULL },
};

const char *fz_init_on_alloc_name(enum fz_init_on_alloc init)
{
	static const char *const names[FZ_NR_INIT_ON_ALLOC] = {
		[FZ_INIT_OFF] = "off",
		[FZ_INIT_TWICE] = "6.12",
		[FZ_INIT_ONCE] = "7.3",
	};

	return names[init];
}

bool fz_policy_init_on_alloc(struct fz_policy *out,
			     const struct fz_policy *policy,
			     enum fz_init_on_alloc init)
{
	size_t i = 0;

	while (twice[i].policy && twice[i].policy != policy)
		i++;
	if (!twice[i].policy)
		return false;
	*out = *policy;
	if (init == FZ_INIT_TWICE)
		out->plan = twice[i].plan;
	if (init == FZ_INIT_ONCE) {
		out->plan = fz_policy_init_pages_extent.plan;
		out->uses = fz_policy_init_pages_extent.uses;
		out->default_batch_pages = 0;
	}
	return true;
}
