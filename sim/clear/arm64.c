// SPDX-License-Identifier: GPL-2.0-or-later
/* DCZID_EL0 and its blocks, and why arm64 primitives do not run elsewhere. */
#include "arm64.h"

#define DCZID_BS   0xfu /* log2 of a block's words */
#define DCZID_DZP  0x10u
#define WORD_BYTES ((size_t)4)

size_t fz_arm64_zva_bytes(uint64_t dczid)
{
	return dczid & DCZID_DZP ? 0 : WORD_BYTES << (dczid & DCZID_BS);
}

uint64_t fz_arm64_dczid(void)
{
#ifdef __aarch64__
	uint64_t dczid;

	asm volatile("mrs %0, dczid_el0" : "=r"(dczid));
	return dczid;
#else
	return DCZID_DZP;
#endif
}

struct fz_block_cut fz_block_cut(const void *dst, size_t len_bytes,
				 size_t block_bytes)
{
	const size_t inside = block_bytes - 1;
	struct fz_block_cut cut;

	cut.head_bytes = -(uintptr_t)dst & inside;
	if (cut.head_bytes > len_bytes)
		cut.head_bytes = len_bytes;
	cut.tail_bytes = (len_bytes - cut.head_bytes) & inside;
	cut.body_bytes = len_bytes - cut.head_bytes - cut.tail_bytes;
	return cut;
}

const char *fz_clear_needs_arm64(void)
{
	return "needs arm64";
}
