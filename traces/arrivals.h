/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When the faults of a thread happen. */
#ifndef FZ_ARRIVALS_H
#define FZ_ARRIVALS_H

#include <stdint.h>

#include <fz/generator.h>
#include <fz/random.h>

/**
 * struct arrivals - a place among them
 * @time_ns: of the next fault
 * @part: of a ns beyond it; in the unit that the kind of arrivals counts in
 * @random: the stream of chance
 */
struct arrivals {
	uint64_t time_ns;
	uint64_t part;
	struct fz_random random;
};

/* Stand before the first fault. */
struct arrivals arrivals_begin(const struct fz_generator_params *params,
			       uint64_t stream);

/* Go on to the next one. */
void arrivals_next(struct arrivals *arrivals,
		   const struct fz_generator_params *params);

/* An exponentially distributed number of mean 1. */
double arrivals_exponential(struct fz_random *random);

#endif
