/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the plans of two policies part, over faulting pages and models. */
#ifndef FZ_POLICY_DIFF_H
#define FZ_POLICY_DIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fz/context.h>
#include <fz/err.h>
#include <fz/plan_diff.h>
#include <fz/policy.h>

/* Folios of up to this many pages are compared at every faulting page: 2M. */
#define FZ_DIFF_ALL_PAGES 512u

/* Larger ones at this many. */
#define FZ_DIFF_SOME_PAGES 32u

/**
 * fz_policy_diff_pages() - faulting pages that tell policies apart
 * @nr_pages: pages in the folio, at least 1
 * @radius_pages: pages kept on each side of the faulting page
 * @pages: [FZ_DIFF_ALL_PAGES], written in ascending order
 *
 * All of them, up to FZ_DIFF_ALL_PAGES. Of a larger folio the first and the
 * last pages, those in the middle, those from which on there is something
 * beyond the radius, and others drawn at random, the same at every call.
 *
 * Return: how many.
 */
size_t fz_policy_diff_pages(uint64_t nr_pages, uint64_t radius_pages,
			    uint64_t *pages);

/**
 * struct fz_policy_diff_question - what is compared
 * @policy: [2]
 * @request: the folio; fault_page and preempt are replaced
 * @pages: [@nr_pages], the faulting pages
 * @nr_pages: their number
 * @models: set of FZ_PREEMPT_BIT
 * @context: where it would run
 */
struct fz_policy_diff_question {
	const struct fz_policy *policy[2];
	struct fz_zero_request request;
	const uint64_t *pages;
	size_t nr_pages;
	unsigned int models;
	const struct fz_context *context;
};

/**
 * struct fz_plan_pair - a plan of each policy, compared
 * @fault_page: the faulting page
 * @preempt: the model
 * @differ: in at least one step
 * @diff: if they differ: the first such step
 * @conditional: [2], see struct fz_plan
 * @illegal_sleeps: [2], resched calls where sleeping is illegal
 */
struct fz_plan_pair {
	uint64_t fault_page;
	enum fz_preempt preempt;
	bool differ;
	struct fz_plan_diff diff;
	bool conditional[2];
	uint64_t illegal_sleeps[2];
};

/**
 * struct fz_policy_diff - all pairs
 * @pairs: [@nr_pairs], by faulting page, then by model
 * @nr_pairs: faulting pages times models
 */
struct fz_policy_diff {
	struct fz_plan_pair *pairs;
	size_t nr_pairs;
};

/**
 * fz_policy_diff_make() - compare all
 * @question: what
 * @diff: written on success; the caller's to fz_policy_diff_fini()
 * @err: message on failure
 *
 * Return: 0, or what fz_policy_plan() failed with.
 */
int fz_policy_diff_make(const struct fz_policy_diff_question *question,
			struct fz_policy_diff *diff, struct fz_err *err);

/**
 * fz_policy_diff_fini() - free the pairs
 * @diff: made before
 */
void fz_policy_diff_fini(struct fz_policy_diff *diff);

/**
 * fz_policy_diff_first() - the first pair that differs
 * @diff: made before
 *
 * Return: it, or NULL if the policies' plans are equal.
 */
const struct fz_plan_pair *
fz_policy_diff_first(const struct fz_policy_diff *diff);

/**
 * fz_policy_diff_count() - at how many faulting pages do the policies differ?
 * @diff: made before
 * @models: set of FZ_PREEMPT_BIT: under at least one of these
 *
 * Return: their number.
 */
size_t fz_policy_diff_count(const struct fz_policy_diff *diff,
			    unsigned int models);

#endif
