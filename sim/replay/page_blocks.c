// SPDX-License-Identifier: GPL-2.0-or-later
/* A hash table of groups of regions, and the circle of each process. */

#define HASH_FUNCTION(key, bytes, hash) ((hash) = key_hash(key))

/* Most groups that are looked for the first time are new. This filter of 2^24
 * bits, 2 MiB, says so without a walk along a chain; some 4 million groups
 * leave it useful. */
#define HASH_BLOOM 24

#include "page_blocks.h"

#include <errno.h>
#include <string.h>

/* 2 MiB of buckets at the start: a million groups until they must grow. Then a
 * bucket holds 16 at most, and some 4 as a mean: with the 16 bytes of a bucket,
 * old and new ones, that adds less than 16 bytes to the 144 of a group. */
#undef HASH_INITIAL_NUM_BUCKETS_LOG2
#undef HASH_INITIAL_NUM_BUCKETS
#undef HASH_BKT_CAPACITY_THRESH
#define HASH_INITIAL_NUM_BUCKETS_LOG2 17u
#define HASH_INITIAL_NUM_BUCKETS      (1u << HASH_INITIAL_NUM_BUCKETS_LOG2)
#define HASH_BKT_CAPACITY_THRESH      16u

/*
 * Groups that lie close together are touched close together: NEAR of them side
 * by side get hashes side by side, so that they share cache lines and TLB
 * entries of the table, and what is in their chains does as well.
 */
#define NEAR_SHIFT 4u

static unsigned int key_hash(const struct fz_block_key *key)
{
	/* Odd numbers without a pattern in their bits; the upper half of a
	 * product depends on all bits of its factors. */
	uint64_t x = (key->number >> NEAR_SHIFT) * 0x9e3779b97f4a7c15ull ^
		     key->pid * 0xc2b2ae3d27d4eb4full;

	x = (x ^ x >> 32) * 0xd6e8feb86659fd93ull;
	return (unsigned int)(x >> 32) +
	       (unsigned int)(key->number & ((1u << NEAR_SHIFT) - 1));
}

_Static_assert(sizeof(struct fz_block_group) == 144,
	       "with its share of buckets a group takes at most 160 bytes");

void fz_blocks_init(struct fz_blocks *blocks, unsigned int nr_slots)
{
	const size_t bitmap_bytes = sizeof(uint64_t[FZ_BITS_WORDS]);
	/* What the index of a word can tell. */
	const uint32_t max = (1u << 28) - 1;

	*blocks = (struct fz_blocks){ .nr_slots = nr_slots };
	fz_items_init(&blocks->groups, sizeof(struct fz_block_group),
		      FZ_NO_ITEM - 1);
	fz_items_init(&blocks->bitmaps, bitmap_bytes, max);
	fz_items_init(&blocks->splits, nr_slots * bitmap_bytes, max);
}

void fz_blocks_fini(struct fz_blocks *blocks)
{
	HASH_CLEAR(hh, blocks->table);
	fz_items_fini(&blocks->groups);
	fz_items_fini(&blocks->bitmaps);
	fz_items_fini(&blocks->splits);
	fz_blocks_init(blocks, blocks->nr_slots);
}

static struct fz_block_group *find_key(struct fz_blocks *blocks, uint32_t pid,
				       uint64_t number)
{
	const struct fz_block_key key = { .number = number, .pid = pid };
	struct fz_block_group *group;

	HASH_FIND(hh, blocks->table, &key, sizeof(key), group);
	return group;
}

static struct fz_block_group *find_root(struct fz_blocks *blocks, uint32_t pid)
{
	struct fz_block_group *root = blocks->root;

	if (root && root->key.pid == pid)
		return root;
	root = find_key(blocks, pid, FZ_ROOT_KEY);
	if (root)
		blocks->root = root;
	return root;
}

static struct fz_block_group *find_group(struct fz_blocks *blocks, uint32_t pid,
					 uint64_t number)
{
	struct fz_block_group *group = blocks->found;

	if (group && group->number == number && group->key.pid == pid)
		return group;
	group = find_root(blocks, pid);
	if (group && group->number != number)
		group = find_key(blocks, pid, number);
	if (group)
		blocks->found = group;
	return group;
}

bool fz_blocks_find(struct fz_blocks *blocks, uint32_t pid, uint64_t number,
		    struct fz_block *block)
{
	*block = (struct fz_block){
		.group = find_group(blocks, pid, number / FZ_GROUP_BLOCKS),
		.at = number % FZ_GROUP_BLOCKS,
	};
	return block->group && fz_block_kind(*block) != FZ_BLOCK_UNKNOWN;
}

/* A table of this size is not made anew for every process that comes. */
static int open_table(struct fz_blocks *blocks)
{
	struct fz_block_group *anchor = &blocks->anchor;

	if (blocks->table)
		return 0;
	/* No group has this number: addresses end at 2^64. */
	*anchor = (struct fz_block_group){ .key = { .number = 1ull << 63 } };
	HASH_ADD(hh, blocks->table, key, sizeof(anchor->key), anchor);
	return anchor->hh.tbl ? 0 : -ENOMEM;
}

/* Into the circle of its process, which it may begin. */
static void add_to_circle(struct fz_blocks *blocks,
			  struct fz_block_group *group, uint32_t item)
{
	struct fz_block_group *root = find_root(blocks, group->key.pid);

	if (root == group) {
		group->next = item;
		return;
	}
	group->next = root->next;
	root->next = item;
}

static struct fz_block_group *add_group(struct fz_blocks *blocks, uint32_t pid,
					uint64_t number)
{
	const bool has_root = find_root(blocks, pid);
	const uint32_t item = open_table(blocks)
				      ? FZ_NO_ITEM
				      : fz_items_take(&blocks->groups);
	struct fz_block_group *group;

	if (item == FZ_NO_ITEM)
		return NULL;
	group = fz_items_at(&blocks->groups, item);
	memset(group, 0, sizeof(*group));
	group->key.number = has_root ? number : FZ_ROOT_KEY;
	group->key.pid = pid;
	group->number = number;
	HASH_ADD(hh, blocks->table, key, sizeof(group->key), group);
	if (!group->hh.tbl) { /* uthash had no memory for its table */
		fz_items_give(&blocks->groups, item);
		return NULL;
	}
	add_to_circle(blocks, group, item);
	blocks->found = group;
	return group;
}

int fz_blocks_get(struct fz_blocks *blocks, uint32_t pid, uint64_t number,
		  struct fz_block *block)
{
	if (fz_blocks_find(blocks, pid, number, block))
		return 0;
	if (!block->group)
		block->group = add_group(blocks, pid, number / FZ_GROUP_BLOCKS);
	return block->group ? fz_block_begin(blocks, *block) : -ENOMEM;
}

static void drop_group(struct fz_blocks *blocks, struct fz_block_group *group,
		       uint32_t item)
{
	for (unsigned int at = 0; at < FZ_GROUP_BLOCKS; at++)
		fz_block_end(blocks, (struct fz_block){ group, at });
	HASH_DEL(blocks->table, group);
	fz_items_give(&blocks->groups, item);
}

void fz_blocks_drop(struct fz_blocks *blocks, uint32_t pid)
{
	const struct fz_block_group *root = find_root(blocks, pid);
	struct fz_block_group *group;
	uint32_t item, next;

	blocks->found = blocks->root = NULL;
	if (!root)
		return;
	item = root->next;
	do {
		group = fz_items_at(&blocks->groups, item);
		next = group->next;
		drop_group(blocks, group, item);
		item = next;
	} while (group != root);
}

uint64_t fz_blocks_count(const struct fz_blocks *blocks)
{
	return blocks->nr_blocks;
}

uint64_t fz_blocks_bytes(const struct fz_blocks *blocks)
{
	return fz_items_bytes(&blocks->groups) +
	       fz_items_bytes(&blocks->bitmaps) +
	       fz_items_bytes(&blocks->splits) +
	       (blocks->table ? HASH_OVERHEAD(hh, blocks->table) -
					HASH_COUNT(blocks->table) *
						sizeof(UT_hash_handle)
			      : 0);
}
