// SPDX-License-Identifier: GPL-2.0-or-later
/* Every mTHP size of this kernel, looked at through /proc/kpageflags. */
#include <fz/buffer.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <fz/thp_switch.h>

#include "fz_test.h"
#include "sanitized.h"
#include "thp_files.h"

#define MIB        (1024 * 1024ull)
#define BYTES      (8 * MIB)
#define BASE_BYTES 4096ull

/* Bits of the page map and of kpageflags, as the kernel documents them. */
#define PRESENT  (1ull << 63)
#define PFN_MASK ((1ull << 55) - 1)
#define HEAD     (1ull << 15)
#define TAIL     (1ull << 16)

static struct fz_mthp mthp[FZ_MAX_MTHP];
static size_t nr_mthp;
static uint64_t pmd_bytes;

const char *fz_test_skip_reason(void)
{
	nr_mthp = fz_mthp_read(&fz_hooks_default, mthp);
	fz_read_u64(&fz_hooks_default, FZ_THP_DIR "/hpage_pmd_size",
		    &pmd_bytes);
	if (nr_mthp == 0)
		return "the kernel has no mTHP";
	if (sysconf(_SC_PAGESIZE) != BASE_BYTES)
		return "base pages are not of 4K";
	return NULL;
}

struct flags {
	int map;
	int flags;
};

static uint64_t entry_at(int fd, uint64_t index)
{
	uint64_t entry = 0;

	if (pread(fd, &entry, sizeof(entry), (off_t)(index * 8)) !=
	    sizeof(entry))
		return 0;
	return entry;
}

/* A folio of exactly that size: one head, tails, and no tail behind. */
static bool is_folio(const struct flags *files, const char *page,
		     uint64_t page_bytes)
{
	const uint64_t nr = page_bytes / BASE_BYTES;
	const uint64_t entry =
		entry_at(files->map, (uintptr_t)page / BASE_BYTES);
	const uint64_t pfn = entry & PFN_MASK;

	if (!(entry & PRESENT) || pfn % nr ||
	    !(entry_at(files->flags, pfn) & HEAD) ||
	    entry_at(files->flags, pfn + nr) & TAIL)
		return false;
	for (uint64_t i = 1; i < nr; i++)
		if (!(entry_at(files->flags, pfn + i) & TAIL))
			return false;
	return true;
}

/* UINT64_MAX where frames or their flags are hidden. */
static uint64_t count_folios(const struct fz_buffer *buffer,
			     uint64_t page_bytes)
{
	const char *base = fz_buffer_base(buffer);
	const struct flags files = {
		.map = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC),
		.flags = open("/proc/kpageflags", O_RDONLY | O_CLOEXEC),
	};
	uint64_t nr = UINT64_MAX;

	if (files.map >= 0 && files.flags >= 0 &&
	    entry_at(files.map, (uintptr_t)base / BASE_BYTES) & PFN_MASK) {
		nr = 0;
		for (uint64_t at = 0; at < BYTES; at += page_bytes)
			nr += is_folio(&files, base + at, page_bytes);
	}
	close(files.map);
	close(files.flags);
	return nr;
}

/* What the buffer says of itself is never more than what the kernel shows. */
static void check_backing(const struct fz_buffer *buffer, uint64_t page_bytes)
{
	const struct fz_backing backing = fz_buffer_backing(buffer);
	const uint64_t nr_folios = count_folios(buffer, page_bytes);

	if (nr_folios == UINT64_MAX) {
		printf("no frame flags: folios are not looked at\n");
		return;
	}
	ck_assert_uint_le(backing.bytes_ok, nr_folios * page_bytes);
	if (backing.bytes_ok < BYTES)
		printf("%llu of %llu bytes on pages of %llu\n",
		       (unsigned long long)backing.bytes_ok, BYTES,
		       (unsigned long long)page_bytes);
	else
		ck_assert_str_eq(backing.kind, "mthp");
}

static struct fz_buffer *open_buffer(struct fz_page_size page,
				     struct fz_thp_switch **thp_switch)
{
	struct fz_buffer *buffer = NULL;
	struct fz_err err = { "" };
	int code =
		fz_thp_switch_open(thp_switch, &fz_hooks_default, page, &err);

	if (code == 0) {
		code = fz_buffer_open(&buffer, &fz_hooks_default, page, BYTES,
				      &err);
		ck_assert_msg(code == 0 || code == -ENOMEM, "%s", err.msg);
	}
	if (code)
		printf("not run: %s\n", err.msg);
	return buffer;
}

static void check_word(size_t i, const char *word)
{
	char path[FZ_THP_PATH_BYTES], now[FZ_THP_WORD_BYTES];

	fz_thp_size_path(path, mthp[i].bytes, "enabled");
	ck_assert_int_eq(
		fz_thp_word_read(&fz_hooks_default, path, now, sizeof(now)), 0);
	ck_assert_str_eq(now, word);
}

/* A store a page, as the kernel engine does. Return: faults taken. */
static uint64_t store_in(struct fz_buffer *buffer, uint64_t page_bytes)
{
	volatile char *base = fz_buffer_base(buffer);
	struct fz_usage before, after;

	ck_assert_int_eq(fz_hooks_default.usage(NULL, &before), 0);
	for (uint64_t at = 0; at < BYTES; at += page_bytes)
		base[at + at / page_bytes * BASE_BYTES % page_bytes] = 1;
	ck_assert_int_eq(fz_hooks_default.usage(NULL, &after), 0);
	return after.minor_faults - before.minor_faults;
}

/* On whole pages of that size; the shadow memory of a sanitizer faults too. */
static void check_faults(const struct fz_buffer *buffer, uint64_t page_bytes,
			 uint64_t faults)
{
	if (!FZ_SANITIZED && fz_buffer_backing(buffer).bytes_ok == BYTES)
		ck_assert_uint_eq(faults, BYTES / page_bytes);
}

static void check_size(size_t i)
{
	const struct fz_page_size page = { FZ_PAGES_MTHP, mthp[i].bytes };
	struct fz_thp_switch *thp_switch = NULL;
	struct fz_buffer *buffer = open_buffer(page, &thp_switch);
	struct fz_err err = { "" };
	uint64_t faults;

	for (int round = 0; buffer && round < 3; round++) {
		check_backing(buffer, page.bytes);
		fz_buffer_dirty(buffer, true);
		ck_assert_int_eq(fz_buffer_remap(buffer, NULL), 0);
		faults = store_in(buffer, page.bytes);
		if (fz_buffer_verify(buffer, &err)) {
			printf("%s\n", err.msg);
			break;
		}
		check_faults(buffer, page.bytes, faults);
	}
	/* However fragmented memory is, there are some of the smallest size. */
	if (buffer && i == 0 && fz_buffer_backing(buffer).verified_by[0])
		ck_assert_uint_gt(fz_buffer_backing(buffer).bytes_ok, 0);
	fz_buffer_close(buffer);
	ck_assert_msg(fz_thp_switch_close(thp_switch, &err) == 0, "%s",
		      err.msg);
	check_word(i, mthp[i].enabled);
}

/* In the parent process, which a failed assertion does not end. */
static void set_back(void)
{
	char path[FZ_THP_PATH_BYTES], now[FZ_THP_WORD_BYTES];

	for (size_t i = 0; i < nr_mthp; i++) {
		fz_thp_size_path(path, mthp[i].bytes, "enabled");
		fz_thp_word_read(&fz_hooks_default, path, now, sizeof(now));
		if (strcmp(now, mthp[i].enabled) != 0)
			fz_hooks_default.write_file(NULL, "", path,
						    mthp[i].enabled);
	}
}

START_TEST(every_size_is_what_it_says)
{
	for (size_t i = 0; i < nr_mthp; i++)
		if (mthp[i].bytes < pmd_bytes)
			check_size(i);
}
END_TEST

/* The switch goes while the buffer is there: no row may be kept of that. */
START_TEST(a_switch_that_goes_is_noticed)
{
	const struct fz_page_size page = { FZ_PAGES_MTHP, mthp[0].bytes };
	struct fz_thp_switch *thp_switch = NULL;
	struct fz_buffer *buffer = open_buffer(page, &thp_switch);
	struct fz_err err = { "" };

	if (!buffer || !fz_thp_switch_path(thp_switch) ||
	    fz_buffer_backing(buffer).bytes_ok < BYTES) {
		printf("not run\n");
	} else {
		fz_thp_switch_close(thp_switch, NULL);
		thp_switch = NULL;
		ck_assert_int_eq(fz_buffer_remap(buffer, NULL), 0);
		ck_assert_int_eq(fz_buffer_populate(buffer, NULL), 0);
		ck_assert_int_eq(fz_buffer_verify(buffer, &err), -ENOMEM);
		ck_assert(fz_buffer_is_lost(buffer));
	}
	fz_buffer_close(buffer);
	fz_thp_switch_close(thp_switch, NULL);
	check_word(0, mthp[0].enabled);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("mthp_real");
	TCase *tcase = tcase_create("mthp_real");

	tcase_set_timeout(tcase, 60);
	tcase_add_unchecked_fixture(tcase, NULL, set_back);
	tcase_add_test(tcase, every_size_is_what_it_says);
	tcase_add_test(tcase, a_switch_that_goes_is_noticed);
	suite_add_tcase(suite, tcase);
	return suite;
}
