// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A Feistel network whose halves may differ in width by a bit. It permutes the
 * numbers below a power of two; those that leave the range are sent through
 * again until they are back (cycle-walking: Black and Rogaway, "Ciphers with
 * arbitrary finite domains", 2002), which takes less than two passes on
 * average.
 */
#include "permutation.h"

#include <fz/random.h>

/*
 * Halves of a bit or two mix little: all orders of seven numbers are equally
 * likely after 24 rounds, not after 16. Wide halves need 8 at most.
 */
#define NARROW_BITS   8
#define NARROW_ROUNDS PERMUTATION_MAX_ROUNDS
#define WIDE_ROUNDS   8

static unsigned int bits_below(uint64_t nr)
{
	return nr > 1 ? 64 - (unsigned int)__builtin_clzll(nr - 1) : 0;
}

struct permutation permutation_make(uint64_t nr, uint64_t seed, uint64_t stream)
{
	const unsigned int bits = bits_below(nr);
	struct permutation p = {
		.nr = nr,
		.low_bits = bits / 2,
		.high_bits = bits - bits / 2,
		.nr_rounds = bits < NARROW_BITS ? NARROW_ROUNDS : WIDE_ROUNDS,
	};

	for (unsigned int i = 0; i < p.nr_rounds; i++)
		p.keys[i] = fz_random_at(seed, stream, i);
	return p;
}

/* The constants are two of splitmix64's, whose mixing is known to be good. */
static uint64_t scramble(uint64_t half, uint64_t key)
{
	uint64_t x = half ^ key;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	return x ^ x >> 31;
}

static uint64_t one_pass(const struct permutation *p, uint64_t x)
{
	const uint64_t low_mask = (1ull << p->low_bits) - 1;
	const uint64_t high_mask = (1ull << p->high_bits) - 1;
	uint64_t low = x & low_mask, high = x >> p->low_bits;

	for (unsigned int i = 0; i < p->nr_rounds; i += 2) {
		high ^= scramble(low, p->keys[i]) & high_mask;
		low ^= scramble(high, p->keys[i + 1]) & low_mask;
	}
	return high << p->low_bits | low;
}

uint64_t permutation_at(const struct permutation *permutation, uint64_t index)
{
	uint64_t x = index;

	do
		x = one_pass(permutation, x);
	while (x >= permutation->nr);
	return x;
}
