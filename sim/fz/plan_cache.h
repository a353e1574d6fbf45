/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plans made once and kept, so that a run measures clearing, not planning. */
#ifndef FZ_PLAN_CACHE_H
#define FZ_PLAN_CACHE_H

#include <stddef.h>
#include <stdint.h>

#include <fz/arena.h>
#include <fz/err.h>
#include <fz/plan.h>
#include <fz/policy.h>

/**
 * struct fz_cached_plan - a plan and what its readers keep asking
 * @plan: the plan; its runs are in the cache's arena
 * @acting_points: resched points that act under the request's model
 */
struct fz_cached_plan {
	struct fz_plan plan;
	uint64_t acting_points;
};

/* Bounded; for one thread. The key is everything that a plan depends on. */
struct fz_plan_cache;

/**
 * fz_plan_cache_open() - an empty cache
 * @out: written on success
 * @arena: where plans live; must outlive the cache
 * @max_plans: the plan used longest ago makes room for one more; at least 1
 *
 * Return: 0 or -ENOMEM.
 */
int fz_plan_cache_open(struct fz_plan_cache **out, struct fz_arena *arena,
		       size_t max_plans);

/**
 * fz_plan_cache_close() - free all plans
 * @cache: may be NULL
 */
void fz_plan_cache_close(struct fz_plan_cache *cache);

/**
 * fz_plan_cache_get() - the plan of a policy for a request
 * @cache: the cache
 * @policy: the policy
 * @request: the folio
 * @out: written on success; valid until the next call
 * @err: message on failure
 *
 * Where the arena is full the plans used longest ago make room as well.
 *
 * Return: 0; -ENOMEM, where the plan does not even fit alone; -EINVAL, where
 * the policy made a plan that leaves the folio.
 */
int fz_plan_cache_get(struct fz_plan_cache *cache,
		      const struct fz_policy *policy,
		      const struct fz_zero_request *request,
		      const struct fz_cached_plan **out, struct fz_err *err);

/**
 * fz_plan_cache_count() - plans held now
 * @cache: the cache
 *
 * Return: their number, at most max_plans.
 */
size_t fz_plan_cache_count(const struct fz_plan_cache *cache);

#endif
