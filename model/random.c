// SPDX-License-Identifier: GPL-2.0-or-later
/* Philox streams. */
#include <fz/random.h>

#include <assert.h>

#include <Random123/philox.h>

void fz_philox4x32(const uint32_t counter[4], const uint32_t key[2],
		   uint32_t out[4])
{
	const philox4x32_ctr_t c = { { counter[0], counter[1], counter[2],
				       counter[3] } };
	const philox4x32_key_t k = { { key[0], key[1] } };
	const philox4x32_ctr_t r = philox4x32_R(10, c, k);

	for (unsigned int i = 0; i < 4; i++)
		out[i] = r.v[i];
}

struct fz_random fz_random_begin(uint64_t seed, uint64_t stream)
{
	return (struct fz_random){ .seed = seed, .stream = stream };
}

/* Words are cut and joined by shifts: the same on either byte order. */
uint64_t fz_random_at(uint64_t seed, uint64_t stream, uint64_t counter)
{
	const uint32_t key[2] = { (uint32_t)seed, (uint32_t)(seed >> 32) };
	const uint32_t block[4] = {
		(uint32_t)counter,
		(uint32_t)(counter >> 32),
		(uint32_t)stream,
		(uint32_t)(stream >> 32),
	};
	uint32_t out[4];

	fz_philox4x32(block, key, out);
	return (uint64_t)out[1] << 32 | out[0];
}

uint64_t fz_random_next(struct fz_random *random)
{
	return fz_random_at(random->seed, random->stream, random->counter++);
}

uint64_t fz_random_below(struct fz_random *random, uint64_t n)
{
	uint64_t first_fair, value;

	assert(n > 0);
	/* Of the 2^64 values, the 2^64 mod n lowest are drawn again: what is
	 * left is a multiple of n. In uint64_t, 2^64 - n is -n. */
	first_fair = -n % n;
	do
		value = fz_random_next(random);
	while (value < first_fair);
	return value % n;
}

double fz_random_unit(struct fz_random *random)
{
	/* 53 bits are what a double holds exactly. */
	return (double)(fz_random_next(random) >> 11) * 0x1p-53;
}

void fz_random_shuffle(struct fz_random *random, unsigned int *index, size_t n)
{
	for (size_t left = n; left > 1; left--) {
		size_t pick = (size_t)fz_random_below(random, left);
		unsigned int last = index[left - 1];

		index[left - 1] = index[pick];
		index[pick] = last;
	}
}
