// SPDX-License-Identifier: GPL-2.0-or-later
/* Mappings of processes, with room for all of them and without. */
#include <string.h>

#include <fz/fault.h>
#include <fz/population.h>
#include <fz/random.h>

#include "fz_test.h"
#include "mappings.h"
#include "sanitized.h"

#define NR_PAGES 300u
#define NR_PIDS  12u
#define NR_STEPS (FZ_SANITIZED ? 3000u : 30000u)
#define PLENTY   ((size_t)1 << 24)

/* The backing of each page; unknown where no mapping is. */
static unsigned char plain[NR_PIDS][NR_PAGES];
static struct fz_mappings mappings;
static struct fz_random rng;

static uint32_t below(uint32_t n)
{
	return (uint32_t)(fz_random_next(&rng) % n);
}

static struct fz_area area_of(uint64_t page, uint64_t nr,
			      enum fz_fault_backing backing)
{
	return (struct fz_area){
		.start = page << 12,
		.end = (page + nr) << 12,
		.backing = (uint8_t)backing,
	};
}

static void step(void)
{
	const uint32_t pid = below(NR_PIDS), other = below(NR_PIDS);
	const uint32_t page = below(NR_PAGES), what = below(100);
	const uint32_t most = NR_PAGES - page;
	const uint32_t nr = below(most < 30 ? most + 1 : 30);
	const enum fz_fault_backing backing =
		below(2) ? FZ_BACKING_ANON : FZ_BACKING_FILE;

	if (what < 3) {
		fz_mappings_clear(&mappings, pid);
		memset(plain[pid], FZ_BACKING_UNKNOWN, NR_PAGES);
	} else if (what < 10) {
		memmove(plain[other], plain[pid], NR_PAGES);
		fz_mappings_fork(&mappings, pid, other);
	} else {
		fz_mappings_set(&mappings, pid, area_of(page, nr, backing));
		memset(plain[pid] + page, backing, nr);
	}
}

struct answers {
	unsigned int unknown; /* though a mapping was told */
	unsigned int wrong;
};

static struct answers compare(void)
{
	struct answers answers = { 0 };

	for (uint32_t pid = 0; pid < NR_PIDS; pid++)
		for (uint64_t page = 0; page < NR_PAGES; page++) {
			const struct fz_area *area = fz_mappings_find(
				&mappings, pid, (page << 12) + 17);

			if (!area)
				answers.unknown +=
					plain[pid][page] != FZ_BACKING_UNKNOWN;
			else
				answers.wrong +=
					area->backing != plain[pid][page];
		}
	return answers;
}

static struct answers compare_often(size_t room, uint64_t seed)
{
	struct answers all = { 0 }, some;

	rng = fz_random_begin(seed, 1);
	memset(plain, FZ_BACKING_UNKNOWN, sizeof(plain));
	fz_mappings_init(&mappings, room);
	for (unsigned int i = 0; i < NR_STEPS; i++) {
		step();
		if (i % 16)
			continue;
		some = compare();
		all.unknown += some.unknown;
		all.wrong += some.wrong;
	}
	return all;
}

/* Whatever was shared and copied meanwhile, it all comes back. */
static size_t end_all(void)
{
	for (uint32_t pid = 0; pid < NR_PIDS; pid++)
		fz_mappings_clear(&mappings, pid);
	return mappings.room;
}

START_TEST(all_are_known)
{
	const struct answers answers = compare_often(PLENTY, 3);

	ck_assert_uint_eq(answers.wrong, 0);
	ck_assert_uint_eq(answers.unknown, 0);
	ck_assert_uint_eq(mappings.nr_not_kept, 0);
	ck_assert_uint_eq(end_all(), PLENTY);
	fz_mappings_fini(&mappings);
}
END_TEST

/* What is known is true, though something was left out before. */
START_TEST(none_is_wrong_without_room)
{
	const size_t room = (size_t)_i * 700;
	const struct answers answers = compare_often(room, 5);

	ck_assert_uint_eq(answers.wrong, 0);
	ck_assert_uint_gt(answers.unknown, 0);
	ck_assert_uint_gt(mappings.nr_not_kept, 0);
	ck_assert_uint_le(mappings.room, room);
	ck_assert_uint_eq(end_all(), room);
	fz_mappings_fini(&mappings);
}
END_TEST

/* Children share, until one changes something. */
START_TEST(forks_take_little)
{
	size_t before, after;

	fz_mappings_init(&mappings, PLENTY);
	for (uint64_t i = 0; i < 1000; i++)
		fz_mappings_set(&mappings, 1,
				area_of(2 * i, 1, FZ_BACKING_FILE));
	before = mappings.room;
	for (uint32_t child = 2; child < 102; child++)
		fz_mappings_fork(&mappings, 1, child);
	after = mappings.room;
	ck_assert_uint_lt(before - after, 100 * 200);
	fz_mappings_set(&mappings, 50, area_of(0, 1, FZ_BACKING_ANON));
	ck_assert_uint_gt(after - mappings.room, 1000 * sizeof(struct fz_area));
	ck_assert_uint_eq(fz_mappings_find(&mappings, 50, 0)->backing,
			  FZ_BACKING_ANON);
	ck_assert_uint_eq(fz_mappings_find(&mappings, 1, 0)->backing,
			  FZ_BACKING_FILE);
	/* One in the place of all that were shared. */
	fz_mappings_set(&mappings, 51, area_of(0, 2000, FZ_BACKING_ANON));
	ck_assert_uint_eq(fz_mappings_find(&mappings, 51, 4096)->end,
			  2000 * 4096);
	ck_assert_uint_eq(mappings.nr_not_kept, 0);
	fz_mappings_clear(&mappings, 1);
	ck_assert_uint_eq(fz_mappings_find(&mappings, 60, 4096 * 10)->backing,
			  FZ_BACKING_FILE);
	fz_mappings_fini(&mappings);
}
END_TEST

START_TEST(a_process_has_a_limit)
{
	const uint64_t nr = FZ_PROCESS_MAPPINGS + 100;

	fz_mappings_init(&mappings, PLENTY);
	for (uint64_t i = 0; i < nr; i++)
		fz_mappings_set(&mappings, 1,
				area_of(2 * i, 1, FZ_BACKING_FILE));
	ck_assert_uint_eq(mappings.nr_not_kept, 100);
	ck_assert_ptr_null(fz_mappings_find(&mappings, 1, nr * 8192 - 8192));
	ck_assert_ptr_nonnull(fz_mappings_find(&mappings, 1, 0));
	/* One that replaces another takes no more than that did. */
	fz_mappings_set(&mappings, 1, area_of(0, 2, FZ_BACKING_FILE));
	ck_assert_uint_eq(mappings.nr_not_kept, 100);
	ck_assert_uint_eq(fz_mappings_find(&mappings, 1, 0)->end, 8192);
	/* What it would take apart is not known any more behind it. */
	fz_mappings_set(&mappings, 1, area_of(0, 4, FZ_BACKING_FILE));
	fz_mappings_set(&mappings, 1, area_of(2 * nr, 1, FZ_BACKING_FILE));
	fz_mappings_set(&mappings, 1, area_of(1, 1, FZ_BACKING_ANON));
	ck_assert_uint_eq(mappings.nr_not_kept, 101);
	ck_assert_ptr_nonnull(fz_mappings_find(&mappings, 1, 0));
	ck_assert_ptr_null(fz_mappings_find(&mappings, 1, 4096));
	ck_assert_ptr_null(fz_mappings_find(&mappings, 1, 3 * 4096));
	fz_mappings_fini(&mappings);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("mappings");
	TCase *tcase = tcase_create("mappings");

	tcase_add_test(tcase, all_are_known);
	tcase_add_loop_test(tcase, none_is_wrong_without_room, 0, 6);
	tcase_add_test(tcase, forks_take_little);
	tcase_add_test(tcase, a_process_has_a_limit);
	suite_add_tcase(suite, tcase);
	return suite;
}
