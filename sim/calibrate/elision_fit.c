// SPDX-License-Identifier: GPL-2.0-or-later
/* Humps, ramps and thresholds, from numbers alone. */
#include "elision_fit.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#define MATHLIB_STANDALONE
#include <Rmath.h>

#include <fz/folio.h>
#include <fz/statistics.h>

/*
 * Ashman's D: how far two humps lie apart, in their widths. From 2 on they are
 * two; but numbers without any humps that are cut in the middle have 2.7
 * (normal) to 3.5 (uniform), and two cut off a tail more.
 */
#define HUMPS_APART 5.0
/* Of the mean of the upper one. */
#define HUMPS_DIFFER 0.1
/* Fewer numbers, or a smaller part of all, are strays and no hump. */
#define HUMP_NUMBERS 3u
#define HUMP_PART    0.1

#define MAX_LENGTHS 16u

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The cut with the largest variance between its sides. */
static size_t best_cut(const double *sorted, size_t nr)
{
	double below = 0, sum = 0, best = -1;
	size_t cut = 0;

	for (size_t i = 0; i < nr; i++)
		sum += sorted[i];
	for (size_t i = 1; i < nr; i++) {
		double apart, between;

		below += sorted[i - 1];
		apart = below / (double)i - (sum - below) / (double)(nr - i);
		between = (double)i * (double)(nr - i) * apart * apart;
		if (between > best) {
			best = between;
			cut = i;
		}
	}
	return cut;
}

static bool is_hump(size_t nr, size_t all)
{
	return nr >= HUMP_NUMBERS && (double)nr >= HUMP_PART * (double)all;
}

struct humps humps_find(const double *sorted, size_t nr)
{
	struct humps humps = { .two = false };
	size_t cut;
	double low, high, width;

	if (nr < 2 * HUMP_NUMBERS)
		return humps;
	cut = best_cut(sorted, nr);
	if (!is_hump(cut, nr) || !is_hump(nr - cut, nr))
		return humps;
	low = fz_mean(sorted, cut);
	high = fz_mean(sorted + cut, nr - cut);
	width = hypot(fz_stdev(sorted, cut), fz_stdev(sorted + cut, nr - cut));
	humps.two = high - low > HUMPS_DIFFER * high &&
		    M_SQRT2 * (high - low) > HUMPS_APART * width;
	humps.nr_low = cut;
	return humps;
}

struct elision_bracket
elision_bisect(struct elision_bracket bracket, uint64_t step_bytes,
	       bool (*is_fast)(void *arg, uint64_t bytes), void *arg)
{
	assert(step_bytes >= FZ_PAGE_BYTES);
	while (bracket.fast_bytes - bracket.slow_bytes > step_bytes) {
		const uint64_t middle =
			(bracket.slow_bytes +
			 (bracket.fast_bytes - bracket.slow_bytes) / 2) /
			FZ_PAGE_BYTES * FZ_PAGE_BYTES;

		if (middle == bracket.slow_bytes)
			break;
		if (is_fast(arg, middle))
			bracket.fast_bytes = middle;
		else
			bracket.slow_bytes = middle;
	}
	return bracket;
}

/* Of one length, how many are fast; they come first. */
static size_t count_fast(struct elision_calls *calls, double plain_ns,
			 bool *two)
{
	struct humps humps;

	qsort(calls->ns, calls->nr, sizeof(calls->ns[0]), compare);
	humps = humps_find(calls->ns, calls->nr);
	if (humps.two &&
	    fz_mean(calls->ns, humps.nr_low) * ELISION_FACTOR < plain_ns &&
	    fz_mean(calls->ns + humps.nr_low, calls->nr - humps.nr_low) *
			    ELISION_FACTOR >=
		    plain_ns) {
		*two = true;
		return humps.nr_low;
	}
	return fz_median(calls->ns, calls->nr) * ELISION_FACTOR < plain_ns
		       ? calls->nr
		       : 0;
}

/* Clopper and Pearson's, which needs no large numbers. */
static struct fz_interval share_interval(size_t fast, size_t all)
{
	const double k = (double)fast, n = (double)all;

	return (struct fz_interval){
		.lo = fast ? qbeta(0.025, k, n - k + 1, 1, 0) : 0,
		.hi = fast < all ? qbeta(0.975, k + 1, n - k, 1, 0) : 1,
	};
}

/* What a folio of one call costs beside its bytes. */
static double overhead_ns(const struct fz_profile_clear *profile)
{
	const double drain_ns = profile->drain_ns;

	return (isnan(drain_ns) ? 0 : drain_ns) +
	       profile->call_ns[FZ_RELATION_OTHER];
}

/*
 * Of fast calls: t = call + ramp / bps + (L - ramp) / elided_bps, a line in L.
 * Of a single length only the mean rate can be told, and there is no ramp.
 */
static void fit_line(struct fz_profile_clear *profile,
		     const struct fz_observation *obs, size_t nr,
		     struct fz_calibrated_clear *out)
{
	const double call_ns = overhead_ns(profile);
	const double plain = 1e9 / profile->bps;
	double elided, ramp;

	out->line = fz_least_squares_fit(obs, nr, 2);
	elided = out->line.term[1].value;
	ramp = 0;
	if (nr < 2 || !(elided > 0) || !(elided < plain))
		elided = fmax(obs[0].y - call_ns, 0) / obs[0].x[1];
	else
		ramp = (out->line.term[0].value - call_ns) / (plain - elided);
	profile->elided_bps = elided > 0 ? 1e9 / elided : NAN;
	profile->ramp_bytes = ramp <= 0 ? 0
			      : ramp < (double)profile->threshold_bytes
				      ? (uint64_t)ramp
				      : profile->threshold_bytes;
}

void elision_fit(struct fz_profile_clear *profile,
		 struct fz_calibrated_clear *out, struct elision_calls *calls,
		 size_t nr_lengths)
{
	struct fz_observation obs[MAX_LENGTHS];
	size_t nr = 0, fast = 0, all = 0;
	bool two = false;

	assert(nr_lengths <= MAX_LENGTHS);
	for (size_t i = 0; i < nr_lengths; i++) {
		const double plain_ns =
			overhead_ns(profile) +
			(double)calls[i].bytes * 1e9 / profile->bps;
		const size_t n = count_fast(&calls[i], plain_ns, &two);

		fast += n;
		all += calls[i].nr;
		if (n)
			obs[nr++] = (struct fz_observation){
				{ 1, (double)calls[i].bytes },
				fz_median(calls[i].ns, n),
			};
	}
	out->nr_long = all;
	if (!fast) {
		out->elision = FZ_ELISION_NONE;
		profile->threshold_bytes = 0;
		return;
	}
	out->elision =
		two || fast < all ? FZ_ELISION_SOMETIMES : FZ_ELISION_ALWAYS;
	profile->elided_share = (double)fast / (double)all;
	out->share_ci95 = share_interval(fast, all);
	fit_line(profile, obs, nr, out);
}
