// SPDX-License-Identifier: GPL-2.0-or-later
/* Items in chunks, and a list of those that came back. */
#include "items.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

void fz_items_init(struct fz_items *items, size_t bytes, uint32_t max)
{
	assert(bytes % 8 == 0 && max < FZ_NO_ITEM);
	*items = (struct fz_items){
		.bytes = bytes,
		.max = max,
		.free = FZ_NO_ITEM,
	};
}

void fz_items_fini(struct fz_items *items)
{
	for (size_t i = 0; i < items->nr_chunks; i++)
		free(items->chunks[i]);
	free(items->chunks);
	fz_items_init(items, items->bytes, items->max);
}

static int add_chunk(struct fz_items *items)
{
	const size_t nr = items->nr_chunks;
	char **chunks = items->chunks;

	/* Doubled where the number is a power of two. */
	if ((nr & (nr - 1)) == 0) {
		chunks = realloc(chunks, (nr ? 2 * nr : 1) * sizeof(*chunks));
		if (!chunks)
			return -ENOMEM;
		items->chunks = chunks;
	}
	chunks[nr] = malloc(FZ_ITEMS_CHUNK * items->bytes);
	if (!chunks[nr])
		return -ENOMEM;
	items->nr_chunks++;
	return 0;
}

uint32_t fz_items_take(struct fz_items *items)
{
	const uint32_t number = items->free;

	if (number != FZ_NO_ITEM) {
		memcpy(&items->free, fz_items_at(items, number),
		       sizeof(items->free));
		return number;
	}
	if (items->nr_made == items->max ||
	    (items->nr_made == items->nr_chunks << FZ_ITEMS_SHIFT &&
	     add_chunk(items)))
		return FZ_NO_ITEM;
	return items->nr_made++;
}

void fz_items_give(struct fz_items *items, uint32_t number)
{
	memcpy(fz_items_at(items, number), &items->free, sizeof(items->free));
	items->free = number;
}

uint64_t fz_items_bytes(const struct fz_items *items)
{
	return items->nr_made * (uint64_t)items->bytes +
	       items->nr_chunks * 2 * sizeof(*items->chunks);
}
