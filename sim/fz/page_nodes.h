/* SPDX-License-Identifier: GPL-2.0-or-later */
/* On which NUMA nodes the pages of a range really are. */
#ifndef FZ_PAGE_NODES_H
#define FZ_PAGE_NODES_H

#include <stddef.h>
#include <stdint.h>

#include <fz/hooks.h>
#include <fz/pools.h>

/**
 * struct fz_node_pages - pages on one node
 * @node: number of the node
 * @pages: how many of those looked at
 */
struct fz_node_pages {
	unsigned int node;
	uint64_t pages;
};

/**
 * struct fz_page_nodes - what was found
 * @nr_pages: pages looked at
 * @nr_unknown: of these, not there, or not to be known: without rights (the
 *	system call filter of a container) or on a kernel without NUMA, all
 * @nr: entries in @nodes
 * @nodes: [nr], ascending by node
 */
struct fz_page_nodes {
	uint64_t nr_pages;
	uint64_t nr_unknown;
	size_t nr;
	struct fz_node_pages nodes[FZ_MAX_NODES];
};

/**
 * fz_page_nodes_read() - ask the kernel where pages are
 * @hooks: the world
 * @base: first byte, aligned to @page_bytes
 * @bytes: size of the range
 * @page_bytes: size of a page; each counts as one, whatever its size
 * @found: written
 *
 * Looks at 1024 pages at most, spread evenly over the range. Touches none.
 */
void fz_page_nodes_read(const struct fz_hooks *hooks, const void *base,
			uint64_t bytes, uint64_t page_bytes,
			struct fz_page_nodes *found);

#endif
