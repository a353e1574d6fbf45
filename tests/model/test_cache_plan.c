// SPDX-License-Identifier: GPL-2.0-or-later
/* A plan on a modelled cache does what its steps do one by one. */
#include <math.h>
#include <string.h>

#include <fz/cache_plan.h>
#include <fz/folio.h>

#include "fz_test.h"
#include "naive_cache.h"
#include "plan_steps.h"

#define NR(a) (sizeof(a) / sizeof((a)[0]))

#define FOLIO_PAGES     24
#define NR_RANDOM_PLANS 3000

/* 2 pages, 8 pages with all of them, 16 pages. */
static const struct fz_cache_geometry geometry = {
	.line_bytes = 64,
	.nr_levels = 3,
	.level = { { .bytes = 8192, .ways = 4 },
		   { .bytes = 32768,
		     .ways = 8,
		     .relation = FZ_CACHE_INCLUSIVE },
		   { .bytes = 65536,
		     .ways = 16,
		     .relation = FZ_CACHE_VICTIM } },
};

static void make_plan(struct fz_plan *plan, const char *text)
{
	struct steps steps = { .at = NULL };

	steps_parse(&steps, text);
	ck_assert_int_eq(steps_build(&steps, FOLIO_PAGES, plan), 0);
	steps_fini(&steps);
}

static struct fz_cache_counts counts_of(const char *text,
					struct fz_string_store store)
{
	const struct fz_cache_spec spec = { geometry, store };
	struct fz_cache_counts counts;
	struct fz_cache *cache;
	struct fz_plan plan;

	make_plan(&plan, text);
	ck_assert_int_eq(fz_cache_open(&cache, &geometry, NULL), 0);
	fz_cache_clear_folio(cache, &spec, &plan, 0);
	counts = *fz_cache_counts(cache);
	fz_cache_close(cache);
	fz_plan_fini(&plan);
	return counts;
}

/* How a plan's pages come to the cache, in lines; a page has 64. */
static const struct {
	const char *steps;
	struct fz_string_store store;
	uint64_t zeroed;
	uint64_t streamed;
} cases[] = {
	{ "0", { 0 }, 64, 0 },
	{ "P 0 M 1 P", { 0 }, 128, 0 },
	{ "~0", { 0 }, 0, 64 },
	{ "~0+4 4+2 ~6", { 0 }, 128, 320 },
	{ "0+24", { 0 }, 24 * 64, 0 },
	/* From the threshold on, counted by call. */
	{ "0+4", { .threshold_bytes = 16384 }, 0, 256 },
	{ "0+3", { .threshold_bytes = 16384 }, 192, 0 },
	{ "0+3 3", { .threshold_bytes = 16384 }, 256, 0 },
	{ "0+4", { .threshold_bytes = 16385 }, 256, 0 },
	/* The ramp of each call; parts of a line are not allocated. */
	{ "0+4", { 16384, 4096, 0 }, 64, 192 },
	{ "0+4 4+5 9+2", { 16384, 4096, 0 }, 256, 448 },
	{ "0+4", { 16384, 100, 0 }, 1, 255 },
	{ "0+4", { 16384, 65536, 0 }, 256, 0 },
	/* Streaming has none. */
	{ "~0+8", { 16384, 4096, 0 }, 0, 512 },
};

START_TEST(plan_means)
{
	const struct fz_cache_counts counts =
		counts_of(cases[_i].steps, cases[_i].store);

	ck_assert_uint_eq(counts.zeroed, cases[_i].zeroed);
	ck_assert_uint_eq(counts.streamed, cases[_i].streamed);
	ck_assert_uint_eq(counts.loads + counts.stores, 0);
}
END_TEST

/* The steps one by one, each line an access of its own. */
static void clear_naively(struct naive_cache *cache, const struct fz_plan *plan,
			  const struct fz_string_store *store,
			  uint64_t first_line)
{
	struct steps steps = { .at = NULL };

	steps_expand(&steps, plan);
	for (size_t i = 0; i < steps.nr; i++) {
		const struct fz_step *step = &steps.at[i];
		const bool elides = store->threshold_bytes &&
				    step->nr * 4096 >= store->threshold_bytes;

		for (uint64_t line = 0; line < step->nr * 64; line++) {
			const bool around =
				step->hint == FZ_HINT_STREAMING ||
				(elides && (line + 1) * 64 > store->ramp_bytes);

			naive_cache_run(
				cache, around ? FZ_CACHE_STREAM : FZ_CACHE_ZERO,
				first_line + step->first * 64 + line, 1, false);
		}
	}
	steps_fini(&steps);
}

static struct fz_string_store random_store(struct fz_random *random)
{
	return (struct fz_string_store){
		.threshold_bytes = fz_random_below(random, 6) * 4096,
		.ramp_bytes = fz_random_below(random, 16384),
	};
}

START_TEST(like_its_steps)
{
	struct fz_random random = fz_random_begin(1, 0);
	struct fz_cache_spec spec = { .geometry = geometry };
	struct naive_cache *naive;
	struct fz_cache *cache;
	unsigned int bad = 0;

	spec.geometry.prefetcher = (struct fz_cache_prefetcher){ 4, 2, 1 };
	naive = naive_cache_open(&spec.geometry);
	ck_assert_int_eq(fz_cache_open(&cache, &spec.geometry, NULL), 0);
	for (unsigned int i = 0; i < NR_RANDOM_PLANS && !bad; i++) {
		const uint64_t first = fz_random_below(&random, 3) * 640;
		struct fz_plan plan;

		spec.store = random_store(&random);
		if (random_plan(&random, FOLIO_PAGES, &plan) != 0)
			continue;
		fz_cache_clear_folio(cache, &spec, &plan, first);
		clear_naively(naive, &plan, &spec.store, first);
		bad += memcmp(fz_cache_counts(cache), naive_cache_counts(naive),
			      sizeof(struct fz_cache_counts)) != 0;
		fz_plan_fini(&plan);
	}
	ck_assert_uint_eq(bad, 0);
	fz_cache_close(cache);
	naive_cache_close(naive);
}
END_TEST

static double event(const char *name, const struct fz_cache_counts *counts,
		    const struct fz_cache_spec *spec)
{
	const struct fz_cache_event *found = fz_cache_event_find(name);

	ck_assert_ptr_nonnull(found);
	return found->value(counts, spec);
}

START_TEST(events)
{
	const struct fz_cache_spec amd = {
		.geometry.prefetcher = { 16, 2, 1 },
		.store.loads_per_line = 2.5,
	};
	const struct fz_cache_spec other = { 0 };
	const struct fz_cache_counts streamed = { .loads = 3, .streamed = 9 };
	const struct fz_cache_counts counts = {
		.loads = 1000,
		.load_misses = 300,
		.stores = 50000,
		.store_misses = 40000,
		.zeroed = 20,
		.zero_misses = 7,
		.streamed = 9000,
		.pf_hit_l2 = 11,
		.pf_miss = 600,
	};

	ck_assert(event("L1-dcache-loads", &counts, &amd) == 1050);
	ck_assert(isnan(event("L1-dcache-loads", &counts, &other)));
	ck_assert(event("L1-dcache-loads", &streamed, &other) == 3);
	ck_assert(event("L1-dcache-load-misses", &counts, &amd) == 307);
	ck_assert(isnan(event("L1-dcache-load-misses", &counts, &other)));
	ck_assert(event("l2_pf_hit_l2.all", &counts, &amd) == 11);
	ck_assert(isnan(event("l2_pf_hit_l2.all", &counts, &other)));
	ck_assert_ptr_null(fz_cache_event_find("l2_pf_hit_l2"));
	ck_assert_ptr_null(fz_cache_event_find(""));
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("model.cache_plan");
	TCase *tcase = tcase_create("cache_plan");

	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, plan_means, 0, NR(cases));
	tcase_add_test(tcase, like_its_steps);
	tcase_add_test(tcase, events);
	suite_add_tcase(suite, tcase);
	return suite;
}
