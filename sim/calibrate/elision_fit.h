/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What long calls cost, from the times of many: a threshold, humps, a ramp. */
#ifndef FZ_ELISION_FIT_H
#define FZ_ELISION_FIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fz/calibrate.h>

/* A call is fast if one that short calls promise is this much slower. */
#define ELISION_FACTOR 1.25

/* Calls of one length; the times are put in order. */
struct elision_calls {
	uint64_t bytes;
	double *ns; /* [nr] */
	size_t nr;
};

/* Numbers in two humps, or not. */
struct humps {
	bool two;
	size_t nr_low; /* in the lower one */
};

/*
 * Sorted numbers, more than 0. Two humps are parted where that explains most of
 * the variance, lie apart by several times their width, and neither is a stray
 * number or two.
 */
struct humps humps_find(const double *sorted, size_t nr);

/*
 * The shortest length that is fast, within `step_bytes`: what is asked for is a
 * multiple of a page between the longest that is not and the shortest that is.
 */
struct elision_bracket {
	uint64_t slow_bytes;
	uint64_t fast_bytes;
};
struct elision_bracket
elision_bisect(struct elision_bracket bracket, uint64_t step_bytes,
	       bool (*is_fast)(void *arg, uint64_t bytes), void *arg);

/*
 * The members of a profile that say what calls from the threshold on cost:
 * share, ramp and bandwidth, into `profile`, whose other members are known. The
 * rest goes into `out`. If none is fast there is no threshold.
 */
void elision_fit(struct fz_profile_clear *profile,
		 struct fz_calibrated_clear *out, struct elision_calls *calls,
		 size_t nr_lengths);

#endif
