/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bitmaps by process and region, found by hashing. */
#ifndef FZ_PAGE_BLOCKS_H
#define FZ_PAGE_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hash.h"
#include "items.h"
#include "page_bits.h"

/* Regions side by side share an element of the hash table. */
#define FZ_GROUP_BLOCKS 16u

/* The root of a process has no number of its own as key. */
#define FZ_ROOT_KEY UINT64_MAX

/* What is in a bitmap, as far as it takes no bitmap to say so. */
enum fz_block_kind {
	FZ_BLOCK_UNKNOWN, /* never asked for */
	FZ_BLOCK_EMPTY,
	FZ_BLOCK_ONE,   /* only this bit */
	FZ_BLOCK_FULL,  /* all of them */
	FZ_BLOCK_BITS,  /* this bitmap */
	FZ_BLOCK_SPLIT, /* these bitmaps, one a slot */
};

/**
 * struct fz_block_word - a region in its group
 * @kind: enum fz_block_kind
 * @whole: a bit for the caller
 * @index: the bit, or the item that is the bitmap
 */
struct fz_block_word {
	uint32_t kind : 3;
	uint32_t whole : 1;
	uint32_t index : 28;
};

/**
 * struct fz_block_key - which group of which process
 * @number: FZ_ROOT_KEY, or its address in units of its size
 * @pid: process
 *
 * Packed, so that there is no padding to compare.
 */
struct fz_block_key {
	uint64_t number;
	uint32_t pid;
} __attribute__((packed, aligned(4)));

/**
 * struct fz_block_group - regions side by side
 * @key: how it is found
 * @next: item that is the next group of its process, in a circle
 * @number: its address in units of its size
 * @at: the region that @bits is about
 * @whole: of that region
 * @is_lone: no other region of the group is known, and it takes a bitmap, which
 *	then is @bits
 * @words: one a region, unless @is_lone
 * @bits: a bitmap where the words would be
 * @hh: its place in the hash table
 *
 * The first group of a process is its root: by it the others are found when the
 * process ends, so that a process takes no memory of its own.
 */
struct fz_block_group {
	struct fz_block_key key;
	uint32_t next;
	uint64_t number : 58;
	uint64_t at : 4;
	uint64_t whole : 1;
	uint64_t is_lone : 1;
	union {
		struct fz_block_word words[FZ_GROUP_BLOCKS];
		uint64_t bits[FZ_BITS_WORDS];
	};
	UT_hash_handle hh;
};

/**
 * struct fz_block - a region
 * @group: its group, which does not move while it is there
 * @at: its index there
 */
struct fz_block {
	struct fz_block_group *group;
	unsigned int at;
};

/**
 * struct fz_blocks - all regions of one size
 * @nr_slots: bitmaps of a block that was split
 * @table: groups
 * @groups: where they are
 * @bitmaps: of regions that are neither lone nor split
 * @splits: bitmaps of those that are split, @nr_slots each
 * @nr_blocks: regions that are known
 * @found: the group that was found last
 * @root: of the process that was looked for last
 * @anchor: keeps the table when no group is left
 *
 * Begin with fz_blocks_init(). It may not move.
 */
struct fz_blocks {
	unsigned int nr_slots;
	struct fz_block_group *table;
	struct fz_items groups;
	struct fz_items bitmaps;
	struct fz_items splits;
	uint64_t nr_blocks;
	struct fz_block_group *found;
	struct fz_block_group *root;
	struct fz_block_group anchor;
};

/* None; blocks that are split get so many bitmaps. */
void fz_blocks_init(struct fz_blocks *blocks, unsigned int nr_slots);

/* Free them all. */
void fz_blocks_fini(struct fz_blocks *blocks);

/* Is that region known? If so, it is written. */
bool fz_blocks_find(struct fz_blocks *blocks, uint32_t pid, uint64_t number,
		    struct fz_block *block);

/* The region, empty if it was not known; 0 or -ENOMEM. */
int fz_blocks_get(struct fz_blocks *blocks, uint32_t pid, uint64_t number,
		  struct fz_block *block);

/* Forget all regions of a process. */
void fz_blocks_drop(struct fz_blocks *blocks, uint32_t pid);

/* An unknown region becomes an empty one; 0 or -ENOMEM. Others stay. */
int fz_block_begin(struct fz_blocks *blocks, struct fz_block block);

/* A region becomes unknown; its bitmaps are given back. */
void fz_block_end(struct fz_blocks *blocks, struct fz_block block);

/* What is in it, and how that is kept. */
static inline enum fz_block_kind fz_block_kind(struct fz_block block)
{
	const struct fz_block_group *group = block.group;

	if (!group->is_lone)
		return (enum fz_block_kind)group->words[block.at].kind;
	return group->at == block.at ? FZ_BLOCK_BITS : FZ_BLOCK_UNKNOWN;
}

/* Does each slot have a bitmap of its own? */
static inline bool fz_block_is_split(struct fz_block block)
{
	return fz_block_kind(block) == FZ_BLOCK_SPLIT;
}

/* Each slot gets a copy of the bitmap; 0 or -ENOMEM. Done once. */
int fz_block_split(struct fz_blocks *blocks, struct fz_block block);

/* The bit for the caller; false at first. Not of blocks that are split. */
bool fz_block_is_whole(struct fz_block block);
void fz_block_set_whole(struct fz_block block);

/* The bitmap of a slot, maybe made up in @room: to be read before a change. */
const uint64_t *fz_block_bits(const struct fz_blocks *blocks,
			      struct fz_block block, unsigned int slot,
			      uint64_t room[FZ_BITS_WORDS]);

/* The bitmap of a slot, to be written; the block is split. */
uint64_t *fz_block_split_bits(const struct fz_blocks *blocks,
			      struct fz_block block, unsigned int slot);

/* Set bit @i of a slot; of all, if it is not split. 0 or -ENOMEM. */
int fz_block_set(struct fz_blocks *blocks, struct fz_block block,
		 unsigned int slot, unsigned int i);

/* Clear [first, first + nr) of a slot; of all, if it is not split. 0 or
 * -ENOMEM. */
int fz_block_clear(struct fz_blocks *blocks, struct fz_block block,
		   unsigned int slot, unsigned int first, unsigned int nr);

/* Regions that are known. */
uint64_t fz_blocks_count(const struct fz_blocks *blocks);

/* Memory of them all. */
uint64_t fz_blocks_bytes(const struct fz_blocks *blocks);

#endif
