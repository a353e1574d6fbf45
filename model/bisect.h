/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finding the number at which a question over all doubles turns true. */
#ifndef FZ_BISECT_H
#define FZ_BISECT_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/*
 * Order statistics without memory: the k-th smallest of some numbers is the
 * smallest double that at least k of them do not exceed. The doubles from -inf
 * to inf, taken in order, are 64-bit integers in order, so that 64 questions
 * find it exactly. A question costs one pass over the data.
 */

/* A double's place in that order, and back. */
static inline uint64_t fz_bisect_place(double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits >> 63 ? ~bits : bits | 1ull << 63;
}

static inline double fz_bisect_double(uint64_t place)
{
	uint64_t bits = place >> 63 ? place & ~(1ull << 63) : ~place;
	double x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

/* The smallest x for which holds(x) is true; from there on it must stay true.
 * inf if it never is. */
static inline double fz_bisect(bool (*holds)(double x, const void *arg),
			       const void *arg)
{
	uint64_t lo = fz_bisect_place(-INFINITY);
	uint64_t hi = fz_bisect_place(INFINITY);

	while (lo < hi) {
		uint64_t mid = lo + (hi - lo) / 2;

		if (holds(fz_bisect_double(mid), arg))
			hi = mid;
		else
			lo = mid + 1;
	}
	return fz_bisect_double(lo) + 0.0; /* -0 becomes 0 */
}

#endif
