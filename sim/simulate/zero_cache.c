// SPDX-License-Identifier: GPL-2.0-or-later
/* A bounded cache; what is in use stays. */
#include "zero_cache.h"

#include <errno.h>
#include <stdlib.h>

#include "hash.h"

/* Far more than the fault pages of a 2 MiB folio. */
#define MAX_ENTRIES 4096u

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

static int entry_make(struct fz_zero_cache *cache, struct zero_key key,
		      struct fz_zero_entry **out)
{
	struct fz_zero_request request = cache->request;
	struct fz_zero_entry *entry = calloc(1, sizeof(*entry));
	struct fz_plan plan;
	int rc;

	if (!entry)
		return -ENOMEM;
	entry->key = key;
	request.nr_pages = key.nr_pages;
	request.fault_page = key.fault_page;
	rc = fz_policy_plan(cache->policy, &request, &plan, &cache->why);
	if (!rc) {
		rc = make_works(cache, &plan, entry);
		fz_plan_fini(&plan);
	}
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

	HASH_ITER (hh, cache->entries, entry, next) {
		HASH_DEL(cache->entries, entry);
		entry_free(entry);
	}
}
