// SPDX-License-Identifier: GPL-2.0-or-later
/* Every generator keeps the contract; each has its access pattern. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <fz/generator.h>

#include "fits.h"
#include "fz_test.h"

#define NR(a) (sizeof(a) / sizeof((a)[0]))

/* A walk by hand, without what merges and times walks. */
struct by_hand {
	const struct fz_generator *generator;
	struct fz_generator_params params;
	struct fz_walk walk;
	void *state;
};

static struct by_hand *walk_open(const char *name, uint64_t nr_pages)
{
	struct by_hand *hand = calloc(1, sizeof(*hand));

	ck_assert_ptr_nonnull(hand);
	hand->generator = fz_generator_find(name);
	ck_assert_ptr_nonnull(hand->generator);
	hand->params = fz_generator_defaults(hand->generator);
	hand->walk.nr_pages = nr_pages;
	hand->walk.params = &hand->params;
	hand->walk.setup_stream = 1;
	return hand;
}

/* After the parameters are set. */
static void walk_begin(struct by_hand *hand)
{
	hand->state = calloc(1, hand->generator->state_bytes + 1);
	ck_assert_ptr_nonnull(hand->state);
	hand->walk.state = hand->state;
	if (hand->generator->begin)
		hand->generator->begin(hand->state, &hand->walk);
}

static uint64_t page_at(const struct by_hand *hand, uint64_t access)
{
	return hand->generator->page(&hand->walk, access);
}

static void walk_close(struct by_hand *hand)
{
	free(hand->state);
	free(hand);
}

START_TEST(named_well)
{
	unsigned int bad = 0;

	for (size_t i = 0; fz_generators[i]; i++) {
		const struct fz_generator *g = fz_generators[i];

		bad += fz_generator_find(g->name) != g;
		bad += !g->summary || !g->page || strlen(g->summary) > 70;
		bad += g->comm && strlen(g->comm) > FZ_COMM_BYTES - 1;
		for (const char *at = g->name; *at; at++)
			bad += !islower(*at) && *at != '-';
	}
	ck_assert_uint_eq(bad, 0);
	ck_assert_ptr_null(fz_generator_find(""));
	ck_assert_ptr_null(fz_generator_find("Sequential"));
	ck_assert_ptr_null(fz_generator_find("sequentia"));
	ck_assert_ptr_null(fz_generator_find("sequential-"));
}
END_TEST

/* Each page once where that is promised, else at least none outside. */
static unsigned int broken_promises(const struct fz_generator *g,
				    uint64_t nr_pages)
{
	struct by_hand *hand = walk_open(g->name, nr_pages);
	unsigned char *seen = calloc(nr_pages, 1);
	unsigned int bad = 0;

	ck_assert_ptr_nonnull(seen);
	walk_begin(hand);
	for (uint64_t i = 0; i < nr_pages; i++) {
		const uint64_t page = page_at(hand, i);

		bad += page >= nr_pages || (seen[page]++ && !g->repeats);
		/* In any order: a number is all that counts. */
		bad += page_at(hand, i) != page;
	}
	free(seen);
	walk_close(hand);
	return bad;
}

START_TEST(contract)
{
	static const uint64_t sizes[] = { 1,  2,  3,    15,   16,    17,   31,
					  32, 33, 1000, 4096, 10007, 65536 };
	unsigned int bad = 0;

	for (size_t i = 0; fz_generators[i]; i++)
		bad += broken_promises(fz_generators[i], sizes[_i]);
	ck_assert_uint_eq(bad, 0);
}
END_TEST

/* Column by column, whatever the numbers. */
static unsigned int wrong_in_stride(uint64_t nr_pages, uint64_t step)
{
	struct by_hand *hand = walk_open("stride", nr_pages);
	unsigned int wrong = 0;
	uint64_t access = 0;

	hand->params.stride_bytes = step * hand->params.page_bytes;
	walk_begin(hand);
	for (uint64_t first = 0; first < step && first < nr_pages; first++)
		for (uint64_t page = first; page < nr_pages; page += step)
			wrong += page_at(hand, access++) != page;
	wrong += access != nr_pages;
	walk_close(hand);
	return wrong;
}

START_TEST(stride_goes_by_columns)
{
	unsigned int wrong = 0;

	for (uint64_t nr_pages = 1; nr_pages < 40; nr_pages++)
		for (uint64_t step = 1; step < 45; step++)
			wrong += wrong_in_stride(nr_pages, step);
	ck_assert_uint_eq(wrong, 0);
}
END_TEST

START_TEST(uniform_fits)
{
	struct by_hand *hand = walk_open("uniform", 777);
	uint64_t counts[777] = { 0 };
	double fit;

	walk_begin(hand);
	for (uint64_t i = 0; i < 200000; i++)
		counts[page_at(hand, i)]++;
	fit = fits_uniform(counts, NR(counts));
	walk_close(hand);
	ck_assert_msg(fit > FITS_ENOUGH, "%g", fit);
}
END_TEST

static int descending(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x < y) - (x > y);
}

/* Sorted by how often they came, pages have the shares of their ranks; and the
 * most popular ones are not all at the front. */
START_TEST(zipf_fits)
{
	struct by_hand *hand = walk_open("zipf", 100);
	uint64_t counts[100] = { 0 }, front = 0;
	double weights[100];

	walk_begin(hand);
	for (uint64_t i = 0; i < 200000; i++)
		counts[page_at(hand, i)]++;
	walk_close(hand);
	for (size_t i = 0; i < 10; i++)
		front += counts[i];
	qsort(counts, NR(counts), sizeof(counts[0]), descending);
	for (size_t i = 0; i < NR(counts); i++)
		weights[i] = 1.0 / (double)(i + 1);
	/* The first ten, whose order chance cannot change. */
	ck_assert_double_gt(fits(counts, weights, 10), FITS_ENOUGH);
	ck_assert_uint_lt(front, 100000);
}
END_TEST

START_TEST(hot_cold_fits)
{
	static const struct {
		uint64_t nr_pages;
		double share, weight;
		uint64_t nr_hot;
	} cases[] = {
		{ 1000, 0.1, 0.9, 100 }, { 1000, 0.25, 0.5, 250 },
		{ 10, 0.01, 0.8, 1 },    { 100, 0.999, 0.3, 100 },
		{ 100, 0.5, 1, 50 },     { 100, 0.5, 0, 50 },
		{ 1, 0.5, 0.5, 1 },
	};
	struct by_hand *hand = walk_open("hot-cold", cases[_i].nr_pages);
	const uint64_t nr_pages = cases[_i].nr_pages, nr_hot = cases[_i].nr_hot;
	uint64_t counts[1000] = { 0 };
	double weights[1000], fit;

	hand->params.hot_share = cases[_i].share;
	hand->params.hot_weight = cases[_i].weight;
	walk_begin(hand);
	for (uint64_t i = 0; i < 200000; i++)
		counts[page_at(hand, i)]++;
	walk_close(hand);
	for (uint64_t i = 0; i < nr_pages; i++)
		weights[i] = i < nr_hot ? cases[_i].weight / (double)nr_hot
					: (1 - cases[_i].weight) /
						  (double)(nr_pages - nr_hot);
	/* Where there is no cold page, all go to the hot ones. */
	fit = nr_hot < nr_pages ? fits(counts, weights, nr_pages)
				: fits_uniform(counts, nr_pages);
	ck_assert_msg(fit > FITS_ENOUGH, "%g", fit);
}
END_TEST

/* Followed from page to page, as a program would. */
START_TEST(pointer_chase_is_one_cycle)
{
	static const uint64_t sizes[] = { 1, 2, 3, 1000, 4096, 5000 };
	const uint64_t nr_pages = sizes[_i];
	struct by_hand *hand = walk_open("pointer-chase", nr_pages);
	uint64_t *next = calloc(nr_pages, sizeof(*next));
	uint64_t page, steps = 0, neighbours = 0;

	ck_assert_ptr_nonnull(next);
	walk_begin(hand);
	for (uint64_t i = 0; i < nr_pages; i++)
		next[page_at(hand, i)] = page_at(hand, (i + 1) % nr_pages);
	page = page_at(hand, 0);
	do {
		neighbours += next[page] == page + 1;
		page = next[page];
		steps++;
	} while (page != page_at(hand, 0) && steps <= nr_pages);
	walk_close(hand);
	free(next);
	ck_assert_uint_eq(steps, nr_pages);
	/* On average one. */
	ck_assert_uint_lt(neighbours, 8);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("generator");
	TCase *tc = tcase_create("generator");

	tcase_add_test(tc, named_well);
	tcase_add_loop_test(tc, contract, 0, 13);
	tcase_add_test(tc, stride_goes_by_columns);
	tcase_add_test(tc, uniform_fits);
	tcase_add_test(tc, zipf_fits);
	tcase_add_loop_test(tc, hot_cold_fits, 0, 7);
	tcase_add_loop_test(tc, pointer_chase_is_one_cycle, 0, 6);
	suite_add_tcase(suite, tc);
	return suite;
}
