// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * An example of a policy that is a shared object. What lies right and left of
 * the faulting page's neighbourhood is cleared towards it, a batch at a time,
 * so that the pages next to it stay in the caches too; the neighbourhood is
 * last.
 */
#include <fz/folio.h>
#include <fz/policy.h>

/* Its batches are small enough for their order to matter in 2 MiB. */
#define BATCH_PAGES 64

static void add_batches(struct fz_plan_builder *builder,
			const struct fz_zero_request *request,
			struct fz_range range, enum fz_direction direction)
{
	const bool single = request->highmem || request->per_page_clear;
	const uint64_t batch = request->batch_pages;
	const uint64_t unit = batch < range.nr ? batch : range.nr;
	const struct fz_run run = {
		.op = FZ_OP_CLEAR,
		.first = range.first,
		.nr = range.nr,
		.unit_pages = unit,
		.call_pages = single ? 1 : unit,
		.direction = (uint8_t)direction,
		.resched = FZ_RESCHED_BEFORE,
	};

	fz_plan_add_run(builder, run);
}

static void towards_fault_plan(struct fz_plan_builder *builder,
			       const struct fz_zero_request *request)
{
	const struct fz_neighbourhood cut = fz_neighbourhood_of(
		request->nr_pages, request->fault_page, request->radius_pages);

	fz_plan_might_sleep(builder);
	add_batches(builder, request, cut.right, FZ_DIRECTION_DOWN);
	add_batches(builder, request, cut.left, FZ_DIRECTION_UP);
	add_batches(builder, request, cut.near, FZ_DIRECTION_UP);
}

const struct fz_policy fz_policy = {
	FZ_POLICY_HEAD,
	.name = "towards-fault",
	.summary = "far pages in batches towards the fault, then around it",
	.kernels = "none: an example",
	.uses = FZ_USES_FAULT | FZ_USES_BATCH | FZ_USES_RADIUS,
	.models = FZ_PREEMPT_ANY,
	.default_batch_pages = BATCH_PAGES,
	.plan = towards_fault_plan,
};
