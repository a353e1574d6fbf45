// SPDX-License-Identifier: GPL-2.0-or-later
/* Length-biased wake-up latency. */
#include <fz/stretches.h>

/* What a bucket's stretches count as: its midpoint, inside [min, max]. */
static double length_of(const struct fz_histogram *h, const struct fz_bucket *b)
{
	double mid = (double)b->mid;

	if (mid < (double)h->min)
		return (double)h->min;
	return mid < (double)h->max ? mid : (double)h->max;
}

static double total_length(const struct fz_histogram *h)
{
	struct fz_histogram_iter iter;
	struct fz_bucket b;
	double total = 0;

	fz_histogram_begin(&iter, h);
	while (fz_histogram_next(&iter, &b))
		total += (double)b.count * length_of(h, &b);
	return total;
}

/*
 * Solve sum((L - x)+) = target, target > 0, for x. Where the shorter stretches
 * are behind, the sum is longer_total - nr_longer * x: a straight line down to
 * the next length, where one bucket drops out of it.
 */
static double solve_excess(const struct fz_histogram *h, double total,
			   double target)
{
	struct fz_histogram_iter iter;
	struct fz_bucket b;
	double nr_longer = (double)h->count;
	double longer_total = total;

	fz_histogram_begin(&iter, h);
	while (fz_histogram_next(&iter, &b)) {
		double length = length_of(h, &b);
		double x = (longer_total - target) / nr_longer;

		if (x <= length)
			return x;
		nr_longer -= (double)b.count;
		longer_total -= (double)b.count * length;
	}
	return (double)h->max;
}

bool fz_wakeup_from_stretches(const struct fz_histogram *h,
			      struct fz_wakeup *out)
{
	double sum = fz_histogram_sum(h);
	double total;

	if (h->count == 0 || sum == 0)
		return false;
	total = total_length(h);
	*out = (struct fz_wakeup){
		.mean_ns = fz_histogram_sumsq(h) / (2 * sum),
		.p50_ns = solve_excess(h, total, 0.5 * total),
		.p99_ns = solve_excess(h, total, 0.01 * total),
		.max_ns = (double)h->max,
	};
	return true;
}
