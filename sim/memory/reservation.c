// SPDX-License-Identifier: GPL-2.0-or-later
/* Raises a hugetlb pool for as long as a run needs it. */
#include <fz/pools.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory_available.h"
#include "size_text.h"

#define PATH_BYTES 128

/* Compaction works between two tries; a third was never seen to help. */
#define MAX_TRIES 2

/* At a pool that others keep changing. */
#define MAX_LOOKS 100

/*
 * A raise takes milliseconds, or seconds where the kernel has to compact a lot
 * of memory. The lock is only advice, and any user can hold it for ever.
 */
#define LOCK_WAIT_NS 10000000000u

/*
 * nr_hugepages reads as all pages of the pool but sets the persistent ones,
 * that is all but the surplus. So the sums here are of persistent pages: then
 * surplus pages that a raise made persistent become surplus again at the end.
 */
struct fz_reservation {
	const struct fz_hooks *hooks;
	char path[PATH_BYTES];
	uint64_t page_bytes;
	uint64_t asked; /* pages */
	uint64_t got;   /* pages the pool grew by */
	uint64_t added; /* persistent pages to take away again */
};

/*
 * Nobody else who takes the lock writes between a read and the write of what
 * was made of it. The lock is of the file as this mount of sysfs shows it, so
 * a container with a mount of its own is not kept out. Negative = not locked.
 */
static int pool_lock(const struct fz_reservation *reservation)
{
	const struct fz_hooks *hooks = reservation->hooks;

	return hooks->lock_file(hooks->state, hooks->root, reservation->path,
				LOCK_WAIT_NS);
}

static void pool_unlock(const struct fz_reservation *reservation, int lock)
{
	if (lock >= 0)
		reservation->hooks->unlock_file(reservation->hooks->state,
						lock);
}

static uint64_t pool_persistent(const struct fz_pool *pool)
{
	return pool->total > pool->surplus ? pool->total - pool->surplus : 0;
}

static bool pool_look(const struct fz_reservation *reservation,
		      struct fz_pool *pool)
{
	const struct fz_pool *found;
	struct fz_pools pools;

	fz_pools_read(reservation->hooks, &pools);
	found = fz_pools_find(&pools, reservation->page_bytes);
	if (found)
		*pool = *found;
	return found;
}

/*
 * Total and surplus are two files. Any program may free surplus pages between
 * the reads, and their difference would be too large: look until two looks
 * agree.
 */
static bool pool_read(const struct fz_reservation *reservation,
		      struct fz_pool *pool)
{
	struct fz_pool before;

	if (!pool_look(reservation, pool))
		return false;
	for (int i = 0; i < MAX_LOOKS; i++) {
		before = *pool;
		if (!pool_look(reservation, pool))
			return false;
		if (pool->total == before.total &&
		    pool->surplus == before.surplus)
			break;
	}
	return true;
}

static int pool_write(const struct fz_reservation *reservation,
		      uint64_t nr_pages)
{
	const struct fz_hooks *hooks = reservation->hooks;
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, nr_pages);
	return hooks->write_file(hooks->state, hooks->root, reservation->path,
				 text);
}

static int write_error(const struct fz_reservation *reservation,
		       uint64_t nr_pages, int code, struct fz_err *err)
{
	const struct fz_size_text size = fz_size_text(reservation->page_bytes);

	if (code == -EINVAL)
		return fz_err_set(
			err, -ENOTSUP,
			"cannot write '%s': this kernel makes pages of "
			"%s only at boot, with hugepagesz=%s "
			"hugepages=%" PRIu64,
			reservation->path, size.text, size.text, nr_pages);
	fz_err_set(err, code,
		   "cannot write '%s': %s; as root: echo %" PRIu64 " > %s",
		   reservation->path, strerror(-code), nr_pages,
		   reservation->path);
	return code == -EROFS ? -EACCES : code;
}

static uint64_t sum_u64(uint64_t a, uint64_t b)
{
	return a < UINT64_MAX - b ? a + b : UINT64_MAX;
}

/* The kernel would take every free page there is, and others be killed. */
static int memory_check(const struct fz_reservation *reservation,
			struct fz_err *err)
{
	const struct fz_hooks *hooks = reservation->hooks;
	const uint64_t page_bytes = reservation->page_bytes;
	const uint64_t reservable_bytes = fz_memory_reservable(hooks);
	uint64_t missing_bytes = UINT64_MAX >> 40 << 40; /* or more */

	if (reservable_bytes == UINT64_MAX ||
	    reservation->asked <= reservable_bytes / page_bytes)
		return 0;
	if (reservation->asked <= UINT64_MAX / page_bytes)
		missing_bytes = reservation->asked * page_bytes;
	return fz_err_set(
		err, -ENOMEM,
		"cannot reserve %s more of %s huge pages: "
		"'/proc/meminfo' shows %" PRIu64
		"M available, of which they may take %" PRIu64
		"M; ask for less with --size",
		fz_size_text(missing_bytes).text, fz_size_text(page_bytes).text,
		fz_memory_available(hooks) >> 20, reservable_bytes >> 20);
}

/* Adds up to @missing pages to the pool; what came is read back. */
static int pool_raise(struct fz_reservation *reservation,
		      const struct fz_pool *before, struct fz_err *err)
{
	const uint64_t target = sum_u64(before->total, reservation->asked);
	struct fz_pool now = *before;

	for (int i = 0; i < MAX_TRIES && now.total < target; i++) {
		const int code = pool_write(reservation, target);

		if (code && i == 0)
			return write_error(reservation, target, code, err);
		if (!pool_read(reservation, &now))
			break;
	}
	if (now.total > before->total)
		reservation->got = now.total - before->total;
	if (pool_persistent(&now) > pool_persistent(before))
		reservation->added =
			pool_persistent(&now) - pool_persistent(before);
	return 0;
}

static int pool_fill(struct fz_reservation *reservation, uint64_t nr_pages,
		     struct fz_err *err)
{
	struct fz_pool pool;
	uint64_t spare;
	int code;

	if (!pool_read(reservation, &pool))
		return fz_err_set(
			err, -ENOTSUP,
			"the kernel has no huge pages of %s: '%s' is missing",
			fz_size_text(reservation->page_bytes).text,
			reservation->path);
	spare = pool.free > pool.reserved ? pool.free - pool.reserved : 0;
	if (nr_pages <= spare)
		return 0;
	reservation->asked = nr_pages - spare;
	code = memory_check(reservation, err);
	return code ? code : pool_raise(reservation, &pool, err);
}

int fz_reservation_open(struct fz_reservation **out,
			const struct fz_hooks *hooks, uint64_t page_bytes,
			uint64_t nr_pages, struct fz_err *err)
{
	struct fz_reservation *reservation = calloc(1, sizeof(*reservation));
	int code, lock;

	if (!reservation)
		return fz_err_set(err, -ENOMEM, "out of memory");
	reservation->hooks = hooks;
	reservation->page_bytes = page_bytes;
	snprintf(reservation->path, sizeof(reservation->path),
		 "/sys/kernel/mm/hugepages/hugepages-%" PRIu64
		 "kB/nr_hugepages",
		 page_bytes / 1024);
	lock = pool_lock(reservation);
	code = pool_fill(reservation, nr_pages, err);
	pool_unlock(reservation, lock);
	if (code)
		free(reservation);
	else
		*out = reservation;
	return code;
}

uint64_t fz_reservation_got(const struct fz_reservation *reservation)
{
	return reservation->got;
}

uint64_t fz_reservation_asked(const struct fz_reservation *reservation)
{
	return reservation->asked;
}

/* Somebody else may have changed the pool in between: subtract. */
static int pool_lower(const struct fz_reservation *reservation)
{
	struct fz_pool pool;
	uint64_t now;

	if (!pool_read(reservation, &pool))
		return 0;
	now = pool_persistent(&pool);
	return pool_write(reservation, now > reservation->added
					       ? now - reservation->added
					       : 0);
}

int fz_reservation_close(struct fz_reservation *reservation)
{
	int code = 0, lock;

	if (!reservation)
		return 0;
	if (reservation->added > 0) {
		lock = pool_lock(reservation);
		code = pool_lower(reservation);
		pool_unlock(reservation, lock);
	}
	free(reservation);
	return code;
}
