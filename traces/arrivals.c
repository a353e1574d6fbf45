// SPDX-License-Identifier: GPL-2.0-or-later
/* Arrival times, in numbers that are the same on every machine. */
#include "arrivals.h"

#define NS_PER_S 1000000000u

/* A fault without its zeroes, and zeroes at 10 GB/s: about what CPUs do. */
#define FAULT_NS          500
#define ZEROED_BYTES_A_NS 10

/*
 * Von Neumann's method, which compares and never takes a logarithm, so that no
 * C library has a say. Of u1 > u2 > ..., up to the first that is not below its
 * predecessor, an even number of terms has probability exp(-u1) for a given u1:
 * then u1 is the fraction. Otherwise a whole 1 has passed. (Various techniques
 * used in connection with random digits, 1951.)
 */
double arrivals_exponential(struct fz_random *random)
{
	for (unsigned int whole = 0;; whole++) {
		const uint64_t first = fz_random_next(random);
		uint64_t last = first, next;
		unsigned int nr = 2;

		for (; (next = fz_random_next(random)) < last; nr++)
			last = next;
		if (nr % 2 == 0)
			return whole + (double)(first >> 11) * 0x1p-53;
	}
}

/* In 2^-16 ns: a gap of minutes still fits many times. */
static void pass_exponential(struct arrivals *arrivals, uint64_t rate_per_s)
{
	const double mean_ns = (double)NS_PER_S / (double)rate_per_s;
	const double gap = arrivals_exponential(&arrivals->random) * mean_ns;

	arrivals->part += (uint64_t)(gap * 0x1p16);
	arrivals->time_ns += arrivals->part >> 16;
	arrivals->part &= 0xffff;
}

/* In shares of the rate: fault n is at n / rate exactly, rounded down. */
static void pass_fixed(struct arrivals *arrivals, uint64_t rate_per_s)
{
	arrivals->time_ns += NS_PER_S / rate_per_s;
	arrivals->part += NS_PER_S % rate_per_s;
	if (arrivals->part >= rate_per_s) {
		arrivals->part -= rate_per_s;
		arrivals->time_ns++;
	}
}

struct arrivals arrivals_begin(const struct fz_generator_params *params,
			       uint64_t stream)
{
	struct arrivals arrivals = {
		.random = fz_random_begin(params->seed, stream),
	};

	if (params->arrival == FZ_ARRIVAL_POISSON)
		pass_exponential(&arrivals, params->rate_per_s);
	return arrivals;
}

void arrivals_next(struct arrivals *arrivals,
		   const struct fz_generator_params *params)
{
	switch (params->arrival) {
	case FZ_ARRIVAL_FLAT_OUT:
		arrivals->time_ns +=
			FAULT_NS + params->page_bytes / ZEROED_BYTES_A_NS;
		return;
	case FZ_ARRIVAL_FIXED:
		pass_fixed(arrivals, params->rate_per_s);
		return;
	case FZ_ARRIVAL_POISSON:
		pass_exponential(arrivals, params->rate_per_s);
		return;
	}
}
