/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ranks after Zipf: rank k comes up in proportion to k^-exponent. */
#ifndef FZ_ZIPF_DRAW_H
#define FZ_ZIPF_DRAW_H

#include <stdint.h>

#include <fz/random.h>

/* Ranks are below 2^40. */
#define ZIPF_OCTAVES 40

/**
 * struct zipf_draw - what draws need
 * @nr: how many ranks
 * @exponent: at least 0
 * @nr_octaves: octave b has the ranks from 2^b on, and below 2^(b + 1)
 * @until: [@nr_octaves] weight of all octaves up to and with this one
 */
struct zipf_draw {
	uint64_t nr;
	double exponent;
	unsigned int nr_octaves;
	double until[ZIPF_OCTAVES];
};

void zipf_draw_init(struct zipf_draw *draw, uint64_t nr, double exponent);

/* A rank, 1 to nr. */
uint64_t zipf_draw(const struct zipf_draw *draw, struct fz_random *random);

#endif
