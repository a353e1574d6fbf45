// SPDX-License-Identifier: GPL-2.0-or-later
/* What of the machine's memory may be taken, and what stays for others. */
#include "memory_available.h"

#include "fake_files.h"
#include "fz_test.h"

#define NR(array) ((int)(sizeof(array) / sizeof((array)[0])))

#define KIB     1024ull
#define MIB     (1024 * KIB)
#define UNKNOWN UINT64_MAX

static const struct {
	const char *meminfo;
	uint64_t available_bytes;
	uint64_t reservable_bytes;
} cases[] = {
	{ "MemTotal: 9 kB\nMemFree: 8 kB\nMemAvailable:   24160000 kB\nX: 1\n",
	  24160000 * KIB, 24160000 * KIB - 1208000 * KIB },
	/* 5 % of 5 GiB are 256 MiB. */
	{ "MemAvailable: 5242880 kB\n", 5120 * MIB, 4864 * MIB },
	{ "MemAvailable: 2097152 kB\n", 2048 * MIB, 1792 * MIB },
	{ "MemAvailable: 262145 kB\n", 256 * MIB + KIB, KIB },
	{ "MemAvailable: 262144 kB\n", 256 * MIB, 0 },
	{ "MemAvailable: 0 kB\n", 0, 0 },
	/* Kernels before 3.14, and what no kernel writes. */
	{ "MemTotal: 9 kB\nMemFree: 8 kB\n", UNKNOWN, UNKNOWN },
	{ "", UNKNOWN, UNKNOWN },
	{ "MemAvailable: lots\n", UNKNOWN, UNKNOWN },
	{ "MemAvailable: 18446744073709551615 kB\n", UNKNOWN, UNKNOWN },
};

START_TEST(some_stays_for_others)
{
	const struct fake_file files[] = {
		{ "/proc/meminfo", cases[_i].meminfo },
		{ 0 },
	};
	const struct fz_hooks hooks = fake_files_hooks(files);

	ck_assert_uint_eq(fz_memory_available(&hooks),
			  cases[_i].available_bytes);
	ck_assert_uint_eq(fz_memory_reservable(&hooks),
			  cases[_i].reservable_bytes);
}
END_TEST

static const struct {
	const char *meminfo;
	uint64_t available_bytes;
} nodes[] = {
	{ "Node 3 MemTotal:       100 kB\nNode 3 MemFree:        8 kB\n"
	  "Node 3 Active(file):   4 kB\nNode 3 Inactive(file): 2 kB\n"
	  "Node 3 Active(anon):   64 kB\n",
	  14 * KIB },
	{ "Node 3 MemFree: 0 kB\n", 0 },
	{ "Node 3 Active(file): 4 kB\n", UNKNOWN },
	{ "Node 3 MemFree: 18446744073709551615 kB\n", UNKNOWN },
	{ "", UNKNOWN },
};

START_TEST(a_node_has_its_own)
{
	const struct fake_file files[] = {
		{ "/sys/devices/system/node/node3/meminfo", nodes[_i].meminfo },
		{ 0 },
	};
	const struct fz_hooks hooks = fake_files_hooks(files);

	ck_assert_uint_eq(fz_memory_available_on(&hooks, 3),
			  nodes[_i].available_bytes);
	ck_assert_uint_eq(fz_memory_available_on(&hooks, 2), UNKNOWN);
}
END_TEST

START_TEST(a_machine_that_shows_nothing)
{
	const struct fz_hooks hooks = saved_tree_hooks(SAVED_TREE("not-there"));

	ck_assert_uint_eq(fz_memory_available(&hooks), UNKNOWN);
	ck_assert_uint_eq(fz_memory_reservable(&hooks), UNKNOWN);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("memory_available");
	TCase *tcase = tcase_create("memory_available");

	tcase_add_loop_test(tcase, a_node_has_its_own, 0, NR(nodes));
	tcase_add_loop_test(tcase, some_stays_for_others, 0, NR(cases));
	tcase_add_test(tcase, a_machine_that_shows_nothing);
	suite_add_tcase(suite, tcase);
	return suite;
}
