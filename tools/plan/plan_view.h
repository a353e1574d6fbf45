/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The plan of one folio as foliosim prints it. */
#ifndef FZ_PLAN_VIEW_H
#define FZ_PLAN_VIEW_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <fz/context.h>
#include <fz/init_on_alloc.h>
#include <fz/plan.h>
#include <fz/policy.h>

#include "plan_cache.h"

/**
 * struct fz_plan_view - a plan and what it came from
 * @policy: who wrote it; with @init what the kernel makes of that
 * @hugetlb: the folio is one of hugetlb, else of THP
 * @init: what the allocator was asked to do; nothing with @hugetlb
 * @nr_allocator_runs: the first runs of @plan that are the allocator's
 * @request: what was asked
 * @has_addr: the faulting page was given by an address
 * @addr_hint: that address, any byte
 * @context: where it would run
 * @plan: the plan
 * @illegal: the sleep that is illegal in @context; NULL if there is none
 * @cache: what it does to modelled caches; NULL = nobody asked
 */
struct fz_plan_view {
	const struct fz_policy *policy;
	bool hugetlb;
	enum fz_init_on_alloc init;
	size_t nr_allocator_runs;
	const struct fz_zero_request *request;
	bool has_addr;
	uint64_t addr_hint;
	const struct fz_context *context;
	const struct fz_plan *plan;
	const struct fz_illegal_sleep *illegal;
	const struct fz_plan_cache *cache;
};

/* Does no kernel of this policy run the model? */
bool fz_plan_is_hypothetical(const struct fz_plan_view *view);

/* The CSV word of a step: clear, resched, cond_resched or might_sleep. */
const char *fz_plan_step_word(const struct fz_step *step,
			      enum fz_preempt model);

/* "cond_resched", "might_sleep", "clear". */
const char *fz_plan_op_word(enum fz_op op);

/* "cached", "streaming". */
const char *fz_plan_hint_word(enum fz_hint hint);

/* "up", "down", "converge". */
const char *fz_plan_direction_word(enum fz_direction direction);

/* "none", "before", "after". */
const char *fz_plan_resched_word(enum fz_resched resched);

/* How many of the first steps are the allocator's. */
uint64_t fz_plan_allocator_steps(const struct fz_plan_view *view);

/*
 * The most pages cleared in a row without an acting resched point, from the
 * plan's start or to its end included; in O(runs). All of them where no point
 * acts, so only cooperative models have a use for it.
 */
uint64_t fz_plan_longest_stretch_pages(const struct fz_plan *plan,
				       enum fz_preempt model);

/* A view writes the plan and flushes; 0 or -errno. */
int fz_plan_text(FILE *out, const struct fz_plan_view *view);
int fz_plan_csv(FILE *out, const struct fz_plan_view *view);
int fz_plan_json(FILE *out, const struct fz_plan_view *view);

#endif
