// SPDX-License-Identifier: GPL-2.0-or-later
/* Chains: each line once, and no line in two of them. */
#include "chase.h"

#include <stdlib.h>
#include <string.h>

#include <fz/folio.h>

#include "fake_world.h"
#include "fz_test.h"

#define MAX_BYTES ((uint64_t)8 << 20) /* more than CHASE_MAX_LINES */

static struct fake_world world;
static unsigned int order[CHASE_MAX_LINES];
static unsigned char visits[MAX_BYTES / CHASE_LINE_BYTES];
static char *memory;

static void setup(void)
{
	fake_world_init(&world, 5);
	memory = aligned_alloc(FZ_PAGE_BYTES, MAX_BYTES);
	memset(memory, 0xff, MAX_BYTES);
	memset(visits, 0, sizeof(visits));
}

static void teardown(void)
{
	free(memory);
}

static struct chase built(uint64_t bytes)
{
	struct fz_random random = fz_random_begin(1, 7);
	struct chase chase;

	chase_build(&chase, memory, bytes, order, &random);
	return chase;
}

/* Count its lines. Return: loads until it comes back. */
static size_t visit(const struct chase *chase, enum chase_chain which)
{
	uint64_t line = chase->first[which];
	size_t nr = 0;

	do {
		visits[line / CHASE_LINE_BYTES]++;
		memcpy(&line, memory + line, sizeof(line));
		nr++;
	} while (line != chase->first[which] && line < chase->bytes &&
		 nr <= chase->nr);
	return nr;
}

static unsigned int most_visits(uint64_t bytes)
{
	unsigned int most = 0;

	for (uint64_t i = 0; i < bytes / CHASE_LINE_BYTES; i++)
		if (visits[i] > most)
			most = visits[i];
	return most;
}

static const uint64_t small[] = { 4096, 24576, 1 << 20, 4 << 20 };

START_TEST(a_small_set_has_one_chain_through_every_line)
{
	const struct chase chase = built(small[_i]);

	ck_assert(!chase_is_sampled(&chase));
	ck_assert_uint_eq(chase.nr, small[_i] / CHASE_LINE_BYTES);
	ck_assert_uint_eq(visit(&chase, CHASE_AFTER), chase.nr);
	ck_assert_uint_eq(most_visits(small[_i]), 1);
}
END_TEST

static const uint64_t large[] = { (4 << 20) + 4096, MAX_BYTES };

START_TEST(a_large_set_has_chains_that_share_no_line)
{
	const struct chase chase = built(large[_i]);
	uint64_t first_half = 0;

	ck_assert(chase_is_sampled(&chase));
	for (unsigned int i = 0; i < CHASE_NR_CHAINS; i++)
		ck_assert_uint_eq(visit(&chase, (enum chase_chain)i),
				  CHASE_SAMPLE_LINES);
	ck_assert_uint_eq(most_visits(large[_i]), 1);
	/* They are spread over all of it. */
	for (uint64_t i = 0; i < large[_i] / CHASE_LINE_BYTES / 2; i++)
		first_half += visits[i];
	ck_assert_uint_ge(first_half,
			  CHASE_NR_CHAINS * CHASE_SAMPLE_LINES * 2 / 5);
	ck_assert_uint_le(first_half,
			  CHASE_NR_CHAINS * CHASE_SAMPLE_LINES * 3 / 5);
}
END_TEST

/* A prefetcher that goes by neighbours would be right more often. */
START_TEST(the_order_is_shuffled)
{
	const struct chase chase = built(1 << 20);
	uint64_t line = chase.first[0];
	size_t neighbours = 0;

	for (size_t i = 0; i < chase.nr; i++) {
		uint64_t next;

		memcpy(&next, memory + line, sizeof(next));
		neighbours += next == line + CHASE_LINE_BYTES;
		line = next;
	}
	ck_assert_uint_lt(neighbours, chase.nr / 16);
}
END_TEST

static const uint64_t all[] = { 4096, 1 << 20, MAX_BYTES };

/* A TLB miss more would make a level seem farther than a page is. */
START_TEST(what_is_timed_together_is_in_one_page)
{
	const struct chase chase = built(all[_i]);
	uint64_t line = chase.first[CHASE_AFTER];
	size_t elsewhere = 0, pages = 0, last = SIZE_MAX;

	for (size_t i = 0; i < chase.nr; i++) {
		const size_t page = line / FZ_PAGE_BYTES;

		if (i % CHASE_READING == 0)
			pages += page != last;
		else
			elsewhere += page != last;
		last = page;
		memcpy(&line, memory + line, sizeof(line));
	}
	ck_assert_uint_eq(elsewhere, 0);
	ck_assert_uint_ge(pages, all[_i] == 4096 ? 1 : chase.nr / 20);
}
END_TEST

START_TEST(lines_are_of_different_pairs_and_never_in_the_middle)
{
	struct fz_random random = fz_random_begin(3, 7);
	unsigned int wrong = 0;

	for (unsigned int i = 0; i < 1000; i++) {
		unsigned int line[CHASE_READING];
		uint64_t pairs = 0;

		chase_choose_lines(line, &random);
		for (size_t j = 0; j < CHASE_READING; j++) {
			const uint64_t pair = 1ull << line[j] / 2;

			wrong += line[j] >= FZ_PAGE_BYTES / CHASE_LINE_BYTES ||
				 pairs & pair || line[j] / 2 == 16;
			pairs |= pair;
		}
	}
	ck_assert_uint_eq(wrong, 0);
}
END_TEST

START_TEST(a_piece_ends_where_the_next_begins)
{
	const struct chase chase = built(24576);
	uint64_t line = chase.first[CHASE_BEFORE];
	const uint64_t begin = world.now;

	for (size_t i = 0; i < chase.nr / CHASE_READING; i++)
		ck_assert_uint_eq(
			chase_read(&chase, &line, CHASE_READING, &world.hooks),
			5);
	ck_assert_uint_eq(line, chase.first[CHASE_BEFORE]);
	ck_assert_uint_eq(world.now - begin, 10 * (chase.nr / CHASE_READING));
	ck_assert_uint_eq(chase_walk(&chase, CHASE_AFTER, &world.hooks), 5);
	chase_fill(&chase);
}
END_TEST

START_TEST(the_clock_itself_is_taken_off)
{
	ck_assert_double_eq(chase_clock_ticks(&world.hooks), 5.0);
	ck_assert_double_eq(chase_without_clock(105, 5.0, 0.0), 100.0);
	ck_assert_double_eq(chase_without_clock(3, 5.0, 0.0), 0.0);
	ck_assert_double_eq(chase_without_clock(3, 5.0, 1.0), 1.0);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("sim.chase");
	TCase *tcase = tcase_create("chase");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_loop_test(tcase, a_small_set_has_one_chain_through_every_line,
			    0, 4);
	tcase_add_loop_test(tcase, a_large_set_has_chains_that_share_no_line, 0,
			    2);
	tcase_add_test(tcase, the_order_is_shuffled);
	tcase_add_loop_test(tcase, what_is_timed_together_is_in_one_page, 0, 3);
	tcase_add_test(tcase,
		       lines_are_of_different_pairs_and_never_in_the_middle);
	tcase_add_test(tcase, a_piece_ends_where_the_next_begins);
	tcase_add_test(tcase, the_clock_itself_is_taken_off);
	suite_add_tcase(suite, tcase);
	return suite;
}
