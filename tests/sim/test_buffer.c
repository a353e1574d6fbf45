// SPDX-License-Identifier: GPL-2.0-or-later
/* Buffers in a world that refuses: what they say, and what they give back. */
#include <fz/buffer.h>

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fake_files.h"
#include "fz_test.h"
#include "sanitized.h"

#define NR(array) ((int)(sizeof(array) / sizeof((array)[0])))

#define KIB 1024ull
#define MIB (1024 * KIB)
#define GIB (1024 * MIB)

#define POPULATE_WRITE 23

/* clang-format off */
#define HUGETLB(size) { FZ_PAGES_HUGETLB, size }
#define THP { FZ_PAGES_THP, 2 * MIB }
#define BASE { FZ_PAGES_BASE, 4 * KIB }
#define MTHP(size) { FZ_PAGES_MTHP, size }
/* clang-format on */

/*
 * A world that maps base pages whatever is asked for, and counts: what is
 * mapped must be unmapped again, whatever fails.
 */
struct fake_world {
	int map_code;       /* of mappings with access */
	unsigned int nr_ok; /* how many of those succeed before */
	int populate_code;
	int advise_code; /* of all other advice */
	int file;        /* map this instead: SIGBUS behind its end; 0 = no */
	unsigned int nr_populates;
	unsigned int nr_pages_maps;
	unsigned int nr_nothings; /* mapped over the pages */
	const void *last_addr;
	int last_flags;
	int last_advice;
	int64_t region_bytes; /* mapped with any address, minus unmapped */
};

static void *world_map(void *state, void *addr, size_t bytes, int prot,
		       int flags)
{
	const int huge = MAP_HUGETLB | (int)(0x3fu << 26);
	struct fake_world *world = state;

	if (prot == PROT_NONE) {
		if (!addr)
			world->region_bytes += (int64_t)bytes;
		else
			world->nr_nothings++;
		return fz_hooks_default.map(NULL, addr, bytes, prot, flags);
	}
	world->last_flags = flags;
	world->last_addr = addr;
	if (world->nr_pages_maps++ >= world->nr_ok && world->map_code) {
		/* As the kernel: what was there is gone already. */
		munmap(addr, bytes);
		errno = -world->map_code;
		return MAP_FAILED;
	}
	if (world->file)
		return mmap(addr, bytes, prot, MAP_SHARED | MAP_FIXED,
			    world->file, 0);
	return fz_hooks_default.map(NULL, addr, bytes, prot, flags & ~huge);
}

static int world_unmap(void *state, void *addr, size_t bytes)
{
	struct fake_world *world = state;

	world->region_bytes -= (int64_t)bytes;
	return fz_hooks_default.unmap(NULL, addr, bytes);
}

static int world_advise(void *state, void *addr, size_t bytes, int advice)
{
	struct fake_world *world = state;

	if (advice != POPULATE_WRITE) {
		world->last_advice = advice;
		return world->advise_code;
	}
	world->nr_populates++;
	if (world->populate_code)
		return world->populate_code;
	memset(addr, 0, bytes);
	return 0;
}

static struct fz_hooks world_hooks(struct fake_world *world, const char *root)
{
	struct fz_hooks hooks = fz_hooks_default;

	hooks.state = world;
	hooks.root = root;
	hooks.map = world_map;
	hooks.unmap = world_unmap;
	hooks.advise = world_advise;
	return hooks;
}

static const struct {
	const char *root;
	struct fz_page_size page;
	uint64_t bytes;
	struct fake_world world;
	int code;
	const char *words[6];
} refusals[] = {
	/* No such pages, or switched off. */
	{ SAVED_TREE("arm64"),
	  HUGETLB(16 * MIB),
	  GIB,
	  { 0 },
	  -ENOTSUP,
	  { "no huge pages of 16M", "64K, 2M, 32M, 1G" } },
	{ SAVED_TREE("no-hugetlb"),
	  HUGETLB(2 * MIB),
	  GIB,
	  { 0 },
	  -ENOTSUP,
	  { "no hugetlb pages", "/sys/kernel/mm/hugepages" } },
	{ SAVED_TREE("no-hugetlb"),
	  THP,
	  GIB,
	  { 0 },
	  -ENOTSUP,
	  { "'/sys/kernel/mm/transparent_hugepage/enabled'", "[never]",
	    "echo madvise > "
	    "/sys/kernel/mm/transparent_hugepage/enabled" } },
	{ SAVED_TREE("cgroup-v1"),
	  THP,
	  GIB,
	  { 0 },
	  -ENOTSUP,
	  { "no transparent huge pages" } },
	{ SAVED_TREE("xeon-guest"),
	  { FZ_PAGES_THP, 32 * MIB },
	  GIB,
	  { 0 },
	  -ENOTSUP,
	  { "2M here", "32M" } },
	{ SAVED_TREE("xeon-guest"),
	  { FZ_PAGES_BASE, 64 * KIB },
	  GIB,
	  { 0 },
	  -ENOTSUP,
	  { "base pages are of ", "not of 64K" } },
	{ SAVED_TREE("xeon-guest"),
	  HUGETLB(16 * MIB),
	  GIB,
	  { 0 },
	  -ENOTSUP,
	  { "no huge pages of 16M; it has 2M, 1G, and mTHP of 16K, 64K, 1M" } },
	{ SAVED_TREE("xeon-guest"),
	  MTHP(32 * KIB),
	  GIB,
	  { 0 },
	  -ENOTSUP,
	  { "no mTHP of 32K; it has 16K, 64K, 1M" } },
	/* Sizes that do not fit. */
	{ SAVED_TREE("xeon-guest"),
	  MTHP(64 * KIB),
	  MIB + 16 * KIB,
	  { 0 },
	  -EINVAL,
	  { "1040K is not a multiple of the page size 64K" } },
	{ SAVED_TREE("zen4"),
	  HUGETLB(2 * MIB),
	  MIB,
	  { 0 },
	  -EINVAL,
	  { "1M is not a multiple of the page size 2M" } },
	{ SAVED_TREE("zen4"), HUGETLB(GIB), 0, { 0 }, -EINVAL, { "multiple" } },
	{ SAVED_TREE("zen4"),
	  HUGETLB(2 * MIB),
	  1ull << 61,
	  { 0 },
	  -ENOMEM,
	  { "cannot map 2097152T of 2M huge pages" } },
	/* mmap() refuses. */
	{ SAVED_TREE("xeon-guest"),
	  HUGETLB(2 * MIB),
	  256 * MIB,
	  { .map_code = -ENOMEM },
	  -ENOMEM,
	  { "cannot map 256M of 2M huge pages: 128 pages asked, 0 free of 0 "
	    "(node 0: 0 free of 0); add them with: echo 128 > "
	    "/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages, or run "
	    "with --reserve" } },
	{ SAVED_TREE("zen4"),
	  HUGETLB(2 * MIB),
	  GIB,
	  { .map_code = -ENOMEM },
	  -ENOMEM,
	  { "512 pages asked, 384 free of 512, 64 of them reserved (node 0: "
	    "96 free of 128, node 1: 96 free of 128, node 2: ",
	    ", node 10: 96 free of 128); add them with: echo 704 > " } },
	{ SAVED_TREE("zen4"),
	  HUGETLB(GIB),
	  5 * GIB,
	  { .map_code = -ENOMEM },
	  -ENOMEM,
	  { "5 pages asked, 4 free of 4", "echo 5 > ",
	    "hugepages-1048576kB/nr_hugepages",
	    "boot with hugepagesz=1G hugepages=5" } },
	{ SAVED_TREE("arm64"),
	  HUGETLB(GIB),
	  GIB,
	  { .map_code = -ENOMEM },
	  -ENOMEM,
	  { "1 page asked, 0 free of 1", "echo 2 > " } },
	{ SAVED_TREE("arm64"),
	  HUGETLB(64 * KIB),
	  64 * MIB,
	  { .map_code = -ENOMEM },
	  -ENOMEM,
	  { "64M of 64K huge pages: 1024 pages asked, 500 free of 1000",
	    "echo 1524 > "
	    "/sys/kernel/mm/hugepages/hugepages-64kB/nr_hugepages" } },
	{ SAVED_TREE("zen4"),
	  HUGETLB(2 * MIB),
	  4 * MIB,
	  { .map_code = -ENOMEM },
	  -ENOMEM,
	  { "2 pages asked, 384 free of 512", "Cannot allocate memory",
	    "cpuset or memory policy" } },
	{ SAVED_TREE("cgroup-v1"),
	  HUGETLB(2 * MIB),
	  128 * MIB,
	  { .map_code = -ENOMEM },
	  -ENOMEM,
	  { "'/sys/fs/cgroup/hugetlb/jobs/hugetlb.2MB.limit_in_bytes' is 64M",
	    "4M in use", "echo 138412032 > /sys/fs/cgroup/hugetlb/jobs/" } },
	{ SAVED_TREE("xeon-guest"),
	  BASE,
	  4 * MIB,
	  { .map_code = -ENOMEM },
	  -ENOMEM,
	  { "cannot map 4M of memory: Cannot allocate memory" } },
	{ SAVED_TREE("xeon-guest"),
	  THP,
	  4 * MIB,
	  { .advise_code = -EINVAL },
	  -ENOMEM,
	  { "cannot map 4M of memory: Invalid argument" } },
	{ SAVED_TREE("xeon-guest"),
	  MTHP(64 * KIB),
	  4 * MIB,
	  { .advise_code = -ENOMEM },
	  -ENOMEM,
	  { "cannot map 4M of memory: Cannot allocate memory" } },
	/* mmap() succeeds and the first touch fails. */
	{ SAVED_TREE("cgroup-v2"),
	  HUGETLB(2 * MIB),
	  256 * MIB,
	  { .populate_code = -EFAULT },
	  -ENOMEM,
	  { "'/sys/fs/cgroup/user.slice/hugetlb.2MB.rsvd.max' is 192M",
	    "96M in use" } },
	{ SAVED_TREE("container"),
	  HUGETLB(2 * MIB),
	  4 * MIB,
	  { .populate_code = -EFAULT },
	  -ENOMEM,
	  { "'/sys/fs/cgroup/hugetlb.2MB.max' is 0B" } },
	{ SAVED_TREE("xeon-guest"),
	  HUGETLB(2 * MIB),
	  4 * MIB,
	  { .populate_code = -EFAULT },
	  -ENOMEM,
	  { "2 pages asked, 0 free of 0", "echo 2 > " } },
	{ SAVED_TREE("zen4"),
	  HUGETLB(2 * MIB),
	  4 * MIB,
	  { .populate_code = -EHWPOISON },
	  -ENOMEM,
	  { "hardware memory error" } },
	{ SAVED_TREE("xeon-guest"),
	  THP,
	  4 * MIB,
	  { .populate_code = -ENOMEM },
	  -ENOMEM,
	  { "cannot map 4M of memory: Cannot allocate memory" } },
};

START_TEST(a_refusal_says_what_helps)
{
	struct fake_world world = refusals[_i].world;
	const struct fz_hooks hooks = world_hooks(&world, refusals[_i].root);
	struct fz_buffer *buffer = NULL;
	struct fz_err err = { "" };

	ck_assert_int_eq(fz_buffer_open(&buffer, &hooks, refusals[_i].page,
					refusals[_i].bytes, &err),
			 refusals[_i].code);
	ck_assert_ptr_null(buffer);
	for (size_t i = 0; refusals[_i].words[i]; i++)
		ck_assert_msg(strstr(err.msg, refusals[_i].words[i]),
			      "'%s' is not in: %s", refusals[_i].words[i],
			      err.msg);
	ck_assert_msg(err.msg[strlen(err.msg) - 1] != '.', "full stop: %s",
		      err.msg);
	ck_assert_int_eq(world.region_bytes, 0);
	world = refusals[_i].world;
	ck_assert_int_eq(fz_buffer_open(&buffer, &hooks, refusals[_i].page,
					refusals[_i].bytes, NULL),
			 refusals[_i].code);
}
END_TEST

/* A machine with 1 GiB to spare. */
static ssize_t gib_read_file(void *state, const char *root, const char *path,
			     uint64_t offset, void *buf, size_t cap)
{
	static const struct fake_file files[] = {
		{ "/proc/meminfo", "MemAvailable: 1310720 kB\n" },
		{ 0 },
	};

	if (strcmp(path, files[0].path) == 0)
		return fake_read_file((void *)(uintptr_t)files, root, path,
				      offset, buf, cap);
	return fz_hooks_default.read_file(state, root, path, offset, buf, cap);
}

START_TEST(no_pool_is_advised_beyond_memory)
{
	const struct fz_page_size page = HUGETLB(2 * MIB);
	struct fake_world world = { .map_code = -ENOMEM };
	struct fz_hooks hooks = world_hooks(&world, SAVED_TREE("xeon-guest"));
	struct fz_buffer *buffer = NULL;
	struct fz_err err = { "" };

	hooks.read_file = gib_read_file;
	ck_assert_int_eq(fz_buffer_open(&buffer, &hooks, page, GIB, &err),
			 -ENOMEM);
	ck_assert_ptr_nonnull(strstr(err.msg, "add them with: echo 512 > "));
	ck_assert_int_eq(
		fz_buffer_open(&buffer, &hooks, page, GIB + 2 * MIB, &err),
		-ENOMEM);
	ck_assert_str_eq(err.msg,
			 "cannot map 1026M of 2M huge pages: 513 pages asked, "
			 "0 free of 0 (node 0: 0 free of 0); ask for less with "
			 "--size: huge pages may take 1024M of what "
			 "'/proc/meminfo' shows available");
}
END_TEST

static const struct {
	struct fz_page_size page;
	int flags; /* besides MAP_FIXED */
	int advice;
} asked[] = {
	{ HUGETLB(2 * MIB), MAP_HUGETLB | 21 << 26, 0 },
	{ HUGETLB(GIB), MAP_HUGETLB | 30 << 26, 0 },
	{ HUGETLB(64 * KIB), MAP_HUGETLB | 16 << 26, 0 },
	{ THP, 0, MADV_HUGEPAGE },
	{ BASE, 0, MADV_NOHUGEPAGE },
};

/* Nothing is written here, so a giga-page costs no memory. */
START_TEST(the_kernel_is_asked_for_those_pages)
{
	struct fake_world world = { .populate_code = -ENOMEM };
	struct fz_hooks hooks = world_hooks(
		&world, asked[_i].page.bytes == 64 * KIB ? SAVED_TREE("arm64")
							 : SAVED_TREE("zen4"));
	struct fz_buffer *buffer = NULL;

	ck_assert_int_eq(
		fz_buffer_open(&buffer, &hooks, asked[_i].page, 2 * GIB, NULL),
		-ENOMEM);
	ck_assert_uint_eq(world.nr_pages_maps, 1);
	ck_assert_int_eq(world.last_flags, MAP_FIXED | asked[_i].flags);
	ck_assert_uint_eq((uintptr_t)world.last_addr % asked[_i].page.bytes, 0);
	ck_assert_uint_eq((uintptr_t)world.last_addr % (2 * MIB), 0);
	ck_assert_int_eq(world.last_advice, asked[_i].advice);
	ck_assert_int_eq(world.region_bytes, 0);
}
END_TEST

/* Kernels before 5.14, and sandboxes, do not know MADV_POPULATE_WRITE. */
static const int unknown_codes[] = { -EINVAL, -ENOSYS, -EOPNOTSUPP };

START_TEST(old_kernels_are_touched_page_by_page)
{
	const struct fz_page_size page = HUGETLB(2 * MIB);
	struct fake_world world = { .populate_code = unknown_codes[_i] };
	const struct fz_hooks hooks = world_hooks(&world, SAVED_TREE("zen4"));
	struct fz_buffer *buffer = NULL;
	unsigned char there[8 * MIB / 4096];
	uint64_t nr_there = 0;

	ck_assert_int_eq(fz_buffer_open(&buffer, &hooks, page, 8 * MIB, NULL),
			 0);
	ck_assert_uint_eq(world.nr_populates, 1);
	/* The world has mapped base pages: one of each huge page is there. */
	ck_assert_int_eq(mincore(fz_buffer_base(buffer), 8 * MIB, there), 0);
	for (size_t i = 0; i < sizeof(there); i += 512)
		nr_there += there[i] & 1;
	ck_assert_uint_eq(nr_there, 4);
	/* What is there is not changed by populating again. */
	fz_buffer_dirty(buffer, false);
	ck_assert_int_eq(fz_buffer_populate(buffer, NULL), 0);
	ck_assert_uint_ne(*(uint64_t *)fz_buffer_base(buffer), 0);
	fz_buffer_close(buffer);
	ck_assert_int_eq(world.region_bytes, 0);
}
END_TEST

/* A file of one page instead of huge pages: the second touch is SIGBUS. */
START_TEST(a_sigbus_at_first_touch_is_a_message)
{
	const struct fz_page_size page = HUGETLB(2 * MIB);
	struct fake_world world = {
		.populate_code = -EINVAL,
		.file = memfd_create("short", MFD_CLOEXEC),
	};
	const struct fz_hooks hooks =
		world_hooks(&world, SAVED_TREE("cgroup-v1"));
	struct fz_buffer *buffer = NULL;
	struct fz_err err = { "" };

	ck_assert_int_gt(world.file, 0);
	ck_assert_int_eq(ftruncate(world.file, 2 * MIB), 0);
	ck_assert_int_eq(fz_buffer_open(&buffer, &hooks, page, 64 * MIB, &err),
			 -ENOMEM);
	ck_assert_ptr_nonnull(strstr(err.msg, "hugetlb.2MB.limit_in_bytes"));
	ck_assert_int_eq(world.region_bytes, 0);
	close(world.file);
}
END_TEST

/* The pages went to somebody else: the buffer can still be closed. */
START_TEST(a_lost_remap_can_be_closed)
{
	const struct fz_page_size page = HUGETLB(2 * MIB);
	struct fake_world world = { .map_code = -ENOMEM, .nr_ok = 1 };
	const struct fz_hooks hooks =
		world_hooks(&world, SAVED_TREE("xeon-guest"));
	struct fz_buffer *buffer = NULL;
	struct fz_err err = { "" };
	void *other;

	ck_assert_int_eq(fz_buffer_open(&buffer, &hooks, page, 4 * MIB, NULL),
			 0);
	ck_assert_int_eq(fz_buffer_remap(buffer, &err), -ENOMEM);
	ck_assert_ptr_nonnull(strstr(err.msg, "2 pages asked, 0 free of 0"));
	/* Nobody can have moved into the hole. */
	other = mmap(fz_buffer_base(buffer), 4096, PROT_READ,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	ck_assert(FZ_EMULATED || other == MAP_FAILED);
	fz_buffer_close(buffer);
	ck_assert_int_eq(world.region_bytes, 0);
}
END_TEST

START_TEST(a_lost_populate_can_be_closed)
{
	const struct fz_page_size page = HUGETLB(2 * MIB);
	struct fake_world world = { 0 };
	const struct fz_hooks hooks =
		world_hooks(&world, SAVED_TREE("xeon-guest"));
	struct fz_buffer *buffer = NULL;
	struct fz_err err = { "" };

	ck_assert_int_eq(fz_buffer_open(&buffer, &hooks, page, 4 * MIB, NULL),
			 0);
	ck_assert_uint_eq(world.nr_nothings, 0);
	ck_assert_int_eq(fz_buffer_remap(buffer, NULL), 0);
	/* The old pages are free before new ones are asked for. */
	ck_assert_uint_eq(world.nr_nothings, 1);
	world.populate_code = -EFAULT;
	ck_assert_int_eq(fz_buffer_populate(buffer, &err), -ENOMEM);
	ck_assert_ptr_nonnull(strstr(err.msg, "2 pages asked, 0 free of 0"));
	fz_buffer_close(buffer);
	ck_assert_int_eq(world.region_bytes, 0);
}
END_TEST

START_TEST(nothing_is_closed)
{
	fz_buffer_close(NULL);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("buffer");
	TCase *tcase = tcase_create("buffer");

	tcase_add_loop_test(tcase, a_refusal_says_what_helps, 0, NR(refusals));
	tcase_add_test(tcase, no_pool_is_advised_beyond_memory);
	tcase_add_loop_test(tcase, the_kernel_is_asked_for_those_pages, 0,
			    NR(asked));
	tcase_add_loop_test(tcase, old_kernels_are_touched_page_by_page, 0,
			    NR(unknown_codes));
	tcase_add_test(tcase, a_sigbus_at_first_touch_is_a_message);
	tcase_add_test(tcase, a_lost_remap_can_be_closed);
	tcase_add_test(tcase, a_lost_populate_can_be_closed);
	tcase_add_test(tcase, nothing_is_closed);
	suite_add_tcase(suite, tcase);
	return suite;
}
