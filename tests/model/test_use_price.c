// SPDX-License-Identifier: GPL-2.0-or-later
/* Prices of uses, from loads that are made up. */
#include <math.h>

#include <fz/use_price.h>

#include "fz_test.h"

static struct fz_profile profile;
static struct fz_cache_study study;

static void setup(void)
{
	profile = (struct fz_profile){
		.cycle_ns = 0.5,
		.clock_ns = 20,
		.cache = { .line_bytes = 64,
			   .nr_levels = 2,
			   .level = { { .latency_cycles = 4,
					.read_cycles = 0.5 },
				      { .latency_cycles = 14,
					.read_cycles = 3 } },
			   .memory_cycles = 400,
			   .memory_read_cycles = 12 },
	};
	study = (struct fz_cache_study){
		.line_loads = { 0, 0, 1 },
		.near_loads = { 0, 100, 220 },
		.folio_loads = { 1000, 320, 0 },
	};
}

START_TEST(by_where_the_loads_come_from)
{
	const struct fz_use_price price = fz_use_price(&profile, &study);

	ck_assert(fz_use_has_price(&profile));
	ck_assert_double_eq(price.line_ns, 20 + 7);
	ck_assert_double_eq(price.near_ns, 27 + 20 + 25 + 330);
	ck_assert_double_eq(price.folio_ns, 402 + 20 + 6000 + 80);
	study.line_loads[2] = 0;
	study.line_loads[0] = 1;
	ck_assert_double_eq(fz_use_price(&profile, &study).line_ns, 220);
}
END_TEST

/* Only what nothing is loaded from may be unknown. */
START_TEST(what_is_not_known)
{
	struct fz_use_price price;

	profile.cache.memory_read_cycles = 0;
	profile.cache.memory_cycles = 0;
	profile.cache.level[0].latency_cycles = 0;
	price = fz_use_price(&profile, &study);
	ck_assert_double_eq(price.line_ns, 27);
	ck_assert_double_eq(price.near_ns, 402);
	ck_assert(isnan(price.folio_ns));
	profile.cache.level[1].read_cycles = 0;
	price = fz_use_price(&profile, &study);
	ck_assert_double_eq(price.line_ns, 27);
	ck_assert(isnan(price.near_ns));
	profile.cache.level[1].latency_cycles = 0;
	price = fz_use_price(&profile, &study);
	ck_assert(isnan(price.line_ns));
	ck_assert(isnan(price.folio_ns));
}
END_TEST

START_TEST(no_price_at_all)
{
	switch (_i) {
	case 0:
		profile.cycle_ns = NAN;
		break;
	case 1:
		profile.clock_ns = NAN;
		break;
	case 2:
		profile.cache.nr_levels = 0;
		break;
	}
	ck_assert(!fz_use_has_price(&profile));
}
END_TEST

/* What most calls do, and no prefetcher: read_cycles have what it does. */
START_TEST(caches_of_a_study)
{
	struct fz_profile_clear clear = { .threshold_bytes = 1 << 20,
					  .ramp_bytes = 5000,
					  .elided_share = 0.5 };
	struct fz_cache_spec spec;

	profile.cache.prefetcher = (struct fz_cache_prefetcher){ 16, 2, 1 };
	spec = fz_use_caches(&profile, &clear);
	ck_assert_uint_eq(spec.geometry.line_bytes, 64);
	ck_assert_uint_eq(spec.geometry.nr_levels, 2);
	ck_assert_uint_eq(spec.geometry.prefetcher.streams, 0);
	ck_assert_uint_eq(spec.store.threshold_bytes, 1 << 20);
	ck_assert_uint_eq(spec.store.ramp_bytes, 5000);
	clear.elided_share = 0.4;
	spec = fz_use_caches(&profile, &clear);
	ck_assert_uint_eq(spec.store.threshold_bytes, 0);
	spec = fz_use_caches(&profile, NULL);
	ck_assert_uint_eq(spec.store.threshold_bytes, 0);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("model.use_price");
	TCase *tcase = tcase_create("use_price");

	tcase_add_checked_fixture(tcase, setup, NULL);
	tcase_add_test(tcase, by_where_the_loads_come_from);
	tcase_add_test(tcase, what_is_not_known);
	tcase_add_loop_test(tcase, no_price_at_all, 0, 3);
	tcase_add_test(tcase, caches_of_a_study);
	suite_add_tcase(suite, tcase);
	return suite;
}
