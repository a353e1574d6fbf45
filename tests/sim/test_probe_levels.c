// SPDX-License-Identifier: GPL-2.0-or-later
/* Working sets of imagined caches, and classes of imagined times. */
#include <fz/probe_levels.h>

#include <math.h>
#include <string.h>

#include <fz/folio.h>

#include "fz_test.h"

#define KIB       1024ull
#define MIB       (1024 * KIB)
#define GIB       (1024 * MIB)
#define NR(array) ((int)(sizeof(array) / sizeof((array)[0])))

static const struct {
	struct fz_cpu_cache caches[FZ_MAX_CACHES];
	size_t nr_caches;
	uint64_t llc_bytes;
	uint64_t max_bytes;
	size_t nr;
	const char *names[FZ_MAX_LEVELS];
	uint64_t sets[FZ_MAX_LEVELS];
	bool exceeds_llc;
} plans[] = {
	{ .caches = { { .name = "L1d", .bytes = 32 * KIB },
		      { .name = "L2", .bytes = MIB },
		      { .name = "L3", .bytes = 32 * MIB } },
	  .nr_caches = 3,
	  .llc_bytes = 32 * MIB,
	  .max_bytes = 512 * MIB,
	  .nr = 4,
	  .names = { "L1", "L2", "L3", "memory" },
	  .sets = { 16 * KIB, 512 * KIB, 16 * MIB, 128 * MIB },
	  .exceeds_llc = true },
	/* A guest that is shown its host's cache. */
	{ .caches = { { .name = "L1d", .bytes = 48 * KIB },
		      { .name = "L3", .bytes = 480 * MIB } },
	  .nr_caches = 2,
	  .llc_bytes = 480 * MIB,
	  .max_bytes = 512 * MIB,
	  .nr = 3,
	  .names = { "L1", "L3", "memory" },
	  .sets = { 24 * KIB, 64 * MIB, 512 * MIB } },
	/* Nothing is known. */
	{ .max_bytes = GIB,
	  .nr = 1,
	  .names = { "memory" },
	  .sets = { 64 * MIB },
	  .exceeds_llc = true },
	/* Hardly any memory, and odd sizes. */
	{ .caches = { { .name = "L1", .bytes = 20 * KIB + 1 },
		      { .name = "L2", .bytes = 0 },
		      { .name = "L3", .bytes = 12 * MIB } },
	  .nr_caches = 3,
	  .llc_bytes = 12 * MIB,
	  .max_bytes = 5 * KIB,
	  .nr = 3,
	  .names = { "L1", "L3", "memory" },
	  .sets = { 4 * KIB, 4 * KIB, 4 * KIB } },
	{ .caches = { { .name = "L1", .bytes = 512 } },
	  .nr_caches = 1,
	  .llc_bytes = 512,
	  .max_bytes = 0,
	  .nr = 2,
	  .names = { "L1", "memory" },
	  .sets = { 4 * KIB, 4 * KIB },
	  .exceeds_llc = true },
};

START_TEST(plans_a_set_for_each_cache_and_one_for_memory)
{
	struct fz_topology topology = { .llc_bytes = plans[_i].llc_bytes,
					.nr_caches = plans[_i].nr_caches };
	struct fz_levels levels;

	memcpy(topology.caches, plans[_i].caches, sizeof(topology.caches));
	fz_levels_plan(&levels, &topology, plans[_i].max_bytes);
	ck_assert_uint_eq(levels.nr, plans[_i].nr);
	for (size_t i = 0; i < levels.nr; i++) {
		ck_assert_str_eq(levels.level[i].name, plans[_i].names[i]);
		ck_assert_uint_eq(levels.level[i].set_bytes, plans[_i].sets[i]);
	}
	ck_assert_uint_eq(levels.level[levels.nr - 1].cache_bytes, 0);
	ck_assert_int_eq(levels.exceeds_llc, plans[_i].exceeds_llc);
}
END_TEST

static struct fz_levels classified(const double *ticks, size_t nr)
{
	static const char *const names[] = { "L1", "L2", "L3", "memory" };
	struct fz_levels levels = { .nr = nr };

	for (size_t i = 0; i < nr; i++) {
		strcpy(levels.level[i].name, names[4 - nr + i]);
		levels.level[i].median_ticks = ticks[i];
	}
	fz_levels_classify(&levels);
	return levels;
}

static const struct {
	double ticks[4];
	const char *classes; /* with blanks between them */
	double below[3];
} times[] = {
	{ { 4, 16, 64, 256 }, "L1 L2 L3 memory ", { 8, 32, 128 } },
	/* 1.3 is not enough, a little more is. */
	{ { 4, 16, 100, 130 }, "L1 L2 L3/memory ", { 8, 40 } },
	{ { 4, 16, 100, 144 }, "L1 L2 L3 memory ", { 8, 40, 120 } },
	/* A farther level that seems nearer. */
	{ { 4, 16, 120, 90 }, "L1 L2 L3/memory ", { 8, 43.817805 } },
	{ { 16, 4, 64, 256 }, "L1/L2 L3 memory ", { 32, 128 } },
	/* Step by step, each too close to the one before. */
	{ { 100, 110, 120, 125 }, "L1/L2/L3/memory ", { 0 } },
	/* A clock that is too coarse for a cache. */
	{ { 0, 0, 4, 9 }, "L1/L2 L3 memory ", { 0, 6 } },
	{ { 0, 0, 0, 0 }, "L1/L2/L3/memory ", { 0 } },
};

START_TEST(merges_what_cannot_be_told_apart)
{
	const struct fz_levels levels = classified(times[_i].ticks, 4);
	char classes[256] = "";

	for (size_t i = 0; i < levels.nr_classes; i++) {
		strcat(strcat(classes, levels.classes[i].name), " ");
		if (i + 1 < levels.nr_classes)
			ck_assert_double_eq_tol(levels.classes[i].below_ticks,
						times[_i].below[i], 1e-6);
	}
	ck_assert_str_eq(classes, times[_i].classes);
	ck_assert(isinf(levels.classes[levels.nr_classes - 1].below_ticks));
	/* Each level is in the class that has its name. */
	for (size_t i = 0; i < levels.nr; i++)
		ck_assert_ptr_nonnull(
			strstr(levels.classes[levels.level[i].class].name,
			       levels.level[i].name));
}
END_TEST

START_TEST(a_time_belongs_to_the_class_between_its_borders)
{
	static const double ticks[] = { 4, 16, 64, 256 };
	const struct fz_levels levels = classified(ticks, 4);

	ck_assert_uint_eq(fz_levels_class_of(&levels, 0.0), 0);
	ck_assert_uint_eq(fz_levels_class_of(&levels, 7.99), 0);
	ck_assert_uint_eq(fz_levels_class_of(&levels, 8.0), 1);
	ck_assert_uint_eq(fz_levels_class_of(&levels, 31.9), 1);
	ck_assert_uint_eq(fz_levels_class_of(&levels, 127.9), 2);
	ck_assert_uint_eq(fz_levels_class_of(&levels, 128.0), 3);
	ck_assert_uint_eq(fz_levels_class_of(&levels, 1e9), 3);
}
END_TEST

START_TEST(memory_alone_is_one_class)
{
	const double ticks = 100;
	const struct fz_levels levels = classified(&ticks, 1);

	ck_assert_uint_eq(levels.nr_classes, 1);
	ck_assert_str_eq(levels.classes[0].name, "memory");
	ck_assert_uint_eq(fz_levels_class_of(&levels, 1.0), 0);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("sim.probe_levels");
	TCase *tcase = tcase_create("probe_levels");

	tcase_add_loop_test(tcase,
			    plans_a_set_for_each_cache_and_one_for_memory, 0,
			    NR(plans));
	tcase_add_loop_test(tcase, merges_what_cannot_be_told_apart, 0,
			    NR(times));
	tcase_add_test(tcase, a_time_belongs_to_the_class_between_its_borders);
	tcase_add_test(tcase, memory_alone_is_one_class);
	suite_add_tcase(suite, tcase);
	return suite;
}
