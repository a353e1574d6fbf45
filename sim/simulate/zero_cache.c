// SPDX-License-Identifier: GPL-2.0-or-later
/* A bounded cache; what is in use stays. */
#include "zero_cache.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "hash.h"

/* Far more than the fault pages of a 2 MiB folio. */
#define MAX_ENTRIES 4096u
#define NS_PER_S    1e9

struct zero_key {
	uint64_t nr_pages;
	uint64_t fault_page;
};

struct fz_zero_entry {
	struct fz_zeroing zeroing; /* first, for fz_zero_cache_put() */
	struct zero_key key;
	uint64_t users;
	UT_hash_handle hh; /* in order of their making */
};

/* One for many fault pages; there are few, and all of them stay. */
struct fz_zero_left_entry {
	struct fz_zero_left left;
	struct zero_key key;
	UT_hash_handle hh;
};

static void entry_free(struct fz_zero_entry *entry)
{
	fz_zero_works_fini(&entry->zeroing.works);
	free(entry);
}

static int make_works(struct fz_zero_cache *cache, struct fz_plan *plan,
		      struct fz_zero_entry *entry)
{
	struct fz_illegal_sleep illegal;

	for (int hint = 0; hint <= FZ_HINT_STREAMING; hint++)
		if (!cache->kinds.kind[hint].clear &&
		    fz_plan_uses_hint(plan, (enum fz_hint)hint))
			return -ENOTSUP;
	if (fz_plan_find_illegal_sleep(plan, cache->context,
				       cache->request.preempt, &illegal))
		entry->zeroing.illegal_sleeps = illegal.nr_calls;
	entry->zeroing.nr_pages = plan->nr_pages;
	entry->zeroing.conditional = plan->conditional;
	return fz_zero_works_make(&cache->kinds, plan, &entry->zeroing.works);
}

static int make_plan(struct fz_zero_cache *cache, struct zero_key key,
		     struct fz_plan *plan)
{
	struct fz_zero_request request = cache->request;

	request.nr_pages = key.nr_pages;
	request.fault_page = key.fault_page;
	return fz_policy_plan(cache->policy, &request, plan, &cache->why);
}

static int left_add(struct fz_zero_cache *cache, struct zero_key key,
		    struct fz_zero_left_entry **out)
{
	struct fz_zero_left_entry *entry = calloc(1, sizeof(*entry));
	struct fz_plan plan;
	int rc = entry ? make_plan(cache, key, &plan) : -ENOMEM;

	if (!rc) {
		rc = fz_zero_left_study(&cache->kinds.prices, &plan,
					&entry->left, &cache->why);
		fz_plan_fini(&plan);
	}
	if (!rc) {
		entry->key = key;
		HASH_ADD(hh, cache->lefts, key, sizeof(key), entry);
		rc = entry->hh.tbl ? 0 : -ENOMEM;
	}
	if (rc)
		free(entry);
	else
		*out = entry;
	return rc;
}

/* Without prices of loads: what fits, read as fast as memory is. */
static struct fz_zero_left left_of_size(const struct fz_profile *profile,
					const struct fz_zero_works *works)
{
	const struct fz_cache_geometry *cache = &profile->cache;
	const double most =
		cache->nr_levels
			? (double)cache->level[cache->nr_levels - 1].bytes
			: 0;

	return (struct fz_zero_left){
		.bytes = fmin(works->cached_bytes, most),
		.ns_per_byte = NS_PER_S / profile->memory.read_bps,
	};
}

static int find_left(struct fz_zero_cache *cache, struct fz_zero_entry *entry)
{
	const struct fz_profile *profile = cache->kinds.prices.profile;
	const struct zero_key key = {
		.nr_pages = entry->key.nr_pages,
		.fault_page = fz_zero_left_page(entry->key.nr_pages,
						entry->key.fault_page),
	};
	struct fz_zero_left_entry *found;
	int rc = 0;

	if (!cache->is_read)
		return 0;
	if (!fz_zero_left_has_price(profile)) {
		entry->zeroing.left =
			left_of_size(profile, &entry->zeroing.works);
		return 0;
	}
	HASH_FIND(hh, cache->lefts, &key, sizeof(key), found);
	if (!found)
		rc = left_add(cache, key, &found);
	if (!rc)
		entry->zeroing.left = found->left;
	return rc;
}

static int entry_make(struct fz_zero_cache *cache, struct zero_key key,
		      struct fz_zero_entry **out)
{
	struct fz_zero_entry *entry = calloc(1, sizeof(*entry));
	struct fz_plan plan;
	int rc;

	if (!entry)
		return -ENOMEM;
	entry->key = key;
	rc = make_plan(cache, key, &plan);
	if (!rc) {
		rc = make_works(cache, &plan, entry);
		fz_plan_fini(&plan);
	}
	if (!rc)
		rc = find_left(cache, entry);
	if (rc)
		entry_free(entry);
	else
		*out = entry;
	return rc;
}

static void make_room(struct fz_zero_cache *cache)
{
	struct fz_zero_entry *entry, *next;

	HASH_ITER (hh, cache->entries, entry, next) {
		if (HASH_COUNT(cache->entries) < MAX_ENTRIES)
			return;
		if (entry->users)
			continue;
		HASH_DEL(cache->entries, entry);
		entry_free(entry);
	}
}

static int entry_add(struct fz_zero_cache *cache, struct zero_key key,
		     struct fz_zero_entry **out)
{
	const int rc = entry_make(cache, key, out);

	if (rc)
		return rc;
	make_room(cache);
	HASH_ADD(hh, cache->entries, key, sizeof(key), *out);
	if (!(*out)->hh.tbl) {
		entry_free(*out);
		return -ENOMEM;
	}
	return 0;
}

int fz_zero_cache_get(struct fz_zero_cache *cache, uint64_t nr_pages,
		      uint64_t fault_page, const struct fz_zeroing **zeroing)
{
	/* An allocator is not told. */
	const struct zero_key key = {
		.nr_pages = nr_pages,
		.fault_page =
			cache->policy->uses & FZ_USES_FAULT ? fault_page : 0,
	};
	struct fz_zero_entry *entry;
	int rc;

	HASH_FIND(hh, cache->entries, &key, sizeof(key), entry);
	if (!entry) {
		rc = entry_add(cache, key, &entry);
		if (rc)
			return rc;
	}
	entry->users++;
	*zeroing = &entry->zeroing;
	return 0;
}

void fz_zero_cache_put(const struct fz_zeroing *zeroing)
{
	((struct fz_zero_entry *)(uintptr_t)zeroing)->users--;
}

void fz_zero_cache_fini(struct fz_zero_cache *cache)
{
	struct fz_zero_entry *entry, *next;
	struct fz_zero_left_entry *left, *next_left;

	HASH_ITER (hh, cache->entries, entry, next) {
		HASH_DEL(cache->entries, entry);
		entry_free(entry);
	}
	HASH_ITER (hh, cache->lefts, left, next_left) {
		HASH_DEL(cache->lefts, left);
		free(left);
	}
}
