// SPDX-License-Identifier: GPL-2.0-or-later
/* Holm's procedure and the winner rule: worked cases and chance. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <fz/random.h>
#include <fz/significance.h>

#include "fz_test.h"

#define NR(a) (sizeof(a) / sizeof((a)[0]))

/* Roughly normal: the sum of twelve. */
static double normal(struct fz_random *random)
{
	double sum = -6;

	for (unsigned int i = 0; i < 12; i++)
		sum += fz_random_unit(random);
	return sum;
}

/* Holm's procedure; the second is the example of many textbooks. */
static const struct {
	size_t n;
	double alpha;
	double p[6];
	bool rejected[6];
} holm_cases[] = {
	{ 1, 0.05, { 0.049 }, { true } },
	{ 4, 0.05, { 0.01, 0.04, 0.03, 0.005 }, { true, false, false, true } },
	/* The smallest fails at 0.05/3: the others follow, though 0.04 alone
	 * is below 0.05. */
	{ 3, 0.05, { 0.04, 0.02, 0.03 }, { false, false, false } },
	/* Bonferroni would stop after the first. */
	{ 3, 0.05, { 0.049, 0.024, 0.016 }, { true, true, true } },
	{ 3, 0.05, { 0.051, 0.024, 0.016 }, { false, true, true } },
	/* 0.024 < 0.05/2, but 0.017 before it is not below 0.05/3. */
	{ 3, 0.05, { 0.017, 0.024, 0.9 }, { false, false, false } },
	{ 4, 0.05, { 0.012, 0.012, 0.012, 0.012 }, { true, true, true, true } },
	{ 2, 0.5, { 0.25, 0.1 }, { true, true } },
	/* Equality is no rejection, as in the interval. */
	{ 2, 0.5, { 0.5, 0.25 }, { false, false } },
};

START_TEST(holm)
{
	bool rejected[6];

	memset(rejected, 1, sizeof(rejected));
	fz_holm(holm_cases[_i].p, holm_cases[_i].n, holm_cases[_i].alpha,
		rejected);
	for (size_t i = 0; i < holm_cases[_i].n; i++)
		ck_assert_int_eq(rejected[i], holm_cases[_i].rejected[i]);
	fz_holm(NULL, 0, 0.05, NULL);
}
END_TEST

/* Rows of times: rows[r][i] is scale[r] with some noise. */
#define MAX_ROWS   1200
#define MAX_ROUNDS 40

struct rows {
	double x[MAX_ROWS][MAX_ROUNDS];
	const double *row[MAX_ROWS];
};

static struct rows *rows_new(void)
{
	struct rows *rows = malloc(sizeof(*rows));

	ck_assert_ptr_nonnull(rows);
	for (size_t r = 0; r < MAX_ROWS; r++)
		rows->row[r] = rows->x[r];
	return rows;
}

static void fill_row(struct rows *rows, size_t r, double scale, double noise,
		     struct fz_random *random)
{
	for (size_t i = 0; i < MAX_ROUNDS; i++)
		rows->x[r][i] = scale * exp(noise * normal(random));
}

START_TEST(clear_winner)
{
	struct fz_random random = fz_random_begin(8, 0);
	struct rows *rows = rows_new();

	fill_row(rows, 0, 1.00, 0.01, &random);
	fill_row(rows, 1, 0.50, 0.01, &random);
	fill_row(rows, 2, 0.75, 0.01, &random);
	ck_assert(!fz_is_winner(rows->row, 3, 11, 0));
	ck_assert(fz_is_winner(rows->row, 3, 11, 1));
	ck_assert(!fz_is_winner(rows->row, 3, 11, 2));
	/* Too few rounds, too few rows. */
	ck_assert(!fz_is_winner(rows->row, 3, 10, 1));
	ck_assert(!fz_is_winner(rows->row, 3, 0, 1));
	ck_assert(!fz_is_winner(rows->row + 1, 1, 11, 0));
	ck_assert(!fz_is_winner(rows->row, 0, 11, 0));
	free(rows);
}
END_TEST

/* Second to one row only, however far ahead of the others. */
START_TEST(every_other_row_counts)
{
	struct fz_random random = fz_random_begin(9, 0);
	struct rows *rows = rows_new();

	fill_row(rows, 0, 0.500, 0.01, &random);
	for (size_t r = 1; r < 9; r++)
		fill_row(rows, r, 1, 0.01, &random);
	memcpy(rows->x[9], rows->x[0], sizeof(rows->x[9]));
	ck_assert(fz_is_winner(rows->row, 9, 11, 0));
	ck_assert(!fz_is_winner(rows->row, 10, 11, 0));
	ck_assert(!fz_is_winner(rows->row, 10, 11, 9));
	free(rows);
}
END_TEST

/* Eight of eleven rounds, the lost ones of rank 1, 2 and 4: p = 38/2^11, which
 * is below 0.05 and 0.05/2, not below 0.05/3. */
START_TEST(correction_counts)
{
	static const double d[11] = { -1, -2, 3, -4, 5, 6, 7, 8, 9, 10, 11 };
	struct rows *rows = rows_new();

	for (size_t r = 0; r < 4; r++)
		for (size_t i = 0; i < 11; i++)
			rows->x[r][i] = r ? exp(d[i] / 10) : 1;
	ck_assert(fz_is_winner(rows->row, 2, 11, 0));
	ck_assert(fz_is_winner(rows->row, 3, 11, 0));
	ck_assert(!fz_is_winner(rows->row, 4, 11, 0));
	free(rows);
}
END_TEST

/* 2/2^11 is below 0.05/51, not below 0.05/52. */
START_TEST(most_rows_that_11_rounds_can_beat)
{
	struct fz_random random = fz_random_begin(10, 0);
	struct rows *rows = rows_new();

	fill_row(rows, 0, 0.5, 0.01, &random);
	for (size_t r = 1; r < 53; r++)
		fill_row(rows, r, 1, 0.01, &random);
	ck_assert(fz_is_winner(rows->row, 52, 11, 0));
	ck_assert(!fz_is_winner(rows->row, 53, 11, 0));
	ck_assert(fz_is_winner(rows->row, 53, 12, 0));
	free(rows);
}
END_TEST

/* More than FZ_HOLM_ROWS: needs no memory and still decides. */
START_TEST(very_many_rows)
{
	struct fz_random random = fz_random_begin(11, 0);
	struct rows *rows = rows_new();

	fill_row(rows, 0, 0.9, 0.01, &random);
	for (size_t r = 1; r < MAX_ROWS; r++)
		fill_row(rows, r, 1, 0.01, &random);
	ck_assert(fz_is_winner(rows->row, FZ_HOLM_ROWS + 1, 20, 0));
	ck_assert(fz_is_winner(rows->row, MAX_ROWS, 20, 0));
	ck_assert(!fz_is_winner(rows->row, MAX_ROWS, 12, 0));
	ck_assert(!fz_is_winner(rows->row, MAX_ROWS, 20, 1));
	fill_row(rows, MAX_ROWS - 1, 0.9, 0.01, &random);
	ck_assert(!fz_is_winner(rows->row, MAX_ROWS, 20, 0));
	free(rows);
}
END_TEST

/*
 * Like rows, disturbed together and apart: how often is one called a winner?
 * Two rows: 4.2 % with 11 rounds (2 * 43/2^11), 4.9 % with 21; 5,000 runs have
 * 0.3 % standard deviation. More rows: far less. Never are there two winners.
 */
START_TEST(false_winners)
{
	static const struct {
		size_t nr_rows, rounds;
		double least, most; /* per cent */
	} cases[] = {
		{ 2, 11, 3.2, 5.0 },
		{ 2, 21, 3.7, 6.0 },
		{ 3, 11, 0, 3.0 },
		{ 6, 15, 0, 3.0 },
	};
	const unsigned int runs = 5000;
	struct fz_random random = fz_random_begin(12, (uint64_t)_i);
	struct rows *rows = rows_new();
	unsigned int winners = 0, twice = 0;
	size_t nr = cases[_i].nr_rows;

	for (unsigned int run = 0; run < runs; run++) {
		unsigned int here = 0;

		for (size_t i = 0; i < cases[_i].rounds; i++) {
			double disturbed = exp(normal(&random));

			for (size_t r = 0; r < nr; r++)
				rows->x[r][i] = disturbed +
						0.1 * fz_random_unit(&random);
		}
		for (size_t r = 0; r < nr; r++)
			here += fz_is_winner(rows->row, nr, cases[_i].rounds,
					     r);
		winners += here > 0;
		twice += here > 1;
	}
	ck_assert_uint_eq(twice, 0);
	ck_assert_double_ge(winners * 100.0 / runs, cases[_i].least);
	ck_assert_double_le(winners * 100.0 / runs, cases[_i].most);
	free(rows);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("significance_winner");
	TCase *tc = tcase_create("winner");

	tcase_add_loop_test(tc, holm, 0, NR(holm_cases));
	tcase_add_test(tc, clear_winner);
	tcase_add_test(tc, every_other_row_counts);
	tcase_add_test(tc, correction_counts);
	tcase_add_test(tc, most_rows_that_11_rounds_can_beat);
	tcase_add_test(tc, very_many_rows);
	tcase_add_loop_test(tc, false_winners, 0, 4);
	tcase_set_timeout(tc, 60);
	suite_add_tcase(suite, tc);
	return suite;
}
