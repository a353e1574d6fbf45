// SPDX-License-Identifier: GPL-2.0-or-later
/* Answers read from curves, and where curves are sharpened. */
#include <fz/folio.h>
#include <fz/random.h>
#include <fz/tuning.h>

#include "fz_test.h"

#define K 1024u

static const struct fz_tuning_wish wish = { .share = 0.9, .max_ns = 100 };

START_TEST(curves_by_hand)
{
	static const struct {
		struct fz_tuning_point points[4];
		size_t nr;
		struct fz_tuning_answer answer;
	} cases[] = {
		/* a range */
		{ { { 4 * K, 0.5, 1 },
		    { 8 * K, 0.9, 10 },
		    { 16 * K, 0.95, 100 },
		    { 32 * K, 1, 101 } },
		  4,
		  { 8 * K, 16 * K, 8 * K, 16 * K } },
		/* one size */
		{ { { 4 * K, 0.5, 1 }, { 8 * K, 0.9, 10 }, { 16 * K, 1, 101 } },
		  3,
		  { 8 * K, 8 * K, 8 * K, 8 * K } },
		/* not both */
		{ { { 4 * K, 0.5, 1 }, { 8 * K, 0.8, 10 }, { 16 * K, 1, 101 } },
		  3,
		  { 16 * K, 8 * K, 0, 0 } },
		/* waits are too long with all of them, or none is fast */
		{ { { 4 * K, 0.95, 101 } }, 1, { 4 * K, 0, 0, 0 } },
		{ { { 4 * K, 0.85, 1 } }, 1, { 0, 4 * K, 0, 0 } },
		/* a hole: the longer part */
		{ { { 4 * K, 1, 1 },
		    { 8 * K, 0.8, 1 },
		    { 16 * K, 0.9, 1 },
		    { 32 * K, 0.9, 1 } },
		  4,
		  { 4 * K, 32 * K, 16 * K, 32 * K } },
		/* nothing */
		{ { { 0, 0, 0 } }, 0, { 0, 0, 0, 0 } },
	};
	const struct fz_tuning_answer answer =
		fz_tuning_answer_of(cases[_i].points, cases[_i].nr, wish);

	ck_assert_uint_eq(answer.enough_bytes, cases[_i].answer.enough_bytes);
	ck_assert_uint_eq(answer.fits_bytes, cases[_i].answer.fits_bytes);
	ck_assert_uint_eq(answer.from_bytes, cases[_i].answer.from_bytes);
	ck_assert_uint_eq(answer.to_bytes, cases[_i].answer.to_bytes);
}
END_TEST

/* A curve with steps anywhere. */
static struct fz_tuning_point point_of(uint64_t bytes, uint64_t fast_from,
				       uint64_t long_from)
{
	return (struct fz_tuning_point){
		.batch_bytes = bytes,
		.share = bytes >= fast_from ? 1.0 : 0.5,
		.stretch_ns = bytes >= long_from ? 200 : 50,
	};
}

/* Halving again and again comes as close as it promises, and then stops. */
START_TEST(steps_are_found)
{
	struct fz_random random = fz_random_begin(7, (uint64_t)_i);
	const uint64_t pages = 1 + fz_random_below(&random, 1u << 14);
	const uint64_t fast =
		FZ_PAGE_BYTES * (1 + fz_random_below(&random, pages));
	const uint64_t slow =
		FZ_PAGE_BYTES * (2 + fz_random_below(&random, pages));
	struct fz_tuning_point points[64];
	struct fz_tuning_answer answer;
	uint64_t next[FZ_TUNING_MAX_NEXT];
	size_t nr = 0, nr_next, wrong = 0, steps = 0;

	for (uint64_t p = 1; p < pages; p *= 2)
		points[nr++] = point_of(p * FZ_PAGE_BYTES, fast, slow);
	points[nr++] = point_of(pages * FZ_PAGE_BYTES, fast, slow);
	while ((nr_next = fz_tuning_next(points, nr, wish, next)) != 0 &&
	       steps++ < 8)
		for (size_t i = 0; i < nr_next; i++) {
			size_t at = nr++;

			wrong += next[i] % FZ_PAGE_BYTES != 0;
			for (; at && points[at - 1].batch_bytes > next[i]; at--)
				points[at] = points[at - 1];
			wrong += at && points[at - 1].batch_bytes == next[i];
			points[at] = point_of(next[i], fast, slow);
		}
	answer = fz_tuning_answer_of(points, nr, wish);
	ck_assert_uint_eq(wrong, 0);
	ck_assert_uint_le(steps, 4);
	ck_assert_uint_ge(answer.enough_bytes, fast);
	ck_assert_uint_le(answer.enough_bytes - fast, fast / 16);
	if (slow > pages * FZ_PAGE_BYTES) {
		ck_assert_uint_eq(answer.fits_bytes, pages * FZ_PAGE_BYTES);
	} else {
		ck_assert_uint_lt(answer.fits_bytes, slow);
		ck_assert_uint_le(slow - answer.fits_bytes,
				  FZ_PAGE_BYTES + slow / 16);
	}
}
END_TEST

/* Where both change between the same two sizes, one more is enough. */
START_TEST(one_size_for_two_questions)
{
	const struct fz_tuning_point points[] = { { 16 * K, 0.5, 1 },
						  { 32 * K, 1, 200 } };
	uint64_t next[FZ_TUNING_MAX_NEXT];

	ck_assert_uint_eq(fz_tuning_next(points, 2, wish, next), 1);
	ck_assert_uint_eq(next[0], 24 * K);
	ck_assert_uint_eq(fz_tuning_next(points, 1, wish, next), 0);
	ck_assert_uint_eq(fz_tuning_next(points, 0, wish, next), 0);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("model.tuning");
	TCase *tcase = tcase_create("tuning");

	tcase_add_loop_test(tcase, curves_by_hand, 0, 7);
	tcase_add_loop_test(tcase, steps_are_found, 0, 200);
	tcase_add_test(tcase, one_size_for_two_questions);
	suite_add_tcase(suite, tcase);
	return suite;
}
