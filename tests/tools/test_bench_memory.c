// SPDX-License-Identifier: GPL-2.0-or-later
/* What a word of --page-size stands for, machine by machine. */
#include "bench_memory.h"

#include "bench_lists.h"
#include "command.h"
#include "fz_test.h"

#define NR(array) ((int)(sizeof(array) / sizeof((array)[0])))

#define KIB 1024ull
#define MIB (1024 * KIB)

/* Pools of 64K and 2M, mTHP of 16K, 64K and the PMD size. */
static const struct fz_machine arm64 = {
	.thp_pmd_bytes = 2 * MIB,
	.nr_mthp = 3,
	.mthp = { { 16 * KIB, "never" },
		  { 64 * KIB, "never" },
		  { 2 * MIB, "inherit" } },
	.pools = { .nr = 2,
		   .pool = { { .page_bytes = 64 * KIB },
			     { .page_bytes = 2 * MIB } } },
};

/* mTHP and no hugetlb at all. */
static const struct fz_machine no_pools = {
	.thp_pmd_bytes = 2 * MIB,
	.nr_mthp = 2,
	.mthp = { { 64 * KIB, "never" }, { 2 * MIB, "inherit" } },
};

static const struct fz_machine nothing = { .nr_mthp = 0 };

static const struct {
	const struct fz_machine *machine;
	const char *word;
	struct fz_page_size page;
} words[] = {
	{ &arm64, "4K", { FZ_PAGES_BASE, 4 * KIB } },
	{ &arm64, "thp", { FZ_PAGES_THP, 2 * MIB } },
	{ &arm64, "16K", { FZ_PAGES_MTHP, 16 * KIB } },
	{ &arm64, "64K", { FZ_PAGES_HUGETLB, 64 * KIB } },
	{ &arm64, "mthp-64K", { FZ_PAGES_MTHP, 64 * KIB } },
	{ &arm64, "2M", { FZ_PAGES_HUGETLB, 2 * MIB } },
	{ &no_pools, "65536", { FZ_PAGES_MTHP, 64 * KIB } },
	/* Not to be had; the buffer says what there is. */
	{ &no_pools, "2M", { FZ_PAGES_HUGETLB, 2 * MIB } },
	{ &no_pools, "32K", { FZ_PAGES_HUGETLB, 32 * KIB } },
	{ &no_pools, "mthp-32K", { FZ_PAGES_MTHP, 32 * KIB } },
	{ &nothing, "64K", { FZ_PAGES_HUGETLB, 64 * KIB } },
	{ &nothing, "mthp-64K", { FZ_PAGES_MTHP, 64 * KIB } },
	{ &nothing, "thp", { FZ_PAGES_THP, 2 * MIB } },
};

START_TEST(a_size_is_resolved)
{
	struct fz_bench_options options = { .bytes = 8 * MIB };
	struct fz_bench_memories memories;

	ck_assert(fz_bench_set_pages(&options, words[_i].word));
	ck_assert_int_eq(
		fz_bench_memories_plan(&memories, &options, words[_i].machine),
		FZ_EXIT_DONE);
	ck_assert_uint_eq(memories.nr, 1);
	ck_assert_int_eq(memories.memory[0].page.kind, words[_i].page.kind);
	ck_assert_uint_eq(memories.memory[0].page.bytes, words[_i].page.bytes);
	ck_assert_uint_eq(memories.memory[0].folio_bytes, words[_i].page.bytes);
	ck_assert_uint_eq(memories.memory[0].bytes, 8 * MIB);
}
END_TEST

static const struct {
	const struct fz_machine *machine;
	const char *list;
	int status;
} lists[] = {
	{ &arm64, "64K,mthp-64K,thp,2M,16K,4K", FZ_EXIT_DONE },
	{ &arm64, "16K,mthp-16K", FZ_EXIT_USAGE },
	{ &no_pools, "mthp-64K,4K,64K", FZ_EXIT_USAGE },
	{ &nothing, "64K,mthp-64K", FZ_EXIT_DONE }, /* neither is to be had */
};

START_TEST(one_size_in_two_words_is_a_mistake)
{
	struct fz_bench_options options = { .bytes = 8 * MIB };
	struct fz_bench_memories memories;

	ck_assert(fz_bench_set_pages(&options, lists[_i].list));
	ck_assert_int_eq(
		fz_bench_memories_plan(&memories, &options, lists[_i].machine),
		lists[_i].status);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("bench_memory");
	TCase *tcase = tcase_create("bench_memory");

	tcase_add_loop_test(tcase, a_size_is_resolved, 0, NR(words));
	tcase_add_loop_test(tcase, one_size_in_two_words_is_a_mistake, 0,
			    NR(lists));
	suite_add_tcase(suite, tcase);
	return suite;
}
