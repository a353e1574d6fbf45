// SPDX-License-Identifier: GPL-2.0-or-later
/* Buffers of real memory: base pages, THP and 2M hugetlb where to be had. */
#include <fz/buffer.h>

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fz/pools.h>

#include "fz_test.h"

#define NR(array) ((int)(sizeof(array) / sizeof((array)[0])))

#define KIB 1024ull
#define MIB (1024 * KIB)

/* clang-format off */
#define HUGETLB(size) { FZ_PAGES_HUGETLB, size }
#define THP { FZ_PAGES_THP, 2 * MIB }
#define BASE { FZ_PAGES_BASE, 4 * KIB }
/* clang-format on */

static const struct {
	const char *what;
	struct fz_page_size page;
	uint64_t bytes;
} kinds[] = {
	{ "base", BASE, 3 * MIB + 4 * KIB },
	{ "thp", THP, 16 * MIB },
	{ "2M hugetlb", HUGETLB(2 * MIB), 16 * MIB },
};

static uint64_t words_of_zero(const struct fz_buffer *buffer)
{
	const uint64_t *word = fz_buffer_base(buffer);
	uint64_t nr = 0;

	for (uint64_t i = 0; i < fz_buffer_bytes(buffer) / 8; i++)
		nr += word[i] == 0;
	return nr;
}

static uint64_t bytes_of_zero(const struct fz_buffer *buffer)
{
	const char *byte = fz_buffer_base(buffer);
	uint64_t nr = 0;

	for (uint64_t i = 0; i < fz_buffer_bytes(buffer); i++)
		nr += byte[i] == 0;
	return nr;
}

/* Opens, or returns NULL where this machine has no such pages. */
static struct fz_buffer *real_open(int i, struct fz_reservation **reservation)
{
	struct fz_buffer *buffer = NULL;
	struct fz_err err = { "" };
	int code;

	*reservation = NULL;
	if (kinds[i].page.kind == FZ_PAGES_HUGETLB)
		fz_reservation_open(reservation, &fz_hooks_default,
				    kinds[i].page.bytes,
				    kinds[i].bytes / kinds[i].page.bytes, NULL);
	code = fz_buffer_open(&buffer, &fz_hooks_default, kinds[i].page,
			      kinds[i].bytes, &err);
	if (code == 0)
		return buffer;
	ck_assert_msg(kinds[i].page.kind != FZ_PAGES_BASE, "%s", err.msg);
	ck_assert(code == -ENOMEM || code == -ENOTSUP);
	ck_assert_uint_gt(strlen(err.msg), 0);
	ck_assert_int_eq(fz_reservation_close(*reservation), 0);
	return NULL;
}

START_TEST(real_memory_is_what_it_says)
{
	struct fz_reservation *reservation;
	struct fz_buffer *buffer = real_open(_i, &reservation);
	struct fz_backing backing;

	if (!buffer)
		return;
	ck_assert_uint_eq(
		(uintptr_t)fz_buffer_base(buffer) % kinds[_i].page.bytes, 0);
	ck_assert_uint_eq((uintptr_t)fz_buffer_base(buffer) % (2 * MIB), 0);
	ck_assert_uint_eq(fz_buffer_bytes(buffer), kinds[_i].bytes);
	ck_assert_int_eq(fz_buffer_page(buffer).kind, kinds[_i].page.kind);
	ck_assert_uint_eq(fz_buffer_page(buffer).bytes, kinds[_i].page.bytes);
	ck_assert_uint_gt(fz_buffer_first_touch_ns(buffer), 0);
	ck_assert_uint_eq(words_of_zero(buffer), kinds[_i].bytes / 8);
	backing = fz_buffer_backing(buffer);
	ck_assert_uint_le(backing.bytes_ok, kinds[_i].bytes);
	/* Huge pages may be short on a busy machine; these may not. */
	if (backing.verified_by[0] && kinds[_i].page.kind != FZ_PAGES_THP) {
		ck_assert_uint_eq(backing.bytes_ok, kinds[_i].bytes);
		ck_assert_uint_eq(backing.page_bytes, kinds[_i].page.bytes);
	}
	fz_buffer_close(buffer);
	ck_assert_int_eq(fz_reservation_close(reservation), 0);
}
END_TEST

START_TEST(real_memory_is_dirtied_and_mapped_again)
{
	struct fz_reservation *reservation;
	struct fz_buffer *buffer = real_open(_i, &reservation);
	void *base;

	if (!buffer)
		return;
	base = fz_buffer_base(buffer);
	for (int descending = 0; descending < 2; descending++) {
		fz_buffer_dirty(buffer, descending);
		ck_assert_uint_eq(bytes_of_zero(buffer), 0);
		if (fz_buffer_remap(buffer, NULL)) {
			/* Others may have taken the pages of the pool. */
			ck_assert_int_eq(kinds[_i].page.kind, FZ_PAGES_HUGETLB);
			break;
		}
		ck_assert_ptr_eq(fz_buffer_base(buffer), base);
		ck_assert_uint_eq(words_of_zero(buffer), kinds[_i].bytes / 8);
		ck_assert_int_eq(fz_buffer_populate(buffer, NULL), 0);
		/* Huge pages may be short on a busy machine. */
		if (fz_buffer_verify(buffer, NULL)) {
			ck_assert_int_eq(kinds[_i].page.kind, FZ_PAGES_THP);
			ck_assert(fz_buffer_is_lost(buffer));
			break;
		}
	}
	fz_buffer_close(buffer);
	ck_assert_int_eq(fz_reservation_close(reservation), 0);
}
END_TEST

/* Total and reserved pages of the real 2M pool; both 0 without one. */
static void pool_figures(uint64_t figures[2])
{
	const struct fz_pool *pool;
	struct fz_pools pools;

	fz_pools_read(&fz_hooks_default, &pools);
	pool = fz_pools_find(&pools, 2 * MIB);
	figures[0] = pool ? pool->total : 0;
	figures[1] = pool ? pool->reserved : 0;
}

/* Others may use the pool meanwhile, so a difference is looked at again. */
START_TEST(nothing_stays_reserved)
{
	struct fz_reservation *reservation;
	uint64_t before[2], after[2];

	for (int i = 0; i < 5; i++) {
		struct fz_buffer *buffer;

		pool_figures(before);
		buffer = real_open(2, &reservation);
		fz_buffer_close(buffer);
		if (buffer)
			fz_reservation_close(reservation);
		pool_figures(after);
		if (before[0] == after[0] && before[1] == after[1])
			break;
	}
	ck_assert_uint_eq(after[0], before[0]);
	ck_assert_uint_eq(after[1], before[1]);
}
END_TEST

/* The order of the stores, seen through the faults of a locked buffer. */
#define NR_TRACED 16

static struct {
	char *base;
	uint64_t nr;
	uint64_t page[NR_TRACED];
	uint64_t within[NR_TRACED];
} trace;

static void on_fault(int number, siginfo_t *info, void *context)
{
	const uint64_t at = (uint64_t)((char *)info->si_addr - trace.base);

	(void)context;
	if (at >= NR_TRACED * 4096 || trace.nr == NR_TRACED) {
		signal(number, SIG_DFL);
		return;
	}
	trace.page[trace.nr] = at / 4096;
	trace.within[trace.nr++] = at % 4096;
	mprotect(trace.base + at / 4096 * 4096, 4096, PROT_READ | PROT_WRITE);
}

START_TEST(pages_are_dirtied_in_order)
{
	const struct sigaction action = {
		.sa_sigaction = on_fault,
		.sa_flags = SA_SIGINFO,
	};
	const struct fz_page_size page = BASE;
	struct fz_buffer *buffer = NULL;
	uint64_t nr_wrong = 0;

	if (sysconf(_SC_PAGESIZE) != 4096)
		return;
	ck_assert_int_eq(fz_buffer_open(&buffer, &fz_hooks_default, page,
					NR_TRACED * 4096, NULL),
			 0);
	trace.base = fz_buffer_base(buffer);
	sigaction(SIGSEGV, &action, NULL);
	ck_assert_int_eq(mprotect(trace.base, NR_TRACED * 4096, PROT_NONE), 0);
	fz_buffer_dirty(buffer, _i);
	signal(SIGSEGV, SIG_DFL);
	ck_assert_uint_eq(trace.nr, NR_TRACED);
	for (uint64_t i = 0; i < NR_TRACED; i++) {
		const uint64_t want = _i ? NR_TRACED - 1 - i : i;

		nr_wrong += trace.page[i] != want || trace.within[i] != 0;
	}
	ck_assert_uint_eq(nr_wrong, 0);
	fz_buffer_close(buffer);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("buffer_real");
	TCase *tcase = tcase_create("buffer_real");

	tcase_set_timeout(tcase, 30);
	tcase_add_loop_test(tcase, real_memory_is_what_it_says, 0, NR(kinds));
	tcase_add_loop_test(tcase, real_memory_is_dirtied_and_mapped_again, 0,
			    NR(kinds));
	tcase_add_loop_test(tcase, pages_are_dirtied_in_order, 0, 2);
	tcase_add_test(tcase, nothing_stays_reserved);
	suite_add_tcase(suite, tcase);
	return suite;
}
