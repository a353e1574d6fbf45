/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random numbers that are a pure function of seed, stream and counter. */
#ifndef FZ_RANDOM_H
#define FZ_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/**
 * DOC: random numbers
 *
 * Value number c of stream s under a seed is one block of the Philox4x32-10
 * bijection (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3",
 * 2011). No value depends on another one, so that the same seed gives the same
 * run with any number of threads, in any order, on any machine, 32-bit and
 * big-endian ones included.
 *
 * One seed serves a whole run. Whatever must not share numbers (a thread, a
 * round's shuffle, a bootstrap) takes a stream of its own; streams never
 * overlap, each has 2^64 values. Not for secrets.
 */

/**
 * fz_philox4x32() - the bare bijection, ten rounds
 * @counter: [4]
 * @key: [2]
 * @out: [4]
 *
 * For known answers; everything else uses the streams below.
 */
void fz_philox4x32(const uint32_t counter[4], const uint32_t key[2],
		   uint32_t out[4]);

/**
 * struct fz_random - a place in a stream
 * @seed: of the run
 * @stream: which of the 2^64 streams
 * @counter: number of the next value
 *
 * A plain value: a copy continues from the same place.
 */
struct fz_random {
	uint64_t seed;
	uint64_t stream;
	uint64_t counter;
};

/**
 * fz_random_begin() - stand before the first value of a stream
 * @seed: of the run
 * @stream: which stream
 *
 * Return: the place.
 */
struct fz_random fz_random_begin(uint64_t seed, uint64_t stream);

/**
 * fz_random_at() - any value of a stream
 * @seed: of the run
 * @stream: which stream
 * @counter: which value
 *
 * Return: 64 random bits: output words 0 (low) and 1 (high) of the block with
 * key {seed low, seed high} and counter {counter low, counter high, stream low,
 * stream high}.
 */
uint64_t fz_random_at(uint64_t seed, uint64_t stream, uint64_t counter);

/**
 * fz_random_next() - the next value
 * @random: moved on by one
 *
 * Return: 64 random bits.
 */
uint64_t fz_random_next(struct fz_random *random);

/**
 * fz_random_below() - a whole number below a limit, all equally likely
 * @random: moved on by one or, where unbiasedness needs it, by more
 * @n: the limit, at least 1
 *
 * Return: a number in [0, @n).
 */
uint64_t fz_random_below(struct fz_random *random, uint64_t n);

/**
 * fz_random_unit() - a number in [0, 1)
 * @random: moved on by one
 *
 * Return: a multiple of 2^-53, all equally likely.
 */
double fz_random_unit(struct fz_random *random);

/**
 * fz_random_shuffle() - put an array into a random order
 * @random: moved on
 * @index: [@n], permuted in place; all orders are equally likely
 * @n: its length; 0 is fine
 */
void fz_random_shuffle(struct fz_random *random, unsigned int *index, size_t n);

#endif
