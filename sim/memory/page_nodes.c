// SPDX-License-Identifier: GPL-2.0-or-later
/* Asks for the nodes of a sample of pages and counts them. */
#include <fz/page_nodes.h>

/* Their addresses and nodes fit a small stack. */
#define MAX_SAMPLES 1024

static void count(struct fz_page_nodes *found, unsigned int node)
{
	size_t at = 0;

	while (at < found->nr && found->nodes[at].node < node)
		at++;
	if (at < found->nr && found->nodes[at].node == node) {
		found->nodes[at].pages++;
		return;
	}
	if (found->nr == FZ_MAX_NODES) {
		found->nr_unknown++;
		return;
	}
	for (size_t i = found->nr++; i > at; i--)
		found->nodes[i] = found->nodes[i - 1];
	found->nodes[at] = (struct fz_node_pages){ node, 1 };
}

void fz_page_nodes_read(const struct fz_hooks *hooks, const void *base,
			uint64_t bytes, uint64_t page_bytes,
			struct fz_page_nodes *found)
{
	const uint64_t nr_pages = bytes / page_bytes;
	const size_t nr = nr_pages < MAX_SAMPLES ? nr_pages : MAX_SAMPLES;
	const void *page[MAX_SAMPLES];
	int node[MAX_SAMPLES];

	*found = (struct fz_page_nodes){ .nr_pages = nr };
	for (size_t i = 0; i < nr; i++)
		page[i] = (const char *)base + i * nr_pages / nr * page_bytes;
	if (nr && hooks->page_nodes(hooks->state, page, nr, node)) {
		found->nr_unknown = nr;
		return;
	}
	for (size_t i = 0; i < nr; i++) {
		if (node[i] < 0)
			found->nr_unknown++;
		else
			count(found, (unsigned int)node[i]);
	}
}
