/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A random order of many numbers that needs no memory for them. */
#ifndef FZ_PERMUTATION_H
#define FZ_PERMUTATION_H

#include <stdint.h>

#define PERMUTATION_MAX_ROUNDS 24

/**
 * struct permutation - a bijection of the numbers below nr
 * @nr: how many, at most 2^62
 * @low_bits: width of the lower half of the smallest power of two that holds
 *	them
 * @high_bits: of the upper half
 * @nr_rounds: of the network
 * @keys: [@nr_rounds]
 */
struct permutation {
	uint64_t nr;
	unsigned int low_bits;
	unsigned int high_bits;
	unsigned int nr_rounds;
	uint64_t keys[PERMUTATION_MAX_ROUNDS];
};

/* The seed and the stream decide which one. */
struct permutation permutation_make(uint64_t nr, uint64_t seed,
				    uint64_t stream);

/* The number at place @index, both below nr. */
uint64_t permutation_at(const struct permutation *permutation, uint64_t index);

#endif
