// SPDX-License-Identifier: GPL-2.0-or-later
/* Random orders: each number once, and all orders alike. */
#include <stdbool.h>
#include <stdlib.h>

#include "fits.h"
#include "fz_test.h"
#include "permutation.h"

#define NR(a) (sizeof(a) / sizeof((a)[0]))

/* Is each number below nr at one place? */
static bool is_bijection(uint64_t nr, uint64_t seed)
{
	const struct permutation p = permutation_make(nr, seed, 0);
	unsigned char *seen = calloc(nr, 1);
	uint64_t bad = 0;

	if (!seen)
		return false;
	for (uint64_t i = 0; i < nr; i++) {
		const uint64_t x = permutation_at(&p, i);

		if (x < nr)
			bad += seen[x]++;
		else
			bad++;
	}
	free(seen);
	return bad == 0;
}

START_TEST(every_number_once)
{
	static const uint64_t large[] = { 4095,  4096,   4097,
					  65536, 100000, (1 << 17) + 1 };
	uint64_t bad = 0;

	for (uint64_t nr = 1; nr < 300; nr++)
		bad += !is_bijection(nr, nr);
	for (size_t i = 0; i < NR(large); i++)
		bad += !is_bijection(large[i], i);
	ck_assert_uint_eq(bad, 0);
}
END_TEST

/* More numbers than memory: those of 10,000 places differ and are in range. */
START_TEST(very_many)
{
	static const uint64_t sizes[] = { (1ull << 34) + 1, 3ull << 40,
					  1ull << 62 };
	const uint64_t nr = sizes[_i];
	const struct permutation p = permutation_make(nr, 1, 1);
	uint64_t outside = 0, upper = 0, in_place = 0;

	for (uint64_t i = 0; i < 10000; i++) {
		const uint64_t x = permutation_at(&p, nr - 1 - i);

		outside += x >= nr;
		upper += x >= nr / 2;
		in_place += x == nr - 1 - i;
	}
	ck_assert_uint_eq(outside, 0);
	ck_assert_uint_eq(in_place, 0);
	ck_assert_uint_gt(upper, 4700);
	ck_assert_uint_lt(upper, 5300);
}
END_TEST

/* Which of its orders is it? */
static unsigned int order_of(const struct permutation *p)
{
	const unsigned int nr = (unsigned int)p->nr;
	uint64_t at[8];
	unsigned int order = 0;

	for (unsigned int i = 0; i < nr; i++)
		at[i] = permutation_at(p, i);
	for (unsigned int i = 0; i < nr; i++) {
		unsigned int smaller = 0;

		for (unsigned int j = i + 1; j < nr; j++)
			smaller += at[j] < at[i];
		order = order * (nr - i) + smaller;
	}
	return order;
}

START_TEST(all_orders_are_alike)
{
	static const unsigned int orders[] = { 1, 1, 2, 6, 24, 120, 720, 5040 };
	uint64_t counts[5040] = { 0 };
	double fit;

	for (uint64_t stream = 0; stream < 50000; stream++) {
		const struct permutation p =
			permutation_make((uint64_t)_i, 3, stream);

		counts[order_of(&p)]++;
	}
	fit = fits_uniform(counts, orders[_i]);
	ck_assert_msg(fit > FITS_ENOUGH, "%g of %d numbers", fit, _i);
}
END_TEST

/* Steps between neighbours have no pattern: all but 0 are alike. */
START_TEST(steps_are_alike)
{
	static const uint64_t sizes[] = { 20, 64, 127, 129, 1000 };
	const uint64_t nr = sizes[_i];
	uint64_t counts[1000] = { 0 };
	double fit;

	for (uint64_t stream = 0; stream < 100000 / nr; stream++) {
		const struct permutation p = permutation_make(nr, 4, stream);

		for (uint64_t i = 0; i + 1 < nr; i++) {
			const uint64_t step = permutation_at(&p, i + 1) + nr -
					      permutation_at(&p, i);

			counts[step % nr]++;
		}
	}
	ck_assert_uint_eq(counts[0], 0);
	fit = fits_uniform(counts + 1, nr - 1);
	ck_assert_msg(fit > FITS_ENOUGH, "%g", fit);
}
END_TEST

START_TEST(seed_and_stream_decide)
{
	const struct permutation a = permutation_make(1000, 1, 1);
	const struct permutation again = permutation_make(1000, 1, 1);
	const struct permutation seed = permutation_make(1000, 2, 1);
	const struct permutation stream = permutation_make(1000, 1, 2);
	unsigned int other = 0, same_seed = 0, same_stream = 0;

	for (uint64_t i = 0; i < 1000; i++) {
		const uint64_t x = permutation_at(&a, i);

		other += permutation_at(&again, i) != x;
		same_seed += permutation_at(&seed, i) == x;
		same_stream += permutation_at(&stream, i) == x;
	}
	ck_assert_uint_eq(other, 0);
	ck_assert_uint_lt(same_seed, 10);
	ck_assert_uint_lt(same_stream, 10);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("permutation");
	TCase *tc = tcase_create("permutation");

	tcase_add_test(tc, every_number_once);
	tcase_add_loop_test(tc, very_many, 0, 3);
	tcase_add_loop_test(tc, all_orders_are_alike, 1, 8);
	tcase_add_loop_test(tc, steps_are_alike, 0, 5);
	tcase_add_test(tc, seed_and_stream_decide);
	suite_add_tcase(suite, tc);
	return suite;
}
