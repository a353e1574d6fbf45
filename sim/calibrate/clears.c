// SPDX-License-Identifier: GPL-2.0-or-later
/* Times all plans with all primitives, and fits the prices of calls. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fz/noise.h>
#include <fz/profile_price.h>

#include "calibration.h"
#include "clear_fit.h"

#define MAX_ROUNDS 60u

/* Small plans are measured more often: that costs little, and they are what an
 * interrupt disturbs most. */
#define SMALL_TIMES 4u

/* One of them is measured next. */
struct job {
	size_t clear;
	size_t shape;
};

/* What a round is made of: those on small pages, or all others. */
struct jobs {
	struct job *job; /* [nr] */
	size_t nr;
};

static struct jobs list_jobs(const struct calibration *c, bool small,
			     struct job *room)
{
	struct jobs jobs = { .job = room };

	for (size_t i = 0; i < c->params->nr_clears; i++)
		for (size_t j = 0; j < c->shapes.nr; j++) {
			const struct shape *shape = &c->shapes.shape[j];
			const bool often = shape->bytes == SHAPE_FOLIO_BYTES;

			if (shape->small != small)
				continue;
			for (size_t k = 0; k < (often ? SMALL_TIMES : 1); k++)
				jobs.job[jobs.nr++] = (struct job){ i, j };
		}
	return jobs;
}

static void time_job(struct calibration *c, struct job job)
{
	struct timing *timing = calibration_timing(c, job.clear, job.shape);
	const double ns = calibration_time_shape(
		c, c->params->clears[job.clear], &c->shapes.shape[job.shape]);

	if (!isnan(ns) && timing->nr < TIMING_MAX)
		timing->ns[timing->nr++] = ns;
}

/* The first time of each is not kept: pages and code have to come in. */
static int warm_up(struct calibration *c)
{
	for (size_t i = 0; i < c->params->nr_clears; i++) {
		calibration_time_shape(c, c->params->clears[i],
				       &c->shapes.shape[0]);
		if (calibration_stopped(c))
			return -EINTR;
	}
	return 0;
}

static int run_jobs(struct calibration *c, const struct jobs *jobs,
		    unsigned int *order)
{
	for (size_t i = 0; i < jobs->nr; i++)
		order[i] = (unsigned int)i;
	fz_random_shuffle(&c->random, order, jobs->nr);
	for (size_t i = 0; i < jobs->nr; i++) {
		const struct job job = jobs->job[order[i]];

		if (calibration_stopped(c))
			return -EINTR;
		calibration_late(c, 1, c->params->clears[job.clear]->name);
		time_job(c, job);
	}
	return 0;
}

static int run_round(struct calibration *c, const struct jobs *jobs,
		     unsigned int *order)
{
	const int code = run_jobs(c, &jobs[0], order);

	if (code)
		return code;
	calibration_sweep_small(c);
	return run_jobs(c, &jobs[1], order);
}

static int run_rounds(struct calibration *c, const struct jobs *jobs,
		      unsigned int *order)
{
	size_t rounds = 0;
	int code = warm_up(c);

	while (!code && (rounds < CALIBRATION_MIN_ROUNDS ||
			 (rounds < MAX_ROUNDS &&
			  !calibration_late(c, CALIBRATION_ROUNDS_PART,
					    "clear primitives")))) {
		code = run_round(c, jobs, order);
		rounds++;
	}
	for (size_t i = 0; i < c->params->nr_clears; i++)
		c->out->clears[i].rounds = rounds;
	return code;
}

/* By the plans whose calls are all shorter. Folios of 2M and more are too long
 * to tell what one adds, so without others that is not asked. */
struct fz_least_squares clear_fit(const struct calibration *c, size_t clear,
				  uint64_t below_bytes, size_t *nr_fitted)
{
	struct fz_observation obs[FZ_CALIBRATE_MAX_SHAPES] = { 0 };
	size_t nr = 0;
	bool small = false;

	for (size_t i = 0; i < c->shapes.nr; i++) {
		const struct shape *shape = &c->shapes.shape[i];
		const struct timing *timing = calibration_timing(c, clear, i);

		if (!shape->fitted || shape->call_bytes >= below_bytes ||
		    !timing->nr)
			continue;
		obs[nr].y = fz_median(timing->ns, timing->nr);
		memcpy(obs[nr].x, shape->terms, sizeof(shape->terms));
		small |= shape->small;
		nr++;
	}
	for (size_t i = 0; i < nr && !small; i++)
		obs[i].x[FZ_TERM_FOLIO] = 0;
	if (nr_fitted)
		*nr_fitted = nr;
	return fz_least_squares_fit(obs, nr, FZ_NR_CALL_TERMS);
}

double clear_fit_ns(const struct fz_least_squares *fit, uint64_t call_bytes)
{
	const double folio_ns = fit->term[FZ_TERM_FOLIO].value;

	return (isnan(folio_ns) ? 0 : folio_ns) +
	       fit->term[FZ_RELATION_OTHER].value +
	       fit->term[FZ_TERM_BYTES].value * (double)call_bytes;
}

/* Prices as a profile has them, without a threshold. */
void clear_fit_keep(struct calibration *c, size_t clear, uint64_t below_bytes)
{
	struct fz_calibrated_clear *out = &c->out->clears[clear];
	struct fz_profile_clear *profile = &c->out->profile.clears[clear];
	double ns_per_byte;

	out->fit = clear_fit(c, clear, below_bytes, &out->nr_fitted);
	for (size_t i = 0; i < FZ_NR_RELATIONS; i++)
		profile->call_ns[i] = out->fit.term[i].value;
	profile->drain_ns = out->fit.term[FZ_TERM_FOLIO].value;
	ns_per_byte = out->fit.term[FZ_TERM_BYTES].value;
	/* Nothing takes no time at all. */
	profile->bps = ns_per_byte > 0 ? 1e9 / ns_per_byte : NAN;
}

static void begin_profile(struct calibration *c)
{
	struct fz_profile *profile = &c->out->profile;

	profile->nr_clears = c->params->nr_clears;
	for (size_t i = 0; i < profile->nr_clears; i++) {
		struct fz_profile_clear *clear = &profile->clears[i];

		clear->streaming = c->params->clears[i]->streaming;
		snprintf(clear->name, sizeof(clear->name), "%s",
			 c->params->clears[i]->name);
		clear->elided_bps = clear->elided_share = NAN;
		clear->interrupted_ns = NAN;
		c->out->clears[i].share_ci95 =
			c->out->clears[i].interrupted_ci95 =
				(struct fz_interval){ NAN, NAN };
	}
}

static void set_longest(struct calibration *c, size_t clear)
{
	uint64_t *longest = &c->out->clears[clear].longest_bytes;

	for (size_t i = 0; i < c->shapes.nr; i++)
		if (calibration_timing(c, clear, i)->nr &&
		    c->shapes.shape[i].call_bytes > *longest)
			*longest = c->shapes.shape[i].call_bytes;
}

/* Plans that were never timed without others on the CPU are left out. */
static void note_untimed(struct calibration *c)
{
	size_t nr = 0;

	for (size_t i = 0; i < c->params->nr_clears * c->shapes.nr; i++)
		nr += c->timings[i].nr == 0;
	if (nr)
		calibration_unknown(
			c, "clears",
			"%zu of %zu times: other tasks took the CPU "
			"in each round",
			nr, c->params->nr_clears * c->shapes.nr);
}

/* Times with others on the CPU are not kept; what the host does is in them. */
static void note_noise(struct calibration *c,
		       const struct fz_noise_reading *before)
{
	const struct fz_noise_reading after = fz_noise_read(c->bench->hooks);
	const struct fz_noise noise = fz_noise_between(before, &after);

	if (noise.involuntary_switches &&
	    noise.involuntary_switches != UINT64_MAX)
		calibration_note(
			c, "clears",
			"other tasks took the CPU %llu times; times that this fell into are not kept",
			(unsigned long long)noise.involuntary_switches);
	if (noise.steal_ms && noise.steal_ms != UINT64_MAX)
		calibration_note(c, "clears",
				 "the host took %llu ms of all CPUs meanwhile",
				 (unsigned long long)noise.steal_ms);
}

int calibrate_clears(struct calibration *c, struct fz_err *err)
{
	const struct fz_noise_reading before = fz_noise_read(c->bench->hooks);
	const size_t max = c->params->nr_clears * c->shapes.nr * SMALL_TIMES;
	struct job *room = calloc(max, sizeof(*room));
	unsigned int *order = calloc(max, sizeof(*order));
	struct jobs jobs[2]; /* on small pages last */
	int code = room && order ? 0 : -ENOMEM;

	begin_profile(c);
	if (!code) {
		jobs[0] = list_jobs(c, false, room);
		jobs[1] = list_jobs(c, true, room + jobs[0].nr);
		code = run_rounds(c, jobs, order);
	}
	free(room);
	free(order);
	if (code)
		return fz_err_set(err, code,
				  code == -EINTR ? FZ_STOPPED
						 : "no memory for a round");
	calibration_note(
		c, "drain_ns",
		"folios of one short call, each timed by itself, on %s",
		c->small.buffer ? "base pages" : "the same memory");
	note_noise(c, &before);
	note_untimed(c);
	for (size_t i = 0; i < c->params->nr_clears; i++) {
		clear_fit_keep(c, i, UINT64_MAX);
		set_longest(c, i);
	}
	return 0;
}

/* What the price list says of calls alone: a fault and points cost nothing. */
void calibrate_checks(struct calibration *c)
{
	struct fz_profile profile = c->out->profile;

	profile.fault_ns = profile.point_ns = 0;
	for (size_t i = 0; i < profile.nr_clears; i++)
		for (size_t j = 0; j < c->shapes.nr; j++) {
			const struct shape *shape = &c->shapes.shape[j];
			const struct timing *timing =
				calibration_timing(c, i, j);
			const struct fz_prices prices = {
				.profile = &profile,
				.cached = &profile.clears[i],
				.streaming = &profile.clears[i],
			};
			struct fz_calibration_check *check =
				&c->out->checks[c->out->nr_checks];

			if (shape->fitted || !timing->nr)
				continue;
			c->out->nr_checks++;
			*check = (struct fz_calibration_check){
				.clear = i,
				.predicted_ns = (double)shape->nr_folios *
						fz_profile_price(
							&prices, &shape->plan,
							SHAPE_PREEMPT, NULL, 0),
				.measured_ns =
					fz_median(timing->ns, timing->nr),
			};
			memcpy(check->what, shape->what, sizeof(check->what));
		}
}

double fz_calibration_error(const struct fz_calibration_check *check)
{
	return check->predicted_ns / check->measured_ns - 1;
}
