// SPDX-License-Identifier: GPL-2.0-or-later
/* A bounded cache of plans, least recently used out first. */
#include <fz/plan_cache.h>

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "hash.h"

/* Compared as bytes: zeroed first, so that padding is equal too. */
struct plan_key {
	const struct fz_policy *policy;
	struct fz_zero_request request;
};

struct plan_entry {
	struct plan_key key;
	struct fz_cached_plan cached;
	UT_hash_handle hh; /* uthash keeps insertion order: oldest use first */
};

struct fz_plan_cache {
	struct fz_arena *arena;
	struct plan_entry *entries;
	size_t max_plans;
};

int fz_plan_cache_open(struct fz_plan_cache **out, struct fz_arena *arena,
		       size_t max_plans)
{
	struct fz_plan_cache *cache = calloc(1, sizeof(*cache));

	assert(max_plans >= 1);
	if (!cache)
		return -ENOMEM;
	cache->arena = arena;
	cache->max_plans = max_plans;
	*out = cache;
	return 0;
}

static void entry_free(struct fz_plan_cache *cache, struct plan_entry *entry)
{
	fz_arena_free(cache->arena, entry->cached.plan.runs);
	fz_arena_free(cache->arena, entry);
}

static void entry_drop(struct fz_plan_cache *cache, struct plan_entry *entry)
{
	HASH_DEL(cache->entries, entry);
	entry_free(cache, entry);
}

void fz_plan_cache_close(struct fz_plan_cache *cache)
{
	if (!cache)
		return;
	while (cache->entries)
		entry_drop(cache, cache->entries);
	free(cache);
}

size_t fz_plan_cache_count(const struct fz_plan_cache *cache)
{
	return HASH_COUNT(cache->entries);
}

/* In place: copying a struct need not copy its padding. */
static void plan_key_init(struct plan_key *key, const struct fz_policy *policy,
			  const struct fz_zero_request *request)
{
	memset(key, 0, sizeof(*key));
	key->policy = policy;
	key->request.nr_pages = request->nr_pages;
	key->request.fault_page = request->fault_page;
	key->request.preempt = request->preempt;
	key->request.batch_pages = request->batch_pages;
	key->request.radius_pages = request->radius_pages;
	key->request.highmem = request->highmem;
	key->request.per_page_clear = request->per_page_clear;
}

/* The arena is bounded too: old plans make room in it. */
static void *take_memory(struct fz_plan_cache *cache, size_t bytes)
{
	void *memory = fz_arena_alloc(cache->arena, bytes);

	while (!memory && cache->entries) {
		entry_drop(cache, cache->entries);
		memory = fz_arena_alloc(cache->arena, bytes);
	}
	return memory;
}

/* That it fits alone is all that can be asked: older plans have made room. */
static int no_room(const struct plan_entry *entry, size_t nr_runs,
		   struct fz_err *err)
{
	return fz_err_set(err, -ENOMEM,
			  "no memory for a plan of '%s' with fault page %llu: "
			  "its %zu runs are more than the memory for plans "
			  "that a bench sets aside can hold",
			  entry->key.policy->name,
			  (unsigned long long)entry->key.request.fault_page,
			  nr_runs);
}

static int entry_fill(struct fz_plan_cache *cache, struct plan_entry *entry,
		      struct fz_err *err)
{
	const struct fz_zero_request *request = &entry->key.request;
	struct fz_plan plan;
	struct fz_run *runs;
	int code = fz_policy_plan(entry->key.policy, request, &plan, err);

	if (code)
		return code;
	runs = take_memory(cache, plan.nr_runs * sizeof(*runs));
	if (!runs) {
		code = no_room(entry, plan.nr_runs, err);
		fz_plan_fini(&plan);
		return code;
	}
	memcpy(runs, plan.runs, plan.nr_runs * sizeof(*runs));
	entry->cached.plan = plan;
	entry->cached.plan.runs = runs;
	entry->cached.acting_points =
		fz_plan_acting_points(&plan, request->preempt);
	fz_plan_fini(&plan);
	return 0;
}

static int no_memory(const struct fz_policy *policy, struct fz_err *err)
{
	return fz_err_set(err, -ENOMEM, "no memory for a plan of '%s'",
			  policy->name);
}

static int entry_make(struct fz_plan_cache *cache, const struct plan_key *key,
		      struct plan_entry **out, struct fz_err *err)
{
	struct plan_entry *entry;
	int code;

	if (HASH_COUNT(cache->entries) >= cache->max_plans)
		entry_drop(cache, cache->entries);
	entry = take_memory(cache, sizeof(*entry));
	if (!entry)
		return no_memory(key->policy, err);
	memset(entry, 0, sizeof(*entry));
	memcpy(&entry->key, key, sizeof(entry->key));
	code = entry_fill(cache, entry, err);
	if (code) {
		entry_free(cache, entry);
		return code;
	}
	*out = entry;
	return 0;
}

int fz_plan_cache_get(struct fz_plan_cache *cache,
		      const struct fz_policy *policy,
		      const struct fz_zero_request *request,
		      const struct fz_cached_plan **out, struct fz_err *err)
{
	struct plan_key key;
	struct plan_entry *entry;
	int code;

	plan_key_init(&key, policy, request);
	HASH_FIND(hh, cache->entries, &key, sizeof(key), entry);
	if (entry && !entry->hh.next) {
		/* The newest already: moving the only one would allocate. */
		*out = &entry->cached;
		return 0;
	}
	if (entry) {
		HASH_DEL(cache->entries, entry);
	} else {
		code = entry_make(cache, &key, &entry, err);
		if (code)
			return code;
	}
	HASH_ADD(hh, cache->entries, key, sizeof(entry->key), entry);
	if (!entry->hh.tbl) { /* uthash had no memory for its table */
		entry_free(cache, entry);
		return no_memory(policy, err);
	}
	*out = &entry->cached;
	return 0;
}
