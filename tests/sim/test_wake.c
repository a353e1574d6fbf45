// SPDX-License-Identifier: GPL-2.0-or-later
/* Which wake-ups fell due inside which times. */
#include <fz/wake.h>

#include <stdbool.h>

#include <fz/random.h>

#include "fz_test.h"

#define NR(array) ((int)(sizeof(array) / sizeof((array)[0])))

#define MAX 64

static const struct fz_clock two_ns = { .ns_per_tick = 2.0 };

/* Begin is inside, end is not; where a wake-up was seen does not matter. */
static const struct {
	struct fz_wake wake;
	struct fz_tick_span spans[2];
	size_t nr_spans;
	size_t nr;
} cases[] = {
	{ { 10, 15 }, { { 0, 0 } }, 0, 0 },
	{ { 10, 15 }, { { 10, 20 } }, 1, 1 },
	{ { 10, 15 }, { { 11, 20 } }, 1, 0 },
	{ { 10, 15 }, { { 0, 10 } }, 1, 0 },
	{ { 10, 15 }, { { 0, 11 } }, 1, 1 },
	{ { 10, 15 }, { { 10, 10 } }, 1, 0 },
	{ { 10, 15 }, { { 0, 5 }, { 5, 11 } }, 2, 1 },
	{ { 10, 15 }, { { 0, 10 }, { 10, 12 } }, 2, 1 },
	{ { 10, 15 }, { { 0, 9 }, { 11, 20 } }, 2, 0 },
	{ { 10, 15 }, { { 0, 11 }, { 11, 20 } }, 2, 1 },
	{ { 0, 5 }, { { 0, 1 } }, 1, 1 },
};

START_TEST(due_decides)
{
	const struct fz_wakes wakes = { &cases[_i].wake, 1, 0 };
	struct fz_histogram h;

	fz_histogram_init(&h);
	ck_assert_uint_eq(fz_wakes_in(&wakes, cases[_i].spans,
				      cases[_i].nr_spans, &two_ns, &h),
			  cases[_i].nr);
	ck_assert_uint_eq(h.count, cases[_i].nr);
	if (h.count)
		ck_assert_uint_eq(h.max, 10);
}
END_TEST

START_TEST(no_wakes_are_none)
{
	const struct fz_wakes wakes = { NULL, 0, 0 };
	const struct fz_tick_span span = { 0, 100 };
	struct fz_histogram h;

	fz_histogram_init(&h);
	ck_assert_uint_eq(fz_wakes_in(&wakes, &span, 1, &two_ns, &h), 0);
	ck_assert_uint_eq(fz_wakes_in(&wakes, NULL, 0, &two_ns, &h), 0);
}
END_TEST

/* Equal instants, touching and empty spans all come up. */
static size_t make_wakes(struct fz_random *random, struct fz_wake wake[MAX])
{
	const size_t nr = fz_random_below(random, MAX + 1);
	uint64_t at = 0;

	for (size_t i = 0; i < nr; i++) {
		at += fz_random_below(random, 5);
		wake[i] = (struct fz_wake){
			.due_ticks = at,
			.seen_ticks = at + fz_random_below(random, 9),
		};
	}
	return nr;
}

static size_t make_spans(struct fz_random *random,
			 struct fz_tick_span spans[MAX])
{
	const size_t nr = fz_random_below(random, MAX + 1);
	uint64_t at = 0;

	for (size_t i = 0; i < nr; i++) {
		spans[i].begin = at + fz_random_below(random, 4);
		spans[i].end = spans[i].begin + fz_random_below(random, 6);
		at = spans[i].end;
	}
	return nr;
}

static bool is_in(const struct fz_wake *wake, const struct fz_tick_span *spans,
		  size_t nr_spans)
{
	for (size_t i = 0; i < nr_spans; i++) {
		if (spans[i].begin <= wake->due_ticks &&
		    wake->due_ticks < spans[i].end)
			return true;
	}
	return false;
}

static bool agrees(struct fz_random *random)
{
	static struct fz_histogram want, got;
	struct fz_wake wake[MAX];
	struct fz_tick_span spans[MAX];
	const struct fz_wakes wakes = { wake, make_wakes(random, wake), 0 };
	const size_t nr_spans = make_spans(random, spans);
	size_t nr;

	fz_histogram_init(&want);
	fz_histogram_init(&got);
	for (size_t i = 0; i < wakes.nr; i++) {
		if (is_in(&wake[i], spans, nr_spans))
			fz_histogram_add(&want, 2 * (wake[i].seen_ticks -
						     wake[i].due_ticks));
	}
	nr = fz_wakes_in(&wakes, spans, nr_spans, &two_ns, &got);
	return nr == want.count && memcmp(&want, &got, sizeof(want)) == 0;
}

START_TEST(agrees_with_looking_at_every_pair)
{
	struct fz_random random = fz_random_begin(7, 0);
	size_t nr_wrong = 0;

	for (int i = 0; i < 2000; i++)
		nr_wrong += !agrees(&random);
	ck_assert_uint_eq(nr_wrong, 0);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("wake");
	TCase *tcase = tcase_create("wake");

	tcase_add_loop_test(tcase, due_decides, 0, NR(cases));
	tcase_add_test(tcase, no_wakes_are_none);
	tcase_add_test(tcase, agrees_with_looking_at_every_pair);
	suite_add_tcase(suite, tcase);
	return suite;
}
