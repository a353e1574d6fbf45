// SPDX-License-Identifier: GPL-2.0-or-later
/* A hash table of bitmaps whose elements come from chunks. */

#define HASH_FUNCTION(key, bytes, hash) ((hash) = key_hash(key))

/* Most regions that are looked for the first time are new. This filter of 2^24
 * bits, 2 MiB, says so without a walk along a chain; some 4 million regions
 * leave it useful. */
#define HASH_BLOOM 24

#include "page_blocks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* 2 MiB of buckets at the start: half a million regions until they must grow,
 * which takes longer than all else. */
#undef HASH_INITIAL_NUM_BUCKETS_LOG2
#undef HASH_INITIAL_NUM_BUCKETS
#define HASH_INITIAL_NUM_BUCKETS_LOG2 17u
#define HASH_INITIAL_NUM_BUCKETS      (1u << HASH_INITIAL_NUM_BUCKETS_LOG2)

/* Blocks in a chunk: 17 pages of 4 KiB, without a rest. */
#define CHUNK_SHIFT  9u
#define CHUNK_BLOCKS (1u << CHUNK_SHIFT)

/*
 * Regions that lie close together are touched close together: GROUP of them
 * side by side get hashes side by side, so that they share cache lines and TLB
 * entries of the table, and what is in their chains does as well.
 */
#define GROUP_SHIFT 7u

static unsigned int key_hash(const struct fz_block_key *key)
{
	/* Odd numbers without a pattern in their bits; the upper half of a
	 * product depends on all bits of its factors. */
	uint64_t x = (key->number >> GROUP_SHIFT) * 0x9e3779b97f4a7c15ull ^
		     key->pid * 0xc2b2ae3d27d4eb4full;

	x = (x ^ x >> 32) * 0xd6e8feb86659fd93ull;
	return (unsigned int)(x >> 32) +
	       (unsigned int)(key->number & ((1u << GROUP_SHIFT) - 1));
}

void fz_blocks_init(struct fz_blocks *blocks, unsigned int nr_slots)
{
	*blocks = (struct fz_blocks){
		.nr_slots = nr_slots,
		.free = FZ_NO_BLOCK,
	};
}

static struct fz_block *block_at(const struct fz_blocks *blocks, uint32_t i)
{
	return &blocks->chunks[i >> CHUNK_SHIFT][i & (CHUNK_BLOCKS - 1)];
}

void fz_blocks_fini(struct fz_blocks *blocks)
{
	for (uint32_t i = 0; blocks->nr_split && i < blocks->nr_made; i++)
		if (block_at(blocks, i)->is_split)
			free(block_at(blocks, i)->more);
	HASH_CLEAR(hh, blocks->table);
	for (size_t i = 0; i < blocks->nr_chunks; i++)
		free(blocks->chunks[i]);
	free(blocks->chunks);
	fz_blocks_init(blocks, blocks->nr_slots);
}

struct fz_block *fz_blocks_find(struct fz_blocks *blocks, uint32_t pid,
				uint64_t number)
{
	const struct fz_block_key key = { .number = number, .pid = pid };
	struct fz_block *found = blocks->found;

	if (found && found->key.number == number && found->key.pid == pid)
		return found;
	HASH_FIND(hh, blocks->table, &key, sizeof(key), found);
	if (found)
		blocks->found = found;
	return found;
}

static int add_chunk(struct fz_blocks *blocks)
{
	struct fz_block **chunks = blocks->chunks;
	const size_t nr = blocks->nr_chunks;

	/* Doubled where the number is a power of two. */
	if ((nr & (nr - 1)) == 0) {
		chunks = realloc(chunks, (nr ? 2 * nr : 1) * sizeof(*chunks));
		if (!chunks)
			return -ENOMEM;
		blocks->chunks = chunks;
	}
	chunks[nr] = malloc(CHUNK_BLOCKS * sizeof(**chunks));
	if (!chunks[nr])
		return -ENOMEM;
	blocks->nr_chunks++;
	return 0;
}

/* Index of a block that is not in use; FZ_NO_BLOCK without memory. */
static uint32_t take(struct fz_blocks *blocks)
{
	const uint32_t index = blocks->free;

	if (index != FZ_NO_BLOCK) {
		blocks->free = block_at(blocks, index)->next;
		return index;
	}
	if (blocks->nr_made == FZ_NO_BLOCK ||
	    (blocks->nr_made == blocks->nr_chunks << CHUNK_SHIFT &&
	     add_chunk(blocks)))
		return FZ_NO_BLOCK;
	return blocks->nr_made++;
}

/* A table of this size is not made anew for every process that comes. */
static int open_table(struct fz_blocks *blocks)
{
	struct fz_block *anchor = &blocks->anchor;

	if (blocks->table)
		return 0;
	*anchor = (struct fz_block){ .key = { .number = UINT64_MAX } };
	HASH_ADD(hh, blocks->table, key, sizeof(anchor->key), anchor);
	return anchor->hh.tbl ? 0 : -ENOMEM;
}

struct fz_block *fz_blocks_add(struct fz_blocks *blocks, uint32_t pid,
			       uint64_t number, uint32_t *list)
{
	const uint32_t index = open_table(blocks) ? FZ_NO_BLOCK : take(blocks);
	struct fz_block *block;

	if (index == FZ_NO_BLOCK)
		return NULL;
	block = block_at(blocks, index);
	memset(block, 0, sizeof(*block));
	block->key.number = number;
	block->key.pid = pid;
	HASH_ADD(hh, blocks->table, key, sizeof(block->key), block);
	if (!block->hh.tbl) { /* uthash had no memory for its table */
		block->next = blocks->free;
		blocks->free = index;
		return NULL;
	}
	block->next = *list;
	*list = index;
	blocks->found = block;
	return block;
}

void fz_blocks_drop(struct fz_blocks *blocks, uint32_t *list)
{
	blocks->found = NULL;
	while (*list != FZ_NO_BLOCK) {
		const uint32_t index = *list;
		struct fz_block *block = block_at(blocks, index);

		HASH_DEL(blocks->table, block);
		if (block->is_split) {
			blocks->nr_split--;
			free(block->more);
			block->is_split = false;
		}
		*list = block->next;
		block->next = blocks->free;
		blocks->free = index;
	}
}

int fz_blocks_split(struct fz_blocks *blocks, struct fz_block *block)
{
	uint64_t(*more)[FZ_BITS_WORDS] =
		malloc(blocks->nr_slots * sizeof(*more));

	if (!more)
		return -ENOMEM;
	for (unsigned int i = 0; i < blocks->nr_slots; i++)
		memcpy(more[i], block->bits, sizeof(block->bits));
	block->more = more;
	block->is_split = true;
	blocks->nr_split++;
	return 0;
}

uint64_t fz_blocks_count(const struct fz_blocks *blocks)
{
	return blocks->table ? HASH_COUNT(blocks->table) - 1 : 0;
}

uint64_t fz_blocks_bytes(const struct fz_blocks *blocks)
{
	return blocks->nr_chunks * (CHUNK_BLOCKS * sizeof(struct fz_block) +
				    2 * sizeof(*blocks->chunks)) +
	       blocks->nr_split * blocks->nr_slots *
		       sizeof(uint64_t[FZ_BITS_WORDS]) +
	       (blocks->table ? HASH_OVERHEAD(hh, blocks->table) -
					fz_blocks_count(blocks) *
						sizeof(UT_hash_handle)
			      : 0);
}
