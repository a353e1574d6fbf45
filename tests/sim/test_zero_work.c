// SPDX-License-Identifier: GPL-2.0-or-later
/* Works of a plan against its steps, and interrupted works by hand. */
#include "zero_work.h"

#include <math.h>
#include <stdlib.h>

#include <fz/folio.h>
#include <fz/random.h>

#include "fz_test.h"
#include "naive_price.h"
#include "plan_steps.h"

#define MAX_PAGES  90u
#define MAX_PLACES 4096u

/* What everything happens on. */
struct world {
	struct fz_profile profile;
	struct fz_bus bus;
	struct fz_zero_kinds kinds;
};

static void world_open(struct world *world, struct fz_profile profile,
		       enum fz_preempt model)
{
	world->profile = profile;
	world->profile.memory = (struct fz_profile_memory){ .bps = 1e12,
							    .allocate_cost = 2,
							    .stream_cost = 1 };
	ck_assert_int_eq(fz_bus_open(&world->bus, 2, 1e12), 0);
	world->kinds = (struct fz_zero_kinds){
		.prices = fz_prices_of(&world->profile),
		.preempt = model,
		.bus = &world->bus,
	};
	ck_assert_int_eq(fz_zero_kinds_init(&world->kinds), 0);
}

static void world_close(struct world *world)
{
	fz_bus_fini(&world->bus);
}

struct places {
	double at[MAX_PLACES];
	size_t nr;
};

static void place_at(struct places *places, double ns)
{
	places->at[places->nr++] = ns;
}

/* Where points end, step by step; of several in a row the last one counts. */
static double naive_places(const struct world *world,
			   const struct fz_plan *plan, struct places *places)
{
	struct fz_range latest = { 0, 0 };
	bool point = false;
	struct fz_walker walker;
	struct fz_step step;
	double ns = 0;

	places->nr = 0;
	fz_walker_begin(&walker, plan);
	while (fz_walker_next(&walker, &step)) {
		const struct fz_range call = { step.first, step.nr };

		if (step.op == FZ_OP_CLEAR) {
			ns += fz_profile_call_ns(
				&world->profile.clears[step.hint],
				step.nr << FZ_PAGE_SHIFT,
				fz_relation_of(latest, call));
			latest = call;
			point = false;
		} else if (fz_op_acts(step.op, world->kinds.preempt)) {
			ns += world->profile.point_ns;
			places->nr -= point;
			place_at(places, ns);
			point = true;
		}
	}
	/* Then comes the return to user mode. */
	places->nr -= point;
	return ns;
}

static double places_of(const struct fz_zero_works *works,
			struct places *places)
{
	double before = 0;

	places->nr = 0;
	for (size_t i = 0; i < works->nr; i++) {
		const struct fz_places *at = &works->work[i].places;
		double ns = fz_place_after(at, -1);

		for (; ns < INFINITY; ns = fz_place_after(at, ns))
			place_at(places, before + ns);
		before += fz_work_ns(&works->work[i]);
	}
	return before;
}

static bool same_places(const struct places *a, const struct places *b)
{
	if (a->nr != b->nr)
		return false;
	for (size_t i = 0; i < a->nr; i++)
		if (fabs(a->at[i] - b->at[i]) > 1e-3)
			return false;
	return true;
}

static uint64_t bytes_of(const struct fz_zero_works *works)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < works->nr; i++)
		bytes += works->work[i].bytes;
	return bytes;
}

static uint64_t cleared_bytes(const struct fz_plan *plan)
{
	uint64_t pages = 0;

	for (size_t i = 0; i < plan->nr_runs; i++)
		if (plan->runs[i].op == FZ_OP_CLEAR)
			pages += plan->runs[i].nr;
	return pages << FZ_PAGE_SHIFT;
}

static bool works_are_steps(const struct world *world,
			    const struct fz_plan *plan)
{
	static struct places expected, places;
	const double ns = naive_places(world, plan, &expected);
	struct fz_zero_works works;
	double works_ns;
	bool same;

	ck_assert_int_eq(fz_zero_works_make(&world->kinds, plan, &works), 0);
	works_ns = places_of(&works, &places);
	same = bytes_of(&works) == cleared_bytes(plan);
	if (works.nr)
		same = same && fabs(works_ns - ns) < 1e-3 &&
		       same_places(&places, &expected);
	fz_zero_works_fini(&works);
	return same;
}

START_TEST(any_plan)
{
	struct fz_random random = fz_random_begin(8, (uint64_t)_i);
	unsigned int wrong = 0;
	struct world world;

	world_open(&world, exact_profile(), (enum fz_preempt)_i);
	for (unsigned int i = 0; i < 1500; i++) {
		const uint64_t nr_pages =
			1 + fz_random_below(&random, MAX_PAGES);
		struct fz_plan plan;

		ck_assert_int_eq(random_plan(&random, nr_pages, &plan), 0);
		wrong += !works_are_steps(&world, &plan);
		fz_plan_fini(&plan);
	}
	ck_assert_uint_eq(wrong, 0);
	world_close(&world);
}
END_TEST

/* 1000 ns a page; from 4 pages on one at that speed, the others 100 ns. */
static const struct fz_profile by_hand = {
	.point_ns = 7,
	.nr_clears = 1,
	.clears = { { .name = "stosb",
		      .call_ns = { 10, 20, 30 },
		      .bps = 4.096e9,
		      .threshold_bytes = 4 * 4096,
		      .ramp_bytes = 4096,
		      .elided_bps = 40.96e9,
		      .elided_share = 1,
		      .interrupted_ns = 5 } },
};

static struct fz_zero_works make_run(const struct world *world,
				     struct fz_run run)
{
	const struct fz_plan plan = { .runs = &run,
				      .nr_runs = 1,
				      .nr_pages = run.nr };
	struct fz_zero_works works;

	ck_assert_int_eq(fz_zero_works_make(&world->kinds, &plan, &works), 0);
	return works;
}

/* A page takes 1000 + 10 + 7: that much slower it is, and of a class of its
 * own. The first is 20 ns longer. */
START_TEST(short_calls_are_slower)
{
	const struct fz_run run = { .nr = 50,
				    .unit_pages = 1,
				    .call_pages = 1,
				    .resched = FZ_RESCHED_BEFORE };
	struct fz_zero_works works;
	struct world world;

	world_open(&world, by_hand, FZ_PREEMPT_NONE);
	works = make_run(&world, run);
	ck_assert_uint_eq(works.nr, 1);
	ck_assert_double_eq_tol(works.work[0].part[0].ns, 50 * 1017 + 20, 1e-6);
	ck_assert_double_eq_tol(works.work[0].part[0].bytes_per_ns,
				4096 / 1017.0, 1e-9);
	ck_assert_int_ne(works.work[0].part[0].class,
			 world.kinds.kind[0].class);
	ck_assert_double_eq(works.cached_bytes, 50 * 4096);
	fz_zero_works_fini(&works);
	world_close(&world);
}
END_TEST

/* 17 pages a call are long: their cost is bytes, their class the common one. */
START_TEST(long_calls_have_more_bytes)
{
	const struct fz_run run = { .nr = 34,
				    .unit_pages = 17,
				    .call_pages = 17 };
	struct fz_profile profile = by_hand;
	struct fz_zero_works works;
	struct world world;

	profile.clears[0].threshold_bytes = 0;
	world_open(&world, profile, FZ_PREEMPT_NONE);
	works = make_run(&world, run);
	ck_assert_uint_eq(works.nr, 1);
	ck_assert_double_eq_tol(works.work[0].part[0].ns, 34040, 1e-6);
	ck_assert_double_eq_tol(works.work[0].part[0].bytes_per_ns, 4.096,
				1e-9);
	ck_assert_int_eq(works.work[0].part[0].class,
			 world.kinds.kind[0].class);
	fz_zero_works_fini(&works);
	world_close(&world);
}
END_TEST

/* More kinds of short runs than a fluid has classes. */
START_TEST(too_many_classes)
{
	struct fz_profile profile = by_hand;
	unsigned int nr_common = 0;
	struct world world;

	profile.clears[0].threshold_bytes = 0;
	world_open(&world, profile, FZ_PREEMPT_NONE);
	for (uint64_t nr = 1; nr <= 2 * FZ_FLUID_MAX_CLASSES; nr++) {
		/* One or two units, as long as the folio. */
		const struct fz_run run = { .nr = nr,
					    .unit_pages = (nr + 1) / 2,
					    .call_pages = 1 };
		struct fz_zero_works works = make_run(&world, run);

		ck_assert_double_eq_tol(works.work[0].part[0].ns,
					1010 * (double)nr + 20, 1e-6);
		nr_common += works.work[0].part[0].class ==
			     world.kinds.kind[0].class;
		fz_zero_works_fini(&works);
	}
	ck_assert_uint_gt(nr_common, FZ_FLUID_MAX_CLASSES / 2);
	ck_assert_uint_lt(nr_common, 2 * FZ_FLUID_MAX_CLASSES);
	world_close(&world);
}
END_TEST

/*
 * Ten pages in one call: 30 + 1000, then 900 for nine. done is where it is
 * interrupted; then it takes first, then second. 5 ns are the interruption's.
 */
static const struct {
	double done, first, second;
	uint64_t bytes;
} interruptions[] = {
	/* Before the first byte: 10 of the 30 ns are left, and all pages. */
	{ 20, 10 + 5 + 1000, 900, 10 * 4096 },
	/* Half of the ramp: 9.5 pages are left, and pay a ramp again. */
	{ 530, 5 + 1000, 850, 38912 },
	/* The whole ramp and five pages: four are left, just enough. */
	{ 1530, 5 + 1000, 300, 4 * 4096 },
	/* And half a page more: no longer elided. */
	{ 1580, 5 + 3500, 0, 3 * 4096 + 2048 },
	{ 1929, 5 + 10, 0, 40 },
};

START_TEST(interrupted)
{
	const struct fz_run run = { .nr = 10,
				    .unit_pages = 10,
				    .call_pages = 10 };
	struct fz_zero_works works;
	struct fz_work rest;
	struct world world;

	world_open(&world, by_hand, FZ_PREEMPT_FULL);
	works = make_run(&world, run);
	ck_assert_double_eq_tol(works.work[0].part[0].ns, 1030, 1e-6);
	ck_assert_double_eq_tol(works.work[0].part[1].ns, 900, 1e-6);
	ck_assert_double_eq(works.cached_bytes, 4096);
	rest = fz_zero_work_rest(&works.work[0], interruptions[_i].done);
	ck_assert_double_eq_tol(rest.part[0].ns, interruptions[_i].first, 0.5);
	ck_assert_double_eq_tol(rest.part[1].ns, interruptions[_i].second, 0.5);
	ck_assert_uint_ge(rest.bytes, interruptions[_i].bytes - 1);
	ck_assert_uint_le(rest.bytes, interruptions[_i].bytes);
	fz_zero_works_fini(&works);
	world_close(&world);
}
END_TEST

/* A rest is interrupted like any other work. */
START_TEST(interrupted_again)
{
	const struct fz_run run = { .nr = 10,
				    .unit_pages = 10,
				    .call_pages = 10 };
	struct fz_zero_works works;
	struct fz_work rest;
	struct world world;

	world_open(&world, by_hand, FZ_PREEMPT_FULL);
	works = make_run(&world, run);
	rest = fz_zero_work_rest(&works.work[0], 1330); /* 6 pages are left */
	rest = fz_zero_work_rest(&rest, 1005 + 400);    /* 1 is */
	ck_assert_double_eq_tol(fz_work_ns(&rest), 1005, 0.5);
	rest = fz_zero_work_rest(&rest, 505);
	ck_assert_double_eq_tol(fz_work_ns(&rest), 505, 0.5);
	fz_zero_works_fini(&works);
	world_close(&world);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("zero_work");
	TCase *tcase = tcase_create("zero_work");

	tcase_add_loop_test(tcase, any_plan, 0, FZ_NR_PREEMPT);
	tcase_add_test(tcase, short_calls_are_slower);
	tcase_add_test(tcase, long_calls_have_more_bytes);
	tcase_add_test(tcase, too_many_classes);
	tcase_add_loop_test(tcase, interrupted, 0,
			    sizeof(interruptions) / sizeof(interruptions[0]));
	tcase_add_test(tcase, interrupted_again);
	suite_add_tcase(suite, tcase);
	return suite;
}
