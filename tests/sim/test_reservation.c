// SPDX-License-Identifier: GPL-2.0-or-later
/* Raising a pool that the test plays: what is written, when, and what not. */
#include <fz/pools.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "fake_files.h"
#include "fz_test.h"

#define POOL       "/sys/kernel/mm/hugepages/hugepages-2048kB/"
#define PAGE_BYTES (2ull << 20)

/* A pool that behaves as the kernel's: what is set are persistent pages. */
struct fake_pool {
	uint64_t total;
	uint64_t free;
	uint64_t reserved;
	uint64_t surplus;
	uint64_t max[2]; /* pages that the 1st and later writes can reach */
	int refusal;
	unsigned int nr_writes;
	uint64_t last_write;
	const char *meminfo; /* NULL = there is none */
	uint64_t others;     /* pages others add before we get the lock */
	int lock_code;       /* 0 = it can be had */
	bool locked;
	unsigned int nr_locks;
	unsigned int nr_unlocked; /* reads and writes without the lock */
	unsigned int tear_at; /* this look at the surplus finds it just freed */
	unsigned int nr_looks;
};

static int fake_list_dir(void *state, const char *root, const char *path,
			 void (*name)(void *arg, const char *entry), void *arg)
{
	(void)state;
	(void)root;
	if (strstr(path, "hugepages"))
		name(arg, "hugepages-2048kB");
	return 0;
}

static ssize_t fake_read(void *state, const char *root, const char *path,
			 uint64_t offset, void *buf, size_t cap)
{
	struct fake_pool *pool = state;
	const struct {
		const char *path;
		uint64_t value;
	} files[] = {
		{ POOL "nr_hugepages", pool->total },
		{ POOL "free_hugepages", pool->free },
		{ POOL "resv_hugepages", pool->reserved },
		{ POOL "surplus_hugepages", pool->surplus },
	};

	(void)root;
	if (strcmp(path, "/proc/meminfo") == 0 && pool->meminfo)
		return offset ? 0 : snprintf(buf, cap, "%s", pool->meminfo);
	pool->nr_unlocked += !pool->locked;
	if (strcmp(path, POOL "surplus_hugepages") == 0 &&
	    ++pool->nr_looks == pool->tear_at) {
		pool->total -= pool->surplus;
		pool->surplus = 0;
		return snprintf(buf, cap, "0\n");
	}
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		if (strcmp(path, files[i].path) == 0)
			return snprintf(buf, cap, "%" PRIu64 "\n",
					files[i].value);
	}
	return -ENOENT;
}

static uint64_t min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Surplus becomes persistent first, then pages are made or freed. */
static void pool_set(struct fake_pool *pool, uint64_t persistent)
{
	uint64_t now = pool->total - pool->surplus;

	if (persistent > now) {
		const uint64_t kept = min_u64(persistent - now, pool->surplus);
		const uint64_t made = persistent - now - kept;

		pool->surplus -= kept;
		pool->total += made;
		pool->free += made;
	} else {
		const uint64_t freed =
			min_u64(now - persistent, pool->free - pool->reserved);

		pool->total -= freed;
		pool->free -= freed;
		pool->surplus += now - persistent - freed;
	}
}

static int fake_write(void *state, const char *root, const char *path,
		      const char *text)
{
	struct fake_pool *pool = state;
	uint64_t value;
	char *end;

	(void)root;
	ck_assert_str_eq(path, POOL "nr_hugepages");
	value = strtoull(text, &end, 10);
	ck_assert(end > text && *end == '\0');
	pool->nr_unlocked += !pool->locked;
	pool->last_write = value;
	if (pool->refusal)
		return pool->refusal;
	pool_set(pool, min_u64(value, pool->max[pool->nr_writes > 0]));
	pool->nr_writes++;
	return 0;
}

static int fake_lock(void *state, const char *root, const char *path,
		     uint64_t wait_ns)
{
	struct fake_pool *pool = state;

	(void)root;
	if (strcmp(path, POOL "nr_hugepages") != 0)
		return -ENOENT;
	ck_assert_uint_gt(wait_ns, 0);
	ck_assert(!pool->locked);
	pool->nr_locks++;
	pool->total += pool->others;
	if (pool->lock_code)
		return pool->lock_code;
	pool->locked = true;
	return 0;
}

static void fake_unlock(void *state, int lock)
{
	struct fake_pool *pool = state;

	ck_assert_int_eq(lock, 0);
	ck_assert(pool->locked);
	pool->locked = false;
}

static struct fz_hooks pool_hooks(struct fake_pool *pool)
{
	struct fz_hooks hooks = fz_hooks_default;

	hooks.state = pool;
	hooks.list_dir = fake_list_dir;
	hooks.read_file = fake_read;
	hooks.write_file = fake_write;
	hooks.lock_file = fake_lock;
	hooks.unlock_file = fake_unlock;
	return hooks;
}

static const struct {
	const char *what;
	struct fake_pool before;
	uint64_t nr_pages;
	uint64_t asked;
	uint64_t got;
	unsigned int nr_writes;
} raises[] = {
	{ "an empty pool", { .max = { 999, 999 } }, 8, 8, 8, 1 },
	{ "enough is there",
	  { .total = 10, .free = 9, .max = { 999, 999 } },
	  9,
	  0,
	  0,
	  0 },
	{ "reserved pages do not count",
	  { .total = 10, .free = 10, .reserved = 4, .max = { 999, 999 } },
	  8,
	  2,
	  2,
	  1 },
	{ "used pages do not count",
	  { .total = 10, .free = 2, .max = { 999, 999 } },
	  8,
	  6,
	  6,
	  1 },
	{ "fewer come, a second try brings the rest",
	  { .max = { 5, 999 } },
	  8,
	  8,
	  8,
	  2 },
	{ "fewer come, also the second time", { .max = { 3, 5 } }, 8, 8, 5, 2 },
	{ "none come", { .max = { 0, 0 } }, 8, 8, 0, 2 },
	{ "surplus pages become persistent",
	  { .total = 6, .surplus = 2, .free = 0, .max = { 999, 999 } },
	  4,
	  4,
	  4,
	  1 },
	{ "nothing is asked for", { .max = { 999, 999 } }, 0, 0, 0, 0 },
};

START_TEST(raises_and_gives_back)
{
	struct fake_pool pool = raises[_i].before;
	const struct fake_pool before = pool;
	const struct fz_hooks hooks = pool_hooks(&pool);
	struct fz_reservation *reservation = NULL;
	struct fz_err err = { "" };

	ck_assert_int_eq(fz_reservation_open(&reservation, &hooks, PAGE_BYTES,
					     raises[_i].nr_pages, &err),
			 0);
	ck_assert_uint_eq(fz_reservation_asked(reservation), raises[_i].asked);
	ck_assert_uint_eq(fz_reservation_got(reservation), raises[_i].got);
	ck_assert_uint_eq(pool.nr_writes, raises[_i].nr_writes);
	ck_assert_uint_eq(pool.total, before.total + raises[_i].got);
	ck_assert_int_eq(fz_reservation_close(reservation), 0);
	ck_assert_uint_eq(pool.total, before.total);
	ck_assert_uint_eq(pool.free, before.free);
	ck_assert_uint_eq(pool.surplus, before.surplus);
	if (raises[_i].got == 0)
		ck_assert_uint_eq(pool.nr_writes, raises[_i].nr_writes);
	ck_assert_uint_eq(pool.nr_unlocked, 0);
	ck_assert_uint_eq(pool.nr_locks, raises[_i].got ? 2 : 1);
	ck_assert(!pool.locked);
}
END_TEST

/* Between open and close others have their turn. */
START_TEST(the_lock_is_held_for_a_moment)
{
	struct fake_pool pool = { .max = { 999, 999 }, .others = 5 };
	const struct fz_hooks hooks = pool_hooks(&pool);
	struct fz_reservation *reservation = NULL;

	ck_assert_int_eq(
		fz_reservation_open(&reservation, &hooks, PAGE_BYTES, 8, NULL),
		0);
	ck_assert(!pool.locked);
	ck_assert_uint_eq(fz_reservation_got(reservation), 8);
	ck_assert_uint_eq(pool.total,
			  13); /* what came while it waited counts */
	ck_assert_int_eq(fz_reservation_close(reservation), 0);
	ck_assert_uint_eq(pool.total, 10);
	ck_assert_uint_eq(pool.nr_unlocked, 0);
	ck_assert(!pool.locked);
}
END_TEST

static const int lock_codes[] = { -EAGAIN, -ENOENT, -EACCES, -ENOLCK };

START_TEST(it_goes_on_without_the_lock)
{
	struct fake_pool pool = {
		.max = { 999, 999 },
		.lock_code = lock_codes[_i],
	};
	const struct fz_hooks hooks = pool_hooks(&pool);
	struct fz_reservation *reservation = NULL;

	ck_assert_int_eq(
		fz_reservation_open(&reservation, &hooks, PAGE_BYTES, 8, NULL),
		0);
	ck_assert_uint_eq(fz_reservation_got(reservation), 8);
	ck_assert_int_eq(fz_reservation_close(reservation), 0);
	ck_assert_uint_eq(pool.total, 0);
}
END_TEST

/* Surplus pages of others go, each time at another moment. */
START_TEST(surplus_pages_may_go_at_any_moment)
{
	struct fake_pool pool = {
		.total = 10,
		.surplus = 6,
		.max = { 999, 999 },
		.tear_at = (unsigned int)_i,
	};
	const struct fz_hooks hooks = pool_hooks(&pool);
	struct fz_reservation *reservation = NULL;

	ck_assert_int_eq(
		fz_reservation_open(&reservation, &hooks, PAGE_BYTES, 8, NULL),
		0);
	ck_assert_int_eq(fz_reservation_close(reservation), 0);
	ck_assert_uint_eq(pool.total - pool.surplus, 4);
}
END_TEST

/* Of 5 GiB, 256 MiB stay for others. */
static const struct {
	const char *meminfo;
	uint64_t nr_pages;
	uint64_t written;     /* to nr_hugepages first */
	const char *words[4]; /* none = enough is available */
} needs[] = {
	{ "MemAvailable: 5242880 kB\n", 2432 + 8, 2442, { 0 } },
	{ "MemAvailable: 5242880 kB\n",
	  2433 + 8,
	  0,
	  { "cannot reserve 4866M more of 2M huge pages",
	    "'/proc/meminfo' shows 5120M available",
	    "may take 4864M; ask for less with --size" } },
	{ "MemAvailable: 5242880 kB\n", 32ull << 20, 0, { "67108848M more" } },
	{ "MemAvailable: 5242880 kB\n", UINT64_MAX, 0, { "16777215T more" } },
	{ "MemAvailable: 5242880 kB\n",
	  (1ull << 43) + 8,
	  0,
	  { "16777215T more" } },
	{ "MemAvailable: 5242880 kB\n", 1ull << 63, 0, { "16777215T more" } },
	{ "MemAvailable: 100 kB\n", 9, 0, { "2M more", "they may take 0M" } },
	{ "MemAvailable: 100 kB\n", 8, 0, { 0 } }, /* none is missing */
	{ "MemFree: 100 kB\n", 2000000, 2000002, { 0 } },
	{ NULL, 2000000, 2000002, { 0 } },
	{ NULL, UINT64_MAX, UINT64_MAX, { 0 } },
};

START_TEST(memory_that_others_need_is_not_taken)
{
	struct fake_pool pool = {
		.total = 10,
		.free = 8,
		.max = { 9999, 9999 },
		.meminfo = needs[_i].meminfo,
	};
	const struct fz_hooks hooks = pool_hooks(&pool);
	struct fz_reservation *reservation = NULL;
	struct fz_err err = { "" };
	const int code = fz_reservation_open(&reservation, &hooks, PAGE_BYTES,
					     needs[_i].nr_pages, &err);

	ck_assert(!pool.locked);
	if (!needs[_i].words[0]) {
		ck_assert_int_eq(code, 0);
		ck_assert_uint_eq(pool.last_write, needs[_i].written);
		fz_reservation_close(reservation);
		ck_assert_uint_eq(pool.total, 10);
		return;
	}
	ck_assert_int_eq(code, -ENOMEM);
	ck_assert_ptr_null(reservation);
	ck_assert_uint_eq(pool.nr_writes, 0);
	for (size_t i = 0; needs[_i].words[i]; i++)
		ck_assert_msg(strstr(err.msg, needs[_i].words[i]),
			      "'%s' is not in: %s", needs[_i].words[i],
			      err.msg);
}
END_TEST

static const struct {
	int refusal;
	int code;
	const char *words[4];
} refusals[] = {
	{ -EACCES,
	  -EACCES,
	  { "'" POOL "nr_hugepages'", "Permission denied",
	    "echo 12 > " POOL "nr_hugepages" } },
	{ -EPERM, -EPERM, { "Operation not permitted", "as root" } },
	{ -EROFS, -EACCES, { "Read-only file system" } },
	{ -EINVAL, -ENOTSUP, { "only at boot", "hugepagesz=2M hugepages=12" } },
};

START_TEST(a_refused_write_says_why)
{
	struct fake_pool pool = {
		.total = 4,
		.refusal = refusals[_i].refusal,
	};
	const struct fz_hooks hooks = pool_hooks(&pool);
	struct fz_reservation *reservation = NULL;
	struct fz_err err = { "" };

	ck_assert_int_eq(
		fz_reservation_open(&reservation, &hooks, PAGE_BYTES, 8, &err),
		refusals[_i].code);
	ck_assert_ptr_null(reservation);
	for (size_t i = 0; refusals[_i].words[i]; i++)
		ck_assert_msg(strstr(err.msg, refusals[_i].words[i]),
			      "'%s' is not in: %s", refusals[_i].words[i],
			      err.msg);
	ck_assert_int_eq(
		fz_reservation_open(&reservation, &hooks, PAGE_BYTES, 8, NULL),
		refusals[_i].code);
}
END_TEST

START_TEST(a_size_without_a_pool_is_not_supported)
{
	struct fake_pool pool = { .max = { 999, 999 } };
	const struct fz_hooks hooks = pool_hooks(&pool);
	struct fz_reservation *reservation = NULL;
	struct fz_err err = { "" };

	ck_assert_int_eq(
		fz_reservation_open(&reservation, &hooks, 65536, 8, &err),
		-ENOTSUP);
	ck_assert_ptr_nonnull(strstr(err.msg, "no huge pages of 64K"));
	ck_assert_uint_eq(pool.nr_writes, 0);
}
END_TEST

/* What somebody else did to the pool in between stays done. */
static const struct {
	uint64_t others;
	uint64_t left;
} meddlers[] = {
	{ 20, 12 }, /* added 12 */
	{ 8, 0 },
	{ 5, 0 }, /* took pages of ours: never below nothing */
	{ 0, 0 },
};

START_TEST(close_subtracts_from_what_is_there)
{
	struct fake_pool pool = { .max = { 999, 999 } };
	const struct fz_hooks hooks = pool_hooks(&pool);
	struct fz_reservation *reservation = NULL;

	ck_assert_int_eq(
		fz_reservation_open(&reservation, &hooks, PAGE_BYTES, 8, NULL),
		0);
	pool.total = pool.free = meddlers[_i].others;
	ck_assert_int_eq(fz_reservation_close(reservation), 0);
	ck_assert_uint_eq(pool.total, meddlers[_i].left);
}
END_TEST

START_TEST(close_reports_a_refusal)
{
	struct fake_pool pool = { .max = { 999, 999 } };
	const struct fz_hooks hooks = pool_hooks(&pool);
	struct fz_reservation *reservation = NULL;

	ck_assert_int_eq(
		fz_reservation_open(&reservation, &hooks, PAGE_BYTES, 8, NULL),
		0);
	pool.refusal = -EACCES;
	ck_assert_int_eq(fz_reservation_close(reservation), -EACCES);
	ck_assert_int_eq(fz_reservation_close(NULL), 0);
}
END_TEST

#define NR(array) ((int)(sizeof(array) / sizeof((array)[0])))

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("reservation");
	TCase *tcase = tcase_create("reservation");

	tcase_add_loop_test(tcase, raises_and_gives_back, 0, NR(raises));
	tcase_add_loop_test(tcase, a_refused_write_says_why, 0, NR(refusals));
	tcase_add_test(tcase, a_size_without_a_pool_is_not_supported);
	tcase_add_loop_test(tcase, close_subtracts_from_what_is_there, 0,
			    NR(meddlers));
	tcase_add_test(tcase, close_reports_a_refusal);
	tcase_add_test(tcase, the_lock_is_held_for_a_moment);
	tcase_add_loop_test(tcase, it_goes_on_without_the_lock, 0,
			    NR(lock_codes));
	tcase_add_loop_test(tcase, surplus_pages_may_go_at_any_moment, 1, 9);
	tcase_add_loop_test(tcase, memory_that_others_need_is_not_taken, 0,
			    NR(needs));
	suite_add_tcase(suite, tcase);
	return suite;
}
