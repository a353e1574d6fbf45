// SPDX-License-Identifier: GPL-2.0-or-later
/* Distances, written down, and what must hold for any folio. */
#include <fz/page_distances.h>
#include <fz/random.h>

#include "fz_test.h"

#define UP_TO(room) ((int64_t)(room))

static const struct {
	struct fz_page_room room;
	size_t nr;
	int64_t distance[16];
} written[] = {
	{ { 0, 0, true }, 1, { 0 } },
	{ { 0, 0, false }, 1, { 0 } },
	{ { 1, 0, true }, 2, { -1, 0 } },
	{ { 0, 4, true }, 5, { 0, 1, 2, 3, 4 } },
	{ { 0, 5, true }, 6, { 0, 1, 2, 3, 4, 5 } },
	{ { 0, 5, false }, 5, { 0, 1, 2, 3, 4 } },
	{ { 5, 10, true }, 12, { -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 8, 10 } },
	{ { 9, 8, false }, 11, { -8, -4, -3, -2, -1, 0, 1, 2, 3, 4, 8 } },
};

START_TEST(as_written)
{
	int64_t distance[FZ_MAX_PAGE_DISTANCES];
	unsigned int bad = 0;

	ck_assert_uint_eq(fz_page_distances(&written[_i].room, distance),
			  written[_i].nr);
	for (size_t i = 0; i < written[_i].nr; i++)
		bad += distance[i] != written[_i].distance[i];
	ck_assert_uint_eq(bad, 0);
}
END_TEST

/* Ascending, within the room, and both ends if they are asked for. */
static bool is_sane(const struct fz_page_room *room, const int64_t *distance,
		    size_t nr)
{
	bool good = nr >= 1 && nr <= FZ_MAX_PAGE_DISTANCES &&
		    distance[0] >= -UP_TO(room->below) &&
		    distance[nr - 1] <= UP_TO(room->above);

	for (size_t i = 1; good && i < nr; i++)
		good = distance[i - 1] < distance[i];
	if (room->ends)
		good = good && distance[0] == -UP_TO(room->below) &&
		       distance[nr - 1] == UP_TO(room->above);
	return good;
}

START_TEST(any_folio)
{
	struct fz_random random = fz_random_begin(1, 0);
	unsigned int bad = 0;

	for (unsigned int i = 0; i < 2000; i++) {
		const uint64_t nr_pages =
			1 + fz_random_below(&random, 1ull << (i % 53));
		const uint64_t page = fz_random_below(&random, nr_pages);
		const struct fz_page_room room = { page, nr_pages - 1 - page,
						   i % 2 };
		int64_t distance[FZ_MAX_PAGE_DISTANCES];

		bad += !is_sane(&room, distance,
				fz_page_distances(&room, distance));
	}
	ck_assert_uint_eq(bad, 0);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("model.page_distances");
	TCase *tcase = tcase_create("page_distances");

	tcase_add_loop_test(tcase, as_written, 0,
			    sizeof(written) / sizeof(written[0]));
	tcase_add_test(tcase, any_folio);
	suite_add_tcase(suite, tcase);
	return suite;
}
