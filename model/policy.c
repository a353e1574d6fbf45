// SPDX-License-Identifier: GPL-2.0-or-later
/* What policies share: the batch, and how a range is cut into units. */
#include <fz/policy.h>

#include <assert.h>
#include <errno.h>

uint64_t fz_policy_batch_pages(const struct fz_policy *policy,
			       const struct fz_zero_request *request)
{
	if (!(policy->uses & FZ_USES_BATCH))
		return 0;
	if (request->batch_pages)
		return request->batch_pages;
	/* 32-bit kernels have no clear primitive for several pages. */
	return request->highmem ? 1 : policy->default_batch_pages;
}

static int build_plan(const struct fz_policy *policy,
		      const struct fz_zero_request *request,
		      struct fz_plan *plan, struct fz_err *err)
{
	struct fz_plan_builder *builder =
		fz_plan_builder_new(request->nr_pages);
	int code = -ENOMEM;

	if (builder) {
		policy->plan(builder, request);
		code = fz_plan_finish(builder, plan);
	}
	if (code == -EINVAL)
		return fz_err_set(
			err, code,
			"no plan of '%s': a run leaves the folio, or its "
			"unit is longer than its range",
			policy->name);
	return code ? fz_err_set(err, code, "no memory for a plan of '%s'",
				 policy->name)
		    : 0;
}

int fz_policy_plan(const struct fz_policy *policy,
		   const struct fz_zero_request *request, struct fz_plan *plan,
		   struct fz_err *err)
{
	struct fz_zero_request resolved = *request;

	assert(request->nr_pages >= 1);
	assert(request->fault_page < request->nr_pages);
	resolved.batch_pages = fz_policy_batch_pages(policy, request);
	return policy->make_plan
		       ? policy->make_plan(policy, &resolved, plan, err)
		       : build_plan(policy, &resolved, plan, err);
}

void fz_plan_add_extent(struct fz_plan_builder *builder,
			const struct fz_zero_request *request,
			struct fz_range range, enum fz_hint hint,
			enum fz_resched resched)
{
	const bool single = request->highmem || request->per_page_clear;
	uint64_t unit_pages = range.nr;

	if (!fz_preempt_is_preemptible(request->preempt) &&
	    request->batch_pages && request->batch_pages < range.nr)
		unit_pages = request->batch_pages;
	fz_plan_add_run(builder, (struct fz_run){
					 .op = FZ_OP_CLEAR,
					 .first = range.first,
					 .nr = range.nr,
					 .unit_pages = unit_pages,
					 .call_pages = single ? 1 : unit_pages,
					 .hint = (uint8_t)hint,
					 .resched = (uint8_t)resched,
				 });
}

void fz_plan_add_range(struct fz_plan_builder *builder,
		       const struct fz_zero_request *request,
		       struct fz_range range, enum fz_hint hint)
{
	if (fz_range_is_empty(range))
		return;
	fz_plan_might_sleep(builder);
	fz_plan_add_extent(builder, request, range, hint, FZ_RESCHED_BEFORE);
}

void fz_plan_add_pages(struct fz_plan_builder *builder, struct fz_range range,
		       enum fz_direction direction, enum fz_resched resched)
{
	const struct fz_run run = {
		.op = FZ_OP_CLEAR,
		.first = range.first,
		.nr = range.nr,
		.unit_pages = 1,
		.call_pages = 1,
		.direction = (uint8_t)direction,
		.resched = (uint8_t)resched,
	};

	fz_plan_add_run(builder, run);
}
