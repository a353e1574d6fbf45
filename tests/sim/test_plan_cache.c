// SPDX-License-Identifier: GPL-2.0-or-later
/* The arena and the cache of plans that lives in it. */
#include <errno.h>
#include <stdlib.h>
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

/* Every malloc() of this program and its libraries comes here: --wrap. */
static unsigned int nr_mallocs;

void *__real_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes);

void *__wrap_malloc(size_t bytes)
{
	nr_mallocs++;
	return __real_malloc(bytes);
}

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
	ck_assert_msg(FZ_SANITIZED || FZ_EMULATED || after - before < 16,
		      "%llu faults", (unsigned long long)(after - before));
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

/* By field: a run has padding, which compilers leave as they find it. */
static bool runs_equal(const struct fz_run *a, const struct fz_run *b)
{
	return a->first == b->first && a->nr == b->nr &&
	       a->unit_pages == b->unit_pages &&
	       a->call_pages == b->call_pages && a->op == b->op &&
	       a->direction == b->direction && a->hint == b->hint &&
	       a->resched == b->resched;
}

static bool plans_equal(const struct fz_plan *a, const struct fz_plan *b)
{
	if (a->nr_pages != b->nr_pages || a->nr_runs != b->nr_runs)
		return false;
	for (size_t i = 0; i < a->nr_runs; i++)
		if (!runs_equal(&a->runs[i], &b->runs[i]))
			return false;
	return true;
}

/* Ask the cache; compare with a plan made afresh. */
static bool right_plan(struct fz_plan_cache *cache,
		       const struct fz_policy *policy,
		       const struct fz_zero_request *request)
{
	const struct fz_cached_plan *cached;
	struct fz_plan fresh;
	bool right;

	if (fz_plan_cache_get(cache, policy, request, &cached, NULL) ||
	    fz_policy_plan(policy, request, &fresh, NULL))
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
	ck_assert_int_eq(
		fz_plan_cache_get(cache, policy, &request, &first, NULL), 0);
	for (request.fault_page = 1; request.fault_page < 6;
	     request.fault_page++) {
		struct fz_zero_request kept = { .nr_pages = 8 };

		ck_assert_int_eq(fz_plan_cache_get(cache, policy, &request,
						   &again, NULL),
				 0);
		ck_assert_int_eq(
			fz_plan_cache_get(cache, policy, &kept, &again, NULL),
			0);
		ck_assert_ptr_eq(first, again);
	}
	ck_assert_uint_eq(fz_plan_cache_count(cache), 2);
	fz_plan_cache_close(cache);
}
END_TEST

/* A key of its own for each @i, so that nothing is found. */
static struct fz_zero_request request_of(unsigned int i)
{
	return (struct fz_zero_request){ .nr_pages = 512,
					 .fault_page = i % 512,
					 .batch_pages = 1 + i / 512 };
}

/* Far more plans are allowed than the arena holds. */
START_TEST(old_plans_make_room_in_a_full_arena)
{
	const struct fz_policy *policy = fz_policy_find("neighbourhood-last");
	struct fz_plan_cache *cache;
	unsigned int wrong = 0;
	size_t most = 0;

	ck_assert_int_eq(fz_plan_cache_open(&cache, arena, 1u << 20), 0);
	for (unsigned int i = 0; i < 100000; i++) {
		const struct fz_zero_request request = request_of(i);

		wrong += !right_plan(cache, policy, &request);
		if (fz_plan_cache_count(cache) > most)
			most = fz_plan_cache_count(cache);
	}
	ck_assert_uint_eq(wrong, 0);
	ck_assert_uint_lt(most, 100000);
	fz_plan_cache_close(cache);
}
END_TEST

START_TEST(a_plan_without_room_is_an_error)
{
	const struct fz_zero_request request = request_of(0);
	const struct fz_cached_plan *cached;
	struct fz_plan_cache *cache;
	struct fz_err err = { "" };

	ck_assert_int_eq(fz_plan_cache_open(&cache, arena, 4), 0);
	for (size_t bytes = 64 << 10; bytes >= 8; bytes /= 2)
		while (fz_arena_alloc(arena, bytes))
			;
	ck_assert_int_eq(fz_plan_cache_get(cache,
					   fz_policy_find("contiguous-page"),
					   &request, &cached, &err),
			 -ENOMEM);
	ck_assert_ptr_nonnull(
		strstr(err.msg, "no memory for a plan of 'contiguous-page'"));
	ck_assert_uint_eq(fz_plan_cache_count(cache), 0);
	fz_plan_cache_close(cache);
}
END_TEST

START_TEST(a_hit_allocates_nothing)
{
	const struct fz_policy *policy = fz_policy_find("contiguous-page");
	const struct fz_cached_plan *first, *again;
	struct fz_plan_cache *cache;
	unsigned int failed = 0, other = 0, before;

	ck_assert_int_eq(fz_plan_cache_open(&cache, arena, 8), 0);
	for (unsigned int nr = 1; nr <= 8; nr++) {
		const struct fz_zero_request newest = request_of(nr);

		before = nr_mallocs;
		failed += fz_plan_cache_get(cache, policy, &newest, &first,
					    NULL) != 0;
		failed += nr_mallocs == before; /* a miss does, so we count */
		before = nr_mallocs;
		for (unsigned int i = 0; i < 3 * nr; i++) {
			const struct fz_zero_request request =
				request_of(1 + i / 2 % nr);

			failed += fz_plan_cache_get(cache, policy, &request,
						    &again, NULL) != 0;
		}
		failed += fz_plan_cache_get(cache, policy, &newest, &again,
					    NULL) != 0;
		other += again != first;
		failed += nr_mallocs != before;
	}
	ck_assert_uint_eq(failed, 0);
	ck_assert_uint_eq(other, 0);
	fz_plan_cache_close(cache);
}
END_TEST

static void leave_folio(struct fz_plan_builder *builder,
			const struct fz_zero_request *request)
{
	fz_plan_add_step(builder, (struct fz_step){ .op = FZ_OP_CLEAR,
						    .first = request->nr_pages,
						    .nr = 1 });
}

START_TEST(a_plan_that_leaves_the_folio_is_not_kept)
{
	const struct fz_policy policy = {
		.name = "astray",
		.summary = "",
		.kernels = "",
		.models = FZ_PREEMPT_BIT(FZ_PREEMPT_NONE),
		.plan = leave_folio,
	};
	const struct fz_zero_request request = { .nr_pages = 8 };
	const struct fz_cached_plan *cached;
	struct fz_plan_cache *cache;

	ck_assert_int_eq(fz_plan_cache_open(&cache, arena, 4), 0);
	ck_assert_int_eq(
		fz_plan_cache_get(cache, &policy, &request, &cached, NULL),
		-EINVAL);
	ck_assert_uint_eq(fz_plan_cache_count(cache), 0);
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
	tcase_add_test(tcase, old_plans_make_room_in_a_full_arena);
	tcase_add_test(tcase, a_plan_without_room_is_an_error);
	tcase_add_test(tcase, a_hit_allocates_nothing);
	tcase_add_test(tcase, a_plan_that_leaves_the_folio_is_not_kept);
	suite_add_tcase(suite, tcase);
	return suite;
}
