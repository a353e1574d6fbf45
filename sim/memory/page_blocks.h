/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bitmaps by process and region, found by hashing. */
#ifndef FZ_PAGE_BLOCKS_H
#define FZ_PAGE_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

#include "hash.h"
#include "page_bits.h"

/* No further block in a list. */
#define FZ_NO_BLOCK ((1u << 30) - 1)

/**
 * struct fz_block_key - which region of which process
 * @number: its address in units of its size
 * @pid: process
 *
 * Packed, so that there is no padding to compare.
 */
struct fz_block_key {
	uint64_t number;
	uint32_t pid;
} __attribute__((packed, aligned(4)));

/**
 * struct fz_block - a region
 * @key: which
 * @next: index of the next in its list
 * @whole: a bit for the caller
 * @is_split: @more is in use, not @bits
 * @bits: of all slots
 * @more: [nr_slots], a bitmap for each slot; owned
 * @hh: its place in the hash table
 */
struct fz_block {
	struct fz_block_key key;
	uint32_t next : 30;
	uint32_t whole : 1;
	uint32_t is_split : 1;
	union {
		uint64_t bits[FZ_BITS_WORDS];
		uint64_t (*more)[FZ_BITS_WORDS];
	};
	UT_hash_handle hh;
};

/**
 * struct fz_blocks - all regions of one size
 * @nr_slots: bitmaps of a block that was split
 * @table: those in use
 * @chunks: [nr_chunks] where they are
 * @nr_chunks: number of chunks
 * @nr_made: blocks in chunks that were ever in use
 * @free: first of those that are not any more
 * @found: the one that was found last
 * @nr_split: blocks with bitmaps of their own
 * @anchor: keeps the table when no region is left
 *
 * Begin with fz_blocks_init(). It may not move.
 */
struct fz_blocks {
	unsigned int nr_slots;
	struct fz_block *table;
	struct fz_block **chunks;
	size_t nr_chunks;
	uint32_t nr_made;
	uint32_t free;
	struct fz_block *found;
	uint64_t nr_split;
	struct fz_block anchor;
};

/* None; blocks that are split get so many bitmaps. */
void fz_blocks_init(struct fz_blocks *blocks, unsigned int nr_slots);

/* Free them all. */
void fz_blocks_fini(struct fz_blocks *blocks);

/* The block, or NULL. */
struct fz_block *fz_blocks_find(struct fz_blocks *blocks, uint32_t pid,
				uint64_t number);

/* A new, empty one, at the head of a list; NULL without memory. */
struct fz_block *fz_blocks_add(struct fz_blocks *blocks, uint32_t pid,
			       uint64_t number, uint32_t *list);

/* Free all blocks of a list. */
void fz_blocks_drop(struct fz_blocks *blocks, uint32_t *list);

/* Each slot gets a copy of the bitmap; 0 or -ENOMEM. Done once. */
int fz_blocks_split(struct fz_blocks *blocks, struct fz_block *block);

/* The bitmap of a slot. */
static inline uint64_t *fz_block_bits(struct fz_block *block, unsigned int slot)
{
	return block->is_split ? block->more[slot] : block->bits;
}

/* Blocks in use. */
uint64_t fz_blocks_count(const struct fz_blocks *blocks);

/* Memory of them all. */
uint64_t fz_blocks_bytes(const struct fz_blocks *blocks);

#endif
