// SPDX-License-Identifier: GPL-2.0-or-later
/* Multi-size THP in worlds that the test plays: sizes, mappings, findings. */
#include "mthp.h"

#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fz/units.h>

#include "fake_files.h"
#include "fz_test.h"

#define NR(array) ((int)(sizeof(array) / sizeof((array)[0])))

#define KIB 1024ull
#define MIB (1024 * KIB)

#define THP_DIR "/sys/kernel/mm/transparent_hugepage/"

static const struct {
	const char *root;
	const char *list;
} lists[] = {
	{ SAVED_TREE("xeon-guest"), "16K, 64K, 1M" }, /* not 8K, not 2M */
	{ SAVED_TREE("zen4"), "" },
	{ SAVED_TREE("broken"), "" },
	{ SAVED_TREE("not-there"), "" },
};

START_TEST(sizes_below_the_pmd_are_listed)
{
	const struct fz_hooks hooks = saved_tree_hooks(lists[_i].root);
	char text[FZ_MTHP_LIST_BYTES];

	fz_mthp_list(&hooks, text);
	ck_assert_str_eq(text, lists[_i].list);
}
END_TEST

static const struct {
	const char *root;
	uint64_t bytes;
	const char *msg; /* "" = there is such a size */
} sizes[] = {
	{ SAVED_TREE("xeon-guest"), 16 * KIB, "" },
	{ SAVED_TREE("xeon-guest"), MIB, "" },
	{ SAVED_TREE("xeon-guest"), 32 * KIB,
	  "the kernel has no mTHP of 32K; it has 16K, 64K, 1M" },
	{ SAVED_TREE("xeon-guest"), 8 * KIB, /* for shared memory only */
	  "the kernel has no mTHP of 8K; it has 16K, 64K, 1M" },
	{ SAVED_TREE("xeon-guest"), 4 * MIB,
	  "the kernel has no mTHP of 4M; it has 16K, 64K, 1M" },
	{ SAVED_TREE("xeon-guest"), 2 * MIB,
	  "transparent huge pages of 2M are those of the PMD size: ask for "
	  "'thp'" },
	{ SAVED_TREE("zen4"), 64 * KIB,
	  "the kernel has no mTHP: '" THP_DIR "hugepages-64kB/enabled' is "
	  "missing; it came with Linux 6.8" },
};

START_TEST(a_size_is_there_or_not)
{
	const struct fz_hooks hooks = saved_tree_hooks(sizes[_i].root);
	struct fz_err err = { "" };

	ck_assert_int_eq(fz_mthp_size_check(&hooks, sizes[_i].bytes, &err),
			 sizes[_i].msg[0] ? -ENOTSUP : 0);
	ck_assert_str_eq(err.msg, sizes[_i].msg);
}
END_TEST

/* Four lines in maps, 256 mappings for others. */
static const struct {
	const char *limit;
	uint64_t page_bytes;
	uint64_t bytes;
	const char *msg; /* "" = room enough */
} rooms[] = {
	{ "1284\n", 64 * KIB, 64 * MIB, "" },
	{ "1283\n", 64 * KIB, 64 * MIB,
	  "cannot map 64M as mTHP of 64K: each page is a mapping of its own, "
	  "and of the 1283 that '/proc/sys/vm/max_map_count' allows 1023 are "
	  "left; --size 63M works, or: echo 1284 > "
	  "/proc/sys/vm/max_map_count" },
	{ "262\n", 16 * KIB, 64 * KIB,
	  "cannot map 64K as mTHP of 16K: each page is a mapping of its own, "
	  "and of the 262 that '/proc/sys/vm/max_map_count' allows 2 are "
	  "left; --size 32K works, or: echo 264 > "
	  "/proc/sys/vm/max_map_count" },
	{ "9\n", 16 * KIB, 16 * KIB,
	  "cannot map 16K as mTHP of 16K: each page is a mapping of its own, "
	  "and of the 9 that '/proc/sys/vm/max_map_count' allows 0 are left; "
	  "ask for less, or: echo 261 > /proc/sys/vm/max_map_count" },
	{ "no number\n", 16 * KIB, 1ull << 60, "" },
	{ "65530\n", 16 * KIB, 1ull << 60,
	  "cannot map 1048576T as mTHP of 16K: each page is a mapping of its "
	  "own, and of the 65530 that '/proc/sys/vm/max_map_count' allows "
	  "65270 are left; --size 1019M works, or: echo 70368744177924 > "
	  "/proc/sys/vm/max_map_count" },
};

START_TEST(there_is_room_or_a_size_that_works)
{
	const struct fake_file files[] = {
		{ "/proc/sys/vm/max_map_count", rooms[_i].limit },
		{ "/proc/self/maps", "a\nb\nc\nd\n" },
		{ 0 },
	};
	const struct fz_hooks hooks = fake_files_hooks(files);
	struct fz_err err = { "" };
	const char *works;
	uint64_t bytes;
	char size[16];

	ck_assert_int_eq(fz_mthp_room_check(&hooks, rooms[_i].page_bytes,
					    rooms[_i].bytes, &err),
			 rooms[_i].msg[0] ? -ENOMEM : 0);
	ck_assert_str_eq(err.msg, rooms[_i].msg);
	works = strstr(err.msg, "--size ");
	if (!works)
		return;
	ck_assert_int_eq(sscanf(works, "--size %15s works", size), 1);
	ck_assert_int_eq(fz_parse_bytes(size, &bytes, NULL), 0);
	ck_assert_int_eq(
		fz_mthp_room_check(&hooks, rooms[_i].page_bytes, bytes, NULL),
		0);
}
END_TEST

START_TEST(unknown_room_is_enough)
{
	const struct fake_file files[] = {
		{ "/proc/sys/vm/max_map_count", "5\n" }, { 0 }, /* no maps */
	};
	const struct fz_hooks hooks = fake_files_hooks(files);

	ck_assert_int_eq(fz_mthp_room_check(&hooks, 16 * KIB, MIB, NULL), 0);
}
END_TEST

/* Real memory; every advice is written down, and one can be refused. */
struct advised {
	char *base;
	int refused; /* advice, with -ENOMEM; 0 = none */
	unsigned int nr;
	struct {
		uint64_t at;
		uint64_t bytes;
		int advice;
	} call[16];
};

static int note_advice(void *state, void *addr, size_t bytes, int advice)
{
	struct advised *advised = state;

	ck_assert_uint_lt(advised->nr, 16);
	advised->call[advised->nr].at =
		(uint64_t)((char *)addr - advised->base);
	advised->call[advised->nr].bytes = bytes;
	advised->call[advised->nr++].advice = advice;
	return advice == advised->refused ? -ENOMEM : 0;
}

#define POPULATE_WRITE 23

static unsigned int count_advice(const struct advised *advised, int advice)
{
	unsigned int nr = 0;

	for (unsigned int i = 0; i < advised->nr; i++)
		nr += advised->call[i].advice == advice;
	return nr;
}

START_TEST(every_second_page_differs)
{
	struct advised advised = { .base = (char *)(16 * MIB) };
	struct fz_hooks hooks = fz_hooks_default;
	const uint64_t nr_pages = (uint64_t)_i;
	uint64_t nr_wrong = 0, next = 0;

	hooks.state = &advised;
	hooks.advise = note_advice;
	ck_assert_int_eq(fz_mthp_advise(&hooks, advised.base,
					nr_pages * 64 * KIB, 64 * KIB),
			 0);
	/* Huge pages come last, or the one fault before would be of one. */
	ck_assert_int_eq(advised.call[0].advice, POPULATE_WRITE);
	ck_assert_uint_eq(advised.call[0].bytes,
			  (uint64_t)sysconf(_SC_PAGESIZE));
	ck_assert_int_eq(advised.call[1].advice, MADV_DONTNEED);
	ck_assert_uint_eq(advised.call[1].bytes, nr_pages * 64 * KIB);
	ck_assert_int_eq(advised.call[2].advice, MADV_HUGEPAGE);
	ck_assert_uint_eq(advised.call[2].bytes, nr_pages * 64 * KIB);
	for (unsigned int i = 3; i < advised.nr; i++, next += 128 * KIB)
		nr_wrong += advised.call[i].advice != MADV_DONTDUMP ||
			    advised.call[i].at != next ||
			    advised.call[i].bytes != 64 * KIB;
	ck_assert_uint_eq(nr_wrong, 0);
	ck_assert_uint_eq(advised.nr, 3 + (nr_pages + 1) / 2);
}
END_TEST

static const struct {
	int refused;
	int code;
	unsigned int nr_split;
} refusals[] = {
	{ POPULATE_WRITE, 0, 4 }, /* the population will say why */
	{ MADV_DONTNEED, 0, 4 },
	{ MADV_HUGEPAGE, -ENOMEM, 0 },
	{ MADV_DONTDUMP, -ENOMEM, 1 },
};

START_TEST(refused_advice_ends_it)
{
	struct advised advised = {
		.base = (char *)(16 * MIB),
		.refused = refusals[_i].refused,
	};
	struct fz_hooks hooks = fz_hooks_default;

	hooks.state = &advised;
	hooks.advise = note_advice;
	ck_assert_int_eq(
		fz_mthp_advise(&hooks, advised.base, 8 * 16 * KIB, 16 * KIB),
		refusals[_i].code);
	ck_assert_uint_eq(count_advice(&advised, MADV_DONTDUMP),
			  refusals[_i].nr_split);
}
END_TEST

#define FIRST 0x7f0000400000ull
#define PAGE  (64 * KIB)
#define BYTES (64 * PAGE) /* 4M */
#define NONE  UINT64_MAX

#define WHOLE "7f0000400000-7f0000800000 rw-p 00000000 00:00 0 \n"
#define BASE  WHOLE "Rss: 4096 kB\nKernelPageSize: 4 kB\n"
#define HUGE  BASE "AnonHugePages: 2048 kB\n"

/* What the kernel would say of 64 pages of 64K. */
struct told {
	uint64_t before; /* of the counter; NONE = it cannot be read */
	uint64_t after;
	uint64_t nr_bad; /* pages that are not contiguous; NONE = hidden */
	const char *smaps;
};

static ssize_t read_map(const struct told *told, uint64_t offset, char *buf,
			size_t cap)
{
	const uint64_t in_page = PAGE / (uint64_t)sysconf(_SC_PAGESIZE);
	const uint64_t first = FIRST / (uint64_t)sysconf(_SC_PAGESIZE);

	for (size_t at = 0; at + 8 < cap; at += 8) {
		const uint64_t i = (offset + at) / 8 - first;
		uint64_t entry = 1ull << 63;

		if (told->nr_bad != NONE)
			entry |= (i + in_page) *
				 (i / in_page < told->nr_bad ? 3 : 1);
		memcpy(buf + at, &entry, 8);
	}
	return (ssize_t)(cap - 1);
}

static ssize_t told_read(void *state, const char *root, const char *path,
			 uint64_t offset, void *buf, size_t cap)
{
	const struct told *told = state;
	char counter[32] = "";
	const struct fake_file files[] = {
		{ "/proc/self/smaps", told->smaps },
		{ THP_DIR "hugepages-64kB/stats/anon_fault_alloc", counter },
		{ 0 },
	};

	if (strcmp(path, "/proc/self/pagemap") == 0)
		return read_map(told, offset, buf, cap);
	if (told->after != NONE)
		snprintf(counter, sizeof(counter), "%llu\n",
			 (unsigned long long)told->after);
	return fake_read_file((void *)(uintptr_t)files, root, path, offset, buf,
			      cap);
}

static const struct {
	const char *what;
	struct told told;
	const char *verified_by;
	uint64_t nr_ok;
} findings[] = {
	{ "all well", { 100, 164, 0, BASE }, "pagemap+anon_fault_alloc", 64 },
	{ "others had some too",
	  { 100, 999, 0, BASE },
	  "pagemap+anon_fault_alloc",
	  64 },
	{ "scattered pages",
	  { 100, 164, 5, BASE },
	  "pagemap+anon_fault_alloc",
	  59 },
	{ "contiguous by chance",
	  { 100, 140, 0, BASE },
	  "pagemap+anon_fault_alloc",
	  40 },
	{ "the lower is believed",
	  { 100, 140, 30, BASE },
	  "pagemap+anon_fault_alloc",
	  34 },
	{ "the lower is believed, the other way",
	  { 100, 120, 30, BASE },
	  "pagemap+anon_fault_alloc",
	  20 },
	{ "none", { 100, 100, 64, BASE }, "pagemap+anon_fault_alloc", 0 },
	{ "none counted",
	  { 100, 100, 0, BASE },
	  "pagemap+anon_fault_alloc",
	  0 },
	{ "a PMD maps a half",
	  { 100, 999, 0, HUGE },
	  "pagemap+anon_fault_alloc",
	  32 },
	{ "no smaps", { 100, 164, 0, "" }, "pagemap+anon_fault_alloc", 64 },
	{ "no counter", { NONE, NONE, 3, BASE }, "pagemap", 61 },
	{ "a counter that came later", { NONE, 164, 3, BASE }, "pagemap", 61 },
	{ "a counter that went", { 100, NONE, 3, BASE }, "pagemap", 61 },
	{ "a counter that fell", { 100, 99, 3, BASE }, "pagemap", 61 },
	{ "no frame numbers",
	  { 100, 163, NONE, BASE },
	  "anon_fault_alloc",
	  63 },
	{ "nothing tells", { NONE, NONE, NONE, HUGE }, "", 0 },
};

START_TEST(findings_are_judged)
{
	struct told told = findings[_i].told;
	struct fz_hooks hooks = fz_hooks_default;
	struct fz_backing got;
	bool found;

	hooks.state = &told;
	hooks.read_file = told_read;
	got = fz_mthp_backing_read(&hooks, (void *)FIRST, BYTES, PAGE,
				   told.before);
	ck_assert_str_eq(got.verified_by, findings[_i].verified_by);
	ck_assert_uint_eq(got.bytes_ok, findings[_i].nr_ok * PAGE);
	found = findings[_i].nr_ok || !findings[_i].verified_by[0];
	ck_assert_str_eq(got.kind, found ? "mthp" : "");
	ck_assert_uint_eq(got.page_bytes, found ? PAGE : 0);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("mthp");
	TCase *tcase = tcase_create("mthp");

	tcase_add_loop_test(tcase, sizes_below_the_pmd_are_listed, 0,
			    NR(lists));
	tcase_add_loop_test(tcase, a_size_is_there_or_not, 0, NR(sizes));
	tcase_add_loop_test(tcase, there_is_room_or_a_size_that_works, 0,
			    NR(rooms));
	tcase_add_test(tcase, unknown_room_is_enough);
	tcase_add_loop_test(tcase, every_second_page_differs, 1, 9);
	tcase_add_loop_test(tcase, refused_advice_ends_it, 0, NR(refusals));
	tcase_add_loop_test(tcase, findings_are_judged, 0, NR(findings));
	suite_add_tcase(suite, tcase);
	return suite;
}
