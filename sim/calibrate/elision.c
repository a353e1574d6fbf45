// SPDX-License-Identifier: GPL-2.0-or-later
/* Looks for a length from which on calls are faster than short ones promise. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include <fz/folio.h>
#include <fz/statistics.h>

#include "calibration.h"
#include "clear_fit.h"
#include "elision_fit.h"

/* Of the budget, together with the rounds before. */
#define ELISION_PART 0.70

/* The threshold is found to this part of it. */
#define THRESHOLD_STEP 256u
/* Calls of a length that is asked about; of them so many must be fast: some
 * CPUs elide only now and then. */
#define ASKED_CALLS 9u
#define ASKED_FAST  3u
/* Other tasks spoil some. */
#define MOST_TRIES 36u

/* Lengths from the threshold on, in eighths of it, and calls of each. */
static const unsigned int eighths[] = { 8, 10, 12, 16, 24, 32, 64, 128 };
#define NR_LENGTHS (sizeof(eighths) / sizeof(eighths[0]))
#define MIN_CALLS  15u
#define MAX_CALLS  101u

struct question {
	struct calibration *c;
	size_t clear;
	bool stopped;
};

static bool beats(const struct fz_least_squares *fit, double ns, uint64_t bytes)
{
	return ns * ELISION_FACTOR < clear_fit_ns(fit, bytes);
}

/* A third, as in a question. */
static bool often_fast(const struct timing *timing,
		       const struct fz_least_squares *fit, uint64_t bytes)
{
	size_t fast = 0;

	for (size_t i = 0; i < timing->nr; i++)
		fast += beats(fit, timing->ns[i], bytes);
	return fast > 0 && fast * ASKED_CALLS >= timing->nr * ASKED_FAST;
}

static bool is_single_call(const struct shape *shape)
{
	return shape->call_bytes == shape->bytes;
}

/*
 * From one length on all must be fast, by what those below it cost. Shapes of
 * single calls ascend, and are the last. Without such a length fast_bytes is 0.
 */
static struct elision_bracket find_bracket(const struct calibration *c,
					   size_t clear)
{
	struct elision_bracket bracket = { 0, 0 };

	/* Pieces are what the others are compared with. */
	for (size_t i = 0; i < c->shapes.nr; i++)
		if (c->shapes.shape[i].call_bytes < SHAPE_FOLIO_BYTES &&
		    c->shapes.shape[i].fitted)
			bracket.slow_bytes = c->shapes.shape[i].call_bytes;
	for (size_t i = 0; i < c->shapes.nr; i++) {
		const struct shape *shape = &c->shapes.shape[i];
		const uint64_t bytes = shape->call_bytes;
		struct fz_least_squares fit;

		if (!is_single_call(shape) ||
		    !calibration_timing(c, clear, i)->nr)
			continue;
		fit = clear_fit(c, clear,
				bracket.fast_bytes ? bracket.fast_bytes : bytes,
				NULL);
		if (!often_fast(calibration_timing(c, clear, i), &fit, bytes))
			bracket = (struct elision_bracket){ bytes, 0 };
		else if (!bracket.fast_bytes)
			bracket.fast_bytes = bytes;
	}
	return bracket;
}

static bool ask(void *arg, uint64_t bytes)
{
	struct question *q = arg;
	const struct fz_clear *clear = q->c->params->clears[q->clear];
	const struct fz_least_squares *fit = &q->c->out->clears[q->clear].fit;
	unsigned int fast = 0, asked = 0;

	for (unsigned int i = 0; asked < ASKED_CALLS && i < MOST_TRIES; i++) {
		const double ns = calibration_time_call(q->c, clear, bytes);

		calibration_late(q->c, 1, "threshold");
		q->stopped = calibration_stopped(q->c);
		if (q->stopped)
			return false;
		asked += !isnan(ns);
		fast += beats(fit, ns, bytes);
	}
	return fast > 0 && fast * ASKED_CALLS >= asked * ASKED_FAST;
}

/* Lengths that there is memory for. Return: how many. */
static size_t list_lengths(const struct calibration *c, uint64_t threshold,
			   struct elision_calls *calls, double *room)
{
	size_t nr = 0;

	for (size_t i = 0; i < NR_LENGTHS; i++) {
		const uint64_t bytes = threshold / 8 * eighths[i] /
				       FZ_PAGE_BYTES * FZ_PAGE_BYTES;

		if (bytes <= c->params->max_extent_bytes) {
			calls[nr] = (struct elision_calls){
				.bytes = bytes < threshold ? threshold : bytes,
				.ns = room + nr * MAX_CALLS,
			};
			nr++;
		}
	}
	return nr;
}

static void time_long_call(struct calibration *c, const struct fz_clear *clear,
			   struct elision_calls *calls)
{
	const double ns = calibration_time_call(c, clear, calls->bytes);

	if (!isnan(ns))
		calls->ns[calls->nr++] = ns;
}

/* Without those that were never timed alone. */
static size_t drop_untimed(struct elision_calls *calls, size_t nr)
{
	size_t kept = 0;

	for (size_t i = 0; i < nr; i++)
		if (calls[i].nr)
			calls[kept++] = calls[i];
	return kept;
}

static int time_long_calls(struct calibration *c, size_t clear,
			   struct elision_calls *calls, size_t nr)
{
	for (size_t n = 0; n < MAX_CALLS; n++) {
		if (n >= MIN_CALLS &&
		    calibration_late(c, ELISION_PART, "long calls"))
			break;
		for (size_t i = 0; i < nr; i++) {
			calibration_late(c, 1, "long calls");
			if (calibration_stopped(c))
				return -EINTR;
			time_long_call(c, c->params->clears[clear], &calls[i]);
		}
	}
	return 0;
}

static int measure_long_calls(struct calibration *c, size_t clear)
{
	struct fz_profile_clear *profile = &c->out->profile.clears[clear];
	struct elision_calls calls[NR_LENGTHS];
	double *room = calloc(NR_LENGTHS * MAX_CALLS, sizeof(*room));
	size_t nr;
	int code;

	if (!room)
		return -ENOMEM;
	nr = list_lengths(c, profile->threshold_bytes, calls, room);
	code = time_long_calls(c, clear, calls, nr);
	if (!code)
		elision_fit(profile, &c->out->clears[clear], calls,
			    drop_untimed(calls, nr));
	free(room);
	return code;
}

static int calibrate_one(struct calibration *c, size_t clear)
{
	struct fz_calibrated_clear *out = &c->out->clears[clear];
	struct fz_profile_clear *profile = &c->out->profile.clears[clear];
	struct elision_bracket bracket = find_bracket(c, clear);
	struct question q = { c, clear, false };
	int code;

	if (!bracket.fast_bytes)
		return 0;
	clear_fit_keep(c, clear, bracket.fast_bytes);
	bracket = elision_bisect(bracket,
				 bracket.slow_bytes / THRESHOLD_STEP >
						 FZ_PAGE_BYTES
					 ? bracket.slow_bytes / THRESHOLD_STEP
					 : FZ_PAGE_BYTES,
				 ask, &q);
	if (q.stopped)
		return -EINTR;
	out->slow_bytes = bracket.slow_bytes;
	profile->threshold_bytes = bracket.fast_bytes;
	code = measure_long_calls(c, clear);
	if (!code && out->elision == FZ_ELISION_NONE) {
		out->slow_bytes = 0;
		clear_fit_keep(c, clear, UINT64_MAX);
	}
	return code;
}

int calibrate_elision(struct calibration *c)
{
	int code = 0;

	for (size_t i = 0; i < c->params->nr_clears && !code; i++)
		if (!c->params->clears[i]->streaming)
			code = calibrate_one(c, i);
	return code;
}
