// SPDX-License-Identifier: GPL-2.0-or-later
/* Ranks after Zipf, against their exact probabilities. */
#include <math.h>
#include <stdlib.h>

#include "fits.h"
#include "fz_test.h"
#include "zipf_draw.h"

#define NR(a) (sizeof(a) / sizeof((a)[0]))
#define DRAWS 20000u

static const uint64_t numbers[] = { 1, 2, 3, 4, 7, 8, 9, 100, 1000, 1024 };
static const double exponents[] = { 0, 0.5, 0.99, 1, 1.5, 2, 5, 100 };

/* Each number with each exponent. */
START_TEST(fits_exact_probabilities)
{
	const uint64_t nr = numbers[(size_t)_i / NR(exponents)];
	const double exponent = exponents[(size_t)_i % NR(exponents)];
	struct fz_random random = fz_random_begin(11, (uint64_t)_i);
	uint64_t counts[1025] = { 0 }, outside = 0;
	double weights[1025] = { 0 }, p;
	struct zipf_draw draw;

	zipf_draw_init(&draw, nr, exponent);
	for (unsigned int i = 0; i < DRAWS; i++) {
		const uint64_t rank = zipf_draw(&draw, &random);

		if (rank >= 1 && rank <= nr)
			counts[rank]++;
		else
			outside++;
	}
	for (uint64_t rank = 1; rank <= nr; rank++)
		weights[rank] = pow((double)rank, -exponent);
	p = fits(counts + 1, weights + 1, nr);
	ck_assert_uint_eq(outside, 0);
	ck_assert_msg(p > FITS_ENOUGH, "%g for %u ranks, exponent %g", p,
		      (unsigned int)nr, exponent);
}
END_TEST

static const struct {
	uint64_t nr;
	double exponent;
} many_cases[] = {
	{ 100000, 1 },  { 100000, 0.8 }, { (1 << 17) - 1, 1.2 },
	{ 1 << 17, 0 }, { 1 << 17, 1 },  { (1 << 17) + 1, 0.3 },
	{ 100000, 2 },
};

static unsigned int cell_of(uint64_t rank)
{
	const unsigned int octave = 63 - (unsigned int)__builtin_clzll(rank);

	/* Quarters of an octave. */
	return octave * 4 +
	       (unsigned int)(octave < 2 ? 0 : (rank >> (octave - 2)) & 3);
}

/* The far ranks, by quarters of octaves. */
START_TEST(fits_for_many_ranks)
{
	const uint64_t nr = many_cases[_i].nr;
	struct fz_random random = fz_random_begin(12, (uint64_t)_i);
	uint64_t counts[128] = { 0 };
	double weights[128] = { 0 }, p;
	struct zipf_draw draw;

	zipf_draw_init(&draw, nr, many_cases[_i].exponent);
	for (unsigned int i = 0; i < DRAWS; i++)
		counts[cell_of(zipf_draw(&draw, &random))]++;
	for (uint64_t rank = 1; rank <= nr; rank++)
		weights[cell_of(rank)] +=
			pow((double)rank, -many_cases[_i].exponent);
	p = fits(counts, weights, NR(counts));
	ck_assert_msg(p > FITS_ENOUGH, "%g", p);
}
END_TEST

/* The upper bound of ranks: nothing overflows, and half are in the last octave
 * or the one before it. */
START_TEST(most_ranks)
{
	const uint64_t nr = (1ull << ZIPF_OCTAVES) - 1;
	struct fz_random random = fz_random_begin(13, 0);
	unsigned int outside = 0, upper_half = 0;
	struct zipf_draw draw;

	zipf_draw_init(&draw, nr, 0);
	for (unsigned int i = 0; i < 10000; i++) {
		const uint64_t rank = zipf_draw(&draw, &random);

		outside += rank < 1 || rank > nr;
		upper_half += rank > nr / 2;
	}
	ck_assert_uint_eq(outside, 0);
	ck_assert_uint_gt(upper_half, 4700);
	ck_assert_uint_lt(upper_half, 5300);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("zipf_draw");
	TCase *tc = tcase_create("zipf_draw");

	tcase_add_loop_test(tc, fits_exact_probabilities, 0,
			    NR(numbers) * NR(exponents));
	tcase_add_loop_test(tc, fits_for_many_ranks, 0, NR(many_cases));
	tcase_add_test(tc, most_ranks);
	suite_add_tcase(suite, tc);
	return suite;
}
