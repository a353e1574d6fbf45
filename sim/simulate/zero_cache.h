/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Works of zeroing, made once for each fault page. */
#ifndef FZ_ZERO_CACHE_H
#define FZ_ZERO_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fz/context.h>
#include <fz/err.h>
#include <fz/policy.h>

#include "zero_left.h"
#include "zero_work.h"

struct fz_zero_entry;
struct fz_zero_left_entry;

/**
 * struct fz_zero_cache - zero it, then set what works are made from
 * @kinds: primitives and prices
 * @policy: the policy
 * @request: nr_pages and fault_page are replaced
 * @context: where it zeroes
 * @is_read: somebody reads what was zeroed, so what is left matters
 * @entries: those that are there, owned
 * @lefts: studies that are there, owned
 * @why: there is no plan or no study, where one was asked for in vain
 */
struct fz_zero_cache {
	struct fz_zero_kinds kinds;
	const struct fz_policy *policy;
	struct fz_zero_request request;
	const struct fz_context *context;
	bool is_read;
	struct fz_zero_entry *entries;
	struct fz_zero_left_entry *lefts;
	struct fz_err why;
};

/**
 * struct fz_zeroing - one folio
 * @works: in order
 * @left: what its reader finds in the caches
 * @nr_pages: zeroed by them
 * @illegal_sleeps: resched calls where sleeping is illegal
 * @conditional: its plan is, see struct fz_plan
 */
struct fz_zeroing {
	struct fz_zero_works works;
	struct fz_zero_left left;
	uint64_t nr_pages;
	uint64_t illegal_sleeps;
	bool conditional;
};

/**
 * fz_zero_cache_get() - zero a folio
 * @cache: the cache
 * @nr_pages: of the folio
 * @fault_page: in it
 * @zeroing: written on success; valid until fz_zero_cache_put()
 *
 * Return: 0; -ENOMEM; -EINVAL where the policy has no plan; -ENOTSUP where
 * it uses a primitive that there is none of; as fz_zero_left_study().
 */
int fz_zero_cache_get(struct fz_zero_cache *cache, uint64_t nr_pages,
		      uint64_t fault_page, const struct fz_zeroing **zeroing);

/**
 * fz_zero_cache_put() - done
 * @zeroing: what fz_zero_cache_get() gave
 */
void fz_zero_cache_put(const struct fz_zeroing *zeroing);

/**
 * fz_zero_cache_fini() - free all
 * @cache: empty afterwards
 */
void fz_zero_cache_fini(struct fz_zero_cache *cache);

#endif
