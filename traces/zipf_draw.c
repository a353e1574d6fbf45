// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Rejection from a hat that is constant in each octave, at the weight of its
 * first rank (Devroye, "Non-uniform random variate generation", 1986, II.3). No
 * rank is approximated, and no table grows with their number. Octave 0 is rank
 * 1 alone and fits exactly; the larger the exponent, the less the others fit
 * but also the less they weigh: about every second draw or more is taken.
 */
#include "zipf_draw.h"

#include <assert.h>
#include <math.h>

void zipf_draw_init(struct zipf_draw *draw, uint64_t nr, double exponent)
{
	double sum = 0;

	assert(nr >= 1 && nr < 1ull << ZIPF_OCTAVES && exponent >= 0);
	draw->nr = nr;
	draw->exponent = exponent;
	draw->nr_octaves = 64 - (unsigned int)__builtin_clzll(nr);
	for (unsigned int b = 0; b < draw->nr_octaves; b++) {
		/* 2^b ranks, also where the last are beyond nr. */
		sum += exp2(b * (1 - exponent));
		draw->until[b] = sum;
	}
}

static unsigned int pick_octave(const struct zipf_draw *draw,
				struct fz_random *random)
{
	const unsigned int last = draw->nr_octaves - 1;
	const double at = fz_random_unit(random) * draw->until[last];
	unsigned int b = 0;

	while (b < last && draw->until[b] <= at)
		b++;
	return b;
}

uint64_t zipf_draw(const struct zipf_draw *draw, struct fz_random *random)
{
	for (;;) {
		const unsigned int b = pick_octave(draw, random);
		const uint64_t first = 1ull << b;
		uint64_t rank, bits;
		double below, ratio;

		if (b == 0)
			return 1;
		/* The upper bits choose among 2^b, what is left decides. */
		bits = fz_random_next(random);
		rank = first + (bits >> (64 - b));
		if (rank > draw->nr)
			continue;
		below = (double)(bits << b >> 11) * 0x1p-53;
		ratio = (double)rank / (double)first;
		if (below < pow(ratio, -draw->exponent))
			return rank;
	}
}
