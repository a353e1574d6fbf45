/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The hugetlb pools the kernel has, and reserving pages in them. */
#ifndef FZ_POOLS_H
#define FZ_POOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fz/err.h>
#include <fz/hooks.h>

#define FZ_MAX_POOLS 16
#define FZ_MAX_NODES 64

/**
 * struct fz_pool_node - a pool's share on one NUMA node
 * @node: node number
 * @total: nr_hugepages
 * @free: free_hugepages
 */
struct fz_pool_node {
	unsigned int node;
	uint64_t total;
	uint64_t free;
};

/**
 * struct fz_pool - one hugetlb pool, as /sys/kernel/mm/hugepages shows it
 * @page_bytes: size of a page
 * @total: nr_hugepages
 * @free: free_hugepages
 * @reserved: resv_hugepages: promised to mappings, so free - reserved is left
 * @surplus: surplus_hugepages
 * @overcommit: nr_overcommit_hugepages
 * @nr_nodes: entries in @nodes
 * @nodes: [nr_nodes]
 */
struct fz_pool {
	uint64_t page_bytes;
	uint64_t total;
	uint64_t free;
	uint64_t reserved;
	uint64_t surplus;
	uint64_t overcommit;
	size_t nr_nodes;
	struct fz_pool_node nodes[FZ_MAX_NODES];
};

/**
 * struct fz_pools - all pools, ascending by page size
 * @nr: entries in @pool
 * @pool: [nr]
 */
struct fz_pools {
	size_t nr;
	struct fz_pool pool[FZ_MAX_POOLS];
};

/**
 * fz_pools_read() - read the pools
 * @hooks: the world
 * @pools: written; nr 0 where the kernel has no hugetlb
 */
void fz_pools_read(const struct fz_hooks *hooks, struct fz_pools *pools);

/**
 * fz_pools_find() - the pool of a page size
 * @pools: the pools
 * @page_bytes: size of a page
 *
 * Return: the pool, or NULL.
 */
const struct fz_pool *fz_pools_find(const struct fz_pools *pools,
				    uint64_t page_bytes);

struct fz_reservation;

/**
 * fz_reservation_open() - raise a pool until enough pages are free
 * @out: written on success, also when fewer pages came than were asked for
 * @hooks: the world; must outlive the reservation
 * @page_bytes: size of a page
 * @nr_pages: pages that should be free and unreserved
 * @err: message on failure: file, reason and command
 *
 * Writes nr_hugepages and reads it back: fragmentation may leave fewer. The
 * caller asks fz_reservation_got(). The file cannot be added to, so other
 * programs are kept out meanwhile by its lock, flock(), if they take it too, as
 * tools/with-hugepages does; after 10 s it goes on without.
 *
 * Return: 0; -EACCES or -EPERM without rights; -ENOTSUP without such a pool;
 * -ENOMEM, and nothing is written, if the missing pages would take memory that
 * others need.
 */
int fz_reservation_open(struct fz_reservation **out,
			const struct fz_hooks *hooks, uint64_t page_bytes,
			uint64_t nr_pages, struct fz_err *err);

/**
 * fz_reservation_got() - pages that the reservation added to the pool
 * @reservation: the reservation
 *
 * Return: pages; to be compared with fz_reservation_asked().
 */
uint64_t fz_reservation_got(const struct fz_reservation *reservation);

/**
 * fz_reservation_asked() - pages that were missing and asked for
 * @reservation: the reservation
 *
 * Return: pages; 0 if the pool had enough.
 */
uint64_t fz_reservation_asked(const struct fz_reservation *reservation);

/**
 * fz_reservation_close() - give back what was got
 * @reservation: may be NULL
 *
 * Call it after the buffers are closed. Takes the lock as above.
 *
 * Return: 0, or -errno if the pool could not be lowered.
 */
int fz_reservation_close(struct fz_reservation *reservation);

#endif
