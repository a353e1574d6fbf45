// SPDX-License-Identifier: GPL-2.0-or-later
/* Which cgroup limit stops a mapping: huge pages and memory, versions 1, 2. */
#include "cgroup_limits.h"

#include <errno.h>
#include <stdio.h>

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
	struct fz_cgroup_limit limit = { "", 0, 0 };
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
	struct fz_cgroup_limit limit;

	ck_assert_int_eq(
		fz_hugetlb_limit_find(&hooks, 2 * MIB, 4 * MIB, &limit),
		odd[_i].found);
	ck_assert(!fz_hugetlb_limit_find(&hooks, 2 * MIB, 2 * MIB, &limit));
}
END_TEST

/* A job below jobs; only what a case names has limits. */
#define V1 "/sys/fs/cgroup/memory"
#define V2 "/sys/fs/cgroup"

static const char mounts_v1[] =
	"cgroup /sys/fs/cgroup/hugetlb cgroup rw,hugetlb 0 0\n"
	"cgroup /sys/fs/cgroup/memory cgroup rw,nosuid,memory 0 0\n"
	"cgroup2 /sys/fs/cgroup/unified cgroup2 rw 0 0\n";
static const char cgroup_v1[] = "5:hugetlb:/other\n4:memory:/jobs/a\n0::/\n";
static const char mounts_v2[] = "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n";
static const char cgroup_v2[] = "0::/jobs/a\n";

/* A limit of 64M, of which 16M are free, 24M with the page cache. */
#define LIMIT_64M "67108864\n"
#define USAGE_48M "50331648\n"
#define STAT                                                          \
	"cache 4194304\ninactive_file 6291456\nactive_file 2097152\n" \
	"workingset_refault_file 99\nslab_reclaimable 1048576\n"
#define STAT_TOTAL                                                 \
	"inactive_file 0\nactive_file 4096\n"                      \
	"hierarchical_memory_limit 67108864\n"                     \
	"total_inactive_file 6291456\ntotal_active_file 2097152\n" \
	"total_inactive_anon 1048576\n"

static const struct {
	const char *mounts;
	const char *cgroup;
	struct fake_file files[6];
	uint64_t room_bytes; /* fits; a page more does not */
	const char *path;    /* NULL = everything fits */
	uint64_t usage_bytes;
} memory[] = {
	{ mounts_v1,
	  cgroup_v1,
	  { { V1 "/jobs/a/memory.limit_in_bytes", LIMIT_64M },
	    { V1 "/jobs/a/memory.usage_in_bytes", USAGE_48M } },
	  16 * MIB,
	  V1 "/jobs/a/memory.limit_in_bytes",
	  48 * MIB },
	/* An ancestor; the page cache of all below it does not count. */
	{ mounts_v1,
	  cgroup_v1,
	  { { V1 "/jobs/a/memory.limit_in_bytes", "9223372036854771712\n" },
	    { V1 "/jobs/a/memory.usage_in_bytes", USAGE_48M },
	    { V1 "/jobs/memory.limit_in_bytes", LIMIT_64M },
	    { V1 "/jobs/memory.usage_in_bytes", USAGE_48M },
	    { V1 "/jobs/memory.stat", STAT_TOTAL } },
	  24 * MIB,
	  V1 "/jobs/memory.limit_in_bytes",
	  40 * MIB },
	/* Swap is full. */
	{ mounts_v1,
	  cgroup_v1,
	  { { V1 "/jobs/memory.limit_in_bytes", LIMIT_64M },
	    { V1 "/jobs/memory.usage_in_bytes", "1048576\n" },
	    { V1 "/jobs/memory.memsw.limit_in_bytes", LIMIT_64M },
	    { V1 "/jobs/memory.memsw.usage_in_bytes", USAGE_48M } },
	  16 * MIB,
	  V1 "/jobs/memory.memsw.limit_in_bytes",
	  48 * MIB },
	{ mounts_v2,
	  cgroup_v2,
	  { { V2 "/jobs/a/memory.max", LIMIT_64M },
	    { V2 "/jobs/a/memory.current", USAGE_48M },
	    { V2 "/jobs/a/memory.stat", STAT } },
	  24 * MIB,
	  V2 "/jobs/a/memory.max",
	  40 * MIB },
	{ mounts_v2,
	  cgroup_v2,
	  { { V2 "/jobs/a/memory.max", "max\n" },
	    { V2 "/jobs/memory.max", LIMIT_64M },
	    { V2 "/jobs/memory.current", USAGE_48M } },
	  16 * MIB,
	  V2 "/jobs/memory.max",
	  48 * MIB },
	{ mounts_v2,
	  cgroup_v2,
	  { { V2 "/jobs/memory.max", "max\n" },
	    { V2 "/jobs/memory.high", LIMIT_64M },
	    { V2 "/jobs/memory.current", USAGE_48M },
	    { V2 "/jobs/memory.stat", STAT } },
	  24 * MIB,
	  V2 "/jobs/memory.high",
	  40 * MIB },
	/* In a container; more cache than usage, since both are estimates. */
	{ mounts_v2,
	  "0::/docker/0123\n",
	  { { V2 "/memory.max", LIMIT_64M },
	    { V2 "/memory.current", "4096\n" },
	    { V2 "/memory.stat", STAT } },
	  64 * MIB,
	  V2 "/memory.max",
	  0 },
	/* More in use than allowed: the limit was lowered. */
	{ mounts_v2,
	  cgroup_v2,
	  { { V2 "/jobs/a/memory.max", "4096\n" },
	    { V2 "/jobs/a/memory.current", USAGE_48M },
	    { V2 "/jobs/a/memory.stat", "inactive_file\n\nactive_file x\n" } },
	  0,
	  V2 "/jobs/a/memory.max",
	  48 * MIB },
	/* The limits of huge pages are other limits. */
	{ mounts_v2,
	  cgroup_v2,
	  { { V2 "/jobs/a/hugetlb.2MB.max", "0\n" } },
	  0,
	  NULL,
	  0 },
	{ mounts_v1,
	  cgroup_v1,
	  { { "/sys/fs/cgroup/hugetlb/jobs/a/memory.limit_in_bytes", "0\n" } },
	  0,
	  NULL,
	  0 },
	{ "",
	  cgroup_v2,
	  { { V2 "/jobs/a/memory.max", LIMIT_64M } },
	  0,
	  NULL,
	  0 },
};

START_TEST(memory_has_limits_too)
{
	const struct fake_file *more = memory[_i].files;
	const struct fake_file files[] = {
		{ "/proc/self/mounts", memory[_i].mounts },
		{ "/proc/self/cgroup", memory[_i].cgroup },
		more[0],
		more[1],
		more[2],
		more[3],
		more[4],
		{ 0 },
	};
	const struct fz_hooks hooks = fake_files_hooks(files);
	const uint64_t room = memory[_i].room_bytes;
	struct fz_cgroup_limit limit = { "", 0, 0 };

	if (!memory[_i].path) {
		ck_assert(!fz_memory_limit_find(&hooks, UINT64_MAX, &limit));
		return;
	}
	ck_assert(!fz_memory_limit_find(&hooks, room, &limit));
	ck_assert(fz_memory_limit_find(&hooks, room + 4096, &limit));
	ck_assert_str_eq(limit.path, memory[_i].path);
	ck_assert_uint_eq(limit.usage_bytes, memory[_i].usage_bytes);
	ck_assert(fz_memory_limit_find(&hooks, UINT64_MAX, &limit));
}
END_TEST

START_TEST(the_message_names_the_file)
{
	const struct fz_cgroup_limit limit = { "/cg/memory.max", 64 * MIB,
					       48 * MIB };
	struct fz_err err = { "" };

	ck_assert_int_eq(
		fz_cgroup_limit_error(&limit, "1G of memory", GIB, &err),
		-ENOMEM);
	ck_assert_str_eq(err.msg,
			 "cannot map 1G of memory: the cgroup limit "
			 "'/cg/memory.max' is 64M, 48M in use; ask for less, "
			 "or raise it with: echo 1124073472 > /cg/memory.max");
	fz_cgroup_limit_error(&limit, "much", UINT64_MAX - 1, &err);
	ck_assert_ptr_nonnull(strstr(err.msg, "echo 18446744073709551615 >"));
}
END_TEST

/* Below /cg, @nr directories of 100 characters. */
static void deep_path(char *path, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		path[i * 100] = '/';
		memset(path + i * 100 + 1, 'a' + (int)(i % 26), 99);
	}
	path[nr * 100] = '\0';
}

/* Depths about PATH_MAX, and about the longest line that is read. */
static const struct {
	size_t depth;
	bool found; /* the limit of the cgroup itself */
} deep[] = { { 3, true },   { 4, true },   { 8, true },
	     { 40, true },  { 41, false }, { 60, false },
	     { 78, false }, { 81, false }, { 90, false } };

START_TEST(a_deep_cgroup_is_right_or_unknown)
{
	static char cgroup[16000], own[16000], above[16000];
	static char cut[PATH_MAX]; /* somebody else's, if it exists */
	char dirs[9001];
	const struct fake_file files[] = {
		{ "/proc/self/cgroup", cgroup },
		{ "/proc/self/mounts", MOUNT },
		{ own, "0\n" },
		{ above, "1048576\n" },
		{ cut, "0\n" },
		{ 0 },
	};
	const struct fz_hooks hooks = fake_files_hooks(files);
	struct fz_cgroup_limit limit;
	struct fz_err err;

	deep_path(dirs, deep[_i].depth);
	snprintf(cgroup, sizeof(cgroup), "0::%s\n", dirs);
	snprintf(own, sizeof(own), "/cg%s/memory.max", dirs);
	memcpy(cut, own, sizeof(cut) - 1);
	deep_path(dirs, 2);
	snprintf(above, sizeof(above), "/cg%s/memory.max", dirs);
	ck_assert(fz_memory_limit_find(&hooks, 2 * MIB, &limit));
	/* Too long for a message of Check. */
	ck_assert(strcmp(limit.path, deep[_i].found ? own : above) == 0);
	ck_assert_int_eq(fz_cgroup_limit_error(&limit, "2M", 2 * MIB, &err),
			 -ENOMEM);
	ck_assert_uint_lt(strlen(err.msg), sizeof(err.msg) - 1);
	if (deep[_i].found && deep[_i].depth > 3)
		ck_assert_str_eq(err.msg,
				 "cannot map 2M: the limit 'memory.max' of a "
				 "cgroup whose path is too long to show is 0B, "
				 "0B in use; ask for less");
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("cgroup_limits");
	TCase *tcase = tcase_create("cgroup_limits");

	tcase_add_loop_test(tcase, the_tightest_limit_is_found, 0, NR(cases));
	tcase_add_loop_test(tcase, odd_systems, 0, NR(odd));
	tcase_add_loop_test(tcase, memory_has_limits_too, 0, NR(memory));
	tcase_add_loop_test(tcase, a_deep_cgroup_is_right_or_unknown, 0,
			    NR(deep));
	tcase_add_test(tcase, the_message_names_the_file);
	suite_add_tcase(suite, tcase);
	return suite;
}
