// SPDX-License-Identifier: GPL-2.0-or-later
/* What is in a region, in as little memory as it takes to say it. */
#include <assert.h>
#include <errno.h>
#include <string.h>

#include "page_blocks.h"

#define BITMAP_BYTES sizeof(uint64_t[FZ_BITS_WORDS])

static void set_word(struct fz_block block, enum fz_block_kind kind,
		     uint32_t index)
{
	struct fz_block_word *word = &block.group->words[block.at];

	word->kind = kind;
	word->index = index;
}

/* Its bitmap moves out of the group, so that others find room there. */
static int end_lone(struct fz_blocks *blocks, struct fz_block_group *group)
{
	const struct fz_block block = { group, (unsigned int)group->at };
	uint32_t item;

	if (!group->is_lone)
		return 0;
	item = fz_items_take(&blocks->bitmaps);
	if (item == FZ_NO_ITEM)
		return -ENOMEM;
	memcpy(fz_items_at(&blocks->bitmaps, item), group->bits, BITMAP_BYTES);
	memset(group->words, 0, sizeof(group->words));
	group->is_lone = false;
	set_word(block, FZ_BLOCK_BITS, item);
	group->words[block.at].whole = group->whole;
	return 0;
}

static bool is_alone(struct fz_block block)
{
	unsigned int others = 0;

	for (unsigned int at = 0; at < FZ_GROUP_BLOCKS; at++)
		others += at != block.at &&
			  block.group->words[at].kind != FZ_BLOCK_UNKNOWN;
	return !others;
}

int fz_block_begin(struct fz_blocks *blocks, struct fz_block block)
{
	if (fz_block_kind(block) != FZ_BLOCK_UNKNOWN)
		return 0;
	if (end_lone(blocks, block.group))
		return -ENOMEM;
	set_word(block, FZ_BLOCK_EMPTY, 0);
	blocks->nr_blocks++;
	return 0;
}

/* Back to a word, for nothing. */
static void give_bitmaps(struct fz_blocks *blocks, struct fz_block block)
{
	struct fz_block_group *group = block.group;
	const struct fz_block_word *word = &group->words[block.at];

	if (group->is_lone) {
		memset(group->words, 0, sizeof(group->words));
		group->is_lone = false;
		group->words[block.at].whole = group->whole;
	} else if (word->kind == FZ_BLOCK_BITS) {
		fz_items_give(&blocks->bitmaps, word->index);
	} else if (word->kind == FZ_BLOCK_SPLIT) {
		fz_items_give(&blocks->splits, word->index);
	}
	set_word(block, FZ_BLOCK_EMPTY, 0);
}

void fz_block_end(struct fz_blocks *blocks, struct fz_block block)
{
	if (fz_block_kind(block) == FZ_BLOCK_UNKNOWN)
		return;
	give_bitmaps(blocks, block);
	block.group->words[block.at] = (struct fz_block_word){ .index = 0 };
	blocks->nr_blocks--;
}

bool fz_block_is_whole(struct fz_block block)
{
	return block.group->is_lone ? block.group->whole
				    : block.group->words[block.at].whole;
}

void fz_block_set_whole(struct fz_block block)
{
	if (block.group->is_lone)
		block.group->whole = true;
	else
		block.group->words[block.at].whole = true;
}

const uint64_t *fz_block_bits(const struct fz_blocks *blocks,
			      struct fz_block block, unsigned int slot,
			      uint64_t room[FZ_BITS_WORDS])
{
	const struct fz_block_word *word = &block.group->words[block.at];
	const enum fz_block_kind kind = fz_block_kind(block);

	if (kind == FZ_BLOCK_SPLIT)
		return fz_block_split_bits(blocks, block, slot);
	if (kind == FZ_BLOCK_BITS)
		return block.group->is_lone
			       ? block.group->bits
			       : fz_items_at(&blocks->bitmaps, word->index);
	memset(room, kind == FZ_BLOCK_FULL ? 0xff : 0, BITMAP_BYTES);
	if (kind == FZ_BLOCK_ONE)
		bits_set(room, word->index);
	return room;
}

uint64_t *fz_block_split_bits(const struct fz_blocks *blocks,
			      struct fz_block block, unsigned int slot)
{
	uint64_t *bits = fz_items_at(&blocks->splits,
				     block.group->words[block.at].index);

	return bits + (size_t)slot * FZ_BITS_WORDS;
}

static void copy_bits(uint64_t to[FZ_BITS_WORDS],
		      const struct fz_blocks *blocks, struct fz_block block,
		      unsigned int slot)
{
	const uint64_t *bits = fz_block_bits(blocks, block, slot, to);

	if (bits != to)
		memcpy(to, bits, BITMAP_BYTES);
}

/* The bitmap of a block that is not split; one with anything in it if it had
 * none. NULL without memory. */
static uint64_t *get_bitmap(struct fz_blocks *blocks, struct fz_block block)
{
	struct fz_block_group *group = block.group;
	uint32_t item;

	if (group->is_lone)
		return group->bits;
	if (fz_block_kind(block) == FZ_BLOCK_BITS)
		return fz_items_at(&blocks->bitmaps,
				   group->words[block.at].index);
	if (is_alone(block)) {
		group->whole = group->words[block.at].whole;
		group->at = block.at;
		group->is_lone = true;
		return group->bits;
	}
	item = fz_items_take(&blocks->bitmaps);
	if (item == FZ_NO_ITEM)
		return NULL;
	set_word(block, FZ_BLOCK_BITS, item);
	return fz_items_at(&blocks->bitmaps, item);
}

/* Of a block that is not split; @bits are not where it keeps its own. */
static int store(struct fz_blocks *blocks, struct fz_block block,
		 const uint64_t *bits)
{
	const unsigned int nr = bits_count(bits);
	uint64_t *to;

	if (nr <= 1 || nr == FZ_BITS) {
		give_bitmaps(blocks, block);
		if (nr == 1)
			set_word(block, FZ_BLOCK_ONE, bits_first_from(bits, 0));
		if (nr == FZ_BITS)
			set_word(block, FZ_BLOCK_FULL, 0);
		return 0;
	}
	to = get_bitmap(blocks, block);
	if (!to)
		return -ENOMEM;
	memcpy(to, bits, BITMAP_BYTES);
	return 0;
}

static void set_in_bitmap(struct fz_blocks *blocks, struct fz_block block,
			  unsigned int i)
{
	uint64_t *bits = get_bitmap(blocks, block);

	bits_set(bits, i);
	if (bits[i / 64] != UINT64_MAX || bits_count(bits) < FZ_BITS)
		return;
	give_bitmaps(blocks, block);
	set_word(block, FZ_BLOCK_FULL, 0);
}

static int set_second(struct fz_blocks *blocks, struct fz_block block,
		      unsigned int i)
{
	uint64_t bits[FZ_BITS_WORDS];

	copy_bits(bits, blocks, block, 0);
	if (bits_test(bits, i))
		return 0;
	bits_set(bits, i);
	return store(blocks, block, bits);
}

int fz_block_set(struct fz_blocks *blocks, struct fz_block block,
		 unsigned int slot, unsigned int i)
{
	switch (fz_block_kind(block)) {
	case FZ_BLOCK_EMPTY:
		set_word(block, FZ_BLOCK_ONE, i);
		break;
	case FZ_BLOCK_ONE:
		return set_second(blocks, block, i);
	case FZ_BLOCK_BITS:
		set_in_bitmap(blocks, block, i);
		break;
	case FZ_BLOCK_SPLIT:
		bits_set(fz_block_split_bits(blocks, block, slot), i);
		break;
	case FZ_BLOCK_FULL:
		break;
	case FZ_BLOCK_UNKNOWN:
		assert(false);
	}
	return 0;
}

int fz_block_clear(struct fz_blocks *blocks, struct fz_block block,
		   unsigned int slot, unsigned int first, unsigned int nr)
{
	uint64_t bits[FZ_BITS_WORDS];

	if (fz_block_is_split(block)) {
		bits_clear(fz_block_split_bits(blocks, block, slot), first, nr);
		return 0;
	}
	copy_bits(bits, blocks, block, slot);
	bits_clear(bits, first, nr);
	return store(blocks, block, bits);
}

int fz_block_split(struct fz_blocks *blocks, struct fz_block block)
{
	const uint32_t item = fz_items_take(&blocks->splits);
	uint64_t bits[FZ_BITS_WORDS];

	if (item == FZ_NO_ITEM)
		return -ENOMEM;
	copy_bits(bits, blocks, block, 0);
	give_bitmaps(blocks, block);
	set_word(block, FZ_BLOCK_SPLIT, item);
	for (unsigned int i = 0; i < blocks->nr_slots; i++)
		memcpy(fz_block_split_bits(blocks, block, i), bits,
		       BITMAP_BYTES);
	return 0;
}
