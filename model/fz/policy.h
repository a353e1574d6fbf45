/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The interface of a zeroing policy: a fault in, a plan out. */
#ifndef FZ_POLICY_H
#define FZ_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#include <fz/err.h>
#include <fz/plan.h>
#include <fz/preempt.h>
#include <fz/range.h>

/*
 * The batch since 7.0 where the architecture can clear many pages at once:
 * 32 MiB, which at 10 GB/s takes about 3 ms.
 */
#define FZ_BATCH_PAGES 8192ull

/**
 * struct fz_zero_request - one folio to zero, and the kernel that does it
 * @nr_pages: pages in the folio, at least 1; need not be a power of two
 * @fault_page: index of the faulting page, below @nr_pages
 * @preempt: the kernel's preemption model
 * @batch_pages: pages between two resched points under a cooperative model; 0
 *	means the policy's default, or 1 with @highmem. plan() is given the
 *	batch that results, and 0 if the policy has no FZ_USES_BATCH
 * @radius_pages: pages on each side of the faulting page that are cleared last
 * @highmem: a 32-bit HIGHMEM kernel: mapped and cleared page by page
 * @per_page_clear: an architecture with its own clear_user_page(): one clear
 *	call a page, the same units
 */
struct fz_zero_request {
	uint64_t nr_pages;
	uint64_t fault_page;
	enum fz_preempt preempt;
	uint64_t batch_pages;
	uint64_t radius_pages;
	bool highmem;
	bool per_page_clear;
};

/**
 * enum fz_policy_uses - what of a request changes a policy's plan
 * @FZ_USES_FAULT: it is told the faulting page (folio_zero_user() is, an
 *	allocator is not)
 * @FZ_USES_BATCH: @batch_pages
 * @FZ_USES_RADIUS: @radius_pages
 */
enum fz_policy_uses {
	FZ_USES_FAULT = 1 << 0,
	FZ_USES_BATCH = 1 << 1,
	FZ_USES_RADIUS = 1 << 2,
};

/*
 * Version of what policies that are shared objects are compiled with: raised
 * when struct fz_policy, struct fz_zero_request, struct fz_run or struct
 * fz_step change, or a function that such a policy may call, which are
 * fz_plan_add_extent(), _range(), _pages(), _run() and _step(),
 * fz_plan_might_sleep(), fz_plan_conditional(), fz_neighbourhood_of(), all of
 * fz/folio.h, fz_preempt_is_preemptible() and fz_preempt_is_rt().
 */
#define FZ_POLICY_ABI 1u

/* First members of a policy that is a shared object: what it is checked by. */
#define FZ_POLICY_HEAD .abi = FZ_POLICY_ABI, .bytes = sizeof(struct fz_policy)

/**
 * struct fz_policy - a way of zeroing a folio
 * @abi: FZ_POLICY_ABI that it was compiled with, by FZ_POLICY_HEAD. Required of
 *	a shared object.
 * @bytes: size of this struct there, by FZ_POLICY_HEAD. Required of a shared
 *	object.
 * @name: name on the command line. Required.
 * @summary: one line. Required.
 * @kernels: which kernels do this, "up to 6.19" and the like. Required.
 * @uses: set of enum fz_policy_uses
 * @models: set of FZ_PREEMPT_BIT: the models those kernels can run
 * @default_batch_pages: batch where the request gives none; 0 without batches
 * @plan: append runs or steps; no memory, no clock, no OS. Required where there
 *	is no @make_plan.
 * @make_plan: instead of @plan, where plans are not built but come from
 *	elsewhere: of another policy's plans, or out of another process. @policy
 *	is the policy that is asked, which may be part of a larger struct; the
 *	rest as fz_policy_plan(). Not asked of a shared object.
 */
struct fz_policy {
	uint32_t abi;
	uint32_t bytes;
	const char *name;
	const char *summary;
	const char *kernels;
	unsigned int uses;
	unsigned int models;
	uint64_t default_batch_pages;
	void (*plan)(struct fz_plan_builder *builder,
		     const struct fz_zero_request *request);
	int (*make_plan)(const struct fz_policy *policy,
			 const struct fz_zero_request *request,
			 struct fz_plan *plan, struct fz_err *err);
};

/**
 * fz_policy_plan() - the plan of a policy for one folio
 * @policy: the policy
 * @request: the folio; batch_pages 0 is replaced by the default
 * @plan: written on success; the caller's to fz_plan_fini()
 * @err: written on failure, names the policy; may be NULL
 *
 * Return: 0, -ENOMEM, -EINVAL if the policy left the folio (see
 * fz_plan_finish()), or what make_plan() failed with.
 */
int fz_policy_plan(const struct fz_policy *policy,
		   const struct fz_zero_request *request, struct fz_plan *plan,
		   struct fz_err *err);

/**
 * fz_policy_batch_pages() - the batch a policy really uses
 * @policy: the policy
 * @request: the folio
 *
 * Return: pages; 0 if the policy has no batches.
 */
uint64_t fz_policy_batch_pages(const struct fz_policy *policy,
			       const struct fz_zero_request *request);

/**
 * fz_plan_add_extent() - clear a range as the kernel's batched helper does
 * @builder: the plan being built
 * @request: says how large a unit is: the whole range under a preemptible
 *	model or where batch_pages is 0, else batch_pages; and whether a unit is
 *	cleared page by page
 * @range: the pages; an empty range adds nothing
 * @hint: kind of primitive
 * @resched: where the resched call of each unit stands
 */
void fz_plan_add_extent(struct fz_plan_builder *builder,
			const struct fz_zero_request *request,
			struct fz_range range, enum fz_hint hint,
			enum fz_resched resched);

/**
 * fz_plan_add_range() - clear a range as folio_zero_user() does since 7.0
 * @builder: the plan being built
 * @request: as for fz_plan_add_extent()
 * @range: the pages; an empty range adds nothing
 * @hint: kind of primitive
 *
 * One might_sleep(), then the extent with a resched call before each unit.
 */
void fz_plan_add_range(struct fz_plan_builder *builder,
		       const struct fz_zero_request *request,
		       struct fz_range range, enum fz_hint hint);

/**
 * fz_plan_add_pages() - clear a range one page a call
 * @builder: the plan being built
 * @range: the pages; an empty range adds nothing
 * @direction: order of the pages
 * @resched: where the resched call of each page stands
 */
void fz_plan_add_pages(struct fz_plan_builder *builder, struct fz_range range,
		       enum fz_direction direction, enum fz_resched resched);

#endif
