// SPDX-License-Identifier: GPL-2.0-or-later
/* Why a buffer could not be had, and what helps. */
#include "buffer_error.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fz/folio.h>
#include <fz/pools.h>

#include "cgroup_limits.h"
#include "memory_available.h"
#include "size_text.h"

/* Enough for eight nodes; more are cut. */
#define NODES_BYTES 320

static void nodes_format(const struct fz_pool *pool, char text[NODES_BYTES])
{
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < pool->nr_nodes && used < NODES_BYTES; i++) {
		const struct fz_pool_node *node = &pool->nodes[i];

		used += (size_t)snprintf(
			text + used, NODES_BYTES - used,
			"%snode %u: %" PRIu64 " free of %" PRIu64,
			i ? ", " : " (", node->node, node->free, node->total);
	}
	if (used + 1 < NODES_BYTES && used > 0)
		strcpy(text + used, ")");
	else if (used > 0)
		strcpy(text + NODES_BYTES - 5, "...)");
}

/* What to type, or why typing that would not help. */
static void remedy_format(const struct fz_hooks *hooks,
			  const struct fz_pool *pool, uint64_t nr_pages,
			  int code, char *text, size_t cap)
{
	const uint64_t reservable_bytes = fz_memory_reservable(hooks);
	const uint64_t spare =
		pool->free > pool->reserved ? pool->free - pool->reserved : 0;
	const struct fz_size_text size = fz_size_text(pool->page_bytes);
	int used;

	if (code == -EHWPOISON) {
		snprintf(text, cap, "one of them has a hardware memory error");
		return;
	}
	if (nr_pages <= spare) {
		snprintf(text, cap,
			 "the kernel did not hand them out (%s): the cpuset or "
			 "memory policy may exclude the nodes that hold them",
			 strerror(-code));
		return;
	}
	if (nr_pages - spare > reservable_bytes / pool->page_bytes) {
		snprintf(text, cap,
			 "ask for less with --size: huge pages may take "
			 "%" PRIu64 "M of what '/proc/meminfo' shows available",
			 reservable_bytes >> 20);
		return;
	}
	used = snprintf(text, cap,
			"add them with: echo %" PRIu64
			" > /sys/kernel/mm/hugepages/hugepages-%" PRIu64
			"kB/nr_hugepages, or run with --reserve",
			pool->total + nr_pages - spare,
			pool->page_bytes / 1024);
	if (fz_folio_is_gigantic(pool->page_bytes / FZ_PAGE_BYTES))
		snprintf(text + used, cap - (size_t)used,
			 "; if that gives fewer, boot with hugepagesz=%s "
			 "hugepages=%" PRIu64,
			 size.text, pool->total + nr_pages - spare);
}

static int pool_error(const struct fz_hooks *hooks, const struct fz_pool *pool,
		      uint64_t bytes, int code, struct fz_err *err)
{
	const uint64_t nr_pages = bytes / pool->page_bytes;
	char nodes[NODES_BYTES], remedy[256], reserved[48] = "";

	nodes_format(pool, nodes);
	remedy_format(hooks, pool, nr_pages, code, remedy, sizeof(remedy));
	if (pool->reserved)
		snprintf(reserved, sizeof(reserved),
			 ", %" PRIu64 " of them reserved", pool->reserved);
	return fz_err_set(
		err, -ENOMEM,
		"cannot map %s of %s huge pages: %" PRIu64
		" page%s asked, %" PRIu64 " free of %" PRIu64 "%s%s; %s",
		fz_size_text(bytes).text, fz_size_text(pool->page_bytes).text,
		nr_pages, nr_pages == 1 ? "" : "s", pool->free, pool->total,
		reserved, nodes, remedy);
}

int fz_buffer_error(const struct fz_hooks *hooks, struct fz_page_size page,
		    uint64_t bytes, int code, struct fz_err *err)
{
	struct fz_cgroup_limit limit;
	const struct fz_pool *pool;
	struct fz_pools pools;
	char what[80];

	if (page.kind == FZ_PAGES_HUGETLB) {
		snprintf(what, sizeof(what), "%s of %s huge pages",
			 fz_size_text(bytes).text,
			 fz_size_text(page.bytes).text);
		fz_pools_read(hooks, &pools);
		pool = fz_pools_find(&pools, page.bytes);
		if (fz_hugetlb_limit_find(hooks, page.bytes, bytes, &limit))
			return fz_cgroup_limit_error(&limit, what, bytes, err);
		if (pool)
			return pool_error(hooks, pool, bytes, code, err);
	}
	return fz_err_set(err, -ENOMEM, "cannot map %s of memory: %s",
			  fz_size_text(bytes).text, strerror(-code));
}
