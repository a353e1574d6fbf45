// SPDX-License-Identifier: GPL-2.0-or-later
/* Parts of some work, and the places in it. */
#include "work.h"

#include <math.h>

/*
 * Places are sums of doubles, and the bytes that a flow has moved are known to
 * 2^-10: this is coarser than both, and far finer than what anybody asks for.
 */
#define SAME_NS 1e-3

struct fz_work fz_work_on_cpu(double ns)
{
	return (struct fz_work){
		.part = { { .ns = ns, .class = FZ_ON_CPU } },
		.places.lead_ns = -1,
		.overhead_ns = -1,
	};
}

double fz_work_ns(const struct fz_work *work)
{
	return work->part[0].ns + work->part[1].ns;
}

const struct fz_work_part *fz_work_part_at(const struct fz_work *work,
					   double done_ns, double *end_ns)
{
	if (done_ns < work->part[0].ns) {
		*end_ns = work->part[0].ns;
		return &work->part[0];
	}
	*end_ns = fz_work_ns(work);
	return &work->part[1];
}

double fz_place_after(const struct fz_places *places, double ns)
{
	const double behind = ns + SAME_NS;
	double i = 0;

	if (places->lead_ns >= 0 && places->lead_ns > behind)
		return places->lead_ns;
	if (behind >= places->first_ns && places->nr > 1)
		i = floor((behind - places->first_ns) / places->step_ns) + 1;
	else if (behind >= places->first_ns)
		i = 1;
	return i < (double)places->nr ? places->first_ns + i * places->step_ns
				      : INFINITY;
}

double fz_place_by(const struct fz_places *places, double ns)
{
	const double by = ns + SAME_NS;
	double i = 0;

	if (!places->nr || by < places->first_ns)
		return places->lead_ns >= 0 && places->lead_ns <= by
			       ? places->lead_ns
			       : -1;
	if (places->nr > 1)
		i = fmin(floor((by - places->first_ns) / places->step_ns),
			 (double)(places->nr - 1));
	return places->first_ns + i * places->step_ns;
}
