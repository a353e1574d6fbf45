// SPDX-License-Identifier: GPL-2.0-or-later
/* Places in some work, against all of them one by one. */
#include "work.h"

#include <math.h>
#include <stdbool.h>

#include <fz/random.h>

#include "fz_test.h"

#define MAX_PLACES 40

/* Every place, ascending. */
static int all_places(const struct fz_places *places, double at[])
{
	int nr = 0;

	if (places->lead_ns >= 0)
		at[nr++] = places->lead_ns;
	for (uint64_t i = 0; i < places->nr; i++)
		at[nr++] = places->first_ns + (double)i * places->step_ns;
	return nr;
}

static double naive_after(const double at[], int nr, double ns)
{
	for (int i = 0; i < nr; i++)
		if (at[i] > ns + 0.01)
			return at[i];
	return INFINITY;
}

static double naive_by(const double at[], int nr, double ns)
{
	for (int i = nr; i-- > 0;)
		if (at[i] <= ns + 0.01)
			return at[i];
	return -1;
}

/* Sums may be rounded in other ways. */
static bool differ(double a, double b)
{
	return a != b && !(fabs(a - b) < 1e-9);
}

/* Multiples of 0.3: a third of them are hit exactly, or nearly so. */
static double draw(struct fz_random *random, uint64_t limit)
{
	return 0.3 * (double)fz_random_below(random, limit);
}

START_TEST(places_are_found)
{
	struct fz_random random = fz_random_begin(3, 1);
	unsigned int wrong = 0;

	for (unsigned int i = 0; i < 20000; i++) {
		struct fz_places places = {
			.lead_ns = fz_random_below(&random, 2)
					   ? draw(&random, 5)
					   : -1,
			.nr = fz_random_below(&random, MAX_PLACES - 1),
			.step_ns = 0.3 + draw(&random, 9),
		};
		const double ns =
			fz_random_below(&random, 9) ? draw(&random, 200) : -1;
		double at[MAX_PLACES];
		int nr;

		places.first_ns =
			fmax(places.lead_ns, 0) + 0.3 + draw(&random, 9);
		nr = all_places(&places, at);
		wrong += differ(fz_place_after(&places, ns),
				naive_after(at, nr, ns));
		wrong += differ(fz_place_by(&places, ns), naive_by(at, nr, ns));
	}
	ck_assert_uint_eq(wrong, 0);
}
END_TEST

START_TEST(a_part_of_nothing_is_none)
{
	const struct fz_work work = {
		.part = { { 0, 0, FZ_ON_CPU }, { 8, 1, 3 } },
	};
	const struct fz_work on_cpu = fz_work_on_cpu(5);
	double end;

	ck_assert_int_eq(fz_work_part_at(&work, 0, &end)->class, 3);
	ck_assert_double_eq(end, 8);
	ck_assert_int_eq(fz_work_part_at(&on_cpu, 0, &end)->class, FZ_ON_CPU);
	ck_assert_double_eq(end, 5);
	ck_assert_double_eq(fz_work_ns(&on_cpu), 5);
	ck_assert(isinf(fz_place_after(&on_cpu.places, -1)));
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("work");
	TCase *tcase = tcase_create("work");

	tcase_add_test(tcase, places_are_found);
	tcase_add_test(tcase, a_part_of_nothing_is_none);
	suite_add_tcase(suite, tcase);
	return suite;
}
