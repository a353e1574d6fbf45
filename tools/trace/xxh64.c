// SPDX-License-Identifier: GPL-2.0-or-later
/* XXH64 as in xxHash's doc/xxhash_spec.md, version 0.1.1. */
#include "xxh64.h"

#include <endian.h>
#include <string.h>

#define PRIME_1 0x9e3779b185ebca87u
#define PRIME_2 0xc2b2ae3d27d4eb4fu
#define PRIME_3 0x165667b19e3779f9u
#define PRIME_4 0x85ebca77c2b2ae63u
#define PRIME_5 0x27d4eb2f165667c5u

static uint64_t rotate(uint64_t value, unsigned int bits)
{
	return value << bits | value >> (64 - bits);
}

static uint64_t load64(const uint8_t *at)
{
	uint64_t value;

	memcpy(&value, at, sizeof(value));
	return le64toh(value);
}

static uint32_t load32(const uint8_t *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return le32toh(value);
}

static uint64_t mix(uint64_t lane, uint64_t input)
{
	return rotate(lane + input * PRIME_2, 31) * PRIME_1;
}

struct fz_xxh64 fz_xxh64_begin(void)
{
	return (struct fz_xxh64){
		.lane = { PRIME_1 + PRIME_2, PRIME_2, 0, -PRIME_1 },
	};
}

static void add_stripe(struct fz_xxh64 *hash, const uint8_t *stripe)
{
	for (size_t i = 0; i < 4; i++)
		hash->lane[i] = mix(hash->lane[i], load64(stripe + 8 * i));
}

void fz_xxh64_add(struct fz_xxh64 *hash, const void *bytes, size_t nr)
{
	const size_t kept = hash->nr % FZ_XXH64_STRIPE;
	const size_t missing = FZ_XXH64_STRIPE - kept;
	const uint8_t *at = bytes;

	hash->nr += nr;
	if (nr < missing) {
		memcpy(hash->rest + kept, at, nr);
		return;
	}
	if (kept) {
		memcpy(hash->rest + kept, at, missing);
		add_stripe(hash, hash->rest);
		at += missing;
		nr -= missing;
	}
	for (; nr >= FZ_XXH64_STRIPE; nr -= FZ_XXH64_STRIPE) {
		add_stripe(hash, at);
		at += FZ_XXH64_STRIPE;
	}
	memcpy(hash->rest, at, nr);
}

static uint64_t converge(const struct fz_xxh64 *hash)
{
	const uint64_t *lane = hash->lane;
	uint64_t value = rotate(lane[0], 1) + rotate(lane[1], 7) +
			 rotate(lane[2], 12) + rotate(lane[3], 18);

	if (hash->nr < FZ_XXH64_STRIPE)
		return PRIME_5;
	for (size_t i = 0; i < 4; i++)
		value = (value ^ mix(0, lane[i])) * PRIME_1 + PRIME_4;
	return value;
}

static uint64_t add_rest(const struct fz_xxh64 *hash, uint64_t value)
{
	const uint8_t *at = hash->rest;
	size_t left = hash->nr % FZ_XXH64_STRIPE;

	for (; left >= 8; left -= 8, at += 8)
		value = rotate(value ^ mix(0, load64(at)), 27) * PRIME_1 +
			PRIME_4;
	for (; left >= 4; left -= 4, at += 4)
		value = rotate(value ^ load32(at) * PRIME_1, 23) * PRIME_2 +
			PRIME_3;
	for (; left; left--, at++)
		value = rotate(value ^ *at * PRIME_5, 11) * PRIME_1;
	return value;
}

uint64_t fz_xxh64_value(const struct fz_xxh64 *hash)
{
	uint64_t value = add_rest(hash, converge(hash) + hash->nr);

	value = (value ^ value >> 33) * PRIME_2;
	value = (value ^ value >> 29) * PRIME_3;
	return value ^ value >> 32;
}
