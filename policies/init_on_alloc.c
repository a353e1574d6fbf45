// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What init_on_alloc=1 makes of a policy: the allocator's runs before its own,
 * or instead of them.
 */
#include <fz/init_on_alloc.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

extern const struct fz_policy fz_policy_init_pages;
extern const struct fz_policy fz_policy_init_pages_extent;

/* The policy is the first member of its struct. */
static const struct fz_init_policy *init_of(const struct fz_policy *policy)
{
	return (const struct fz_init_policy *)(const void *)policy;
}

/* Appends the runs of `second`. */
static int plan_join(struct fz_plan *plan, const struct fz_plan *second)
{
	const size_t nr_runs = plan->nr_runs + second->nr_runs;
	struct fz_run *runs = realloc(plan->runs, nr_runs * sizeof(*runs));

	if (!runs)
		return -ENOMEM;
	memcpy(runs + plan->nr_runs, second->runs,
	       second->nr_runs * sizeof(*runs));
	plan->runs = runs;
	plan->nr_runs = nr_runs;
	plan->conditional |= second->conditional;
	return 0;
}

/* A copy is no longer part of the struct that it may have been part of. */
static int same_make_plan(const struct fz_policy *policy,
			  const struct fz_zero_request *request,
			  struct fz_plan *plan, struct fz_err *err)
{
	return fz_policy_plan(init_of(policy)->of, request, plan, err);
}

static int twice_make_plan(const struct fz_policy *policy,
			   const struct fz_zero_request *request,
			   struct fz_plan *plan, struct fz_err *err)
{
	struct fz_plan second;
	int code = fz_policy_plan(&fz_policy_init_pages, request, plan, err);

	if (code)
		return code;
	code = fz_policy_plan(init_of(policy)->of, request, &second, err);
	if (!code) {
		if (plan_join(plan, &second))
			code = fz_err_set(err, -ENOMEM,
					  "no memory for a plan of '%s'",
					  policy->name);
		fz_plan_fini(&second);
	}
	if (code)
		fz_plan_fini(plan);
	return code;
}

const char *fz_init_on_alloc_name(enum fz_init_on_alloc init)
{
	static const char *const names[FZ_NR_INIT_ON_ALLOC] = {
		[FZ_INIT_OFF] = "off",
		[FZ_INIT_TWICE] = "6.12",
		[FZ_INIT_ONCE] = "7.3",
	};

	return names[init];
}

struct fz_init_policy fz_policy_init_on_alloc(const struct fz_policy *policy,
					      enum fz_init_on_alloc init)
{
	struct fz_init_policy out = { .policy = *policy, .of = policy };

	if (init == FZ_INIT_OFF)
		out.policy.make_plan = same_make_plan;
	if (init == FZ_INIT_TWICE)
		out.policy.make_plan = twice_make_plan;
	if (init == FZ_INIT_ONCE) {
		out.policy.plan = fz_policy_init_pages_extent.plan;
		out.policy.make_plan = NULL;
		out.policy.uses = fz_policy_init_pages_extent.uses;
		out.policy.default_batch_pages = 0;
	}
	return out;
}
