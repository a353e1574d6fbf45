// SPDX-License-Identifier: GPL-2.0-or-later
/* Pools of saved /sys trees: any page size, any node, broken files. */
#include <fz/pools.h>

#include <stdio.h>

#include "fake_files.h"
#include "fz_test.h"

#define KIB 1024ull
#define MIB (1024 * KIB)
#define GIB (1024 * MIB)

static const struct {
	const char *root;
	size_t nr;
	uint64_t page_bytes[4];
	uint64_t total[4];
	uint64_t free[4];
	size_t nr_nodes;
} trees[] = {
	{ SAVED_TREE("xeon-guest"), 2, { 2 * MIB, GIB }, { 0 }, { 0 }, 1 },
	{ SAVED_TREE("zen4"), 2, { 2 * MIB, GIB }, { 512, 4 }, { 384, 4 }, 4 },
	{ SAVED_TREE("arm64"),
	  4,
	  { 64 * KIB, 2 * MIB, 32 * MIB, GIB },
	  { 1000, 20, 3, 1 },
	  { 500, 10, 1, 0 },
	  1 },
	{ SAVED_TREE("no-hugetlb"), 0, { 0 }, { 0 }, { 0 }, 0 },
	{ SAVED_TREE("broken"), 1, { 2 * MIB }, { 0 }, { 0 }, 0 },
	{ SAVED_TREE("not-there"), 0, { 0 }, { 0 }, { 0 }, 0 },
};

START_TEST(every_directory_is_a_pool)
{
	const struct fz_hooks hooks = saved_tree_hooks(trees[_i].root);
	struct fz_pools pools;

	memset(&pools, 0xff, sizeof(pools));
	fz_pools_read(&hooks, &pools);
	ck_assert_uint_eq(pools.nr, trees[_i].nr);
	for (size_t i = 0; i < pools.nr; i++) {
		const struct fz_pool *pool = &pools.pool[i];

		ck_assert_uint_eq(pool->page_bytes, trees[_i].page_bytes[i]);
		ck_assert_uint_eq(pool->total, trees[_i].total[i]);
		ck_assert_uint_eq(pool->free, trees[_i].free[i]);
		ck_assert_uint_eq(pool->nr_nodes, trees[_i].nr_nodes);
		ck_assert_ptr_eq(fz_pools_find(&pools, pool->page_bytes), pool);
	}
	ck_assert_ptr_null(fz_pools_find(&pools, 0));
	ck_assert_ptr_null(fz_pools_find(&pools, 4096));
	ck_assert_ptr_null(fz_pools_find(&pools, 16 * GIB));
}
END_TEST

START_TEST(all_figures_are_read)
{
	const struct fz_hooks hooks = saved_tree_hooks(SAVED_TREE("zen4"));
	const struct fz_pool *pool;
	struct fz_pools pools;

	fz_pools_read(&hooks, &pools);
	pool = fz_pools_find(&pools, 2 * MIB);
	ck_assert_ptr_nonnull(pool);
	ck_assert_uint_eq(pool->reserved, 64);
	ck_assert_uint_eq(pool->surplus, 0);
	ck_assert_uint_eq(pool->overcommit, 32);
}
END_TEST

/* Node 3 of the tree has CPUs but no memory, so it has no share. */
START_TEST(nodes_are_in_numeric_order)
{
	static const unsigned int numbers[] = { 0, 1, 2, 10 };
	const struct fz_hooks hooks = saved_tree_hooks(SAVED_TREE("zen4"));
	struct fz_pools pools;

	fz_pools_read(&hooks, &pools);
	ck_assert_uint_eq(pools.pool[0].nr_nodes, 4);
	for (size_t i = 0; i < 4; i++) {
		ck_assert_uint_eq(pools.pool[0].nodes[i].node, numbers[i]);
		ck_assert_uint_eq(pools.pool[0].nodes[i].total, 128);
		ck_assert_uint_eq(pools.pool[0].nodes[i].free, 96);
	}
}
END_TEST

/* More of everything than the struct holds. */
static int list_many(void *state, const char *root, const char *path,
		     void (*name)(void *arg, const char *entry), void *arg)
{
	char entry[64];

	(void)state;
	(void)root;
	for (unsigned int i = 0; i < 1000; i++) {
		snprintf(entry, sizeof(entry),
			 strstr(path, "hugepages") ? "hugepages-%ukB"
						   : "node%u",
			 1000 - i);
		name(arg, entry);
	}
	return 0;
}

static ssize_t read_seven(void *state, const char *root, const char *path,
			  uint64_t offset, void *buf, size_t cap)
{
	(void)state;
	(void)root;
	(void)path;
	(void)offset;
	return snprintf(buf, cap, "7\n");
}

START_TEST(too_many_are_cut)
{
	struct fz_hooks hooks = fz_hooks_default;
	struct fz_pools pools;

	hooks.list_dir = list_many;
	hooks.read_file = read_seven;
	fz_pools_read(&hooks, &pools);
	ck_assert_uint_eq(pools.nr, FZ_MAX_POOLS);
	for (size_t i = 0; i < pools.nr; i++) {
		ck_assert_uint_eq(pools.pool[i].nr_nodes, FZ_MAX_NODES);
		ck_assert_uint_eq(pools.pool[i].total, 7);
		if (i > 0)
			ck_assert_uint_lt(pools.pool[i - 1].page_bytes,
					  pools.pool[i].page_bytes);
	}
}
END_TEST

#define NR(array) ((int)(sizeof(array) / sizeof((array)[0])))

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("pools");
	TCase *tcase = tcase_create("pools");

	tcase_add_loop_test(tcase, every_directory_is_a_pool, 0, NR(trees));
	tcase_add_test(tcase, all_figures_are_read);
	tcase_add_test(tcase, nodes_are_in_numeric_order);
	tcase_add_test(tcase, too_many_are_cut);
	suite_add_tcase(suite, tcase);
	return suite;
}
