// SPDX-License-Identifier: GPL-2.0-or-later
/* Philox streams: known answers, purity, uniformity. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <fz/random.h>

#include "fz_test.h"

#define NR(a) (sizeof(a) / sizeof((a)[0]))

/* Philox4x32-10 in kat_vectors of the Random123 1.14 distribution; the third
 * one's input is the digits of pi. */
static const struct {
	uint32_t counter[4];
	uint32_t key[2];
	uint32_t out[4];
} kat[] = {
	{ { 0, 0, 0, 0 },
	  { 0, 0 },
	  { 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8 } },
	{ { 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff },
	  { 0xffffffff, 0xffffffff },
	  { 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd } },
	{ { 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344 },
	  { 0xa4093822, 0x299f31d0 },
	  { 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1 } },
};

START_TEST(philox_known_answers)
{
	uint32_t out[4];

	fz_philox4x32(kat[_i].counter, kat[_i].key, out);
	ck_assert_mem_eq(out, kat[_i].out, sizeof(out));
}
END_TEST

/* From a second implementation, in Python, of the published definition. */
static const struct {
	uint64_t seed, stream, counter, value;
} stream_cases[] = {
	{ 0, 0, 0, 0xe169c58d6627e8d5 },
	{ 1, 0, 0, 0xe50a0ebce3e80670 },
	{ 1, 0, 1, 0xdfc5ccbeac08141b },
	{ 1, 0, 2, 0x8e76cc9d3f55b3f0 },
	{ 1, 1, 0, 0x428264b607071c12 },
	{ 0x0123456789abcdef, 0xfedcba9876543210, 0, 0xf69b5950aef2adf7 },
	{ 0x0123456789abcdef, 0xfedcba9876543210, 1ull << 32,
	  0x2e103e4c969e80e7 },
	{ UINT64_MAX, UINT64_MAX, UINT64_MAX, 0x41c83b0e408f276d },
};

START_TEST(stream_known_answers)
{
	struct fz_random random =
		fz_random_begin(stream_cases[_i].seed, stream_cases[_i].stream);

	ck_assert_uint_eq(fz_random_at(stream_cases[_i].seed,
				       stream_cases[_i].stream,
				       stream_cases[_i].counter),
			  stream_cases[_i].value);
	random.counter = stream_cases[_i].counter;
	ck_assert_uint_eq(fz_random_next(&random), stream_cases[_i].value);
	ck_assert_uint_eq(random.counter, stream_cases[_i].counter + 1);
}
END_TEST

/* The same Python, with the draws made from it. */
START_TEST(draws_known_answers)
{
	static const uint64_t below[] = {
		524, 0, 134, 714, 449, 797, 669, 894
	};
	static const double unit[] = { 0x1.caa82198cfdcdp-1,
				       0x1.803d865b9777ap-2,
				       0x1.e001559a49d9fp-1 };
	static const unsigned int order[] = { 7, 0, 5, 1, 2, 3, 8, 6, 9, 4 };
	unsigned int index[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 };
	struct fz_random random = fz_random_begin(42, 7);
	struct fz_random same = random, again = random;

	for (size_t i = 0; i < NR(below); i++)
		ck_assert_uint_eq(fz_random_below(&random, 1000), below[i]);
	for (size_t i = 0; i < NR(unit); i++)
		ck_assert_double_eq(fz_random_unit(&same), unit[i]);
	fz_random_shuffle(&again, index, NR(index));
	ck_assert_mem_eq(index, order, sizeof(index));
}
END_TEST

START_TEST(next_walks_the_stream)
{
	struct fz_random random = fz_random_begin(5, 6);
	unsigned int wrong = 0;

	for (uint64_t i = 0; i < 1000; i++)
		wrong += fz_random_next(&random) != fz_random_at(5, 6, i);
	ck_assert_uint_eq(wrong, 0);
}
END_TEST

/* 100,000 draws below n: each number's share within 6 standard deviations. */
START_TEST(below_is_uniform)
{
	static const uint64_t limits[] = { 1, 2, 3, 7, 10, 64 };
	uint64_t n = limits[_i];
	struct fz_random random = fz_random_begin(2, n);
	const double draws = 100000, share = draws / (double)n;
	uint64_t seen[64] = { 0 }, outside = 0, wrong = 0;

	for (unsigned int i = 0; i < (unsigned int)draws; i++) {
		uint64_t value = fz_random_below(&random, n);

		if (value < n)
			seen[value]++;
		else
			outside++;
	}
	for (uint64_t v = 0; v < n; v++)
		wrong += fabs((double)seen[v] - share) > 6 * sqrt(share);
	ck_assert_uint_eq(outside, 0);
	ck_assert_uint_eq(wrong, 0);
}
END_TEST

/* 2^64 mod (3 * 2^62) is 2^62: without drawing again, the lowest third would
 * come up half of the time. */
START_TEST(below_is_unbiased)
{
	const uint64_t third = 1ull << 62, n = 3 * third;
	struct fz_random random = fz_random_begin(3, 0);
	unsigned int low = 0, outside = 0;

	for (unsigned int i = 0; i < 30000; i++) {
		uint64_t value = fz_random_below(&random, n);

		low += value < third;
		outside += value >= n;
	}
	ck_assert_uint_eq(outside, 0);
	ck_assert_uint_gt(low, 9500);
	ck_assert_uint_lt(low, 10500);
}
END_TEST

START_TEST(unit_is_uniform)
{
	struct fz_random random = fz_random_begin(4, 0);
	const unsigned int draws = 100000;
	unsigned int outside = 0;
	double sum = 0, sumsq = 0;

	for (unsigned int i = 0; i < draws; i++) {
		double u = fz_random_unit(&random);

		outside += !(u >= 0 && u < 1);
		sum += u;
		sumsq += u * u;
	}
	ck_assert_uint_eq(outside, 0);
	/* Standard deviations of the two means: 0.0009 and 0.0009. */
	ck_assert_double_eq_tol(sum / draws, 1.0 / 2, 0.006);
	ck_assert_double_eq_tol(sumsq / draws, 1.0 / 3, 0.006);
}
END_TEST

/* Every order of four, about equally often. */
START_TEST(shuffle_is_uniform)
{
	struct fz_random random = fz_random_begin(5, 0);
	unsigned int seen[256] = { 0 }, orders = 0, wrong = 0;

	for (unsigned int i = 0; i < 24000; i++) {
		unsigned int index[4] = { 0, 1, 2, 3 };

		fz_random_shuffle(&random, index, 4);
		seen[index[0] << 6 | index[1] << 4 | index[2] << 2 |
		     index[3]]++;
	}
	for (unsigned int i = 0; i < NR(seen); i++) {
		orders += seen[i] > 0;
		wrong += seen[i] && fabs(seen[i] - 1000.0) > 200;
	}
	ck_assert_uint_eq(orders, 24);
	ck_assert_uint_eq(wrong, 0);
}
END_TEST

START_TEST(shuffle_keeps_its_elements)
{
	struct fz_random random = fz_random_begin(6, 0);
	unsigned int index[1000], seen[1000] = { 0 };
	unsigned int one = 17, wrong = 0, in_place = 0;

	fz_random_shuffle(&random, NULL, 0);
	fz_random_shuffle(&random, &one, 1);
	ck_assert_uint_eq(one, 17);
	ck_assert_uint_eq(random.counter, 0);
	for (unsigned int i = 0; i < NR(index); i++)
		index[i] = i;
	fz_random_shuffle(&random, index, NR(index));
	for (unsigned int i = 0; i < NR(index); i++) {
		seen[index[i]]++;
		in_place += index[i] == i;
	}
	for (unsigned int i = 0; i < NR(seen); i++)
		wrong += seen[i] != 1;
	ck_assert_uint_eq(wrong, 0);
	ck_assert_uint_lt(in_place, 10);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("random");
	TCase *tc = tcase_create("random");

	tcase_add_loop_test(tc, philox_known_answers, 0, NR(kat));
	tcase_add_loop_test(tc, stream_known_answers, 0, NR(stream_cases));
	tcase_add_test(tc, draws_known_answers);
	tcase_add_test(tc, next_walks_the_stream);
	tcase_add_loop_test(tc, below_is_uniform, 0, 6);
	tcase_add_test(tc, below_is_unbiased);
	tcase_add_test(tc, unit_is_uniform);
	tcase_add_test(tc, shuffle_is_uniform);
	tcase_add_test(tc, shuffle_keeps_its_elements);
	suite_add_tcase(suite, tc);
	return suite;
}
