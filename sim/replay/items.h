/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Many things of one size, told apart by number, that never move. */
#ifndef FZ_ITEMS_H
#define FZ_ITEMS_H

#include <stddef.h>
#include <stdint.h>

/* No item. */
#define FZ_NO_ITEM UINT32_MAX

/* Items in a chunk. */
#define FZ_ITEMS_SHIFT 9u
#define FZ_ITEMS_CHUNK (1u << FZ_ITEMS_SHIFT)

/**
 * struct fz_items - items, in chunks that are added as they are needed
 * @bytes: of an item, a multiple of 8
 * @max: no more items than that
 * @chunks: [nr_chunks] where they are
 * @nr_chunks: number of chunks
 * @nr_made: items that were ever in use
 * @free: first of those that are not any more
 *
 * A number is half of a pointer, and adding a chunk copies no item.
 */
struct fz_items {
	size_t bytes;
	uint32_t max;
	char **chunks;
	size_t nr_chunks;
	uint32_t nr_made;
	uint32_t free;
};

/* None of them yet. */
void fz_items_init(struct fz_items *items, size_t bytes, uint32_t max);

/* Free them all. */
void fz_items_fini(struct fz_items *items);

/* Number of an item that is not in use, its contents anything; FZ_NO_ITEM
 * without memory. */
uint32_t fz_items_take(struct fz_items *items);

/* It is not in use any more. */
void fz_items_give(struct fz_items *items, uint32_t number);

/* Where it is. */
static inline void *fz_items_at(const struct fz_items *items, uint32_t number)
{
	return items->chunks[number >> FZ_ITEMS_SHIFT] +
	       (number & (FZ_ITEMS_CHUNK - 1)) * items->bytes;
}

/* Memory that items took, also those that are not in use any more. */
uint64_t fz_items_bytes(const struct fz_items *items);

#endif
