/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the arm64 clear primitives share, and their entry elsewhere. */
#ifndef FZ_CLEAR_ARM64_H
#define FZ_CLEAR_ARM64_H

#include <stddef.h>
#include <stdint.h>

#include "foreign.h"

/**
 * FZ_CLEAR_ARM64() - .unsupported and .clear of an arm64 primitive
 * @unsupported_fn: as in struct fz_clear, on arm64; may be NULL
 * @clear_fn: as in struct fz_clear, on arm64
 *
 * Elsewhere neither function need exist and the entry says "needs arm64".
 */
#ifdef __aarch64__
#define FZ_CLEAR_ARM64(unsupported_fn, clear_fn) \
	.unsupported = (unsupported_fn), .clear = (clear_fn)
#else
#define FZ_CLEAR_ARM64(unsupported_fn, clear_fn) \
	FZ_CLEAR_FOREIGN(fz_clear_needs_arm64)
#endif

/**
 * fz_clear_needs_arm64() - why an arm64 primitive does not run elsewhere
 *
 * Return: the sentence.
 */
const char *fz_clear_needs_arm64(void);

/**
 * fz_arm64_zva_bytes() - what one dc zva zeroes
 * @dczid: the register DCZID_EL0: bit 4, DZP, prohibits dc zva at this
 *	exception level; bits 0 to 3, BS, are log2 of the block in words of 4
 *	bytes
 *
 * Return: bytes of a block, a power of two, up to 2048 on today's
 * architecture; 0 if dc zva is prohibited.
 */
size_t fz_arm64_zva_bytes(uint64_t dczid);

/**
 * fz_arm64_dczid() - the register DCZID_EL0 of this CPU
 *
 * One mrs, which user space may use and the CPU answers without a trap, unless
 * a hypervisor asks for one.
 *
 * Return: the register; where this is not arm64, one that prohibits dc zva.
 */
uint64_t fz_arm64_dczid(void);

/**
 * struct fz_block_cut - a range of memory, cut at the bounds of blocks
 * @head_bytes: before the first whole block
 * @body_bytes: whole blocks
 * @tail_bytes: behind the last whole block
 */
struct fz_block_cut {
	size_t head_bytes;
	size_t body_bytes;
	size_t tail_bytes;
};

/**
 * fz_block_cut() - cut a range at the multiples of a block
 * @dst: begin of the range
 * @len_bytes: its length; may be 0, or less than a block
 * @block_bytes: a power of two
 *
 * Return: three lengths, with the sum @len_bytes.
 */
struct fz_block_cut fz_block_cut(const void *dst, size_t len_bytes,
				 size_t block_bytes);

#endif
