// SPDX-License-Identifier: GPL-2.0-or-later
/* Bitmaps that are kept in several ways, against plain ones. */
#include <string.h>

#include <fz/random.h>

#include "fz_test.h"
#include "page_blocks.h"
#include "sanitized.h"

#define NR_PIDS    3u
#define NR_REGIONS 24u /* not all of two groups */
#define NR_SLOTS   3u
#define NR_STEPS   (FZ_SANITIZED ? 20000u : 200000u)

/* A plain bitmap for each slot. */
struct plain {
	bool known;
	bool is_split;
	bool whole;
	unsigned char bit[NR_SLOTS][FZ_BITS];
};

static struct plain plain[NR_PIDS][NR_REGIONS];
static struct fz_blocks blocks;
static struct fz_random rng;

static uint32_t below(uint32_t n)
{
	return (uint32_t)(fz_random_next(&rng) % n);
}

/* Far apart: the groups of a process are two, and far from the first. */
static uint64_t number_of(unsigned int region)
{
	return ((uint64_t)7 << 30) + region + (region < 8 ? 0 : 4096);
}

static unsigned int wrong_bits(const struct plain *p, struct fz_block block)
{
	unsigned int wrong = 0;

	for (unsigned int s = 0; s < NR_SLOTS; s++) {
		uint64_t room[FZ_BITS_WORDS];
		const uint64_t *bits = fz_block_bits(&blocks, block, s, room);

		for (unsigned int i = 0; i < FZ_BITS; i++)
			wrong += bits_test(bits, i) != p->bit[s][i];
	}
	wrong += fz_block_is_split(block) != p->is_split;
	wrong += !p->is_split && fz_block_is_whole(block) != p->whole;
	return wrong;
}

/* Everything that is known, and nothing else. */
static unsigned int wrong_anywhere(void)
{
	unsigned int wrong = 0, nr_known = 0;
	struct fz_block block;

	for (uint32_t pid = 0; pid < NR_PIDS; pid++)
		for (unsigned int r = 0; r < NR_REGIONS; r++) {
			const struct plain *p = &plain[pid][r];
			const bool found = fz_blocks_find(&blocks, pid,
							  number_of(r), &block);

			nr_known += p->known;
			wrong += found != p->known;
			if (found && p->known)
				wrong += wrong_bits(p, block);
		}
	return wrong + (fz_blocks_count(&blocks) != nr_known);
}

/* [first, first + nr) of a slot, or of all where there is but one bitmap. */
static void plain_put(struct plain *p, unsigned int slot, unsigned int first,
		      unsigned int nr, unsigned char value)
{
	for (unsigned int s = 0; s < NR_SLOTS; s++)
		if (s == slot || !p->is_split)
			memset(p->bit[s] + first, value, nr);
}

static void set(struct plain *p, struct fz_block block, unsigned int slot,
		unsigned int first, unsigned int nr)
{
	for (unsigned int i = first; i < first + nr; i++)
		fz_block_set(&blocks, block, slot, i);
	plain_put(p, slot, first, nr, 1);
}

static void clear(struct plain *p, struct fz_block block, unsigned int slot,
		  unsigned int first, unsigned int nr)
{
	fz_block_clear(&blocks, block, slot, first, nr);
	plain_put(p, slot, first, nr, 0);
}

static void change(struct plain *p, struct fz_block block)
{
	const unsigned int slot = below(NR_SLOTS);
	const unsigned int first = below(4) ? below(FZ_BITS) : 0;
	const unsigned int rest = FZ_BITS - first;
	const unsigned int nr = below(2) ? rest : below(rest) + 1;
	const uint32_t what = below(100);

	if (what < 50) {
		set(p, block, slot, first, 1);
	} else if (what < 65) {
		set(p, block, slot, first, nr);
	} else if (what < 97) {
		clear(p, block, slot, first, nr);
	} else if (!p->is_split && what < 98) {
		fz_block_set_whole(block);
		p->whole = true;
	} else if (!p->is_split && below(4) == 0) {
		fz_block_split(&blocks, block);
		p->is_split = true;
	}
}

static void step(void)
{
	const uint32_t pid = below(NR_PIDS);
	struct plain *p = &plain[pid][below(NR_REGIONS)];
	const unsigned int region = (unsigned int)(p - plain[pid]);
	struct fz_block block;

	if (below(300) == 0) {
		fz_blocks_drop(&blocks, pid);
		memset(plain[pid], 0, sizeof(plain[pid]));
		return;
	}
	/* Few regions for a while, so that some are alone in their group. */
	if (!p->known && below(20))
		return;
	fz_blocks_get(&blocks, pid, number_of(region), &block);
	p->known = true;
	change(p, block);
}

START_TEST(agrees_with_plain_bitmaps)
{
	unsigned int wrong = 0;

	rng = fz_random_begin(31 + (uint64_t)_i, 1);
	memset(plain, 0, sizeof(plain));
	fz_blocks_init(&blocks, NR_SLOTS);
	for (unsigned int i = 0; i < NR_STEPS && !wrong; i++) {
		step();
		if (i % 32 == 0)
			wrong += wrong_anywhere();
	}
	fz_blocks_fini(&blocks);
	ck_assert_uint_eq(wrong, 0);
}
END_TEST

/* One page and all pages take no bitmap; what is dropped is used again. */
START_TEST(memory_comes_back)
{
	struct fz_block block;
	uint64_t bytes = 0;

	fz_blocks_init(&blocks, 1);
	for (uint32_t pid = 0; pid < 100; pid++) {
		for (uint64_t number = 0; number < 40; number++) {
			fz_blocks_get(&blocks, pid, number, &block);
			for (unsigned int i = 0; i < FZ_BITS; i++)
				fz_block_set(&blocks, block, 0, i);
			/* From some to one, and that one is not the first. */
			fz_blocks_get(&blocks, pid, 1000 + number, &block);
			for (unsigned int i = 3; i < 6; i++)
				fz_block_set(&blocks, block, 0, i);
			fz_block_clear(&blocks, block, 0, 0, 5);
		}
		bytes = pid ? bytes : fz_blocks_bytes(&blocks);
		fz_blocks_drop(&blocks, pid);
	}
	ck_assert_uint_eq(blocks.bitmaps.nr_made, 1);
	ck_assert_uint_eq(fz_blocks_count(&blocks), 0);
	ck_assert_uint_eq(fz_blocks_bytes(&blocks), bytes);
	fz_blocks_fini(&blocks);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("page_blocks");
	TCase *tcase = tcase_create("page_blocks");

	tcase_add_loop_test(tcase, agrees_with_plain_bitmaps, 0, 3);
	tcase_add_test(tcase, memory_comes_back);
	suite_add_tcase(suite, tcase);
	return suite;
}
