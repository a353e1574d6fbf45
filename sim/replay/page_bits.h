/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bitmaps of 512 bits: the pages of 2 MiB, the 2 MiB of 1 GiB. */
#ifndef FZ_PAGE_BITS_H
#define FZ_PAGE_BITS_H

#include <stdbool.h>
#include <stdint.h>

#define FZ_BITS_WORDS 8
#define FZ_BITS       512u

static inline bool bits_test(const uint64_t *bits, unsigned int i)
{
	return bits[i / 64] >> (i % 64) & 1;
}

static inline void bits_set(uint64_t *bits, unsigned int i)
{
	bits[i / 64] |= 1ull << (i % 64);
}

/* Of [first, first + nr) the part in a word, as a mask. */
static inline uint64_t bits_part(unsigned int word, unsigned int first,
				 unsigned int nr)
{
	const unsigned int begin = word * 64;
	const unsigned int lo = first > begin ? first - begin : 0;
	const unsigned int end = first + nr - begin;

	return (end >= 64 ? ~0ull : (1ull << end) - 1) & (~0ull << lo);
}

/* Is any of [first, first + nr) set? */
static inline bool bits_any(const uint64_t *bits, unsigned int first,
			    unsigned int nr)
{
	uint64_t any = 0;

	for (unsigned int w = first / 64; w * 64 < first + nr; w++)
		any |= bits[w] & bits_part(w, first, nr);
	return any != 0;
}

static inline void bits_clear(uint64_t *bits, unsigned int first,
			      unsigned int nr)
{
	for (unsigned int w = first / 64; w * 64 < first + nr; w++)
		bits[w] &= ~bits_part(w, first, nr);
}

/* How many are set. */
static inline unsigned int bits_count(const uint64_t *bits)
{
	unsigned int nr = 0;

	for (unsigned int w = 0; w < FZ_BITS_WORDS; w++)
		nr += (unsigned int)__builtin_popcountll(bits[w]);
	return nr;
}

/* The last set bit at or below @i; 0 if there is none. */
static inline unsigned int bits_last_at(const uint64_t *bits, unsigned int i)
{
	unsigned int word = i / 64;
	uint64_t left = bits[word] & ~0ull >> (63 - i % 64);

	while (!left && word > 0)
		left = bits[--word];
	return left ? word * 64 + 63 - (unsigned int)__builtin_clzll(left) : 0;
}

/* The first set bit at or above @i; FZ_BITS if there is none. */
static inline unsigned int bits_first_from(const uint64_t *bits, unsigned int i)
{
	unsigned int word = i / 64;
	uint64_t left;

	if (i >= FZ_BITS)
		return FZ_BITS;
	left = bits[word] & ~0ull << i % 64;
	while (!left && word + 1 < FZ_BITS_WORDS)
		left = bits[++word];
	return left ? word * 64 + (unsigned int)__builtin_ctzll(left) : FZ_BITS;
}

#endif
