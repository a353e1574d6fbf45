// SPDX-License-Identifier: GPL-2.0-or-later
/* Buffers whose pages come back smaller than they were. */
#include <fz/buffer.h>

#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>

#include "fake_files.h"
#include "fz_test.h"

#define NR(array) ((int)(sizeof(array) / sizeof((array)[0])))

#define MIB (1024 * 1024ull)

/*
 * A kernel that says what it likes about the buffer: @ok_bytes of it are huge,
 * the rest are base pages.
 */
struct told {
	const char *base;
	uint64_t bytes;
	uint64_t ok_bytes;
	bool readable;
};

static ssize_t told_read_file(void *state, const char *root, const char *path,
			      uint64_t offset, void *buf, size_t cap)
{
	const struct told *told = state;
	char text[256];
	const struct fake_file files[] = { { "/proc/self/smaps", text },
					   { 0 } };

	if (strncmp(path, "/proc/self/", 11) != 0)
		return fz_hooks_default.read_file(NULL, root, path, offset, buf,
						  cap);
	if (!told->readable)
		return -EACCES;
	snprintf(text, sizeof(text),
		 "%llx-%llx rw-p 00000000 00:00 0 \nKernelPageSize: 4 kB\n"
		 "Rss: %llu kB\nAnonHugePages: %llu kB\n",
		 (unsigned long long)(uintptr_t)told->base,
		 (unsigned long long)(uintptr_t)told->base + told->bytes,
		 (unsigned long long)told->bytes / 1024,
		 (unsigned long long)told->ok_bytes / 1024);
	return fake_read_file((void *)(uintptr_t)files, root, path, offset, buf,
			      cap);
}

/* The first mapping of pages tells where the buffer is. */
static void *told_map(void *state, void *addr, size_t bytes, int prot,
		      int flags)
{
	struct told *told = state;

	if (prot != PROT_NONE)
		told->base = addr;
	return fz_hooks_default.map(NULL, addr, bytes, prot, flags);
}

#define TOLD_BYTES (256 * MIB)
#define UNREADABLE UINT64_MAX

static int told_advise(void *state, void *addr, size_t bytes, int advice)
{
	(void)state;
	(void)addr;
	(void)bytes;
	(void)advice;
	return 0;
}

static const struct {
	uint64_t opened; /* bytes on huge pages, or UNREADABLE */
	uint64_t later;
	int code;
	uint64_t worst;
	const char *verified_by;
} verifies[] = {
	{ TOLD_BYTES, TOLD_BYTES, 0, TOLD_BYTES, "smaps" },
	{ TOLD_BYTES, 252 * MIB, 0, 252 * MIB, "smaps" },
	{ TOLD_BYTES, 250 * MIB, -ENOMEM, 250 * MIB, "smaps" },
	{ TOLD_BYTES, 32 * MIB, -ENOMEM, 32 * MIB, "smaps" },
	{ TOLD_BYTES, 0, -ENOMEM, 0, "smaps" },
	{ TOLD_BYTES, UNREADABLE, 0, TOLD_BYTES, "smaps" },
	{ 64 * MIB, 64 * MIB, 0, 64 * MIB, "smaps" },
	{ 64 * MIB, 128 * MIB, 0, 64 * MIB, "smaps" },
	{ 64 * MIB, 62 * MIB, -ENOMEM, 62 * MIB, "smaps" },
	{ 0, 0, 0, 0, "smaps" },
	{ UNREADABLE, 32 * MIB, 0, 32 * MIB, "smaps" },
	{ UNREADABLE, UNREADABLE, 0, 0, "" },
};

static void tell(struct told *told, uint64_t ok_bytes)
{
	told->readable = ok_bytes != UNREADABLE;
	told->ok_bytes = told->readable ? ok_bytes : 0;
}

static void check_worst(const struct fz_buffer *buffer, int i)
{
	const struct fz_backing backing = fz_buffer_backing(buffer);

	ck_assert_uint_eq(backing.bytes_ok, verifies[i].worst);
	ck_assert_str_eq(backing.verified_by, verifies[i].verified_by);
}

START_TEST(worse_backing_is_found)
{
	const struct fz_page_size page = { FZ_PAGES_THP, 2 * MIB };
	struct told told = { .bytes = TOLD_BYTES };
	struct fz_hooks hooks = saved_tree_hooks(SAVED_TREE("zen4"));
	struct fz_buffer *buffer = NULL;
	struct fz_err err = { "" };

	hooks.state = &told;
	hooks.map = told_map;
	hooks.read_file = told_read_file;
	/* Nothing is written, so it costs no memory. */
	hooks.advise = told_advise;
	tell(&told, verifies[_i].opened);
	ck_assert_int_eq(
		fz_buffer_open(&buffer, &hooks, page, TOLD_BYTES, NULL), 0);
	tell(&told, verifies[_i].later);
	ck_assert_int_eq(fz_buffer_verify(buffer, &err), verifies[_i].code);
	ck_assert_int_eq(fz_buffer_is_lost(buffer), verifies[_i].code != 0);
	check_worst(buffer, _i);
	if (verifies[_i].later == 32 * MIB && verifies[_i].code)
		ck_assert_str_eq(err.msg,
				 "the kernel gave smaller pages than asked "
				 "for: only 12 % of 256M are on 2M pages");
	/* The pages come back; the worst is remembered. */
	ck_assert_int_eq(fz_buffer_remap(buffer, NULL), 0);
	ck_assert_int_eq(fz_buffer_populate(buffer, NULL), 0);
	tell(&told, TOLD_BYTES);
	ck_assert_int_eq(fz_buffer_verify(buffer, NULL), 0);
	ck_assert(!fz_buffer_is_lost(buffer));
	if (verifies[_i].verified_by[0])
		check_worst(buffer, _i);
	fz_buffer_close(buffer);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("buffer_verify");
	TCase *tcase = tcase_create("buffer_verify");

	tcase_add_loop_test(tcase, worse_backing_is_found, 0, NR(verifies));
	suite_add_tcase(suite, tcase);
	return suite;
}
