// SPDX-License-Identifier: GPL-2.0-or-later
/* What is refused before anything is mapped: too much memory, and no THP. */
#include <fz/buffer.h>

#include <errno.h>
#include <sys/mman.h>

#include "fake_files.h"
#include "fz_test.h"

#define NR(array) ((int)(sizeof(array) / sizeof((array)[0])))

#define KIB 1024ull
#define MIB (1024 * KIB)
#define GIB (1024 * MIB)

/* clang-format off */
#define THP { FZ_PAGES_THP, 2 * MIB }
#define BASE { FZ_PAGES_BASE, 4 * KIB }
#define MTHP { FZ_PAGES_MTHP, 64 * KIB }
/* clang-format on */

/* More than there is would end in the out-of-memory killer. */
#define THP_DIR "/sys/kernel/mm/transparent_hugepage/"
#define CGROUP  "/sys/fs/cgroup/memory/jobs/memory."

/* What mmap() says when it is asked. */
#define FITS "cannot map 64M of memory: Cannot allocate memory"

static const struct {
	struct fz_page_size page;
	uint64_t bytes;
	const char *meminfo;
	const char *limit; /* of a memory cgroup with 16M in use */
	const char *msg;
} large[] = {
	{ BASE, GIB, "MemFree: 1 kB\nMemAvailable:     524288 kB\n", "",
	  "cannot map 1G of memory (1058M with page tables and results): "
	  "'/proc/meminfo' shows 512M available; ask for less" },
	{ THP, GIB, "MemAvailable: 524288 kB\n", "",
	  "cannot map 1G of memory (1058M with page tables and results): "
	  "'/proc/meminfo' shows 512M available; ask for less" },
	/* The buffer fits and what comes with it does not. */
	{ BASE, 64 * MIB, "MemAvailable: 99327 kB\n", "",
	  "cannot map 64M of memory (97M with page tables and results): "
	  "'/proc/meminfo' shows 96M available; ask for less" },
	{ BASE, 64 * MIB, "MemAvailable: 99328 kB\n", "", FITS },
	{ BASE, 64 * MIB, "MemAvailable: 9999999 kB\n", "118489087\n",
	  "cannot map 64M of memory (97M with page tables and results): the "
	  "cgroup limit '" CGROUP "limit_in_bytes' is 118489087B, 16M in use; "
	  "ask for less, or raise it with: echo 118489088 > " CGROUP
	  "limit_in_bytes" },
	{ THP, 64 * MIB, "MemAvailable: 9999999 kB\n", "67108864\n",
	  "cannot map 64M of memory (97M with page tables and results): the "
	  "cgroup limit '" CGROUP "limit_in_bytes' is 64M, 16M in use; "
	  "ask for less, or raise it with: echo 118489088 > " CGROUP
	  "limit_in_bytes" },
	{ BASE, 64 * MIB, "MemAvailable: 9999999 kB\n", "118489088\n", FITS },
	{ BASE, 64 * MIB, "", "", FITS }, /* unknown */
	/* Near the end of 64 bits. */
	{ BASE, UINT64_MAX - 4095, "MemAvailable: 524288 kB\n", "",
	  "cannot map 18014398509481980K of memory (18446744073709551615B "
	  "with page tables and results): '/proc/meminfo' shows 512M "
	  "available; ask for less" },
};

static void *map_refuse(void *state, void *addr, size_t bytes, int prot,
			int flags)
{
	(void)state;
	(void)addr;
	(void)bytes;
	(void)prot;
	(void)flags;
	errno = ENOMEM;
	return MAP_FAILED;
}

START_TEST(more_than_memory_is_refused)
{
	const struct fake_file files[] = {
		{ "/proc/meminfo", large[_i].meminfo },
		{ "/proc/self/mounts",
		  "cgroup /sys/fs/cgroup/memory cgroup rw,memory 0 0\n" },
		{ "/proc/self/cgroup", "4:memory:/jobs\n" },
		{ CGROUP "limit_in_bytes", large[_i].limit },
		{ CGROUP "usage_in_bytes", "20971520\n" },
		{ CGROUP "stat", "total_inactive_file 4194304\n" },
		{ THP_DIR "enabled", "[always] madvise never\n" },
		{ 0 },
	};
	struct fz_hooks hooks = fake_files_hooks(files);
	struct fz_buffer *buffer = NULL;
	struct fz_err err = { "" };

	hooks.map = map_refuse;
	ck_assert_int_eq(fz_buffer_open(&buffer, &hooks, large[_i].page,
					large[_i].bytes, &err),
			 -ENOMEM);
	ck_assert_str_eq(err.msg, large[_i].msg);
}
END_TEST

#define ALWAYS  "[always] inherit madvise never\n"
#define INHERIT "always [inherit] madvise never\n"
#define NEVER   "always inherit madvise [never]\n"

/* The switch of the size counts before the global one. */
static const struct {
	const char *global;
	const char *size; /* NULL = a kernel before 6.8 */
	const char *refused_by;
} switches[] = {
	{ "always [madvise] never\n", NULL, NULL },
	{ "[always] madvise never\n", NULL, NULL },
	{ "always madvise [never]\n", NULL, THP_DIR "enabled" },
	{ "always madvise [never]\n", INHERIT, THP_DIR "enabled" },
	{ "[always] madvise never\n", INHERIT, NULL },
	{ "[always] madvise never\n", NEVER,
	  THP_DIR "hugepages-2048kB/enabled" },
	{ "always madvise [never]\n", ALWAYS, NULL },
};

START_TEST(thp_may_be_switched_off)
{
	const struct fake_file files[] = {
		{ THP_DIR "enabled", switches[_i].global },
		{ switches[_i].size ? THP_DIR "hugepages-2048kB/enabled" : "-",
		  switches[_i].size ? switches[_i].size : "" },
		{ 0 },
	};
	const struct fz_hooks hooks = fake_files_hooks(files);
	struct fz_buffer *buffer = NULL;
	struct fz_err err = { "" };
	const int code = fz_buffer_open(
		&buffer, &hooks, (struct fz_page_size)THP, 4 * MIB, &err);

	/* Without a refusal it depends on this machine. */
	if (code == -ENOTSUP)
		ck_assert_ptr_nonnull(switches[_i].refused_by);
	if (switches[_i].refused_by) {
		ck_assert_int_eq(code, -ENOTSUP);
		ck_assert_ptr_nonnull(strstr(err.msg, switches[_i].refused_by));
	}
	fz_buffer_close(buffer);
}
END_TEST

/* A size below that of the PMD needs a switch of its own. */
static const struct {
	const char *global;
	const char *size; /* NULL = no such size */
	const char *words[4];
} mthp_switches[] = {
	{ "[always] madvise never\n",
	  NULL,
	  { "no mTHP: '" THP_DIR "hugepages-64kB/enabled' is missing" } },
	{ "[always] madvise never\n",
	  NEVER,
	  { "of 64K are off: '" THP_DIR "hugepages-64kB/enabled' is [never]",
	    "echo madvise > " THP_DIR "hugepages-64kB/enabled" } },
	/* What is typed opens one size, not all. */
	{ "always madvise [never]\n",
	  INHERIT,
	  { "of 64K are off: '" THP_DIR "enabled' is [never]",
	    "echo madvise > " THP_DIR "hugepages-64kB/enabled" } },
	{ "always madvise [never]\n", ALWAYS, { FITS } },
	{ "always [madvise] never\n", INHERIT, { FITS } },
};

START_TEST(mthp_may_be_switched_off)
{
	const struct fake_file files[] = {
		{ THP_DIR "enabled", mthp_switches[_i].global },
		{ mthp_switches[_i].size ? THP_DIR "hugepages-64kB/enabled"
					 : "-",
		  mthp_switches[_i].size ? mthp_switches[_i].size : "" },
		{ 0 },
	};
	struct fz_hooks hooks = fake_files_hooks(files);
	struct fz_buffer *buffer = NULL;
	struct fz_err err = { "" };

	hooks.map = map_refuse;
	ck_assert_int_lt(fz_buffer_open(&buffer, &hooks,
					(struct fz_page_size)MTHP, 64 * MIB,
					&err),
			 0);
	for (size_t i = 0; mthp_switches[_i].words[i]; i++)
		ck_assert_msg(strstr(err.msg, mthp_switches[_i].words[i]),
			      "'%s' is not in: %s", mthp_switches[_i].words[i],
			      err.msg);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("buffer_check");
	TCase *tcase = tcase_create("buffer_check");

	tcase_add_loop_test(tcase, more_than_memory_is_refused, 0, NR(large));
	tcase_add_loop_test(tcase, thp_may_be_switched_off, 0, NR(switches));
	tcase_add_loop_test(tcase, mthp_may_be_switched_off, 0,
			    NR(mthp_switches));
	suite_add_tcase(suite, tcase);
	return suite;
}
