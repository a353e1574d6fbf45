// SPDX-License-Identifier: GPL-2.0-or-later
/* What smaps and pagemap texts are taken to say, and the real files. */
#include "backing.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fake_files.h"
#include "fz_test.h"

#define NR(array) ((int)(sizeof(array) / sizeof((array)[0])))

#define KIB 1024ull
#define MIB (1024 * KIB)
#define GIB (1024 * MIB)

/* The range asked for in the tables: 4M at this address. */
#define FIRST 0x7f0000400000ull
#define BYTES (4 * MIB)

#define BEFORE                                               \
	"7f0000000000-7f0000400000 ---p 00000000 00:00 0 \n" \
	"Size:               4096 kB\n"                      \
	"KernelPageSize:        4 kB\n"                      \
	"Rss:                4096 kB\n"                      \
	"AnonHugePages:      4096 kB\n"                      \
	"VmFlags: mr mw me \n"
#define AFTER                                                          \
	"7f0000800000-7f0000a00000 rw-p 00000000 00:00 0    [stack]\n" \
	"KernelPageSize:     2048 kB\n"                                \
	"Private_Hugetlb:    2048 kB\n"
#define WHOLE "7f0000400000-7f0000800000 rw-p 00000000 00:00 0 \n"

static const struct {
	const char *what;
	const char *text;
	uint64_t covered;
	uint64_t page_bytes;
	uint64_t hugetlb;
	uint64_t thp;
	uint64_t base;
} smaps_texts[] = {
	{ "hugetlb between neighbours",
	  BEFORE "7f0000400000-7f0000800000 rw-p 00000000 00:0f 20    "
		 "/anon_hugepage (deleted)\n"
		 "KernelPageSize:     2048 kB\n"
		 "Rss:                   0 kB\n"
		 "Private_Hugetlb:    4096 kB\n" AFTER,
	  BYTES, 2 * MIB, BYTES, 0, 0 },
	{ "shared with a child",
	  WHOLE "KernelPageSize:     2048 kB\n"
		"Shared_Hugetlb:     2048 kB\n"
		"Private_Hugetlb:    2048 kB\n",
	  BYTES, 2 * MIB, BYTES, 0, 0 },
	{ "thp",
	  WHOLE "KernelPageSize:        4 kB\n"
		"Rss:                4096 kB\n"
		"AnonHugePages:      4096 kB\n",
	  BYTES, 4 * KIB, 0, BYTES, 0 },
	{ "half thp",
	  WHOLE "KernelPageSize:        4 kB\n"
		"Rss:                4096 kB\n"
		"AnonHugePages:      2048 kB\n",
	  BYTES, 4 * KIB, 0, 2 * MIB, 2 * MIB },
	{ "base",
	  WHOLE "KernelPageSize:        4 kB\n"
		"Rss:                4096 kB\n"
		"AnonHugePages:         0 kB\n",
	  BYTES, 4 * KIB, 0, 0, BYTES },
	{ "not populated",
	  WHOLE "KernelPageSize:        4 kB\n"
		"Rss:                   0 kB\n",
	  BYTES, 4 * KIB, 0, 0, 0 },
	{ "two entries",
	  "7f0000400000-7f0000600000 rw-p 00000000 00:00 0 \n"
	  "KernelPageSize:        4 kB\n"
	  "Rss:                2048 kB\n"
	  "7f0000600000-7f0000800000 rw-p 00000000 00:00 0 \n"
	  "KernelPageSize:        4 kB\n"
	  "Rss:                2048 kB\n"
	  "AnonHugePages:      2048 kB\n",
	  BYTES, 4 * KIB, 0, 2 * MIB, 2 * MIB },
	{ "merged with a neighbour: no more than the range",
	  "7f0000000000-7f0001000000 rw-p 00000000 00:00 0 \n"
	  "KernelPageSize:        4 kB\n"
	  "Rss:               16384 kB\n"
	  "AnonHugePages:     16384 kB\n",
	  BYTES, 4 * KIB, 0, BYTES, 0 },
	{ "merged hugetlb",
	  "7f0000000000-7f0001000000 rw-p 00000000 00:00 0 \n"
	  "KernelPageSize:     2048 kB\n"
	  "Private_Hugetlb:   16384 kB\n",
	  BYTES, 2 * MIB, BYTES, 0, 0 },
	{ "two page sizes",
	  "7f0000400000-7f0000600000 rw-p 00000000 00:00 0 \n"
	  "KernelPageSize:     2048 kB\n"
	  "Private_Hugetlb:    2048 kB\n"
	  "7f0000600000-7f0000800000 rw-p 00000000 00:00 0 \n"
	  "KernelPageSize:       64 kB\n"
	  "Private_Hugetlb:    2048 kB\n",
	  BYTES, 64 * KIB, BYTES, 0, 0 },
	{ "a gap", BEFORE AFTER, 0, 0, 0, 0, 0 },
	{ "empty", "", 0, 0, 0, 0, 0 },
	{ "no header", "KernelPageSize:     2048 kB\nRss: 4096 kB\n", 0, 0, 0,
	  0, 0 },
	{ "cut off in the middle",
	  WHOLE "KernelPageSize:     2048 kB\nPrivate_", BYTES, 2 * MIB, 0, 0,
	  0 },
	{ "numbers that are none",
	  WHOLE "KernelPageSize:     -4 kB\n"
		"Rss:                 kB\n"
		"AnonHugePages: 4096\n"
		"Private_Hugetlb: 4096 MB\n"
		"Shared_Hugetlb: 99999999999999999999 kB\n",
	  BYTES, 0, 0, 0, 0 },
	{ "names that only begin alike",
	  WHOLE "RssX: 4096 kB\n"
		"AnonHugePagesX: 4096 kB\n"
		" Rss: 4096 kB\n",
	  BYTES, 0, 0, 0, 0 },
	{ "addresses that are none",
	  "-7f0000800000 rw-p\n"
	  "7f0000400000 rw-p\n"
	  "7f0000400000-\n"
	  "7f0000400000- 7f0000800000 rw-p\n"
	  "g-h rw-p\n"
	  "7f0000400000-7f0000800000\n"
	  "Rss: 4096 kB\n",
	  0, 0, 0, 0, 0 },
	{ "an entry that ends before it begins",
	  "7f0000800000-7f0000400000 rw-p 00000000 00:00 0 \n"
	  "Rss: 4096 kB\n",
	  0, 0, 0, 0, 0 },
};

static struct fz_smaps smaps_feed(const char *text)
{
	struct fz_smaps smaps = { .first = FIRST, .end = FIRST + BYTES };
	char *copy = strdup(text), *rest = NULL;

	for (char *line = strtok_r(copy, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest))
		fz_smaps_line(&smaps, line);
	fz_smaps_end(&smaps);
	free(copy);
	return smaps;
}

START_TEST(smaps_are_summed)
{
	const struct fz_smaps smaps = smaps_feed(smaps_texts[_i].text);
	const char *const what = smaps_texts[_i].what;

	ck_assert_msg(smaps.covered_bytes == smaps_texts[_i].covered,
		      "%s: %lu covered", what, smaps.covered_bytes);
	ck_assert_msg(smaps.page_bytes == smaps_texts[_i].page_bytes,
		      "%s: pages of %lu", what, smaps.page_bytes);
	ck_assert_msg(smaps.hugetlb_bytes == smaps_texts[_i].hugetlb,
		      "%s: %lu hugetlb", what, smaps.hugetlb_bytes);
	ck_assert_msg(smaps.thp_bytes == smaps_texts[_i].thp, "%s: %lu thp",
		      what, smaps.thp_bytes);
	ck_assert_msg(smaps.base_bytes == smaps_texts[_i].base, "%s: %lu base",
		      what, smaps.base_bytes);
}
END_TEST

/* clang-format off */
#define HUGETLB(size) { FZ_PAGES_HUGETLB, size }
#define THP { FZ_PAGES_THP, 2 * MIB }
#define BASE { FZ_PAGES_BASE, 4 * KIB }
/* clang-format on */

/* Fields of one entry that covers the range. */
static const struct {
	const char *what;
	struct fz_page_size page;
	const char *fields;
	struct fz_backing backing;
} findings[] = {
	{ "hugetlb as asked",
	  HUGETLB(2 * MIB),
	  "KernelPageSize: 2048 kB\nPrivate_Hugetlb: 4096 kB\n",
	  { "hugetlb", 2 * MIB, "smaps", BYTES } },
	{ "hugetlb of another size",
	  HUGETLB(2 * MIB),
	  "KernelPageSize: 64 kB\nPrivate_Hugetlb: 4096 kB\n",
	  { "hugetlb", 64 * KIB, "smaps", 0 } },
	{ "hugetlb in part",
	  HUGETLB(2 * MIB),
	  "KernelPageSize: 2048 kB\nPrivate_Hugetlb: 2048 kB\n",
	  { "hugetlb", 2 * MIB, "smaps", 2 * MIB } },
	{ "hugetlb asked, base got",
	  HUGETLB(2 * MIB),
	  "KernelPageSize: 4 kB\nRss: 4096 kB\n",
	  { "base", 4 * KIB, "smaps", 0 } },
	{ "thp as asked",
	  THP,
	  "KernelPageSize: 4 kB\nRss: 4096 kB\nAnonHugePages: 4096 kB\n",
	  { "thp", 2 * MIB, "smaps", BYTES } },
	{ "thp in part",
	  THP,
	  "KernelPageSize: 4 kB\nRss: 4096 kB\nAnonHugePages: 2048 kB\n",
	  { "thp", 2 * MIB, "smaps", 2 * MIB } },
	{ "thp asked, base got",
	  THP,
	  "KernelPageSize: 4 kB\nRss: 4096 kB\n",
	  { "base", 4 * KIB, "smaps", 0 } },
	{ "base as asked",
	  BASE,
	  "KernelPageSize: 4 kB\nRss: 4096 kB\n",
	  { "base", 4 * KIB, "smaps", BYTES } },
	{ "base in part",
	  BASE,
	  "KernelPageSize: 4 kB\nRss: 4096 kB\nAnonHugePages: 2048 kB\n",
	  { "base", 4 * KIB, "smaps", 2 * MIB } },
	{ "base asked, thp got",
	  BASE,
	  "KernelPageSize: 4 kB\nRss: 4096 kB\nAnonHugePages: 4096 kB\n",
	  { "thp", 2 * MIB, "smaps", 0 } },
	{ "nothing there",
	  BASE,
	  "KernelPageSize: 4 kB\n",
	  { "base", 4 * KIB, "smaps", 0 } },
};

START_TEST(findings_are_judged)
{
	char smaps[512];
	const struct fake_file files[] = {
		{ "/proc/self/smaps", smaps },
		{ "/sys/kernel/mm/transparent_hugepage/hpage_pmd_size",
		  "2097152\n" },
		{ 0 },
	};
	const struct fz_hooks hooks = fake_files_hooks(files);
	const struct fz_backing *const want = &findings[_i].backing;
	struct fz_backing got;

	snprintf(smaps, sizeof(smaps), WHOLE "%s", findings[_i].fields);
	got = fz_backing_read(&hooks, (void *)FIRST, BYTES, findings[_i].page);
	ck_assert_str_eq(got.kind, want->kind);
	ck_assert_uint_eq(got.page_bytes, want->page_bytes);
	ck_assert_str_eq(got.verified_by, want->verified_by);
	ck_assert_uint_eq(got.bytes_ok, want->bytes_ok);
}
END_TEST

static const struct fake_file unreadable[][2] = {
	{ { 0 } },                                 /* no smaps */
	{ { "/proc/self/smaps", "" }, { 0 } },     /* empty */
	{ { "/proc/self/smaps", BEFORE }, { 0 } }, /* not in it */
	{ { "/proc/self/smaps",
	    "7f0000400000-7f0000600000 rw-p 00000000 00:00 0 \n"
	    "KernelPageSize: 2048 kB\nPrivate_Hugetlb: 2048 kB\n" },
	  { 0 } }, /* half of it */
};

START_TEST(nothing_is_believed_unread)
{
	const struct fz_hooks hooks = fake_files_hooks(unreadable[_i]);
	const struct fz_backing got =
		fz_backing_read(&hooks, (void *)FIRST, BYTES,
				(struct fz_page_size)HUGETLB(2 * MIB));

	ck_assert_str_eq(got.verified_by, "");
	ck_assert_uint_eq(got.bytes_ok, 0);
	ck_assert_str_eq(got.kind, "hugetlb");
}
END_TEST

/* A page map with huge pages of a size, some of them spoilt. */
struct fake_map {
	uint64_t nr_base; /* base pages in a huge page */
	uint64_t first;   /* index of the first entry */
	uint64_t bad;     /* index of a huge page, UINT64_MAX = none */
	enum {
		MAP_SCATTERED,
		MAP_UNALIGNED,
		MAP_ABSENT,
		MAP_SPLIT, /* two halves, each contiguous */
		MAP_UPPER, /* all from there on are absent */
		MAP_LATE,  /* wrong in its very last base page */
		MAP_HIDDEN,
		MAP_SHORT,
	} how;
	uint64_t nr_reads;
};

static uint64_t map_entry(const struct fake_map *map, uint64_t index)
{
	const uint64_t page = (index - map->first) / map->nr_base;
	const uint64_t within = (index - map->first) % map->nr_base;
	uint64_t pfn = (page + 7) * map->nr_base + within;

	if (map->how == MAP_HIDDEN)
		return 1ull << 63;
	if (map->how == MAP_UPPER && page >= map->bad)
		return 0;
	if (page != map->bad)
		return 1ull << 63 | 1ull << 56 | pfn;
	if (map->how == MAP_ABSENT)
		return 0;
	if (map->how == MAP_UNALIGNED)
		pfn++;
	if (map->how == MAP_SCATTERED && within % 2)
		pfn += 99 * map->nr_base;
	if (map->how == MAP_SPLIT && within >= map->nr_base / 2)
		pfn += 99 * map->nr_base;
	if (map->how == MAP_LATE && within == map->nr_base - 1)
		pfn++;
	return 1ull << 63 | pfn;
}

static ssize_t read_map(void *state, const char *root, const char *path,
			uint64_t offset, void *buf, size_t cap)
{
	struct fake_map *map = state;
	size_t bytes = cap - 1;

	(void)root;
	ck_assert_str_eq(path, "/proc/self/pagemap");
	ck_assert_uint_eq(offset % 8, 0);
	ck_assert_uint_eq(bytes % 8, 0);
	map->nr_reads++;
	if (map->how == MAP_SHORT)
		bytes = 0;
	for (size_t at = 0; at < bytes; at += 8) {
		const uint64_t entry = map_entry(map, (offset + at) / 8);

		memcpy((char *)buf + at, &entry, sizeof(entry));
	}
	((char *)buf)[bytes] = '\0';
	return (ssize_t)bytes;
}

static const struct {
	uint64_t page_bytes;
	uint64_t nr_pages;
	uint64_t bad;
	int how;
	bool known;
	uint64_t nr_bad;
} maps[] = {
	{ 2 * MIB, 64, UINT64_MAX, 0, true, 0 },
	{ 2 * MIB, 64, 0, MAP_SCATTERED, true, 1 },
	{ 2 * MIB, 64, 63, MAP_SCATTERED, true, 1 },
	{ 2 * MIB, 64, 5, MAP_UNALIGNED, true, 1 },
	{ 2 * MIB, 64, 5, MAP_ABSENT, true, 1 },
	{ 2 * MIB, 64, 5, MAP_LATE, true, 1 },
	{ 2 * MIB, 64, 5, MAP_SPLIT, true, 1 },
	{ 32 * MIB, 4, 3, MAP_SPLIT, true, 1 },
	{ GIB, 2, 1, MAP_SPLIT, true, 1 },
	{ 2 * MIB, 64, 0, MAP_HIDDEN, false, 0 },
	{ 2 * MIB, 64, 0, MAP_SHORT, false, 0 },
	{ 64 * KIB, 64, 9, MAP_SCATTERED, true, 1 },
	{ 64 * KIB, 64, UINT64_MAX, 0, true, 0 },
	{ 32 * MIB, 4, UINT64_MAX, 0, true, 0 },
	{ 32 * MIB, 4, 2, MAP_LATE, true, 1 },
	{ GIB, 3, UINT64_MAX, 0, true, 0 },
	{ GIB, 3, 2, MAP_LATE, true, 1 },
	{ GIB, 3, 1, MAP_UNALIGNED, true, 1 },
	/* Sampled, page 0 always: each stands for 5000/4096, rounded up. */
	{ 2 * MIB, 5000, UINT64_MAX, 0, true, 0 },
	{ 2 * MIB, 5000, 0, MAP_SCATTERED, true, 2 },
	{ 2 * MIB, 5000, 2500, MAP_UPPER, true, 2500 },
	{ 2 * MIB, 5000, 0, MAP_UPPER, true, 5000 },
	{ 2 * MIB, 1 << 20, 1 << 18, MAP_UPPER, true, 3 << 18 },
	{ 2 * MIB, 4096, 4095, MAP_UPPER, true, 1 },
};

START_TEST(pages_are_contiguous_or_not)
{
	const uint64_t base = (uint64_t)sysconf(_SC_PAGESIZE);
	const uint64_t first = 0x7f0000000000ull;
	struct fake_map map = {
		.nr_base = maps[_i].page_bytes / base,
		.first = first / base,
		.bad = maps[_i].bad,
		.how = maps[_i].how,
	};
	struct fz_hooks hooks = fz_hooks_default;
	uint64_t nr_bad = 0;

	hooks.state = &map;
	hooks.read_file = read_map;
	ck_assert_int_eq(fz_pagemap_check(&hooks, first, maps[_i].page_bytes,
					  maps[_i].nr_pages, &nr_bad),
			 maps[_i].known);
	ck_assert_uint_eq(nr_bad, maps[_i].nr_bad);
	ck_assert_uint_le(map.nr_reads, 4096);
}
END_TEST

/* smaps says all is well, the page map knows better about one page. */
static ssize_t read_both(void *state, const char *root, const char *path,
			 uint64_t offset, void *buf, size_t cap)
{
	const struct fake_file files[] = {
		{ "/proc/self/smaps", WHOLE "KernelPageSize: 2048 kB\n"
					    "Private_Hugetlb: 4096 kB\n" },
		{ 0 },
	};

	if (strcmp(path, "/proc/self/pagemap") == 0)
		return read_map(state, root, path, offset, buf, cap);
	return fake_read_file((void *)(uintptr_t)files, root, path, offset, buf,
			      cap);
}

static const struct {
	uint64_t bad;
	int how;
	const char *verified_by;
	uint64_t bytes_ok;
} both[] = {
	{ UINT64_MAX, 0, "smaps+pagemap", BYTES },
	{ 1, MAP_SCATTERED, "smaps+pagemap", 2 * MIB },
	{ 0, MAP_HIDDEN, "smaps", BYTES },
	{ 0, MAP_SHORT, "smaps", BYTES },
};

START_TEST(the_page_map_has_the_last_word)
{
	const uint64_t base = (uint64_t)sysconf(_SC_PAGESIZE);
	struct fake_map map = {
		.nr_base = 2 * MIB / base,
		.first = FIRST / base,
		.bad = both[_i].bad,
		.how = both[_i].how,
	};
	struct fz_hooks hooks = fz_hooks_default;
	struct fz_backing got;

	hooks.state = &map;
	hooks.read_file = read_both;
	got = fz_backing_read(&hooks, (void *)FIRST, BYTES,
			      (struct fz_page_size)HUGETLB(2 * MIB));
	ck_assert_str_eq(got.verified_by, both[_i].verified_by);
	ck_assert_uint_eq(got.bytes_ok, both[_i].bytes_ok);
}
END_TEST

/* Real base pages of this process, half of them touched. */
START_TEST(real_base_pages_are_found)
{
	const uint64_t base = (uint64_t)sysconf(_SC_PAGESIZE);
	const size_t bytes = 64 * base;
	char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct fz_backing got;

	ck_assert_ptr_ne(memory, MAP_FAILED);
	madvise(memory, bytes, MADV_NOHUGEPAGE);
	for (size_t at = 0; at < bytes / 2; at += base)
		memory[at] = 1;
	got = fz_backing_read(&fz_hooks_default, memory, bytes,
			      (struct fz_page_size){ FZ_PAGES_BASE, base });
	if (got.verified_by[0] == '\0')
		return; /* a sandbox without smaps */
	ck_assert_str_eq(got.kind, "base");
	ck_assert_uint_eq(got.page_bytes, base);
	ck_assert_uint_eq(got.bytes_ok, bytes / 2);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("backing");
	TCase *tcase = tcase_create("backing");

	tcase_add_loop_test(tcase, smaps_are_summed, 0, NR(smaps_texts));
	tcase_add_loop_test(tcase, findings_are_judged, 0, NR(findings));
	tcase_add_loop_test(tcase, nothing_is_believed_unread, 0,
			    NR(unreadable));
	tcase_add_loop_test(tcase, pages_are_contiguous_or_not, 0, NR(maps));
	tcase_add_loop_test(tcase, the_page_map_has_the_last_word, 0, NR(both));
	tcase_add_test(tcase, real_base_pages_are_found);
	suite_add_tcase(suite, tcase);
	return suite;
}
