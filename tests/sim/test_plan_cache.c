// SPDX-License-Identifier: GPL-2.0-or-later
/* The arena and the cache of plans that lives in it. */
#include <string.h>
#include <sys/resource.h>

#include <fz/arena.h>
#include <fz/folio.h>
#include <fz/plan_cache.h>
#include <fz/policies.h>

#include "fz_test.h"
#include "sanitized.h"

#define ARENA_BYTES ((size_t)4 << 20)

static struct fz_arena *arena;

static void setup(void)
{
	struct fz_err err;

	ck_assert_int_eq(fz_arena_open(&arena, ARENA_BYTES, &err), 0);
}

static void teardown(void)
{
	fz_arena_close(arena);
}

static uint64_t minor_faults(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return (uint64_t)usage.ru_minflt;
}

START_TEST(arena_memory_takes_no_fault)
{
	const uint64_t before = minor_faults();
	uint64_t after;
	char *memory = fz_arena_alloc(arena, ARENA_BYTES / 2);

	ck_assert_ptr_nonnull(memory);
	memset(memory, 1, ARENA_BYTES / 2);
	after = minor_faults();
	/* jemalloc may touch a page or two of its own; 512 would be ours. */
	ck_assert_msg(FZ_SANITIZED || after - before < 16, "%llu faults",
		      (unsigned long long)(after - before));
	fz_arena_free(arena, memory);
}
END_TEST

START_TEST(arena_reuses_and_aligns)
{
	unsigned int failed = 0, unaligned = 0;

	for (unsigned int i = 0; i < 100000; i++) {
		char *memory = fz_arena_alloc(arena, 1 + i % 5000);

		failed += !memory;
		unaligned += (uintptr_t)memory % 64 != 0;
		fz_arena_free(arena, memory);
	}
	ck_assert_uint_eq(failed, 0);
	ck_assert_uint_eq(unaligned, 0);
}
END_TEST

START_TEST(full_arena_says_so)
{
	unsigned int nr = 0;

	while (nr < 10000 && fz_arena_alloc(arena, 64 << 10))
		nr++;
	ck_assert(nr >= ARENA_BYTES / (64 << 10));
	ck_assert(nr < 10000);
}
END_TEST

static bool plans_equal(const struct fz_plan *a, const struct fz_plan *b)
{
	return a->nr_pages == b->nr_pages && a->nr_runs == b->nr_runs &&
	       memcmp(a->runs, b->runs, a->nr_runs * sizeof(*a->runs)) == 0;
}

/* Ask the cache; compare with a plan made afresh. */
static bool right_plan(struct fz_plan_cache *cache,
		       const struct fz_policy *policy,
		       const struct fz_zero_request *request)
{
	const struct fz_cached_plan *cached;
	struct fz_plan fresh;
	bool right;

	if (fz_plan_cache_get(cache, policy, request, &cached) ||
	    fz_policy_plan(policy, request, &fresh))
		return false;
	right = plans_equal(&cached->plan, &fresh) &&
		cached->acting_points ==
			fz_plan_acting_points(&fresh, request->preempt);
	fz_plan_fini(&fresh);
	return right;
}

START_TEST(cache_gives_the_policy_s_plans)
{
	struct fz_plan_cache *cache;
	unsigned int wrong = 0;

	ck_assert_int_eq(fz_plan_cache_open(&cache, arena, 7), 0);
	for (unsigned int i = 0; i < 20000; i++) {
		/* Few enough variants that some hit, some are evicted. */
		const struct fz_zero_request request = {
			.nr_pages = 64,
			.fault_page = (i * 7u) % 5u,
			.preempt = (enum fz_preempt)(i / 3 % 2),
			.batch_pages = i % 4 ? 8 : 16,
			.radius_pages = i % 11 ? 2 : 3,
			.highmem = i % 13 == 0,
			.per_page_clear = i % 17 == 0,
		};
		const struct fz_policy *policy =
			i % 2 ? fz_policy_find("neighbourhood-last")
			      : fz_policy_find("batched-pages");

		wrong += !right_plan(cache, policy, &request);
		wrong += fz_plan_cache_count(cache) > 7;
	}
	ck_assert_uint_eq(wrong, 0);
	fz_plan_cache_close(cache);
}
END_TEST

START_TEST(cache_keeps_what_was_used_last)
{
	const struct fz_policy *policy = fz_policy_find("contiguous-page");
	struct fz_zero_request request = { .nr_pages = 8 };
	const struct fz_cached_plan *first, *again;
	struct fz_plan_cache *cache;

	ck_assert_int_eq(fz_plan_cache_open(&cache, arena, 2), 0);
	ck_assert_int_eq(fz_plan_cache_get(cache, policy, &request, &first), 0);
	for (request.fault_page = 1; request.fault_page < 6;
	     request.fault_page++) {
		struct fz_zero_request kept = { .nr_pages = 8 };

		ck_assert_int_eq(
			fz_plan_cache_get(cache, policy, &request, &again), 0);
		ck_assert_int_eq(
			fz_plan_cache_get(cache, policy, &kept, &again), 0);
		ck_assert_ptr_eq(first, again);
	}
	ck_assert_uint_eq(fz_plan_cache_count(cache), 2);
	fz_plan_cache_close(cache);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("sim.plan_cache");
	TCase *tcase = tcase_create("plan_cache");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, arena_memory_takes_no_fault);
	tcase_add_test(tcase, arena_reuses_and_aligns);
	tcase_add_test(tcase, full_arena_says_so);
	tcase_add_test(tcase, cache_gives_the_policy_s_plans);
	tcase_add_test(tcase, cache_keeps_what_was_used_last);
	suite_add_tcase(suite, tcase);
	return suite;
}
