// SPDX-License-Identifier: GPL-2.0-or-later
/* Which cgroup limit stops a mapping: saved trees of version 1 and 2. */
#include "hugetlb_limits.h"

#include "fake_files.h"
#include "fz_test.h"

#define NR(array) ((int)(sizeof(array) / sizeof((array)[0])))

#define MIB (1024 * 1024ull)
#define GIB (1024 * MIB)

static const struct {
	const char *root;
	uint64_t page_bytes;
	uint64_t bytes;
	const char *path; /* NULL = it fits */
	uint64_t limit_bytes;
	uint64_t usage_bytes;
} cases[] = {
	/* jobs/a is unlimited, jobs above it allows 64M and has 4M in use. */
	{ SAVED_TREE("cgroup-v1"), 2 * MIB, 60 * MIB, NULL, 0, 0 },
	{ SAVED_TREE("cgroup-v1"), 2 * MIB, 62 * MIB,
	  "/sys/fs/cgroup/hugetlb/jobs/hugetlb.2MB.limit_in_bytes", 64 * MIB,
	  4 * MIB },
	{ SAVED_TREE("cgroup-v1"), GIB, GIB,
	  "/sys/fs/cgroup/hugetlb/jobs/hugetlb.1GB.limit_in_bytes", 0, 0 },
	{ SAVED_TREE("cgroup-v1"), 32 * MIB, GIB, NULL, 0, 0 },
	/* 96M are left of the reservations above, 128M of its own faults. */
	{ SAVED_TREE("cgroup-v2"), 2 * MIB, 96 * MIB, NULL, 0, 0 },
	{ SAVED_TREE("cgroup-v2"), 2 * MIB, 98 * MIB,
	  "/sys/fs/cgroup/user.slice/hugetlb.2MB.rsvd.max", 192 * MIB,
	  96 * MIB },
	{ SAVED_TREE("cgroup-v2"), 2 * MIB, 256 * MIB,
	  "/sys/fs/cgroup/user.slice/hugetlb.2MB.rsvd.max", 192 * MIB,
	  96 * MIB },
	/* The path in /proc/self/cgroup is the host's. */
	{ SAVED_TREE("container"), 2 * MIB, 2 * MIB,
	  "/sys/fs/cgroup/hugetlb.2MB.max", 0, 0 },
	{ SAVED_TREE("no-hugetlb"), 2 * MIB, GIB, NULL, 0, 0 },
	{ SAVED_TREE("broken"), 2 * MIB, GIB, NULL, 0, 0 },
};

START_TEST(the_tightest_limit_is_found)
{
	const struct fz_hooks hooks = saved_tree_hooks(cases[_i].root);
	struct fz_hugetlb_limit limit = { "", 0, 0 };
	const bool found = fz_hugetlb_limit_find(&hooks, cases[_i].page_bytes,
						 cases[_i].bytes, &limit);

	ck_assert_int_eq(found, cases[_i].path != NULL);
	if (!found)
		return;
	ck_assert_str_eq(limit.path, cases[_i].path);
	ck_assert_uint_eq(limit.limit_bytes, cases[_i].limit_bytes);
	ck_assert_uint_eq(limit.usage_bytes, cases[_i].usage_bytes);
}
END_TEST

/* Parts that only odd systems have. */
#define MOUNT "cgroup2 /cg cgroup2 rw 0 0\n"
#define LIMIT                                      \
	{                                          \
		"/cg/hugetlb.2MB.max", "2097152\n" \
	}

static const struct {
	const char *cgroup;
	const char *mounts;
	bool found;
} odd[] = {
	{ "0::/\n", MOUNT, true },
	{ "0::/a/b/c\n", MOUNT, true },
	{ "0::/../../x\n", MOUNT, true },
	{ "0::/", MOUNT, true }, /* no newline at the end */
	{ "0::/\n", "", false }, /* not mounted */
	{ "0::/\n", "cgroup2 /cg ext4 rw 0 0\n", false },
	{ "", MOUNT, false },
	{ "0:\n", MOUNT, false },
	{ "3:hugetlb:/\n", MOUNT, false }, /* version 1 is not mounted */
	{ "3:hugetlbfs:/\n", "cgroup /cg cgroup rw,hugetlbfs 0 0\n", false },
};

START_TEST(odd_systems)
{
	const struct fake_file files[] = {
		{ "/proc/self/cgroup", odd[_i].cgroup },
		{ "/proc/self/mounts", odd[_i].mounts },
		LIMIT,
		/* outside: not ours to look at */
		{ "/cg/../../x/hugetlb.2MB.max", "0\n" },
		{ 0 },
	};
	const struct fz_hooks hooks = fake_files_hooks(files);
	struct fz_hugetlb_limit limit;

	ck_assert_int_eq(
		fz_hugetlb_limit_find(&hooks, 2 * MIB, 4 * MIB, &limit),
		odd[_i].found);
	ck_assert(!fz_hugetlb_limit_find(&hooks, 2 * MIB, 2 * MIB, &limit));
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("hugetlb_limits");
	TCase *tcase = tcase_create("hugetlb_limits");

	tcase_add_loop_test(tcase, the_tightest_limit_is_found, 0, NR(cases));
	tcase_add_loop_test(tcase, odd_systems, 0, NR(odd));
	suite_add_tcase(suite, tcase);
	return suite;
}
