// SPDX-License-Identifier: GPL-2.0-or-later
/* Raises a hugetlb pool for as long as a run needs it. */
#include <fz/pools.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "size_text.h"

#define PATH_BYTES 128

/* Compaction works between two tries; a third was never seen to help. */
#define MAX_TRIES 2

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

static uint64_t pool_persistent(const struct fz_pool *pool)
{
	return pool->total > pool->surplus ? pool->total - pool->surplus : 0;
}

static bool pool_read(const struct fz_reservation *reservation,
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

/* Adds up to @missing pages to the pool; what came is read back. */
static int pool_raise(struct fz_reservation *reservation,
		      const struct fz_pool *before, struct fz_err *err)
{
	const uint64_t target = before->total + reservation->asked;
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

int fz_reservation_open(struct fz_reservation **out,
			const struct fz_hooks *hooks, uint64_t page_bytes,
			uint64_t nr_pages, struct fz_err *err)
{
	struct fz_reservation *reservation = calloc(1, sizeof(*reservation));
	struct fz_pool pool;
	uint64_t spare;
	int code = 0;

	if (!reservation)
		return fz_err_set(err, -ENOMEM, "out of memory");
	reservation->hooks = hooks;
	reservation->page_bytes = page_bytes;
	snprintf(reservation->path, sizeof(reservation->path),
		 "/sys/kernel/mm/hugepages/hugepages-%" PRIu64
		 "kB/nr_hugepages",
		 page_bytes / 1024);
	if (!pool_read(reservation, &pool)) {
		code = fz_err_set(err, -ENOTSUP,
				  "the kernel has no huge pages of %s: '%s' is "
				  "missing",
				  fz_size_text(page_bytes).text,
				  reservation->path);
		goto err;
	}
	spare = pool.free > pool.reserved ? pool.free - pool.reserved : 0;
	if (nr_pages > spare) {
		reservation->asked = nr_pages - spare;
		code = pool_raise(reservation, &pool, err);
		if (code)
			goto err;
	}
	*out = reservation;
	return 0;
err:
	free(reservation);
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

int fz_reservation_close(struct fz_reservation *reservation)
{
	struct fz_pool pool;
	uint64_t now;
	int code = 0;

	if (!reservation)
		return 0;
	/* Somebody else may have changed the pool in between: subtract. */
	if (reservation->added > 0 && pool_read(reservation, &pool)) {
		now = pool_persistent(&pool);
		code = pool_write(reservation,
				  now > reservation->added
					  ? now - reservation->added
					  : 0);
	}
	free(reservation);
	return code;
}
