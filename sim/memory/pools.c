// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads the hugetlb pools that the kernel has, whatever their page sizes. */
#include <fz/pools.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "name_number.h"

#define POOL_DIR "/sys/kernel/mm/hugepages"
#define NODE_DIR "/sys/devices/system/node"

struct node_list {
	size_t nr;
	unsigned int node[FZ_MAX_NODES];
};

/* Ascending insertion; a kernel has a handful of pools. */
static void pool_add(void *arg, const char *name)
{
	struct fz_pools *pools = arg;
	uint64_t kib;
	size_t at;

	if (pools->nr == FZ_MAX_POOLS ||
	    !fz_name_number(name, "hugepages-", "kB", &kib) || kib == 0 ||
	    kib > UINT64_MAX / 1024)
		return;
	for (at = pools->nr; at > 0; at--) {
		if (pools->pool[at - 1].page_bytes < kib * 1024)
			break;
		pools->pool[at].page_bytes = pools->pool[at - 1].page_bytes;
	}
	pools->pool[at].page_bytes = kib * 1024;
	pools->nr++;
}

static void node_add(void *arg, const char *name)
{
	struct node_list *list = arg;
	uint64_t node;
	size_t at;

	if (list->nr == FZ_MAX_NODES ||
	    !fz_name_number(name, "node", "", &node) || node > UINT32_MAX)
		return;
	for (at = list->nr; at > 0 && list->node[at - 1] > node; at--)
		list->node[at] = list->node[at - 1];
	list->node[at] = (unsigned int)node;
	list->nr++;
}

/* A file that is missing or broken counts as 0 pages. */
static uint64_t read_pages(const struct fz_hooks *hooks, const char *dir,
			   const char *file)
{
	char path[256];
	uint64_t value = 0;

	snprintf(path, sizeof(path), "%s/%s", dir, file);
	fz_read_u64(hooks, path, &value);
	return value;
}

/* A node without memory has no such directory and no share. */
static void pool_node_read(const struct fz_hooks *hooks, struct fz_pool *pool,
			   unsigned int number)
{
	struct fz_pool_node *node = &pool->nodes[pool->nr_nodes];
	char dir[128], path[160];

	snprintf(dir, sizeof(dir),
		 NODE_DIR "/node%u/hugepages/hugepages-%" PRIu64 "kB", number,
		 pool->page_bytes / 1024);
	snprintf(path, sizeof(path), "%s/nr_hugepages", dir);
	if (fz_read_u64(hooks, path, &node->total))
		return;
	node->node = number;
	node->free = read_pages(hooks, dir, "free_hugepages");
	pool->nr_nodes++;
}

static void pool_read(const struct fz_hooks *hooks, struct fz_pool *pool,
		      const struct node_list *list)
{
	const uint64_t kib = pool->page_bytes / 1024;
	char dir[128];

	snprintf(dir, sizeof(dir), POOL_DIR "/hugepages-%" PRIu64 "kB", kib);
	pool->total = read_pages(hooks, dir, "nr_hugepages");
	pool->free = read_pages(hooks, dir, "free_hugepages");
	pool->reserved = read_pages(hooks, dir, "resv_hugepages");
	pool->surplus = read_pages(hooks, dir, "surplus_hugepages");
	pool->overcommit = read_pages(hooks, dir, "nr_overcommit_hugepages");
	for (size_t i = 0; i < list->nr; i++)
		pool_node_read(hooks, pool, list->node[i]);
}

void fz_pools_read(const struct fz_hooks *hooks, struct fz_pools *pools)
{
	struct node_list list = { 0 };

	memset(pools, 0, sizeof(*pools));
	hooks->list_dir(hooks->state, hooks->root, POOL_DIR, pool_add, pools);
	hooks->list_dir(hooks->state, hooks->root, NODE_DIR, node_add, &list);
	for (size_t i = 0; i < pools->nr; i++)
		pool_read(hooks, &pools->pool[i], &list);
}

const struct fz_pool *fz_pools_find(const struct fz_pools *pools,
				    uint64_t page_bytes)
{
	for (size_t i = 0; i < pools->nr; i++) {
		if (pools->pool[i].page_bytes == page_bytes)
			return &pools->pool[i];
	}
	return NULL;
}
