// SPDX-License-Identifier: GPL-2.0-or-later
/* The blocks of dc zva, of every size and on every CPU. */
#include <clear/arm64.h>

#include <string.h>

#include "clear_contract.h"
#include "fz_test.h"

#define MIN_BLOCK_BYTES ((size_t)4)
#define NR_BLOCK_SIZES  10 /* up to 2048 */

START_TEST(register_decodes)
{
	const struct {
		uint64_t dczid;
		size_t block_bytes;
	} cases[] = {
		{ 0x00, 4 },         { 0x02, 16 },  { 0x04, 64 }, { 0x07, 512 },
		{ 0x09, 2048 },      { 0x10, 0 },   { 0x14, 0 },  { 0x1f, 0 },
		{ ~(uint64_t)0, 0 }, { 0xfe4, 64 }, /* the rest is reserved */
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ck_assert_uint_eq(fz_arm64_zva_bytes(cases[i].dczid),
				  cases[i].block_bytes);
}
END_TEST

START_TEST(register_of_this_cpu)
{
	const size_t block_bytes = fz_arm64_zva_bytes(fz_arm64_dczid());
	const bool runs = !fz_clear_why_unsupported(fz_clear_find("dc-zva"));

#ifndef __aarch64__
	ck_assert_uint_eq(block_bytes, 0);
#endif
	ck_assert_int_eq(runs, block_bytes > 0);
}
END_TEST

/* Byte by byte: which block is it in, and does that lie inside? */
static struct fz_block_cut naive_cut(size_t begin, size_t len, size_t block)
{
	struct fz_block_cut cut = { 0, 0, 0 };

	for (size_t at = begin; at < begin + len; at++) {
		const size_t first = at / block * block;

		if (first >= begin && first + block <= begin + len)
			cut.body_bytes++;
		else if (cut.body_bytes || first >= begin)
			cut.tail_bytes++;
		else
			cut.head_bytes++;
	}
	return cut;
}

START_TEST(cut_is_at_blocks)
{
	const size_t block = MIN_BLOCK_BYTES << _i;
	const size_t step = block < 64 ? 1 : block / 32;
	unsigned int nr_bad = 0;

	for (size_t begin = 0; begin < 2 * block; begin += step) {
		for (size_t len = 0; len <= 3 * block; len += step) {
			const struct fz_block_cut is = fz_block_cut(
				(const void *)(4096 + begin), len, block);
			const struct fz_block_cut is_to =
				naive_cut(4096 + begin, len, block);

			nr_bad += memcmp(&is, &is_to, sizeof(is)) != 0;
		}
	}
	ck_assert_uint_eq(nr_bad, 0);
}
END_TEST

/* The loop of dc zva, with a memset in the place of the instruction. */
static void blocks_clear(void *dst, size_t len_bytes, size_t block_bytes)
{
	const struct fz_block_cut cut =
		fz_block_cut(dst, len_bytes, block_bytes);
	char *block = (char *)dst + cut.head_bytes;
	char *const end = block + cut.body_bytes;

	memset(dst, 0, cut.head_bytes);
	for (; block < end; block += block_bytes)
		memset((void *)((uintptr_t)block & -block_bytes), 0,
		       block_bytes);
	memset(end, 0, cut.tail_bytes);
}

static size_t fake_block_bytes;

static void fake_clear(void *dst, size_t len_bytes)
{
	blocks_clear(dst, len_bytes, fake_block_bytes);
}

START_TEST(any_block_keeps_the_contract)
{
	const struct fz_clear fake = { .name = "fake",
				       .unit_bytes = 64,
				       .clear = fake_clear };
	char first[160];
	unsigned int nr_bad;

	fake_block_bytes = MIN_BLOCK_BYTES << _i;
	nr_bad = clear_contract_run(&fake, first, sizeof(first));
	ck_assert_msg(nr_bad == 0, "blocks of %zu: %u wrong, first %s",
		      fake_block_bytes, nr_bad, first);
	ck_assert_uint_eq(clear_contract_fences(&fake), 0);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("clear arm64");
	TCase *dczid = tcase_create("register");
	TCase *blocks = tcase_create("blocks");

	tcase_add_test(dczid, register_decodes);
	tcase_add_test(dczid, register_of_this_cpu);
	suite_add_tcase(suite, dczid);
	tcase_set_timeout(blocks, 30);
	tcase_add_loop_test(blocks, cut_is_at_blocks, 0, NR_BLOCK_SIZES);
	tcase_add_loop_test(blocks, any_block_keeps_the_contract, 0,
			    NR_BLOCK_SIZES);
	suite_add_tcase(suite, blocks);
	return suite;
}
