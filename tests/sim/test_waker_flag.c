// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The flag between two threads, on a clock that every reading moves on: it
 * orders all that both of them do.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include <fz/resched_point.h>
#include <fz/waker.h>

#include "fz_test.h"

#define MAX_WAKES   100000u
#define MAX_ANSWERS 2000u

struct world {
	struct fz_hooks hooks;
	_Atomic uint64_t now;
	uint64_t answers[MAX_ANSWERS];
	size_t nr_answers;
};

static uint64_t world_ticks(void *state)
{
	return atomic_fetch_add(&((struct world *)state)->now, 1);
}

/* Without it the test would need two CPUs. */
static int world_pin(void *state, unsigned int cpu)
{
	(void)state;
	(void)cpu;
	return 0;
}

static void world_init(struct world *world)
{
	memset(world, 0, sizeof(*world));
	world->hooks = fz_hooks_default;
	world->hooks.state = world;
	world->hooks.ticks = world_ticks;
	world->hooks.pin = world_pin;
	world->now = 1;
}

static struct fz_waker *waker_on(struct world *world, size_t max_wakes)
{
	const struct fz_waker_params params = {
		.kind = FZ_WAKER_FLAG,
		.interval_ns = FZ_WAKER_MIN_INTERVAL_NS,
		.max_wakes = max_wakes,
		.clock = { .ns_per_tick = 1000.0 },
	};
	struct fz_waker *waker = NULL;

	ck_assert_int_eq(fz_waker_open(&waker, &world->hooks, &params, NULL),
			 0);
	return waker;
}

/* Answer so often; between two looks some time passes. */
static void answer(struct world *world, struct fz_resched_flag *flag, size_t nr)
{
	while (world->nr_answers < nr) {
		if (fz_resched_point(&flag->need_resched)) {
			fz_resched_flag_answer(flag, &world->hooks);
			world->answers[world->nr_answers++] =
				atomic_load(&flag->seen_ticks);
		}
		for (int i = 0; i < 5; i++)
			world_ticks(world);
	}
}

/*
 * Wake-ups that were seen together are one setting of the flag. Each must have
 * come with the answer whose turn it was; a flag that was seen before its
 * setter had read the clock waited for nothing.
 */
static size_t settings(const struct fz_wakes *wakes, const struct world *world,
		       size_t *nr_wrong)
{
	size_t nr = 0;

	*nr_wrong = 0;
	for (size_t i = 0; i < wakes->nr; i++) {
		const struct fz_wake *wake = &wakes->wake[i];

		*nr_wrong += wake->seen_ticks < wake->due_ticks;
		if (i && wake->seen_ticks == wake[-1].seen_ticks)
			continue;
		*nr_wrong += i && wake->due_ticks <= wake[-1].seen_ticks;
		if (nr < world->nr_answers)
			*nr_wrong += wake->seen_ticks != world->answers[nr] &&
				     (wake->seen_ticks != wake->due_ticks ||
				      wake->seen_ticks < world->answers[nr]);
		nr++;
	}
	return nr;
}

START_TEST(every_flag_is_seen_once)
{
	struct world *world = malloc(sizeof(*world));
	struct fz_waker *waker;
	struct fz_wakes wakes;
	size_t nr, nr_wrong;

	ck_assert_ptr_nonnull(world);
	world_init(world);
	waker = waker_on(world, MAX_WAKES);
	fz_waker_begin(waker);
	answer(world, fz_waker_flag(waker), MAX_ANSWERS);
	wakes = fz_waker_end(waker);
	nr = settings(&wakes, world, &nr_wrong);
	ck_assert_uint_eq(nr_wrong, 0);
	ck_assert_uint_ge(nr, MAX_ANSWERS);
	ck_assert_uint_le(nr, MAX_ANSWERS + 1); /* one that the end answered */
	fz_waker_close(waker);
	free(world);
}
END_TEST

/* Nobody looks at the flag: the end does, and leaves it clear. */
START_TEST(end_answers_a_flag_that_is_set)
{
	struct world *world = malloc(sizeof(*world));
	struct fz_resched_flag *flag;
	struct fz_waker *waker;
	size_t nr_set = 0, nr_lost = 0;

	ck_assert_ptr_nonnull(world);
	world_init(world);
	waker = waker_on(world, MAX_WAKES);
	flag = fz_waker_flag(waker);
	for (int i = 0; i < 100; i++) {
		fz_waker_begin(waker);
		while (!fz_resched_point(&flag->need_resched))
			world_ticks(world);
		nr_lost += fz_waker_end(waker).nr == 0;
		nr_set += fz_resched_point(&flag->need_resched);
	}
	ck_assert_uint_eq(nr_lost, 0);
	ck_assert_uint_eq(nr_set, 0);
	fz_waker_close(waker);
	free(world);
}
END_TEST

/* A flag that nobody looks at for long stands for all instants meanwhile. */
START_TEST(instants_while_it_is_set_count)
{
	struct world *world = malloc(sizeof(*world));
	struct fz_resched_flag *flag;
	struct fz_waker *waker;
	struct fz_wakes wakes;
	size_t nr_wrong;

	ck_assert_ptr_nonnull(world);
	world_init(world);
	waker = waker_on(world, 500);
	flag = fz_waker_flag(waker);
	fz_waker_begin(waker);
	while (!fz_resched_point(&flag->need_resched))
		world_ticks(world);
	atomic_fetch_add(&world->now, 10000); /* 1000 intervals */
	answer(world, flag, 1);
	wakes = fz_waker_end(waker);
	ck_assert_uint_eq(wakes.nr, 500);
	ck_assert_uint_gt(wakes.dropped, 300);
	ck_assert_uint_le(settings(&wakes, world, &nr_wrong), 2);
	ck_assert_uint_eq(nr_wrong, 0);
	fz_waker_close(waker);
	free(world);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("waker_flag");
	TCase *tcase = tcase_create("waker_flag");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, every_flag_is_seen_once);
	tcase_add_test(tcase, end_answers_a_flag_that_is_set);
	tcase_add_test(tcase, instants_while_it_is_set_count);
	suite_add_tcase(suite, tcase);
	return suite;
}
