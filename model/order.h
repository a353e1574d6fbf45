/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the rank tests have in common: sorted numbers, and intervals from p. */
#ifndef FZ_ORDER_H
#define FZ_ORDER_H

#include <stddef.h>
#include <stdlib.h>

static inline int fz_order_compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static inline void fz_order_sort(double *x, size_t n)
{
	qsort(x, n, sizeof(*x), fz_order_compare);
}

/*
 * The smallest k in [0, nr] whose p is not below alpha; p(k) must not fall as k
 * rises, and p(nr) is 1. An interval at the level 1 - alpha ends at the ranks
 * that it leaves.
 */
static inline size_t fz_order_accepted(size_t nr, double alpha,
				       double (*p)(size_t k, const void *arg),
				       const void *arg)
{
	size_t lo = 0, hi = nr;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (p(mid, arg) < alpha)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

#endif
