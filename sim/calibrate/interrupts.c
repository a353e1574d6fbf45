// SPDX-License-Identifier: GPL-2.0-or-later
/* What it costs a call to be interrupted. */
#include "interrupts.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include <fz/folio.h>
#include <fz/statistics.h>

#include "clear_fit.h"
#include "elision_fit.h"
#include "switches.h"
#include "ticks.h"

/* Of the budget, together with what was before. */
#define INTERRUPTS_PART 0.78

/* A timer on this CPU wakes a thread: an interrupt, and more often than any
 * that would come by itself. */
#define INTERVAL_NS 500000u
#define MAX_WAKES   4096u

/* Long beside the interval, short beside the rest. */
#define CALL_BYTES ((uint64_t)16 << 20)

/* Each is a call with interrupts and one without, and the same of a loop. */
#define MIN_TRIALS 15u
#define MAX_TRIALS 61u
/* Of an interrupt's own time. */
#define NOTHING 0.5

/* Calls at the threshold, for each interval. */
#define SHARE_CALLS 40u

static const uint64_t share_intervals_ns[FZ_CALIBRATE_INTERRUPTS] = { 2000000,
								      500000,
								      200000 };

/* What is interrupted: a call, or, with clear NULL, so many turns of a loop
 * that does nothing else. */
struct work {
	const struct fz_clear *clear;
	uint64_t amount;
};

struct interrupting {
	struct calibration *c;
	const struct interrupter *by;
	struct fz_waker *waker;
	struct fz_histogram latency; /* of no interest */
	uint64_t nr_wakes;           /* while work was done, the last time */
};

static void spin(uint64_t turns)
{
	for (uint64_t i = 0; i < turns; i++)
		__asm__ volatile("" ::: "memory");
}

/* ns of the work; with interrupts these are counted. NAN if more tasks took the
 * CPU than were woken. */
static double do_work(struct interrupting *in, struct work work, bool interrupt)
{
	const struct fz_hooks *hooks = in->c->bench->hooks;
	char *at = work.clear ? calibration_cold(in->c, work.amount) : NULL;
	struct fz_tick_span span;
	struct fz_wakes wakes;
	uint64_t switches;

	if (interrupt)
		in->by->begin(in->waker);
	switches = switches_so_far(hooks);
	span.begin = ticks_after_stores(hooks);
	if (work.clear)
		work.clear->clear(at, work.amount);
	else
		in->by->spin(work.amount);
	span.end = ticks_after_stores(hooks);
	switches = switches_so_far(hooks) - switches;
	if (interrupt) {
		wakes = in->by->end(in->waker);
		in->nr_wakes = fz_wakes_in(&wakes, &span, 1,
					   &in->c->bench->clock, &in->latency);
	}
	if (switches > (interrupt ? in->nr_wakes : 0))
		return NAN;
	return (double)(span.end - span.begin) *
	       in->c->bench->clock.ns_per_tick;
}

/* What an interrupt adds to the work, its own time included; NAN: none came. */
static double added_ns(struct interrupting *in, struct work work)
{
	const bool first = fz_random_below(&in->c->random, 2);
	const double one = do_work(in, work, first);
	const double other = do_work(in, work, !first);
	const double added = first ? one - other : other - one;

	return in->nr_wakes ? added / (double)in->nr_wakes : NAN;
}

/* [nr]: of a call beyond what it adds to a loop, and of the loop. */
struct trials {
	double beyond_ns[MAX_TRIALS];
	double own_ns[MAX_TRIALS];
	size_t nr;
};

/* The same machine at the same time for both, since what an interrupt takes
 * itself may be far more, and changes. */
static int run_trials(struct interrupting *in, struct work call,
		      struct work loop, double part, struct trials *trials)
{
	trials->nr = 0;
	for (size_t n = 0; n < MAX_TRIALS; n++) {
		double of_call, of_loop;

		if (n >= MIN_TRIALS &&
		    calibration_late(in->c, part, "interrupts"))
			break;
		if (calibration_stopped(in->c))
			return -EINTR;
		calibration_late(in->c, 1, "interrupts");
		of_call = added_ns(in, call);
		of_loop = added_ns(in, loop);
		if (isnan(of_call) || isnan(of_loop))
			continue;
		trials->beyond_ns[trials->nr] = of_call - of_loop;
		trials->own_ns[trials->nr++] = of_loop;
	}
	return 0;
}

/* Turns of the loop that take so long. */
static uint64_t turns_of(struct interrupting *in, double ns)
{
	const struct work some = { NULL, 1000000 };
	double fastest = INFINITY;

	/* The least of a number and NAN is the number. */
	for (int i = 0; i < 5; i++)
		fastest = fmin(fastest, do_work(in, some, false));
	if (isinf(fastest))
		return some.amount;
	return (uint64_t)(ns / fastest * (double)some.amount) + 1;
}

/* Not one that is elided: what elision loses is worked out from lengths. */
static uint64_t plain_bytes(const struct calibration *c, size_t clear)
{
	const uint64_t slow = c->out->clears[clear].slow_bytes;
	uint64_t bytes = CALL_BYTES < c->params->max_extent_bytes
				 ? CALL_BYTES
				 : c->params->max_extent_bytes;

	if (slow && slow < bytes)
		bytes = slow;
	return bytes;
}

/*
 * What cannot be told from nothing is nothing if it is surely small beside what
 * the interrupt takes itself; else it is not known.
 */
static void keep(struct calibration *c, size_t clear,
		 const struct trials *trials)
{
	const char *name = c->params->clears[clear]->name;
	struct fz_interval ci;
	double median, own;

	if (!trials->nr) {
		calibration_unknown(c, "interrupted_ns",
				    "%s: no timer came meanwhile, or other "
				    "tasks did",
				    name);
		return;
	}
	ci = fz_bootstrap_median(trials->beyond_ns, trials->nr, 0.95,
				 c->bench->seed);
	median = fz_median(trials->beyond_ns, trials->nr);
	own = fz_median(trials->own_ns, trials->nr);
	if (ci.lo <= 0 && ci.hi >= 0 && fmax(ci.hi, -ci.lo) > NOTHING * own) {
		calibration_unknown(c, "interrupted_ns",
				    "%s: %.0f to %.0f ns more than an "
				    "interrupt's own %.0f ns",
				    name, ci.lo, ci.hi, own);
		return;
	}
	c->out->profile.clears[clear].interrupted_ns = fmax(median, 0);
	c->out->clears[clear].interrupted_ci95 =
		(struct fz_interval){ fmax(ci.lo, 0), fmax(ci.hi, 0) };
}

static int interrupt_clear(struct interrupting *in, size_t clear, double part)
{
	struct calibration *c = in->c;
	const struct work call = { c->params->clears[clear],
				   plain_bytes(c, clear) };
	const double call_ns =
		clear_fit_ns(&c->out->clears[clear].fit, call.amount);
	struct work loop = { .clear = NULL };
	struct trials trials;
	int code;

	if (isnan(call_ns)) {
		calibration_unknown(c, "interrupted_ns",
				    "%s: nobody knows what a call costs",
				    c->params->clears[clear]->name);
		return 0;
	}
	loop.amount = turns_of(in, call_ns);
	code = run_trials(in, call, loop, part, &trials);
	if (!code)
		keep(c, clear, &trials);
	return code;
}

static int open_waker(struct interrupting *in, uint64_t interval_ns,
		      struct fz_err *err)
{
	const struct calibration *c = in->c;
	const struct fz_hooks *hooks = c->bench->hooks;
	const struct fz_waker_params params = {
		.kind = FZ_WAKER_FIFO,
		.cpu = hooks->cpu(hooks->state),
		.interval_ns = interval_ns,
		.max_wakes = MAX_WAKES,
		.seed = c->bench->seed,
		.clock = c->bench->clock,
	};

	return in->by->open(&in->waker, hooks, &params, err);
}

/* How many calls at the threshold stay fast. */
static int share_of(struct interrupting *in, size_t clear, double *share)
{
	struct calibration *c = in->c;
	const uint64_t bytes = c->out->profile.clears[clear].threshold_bytes;
	const double plain_ns = clear_fit_ns(&c->out->clears[clear].fit, bytes);
	const struct work call = { c->params->clears[clear], bytes };
	unsigned int fast = 0, done = 0;
	double ns;

	for (unsigned int i = 0; i < SHARE_CALLS; i++) {
		calibration_late(c, 1, "interrupts");
		if (calibration_stopped(c))
			return -EINTR;
		ns = do_work(in, call, true);
		done += !isnan(ns);
		fast += ns * ELISION_FACTOR < plain_ns;
	}
	*share = done ? (double)fast / done : NAN;
	return 0;
}

static int interrupt_elision(struct calibration *c,
			     const struct interrupter *by, size_t clear)
{
	struct interrupting in = { .c = c, .by = by };
	int code = 0;

	for (size_t i = 0; i < FZ_CALIBRATE_INTERRUPTS && !code; i++) {
		struct fz_interrupted_share *out =
			&c->out->clears[clear].interrupted[i];

		out->interval_ns = share_intervals_ns[i];
		if (open_waker(&in, out->interval_ns, NULL))
			continue;
		code = share_of(&in, clear, &out->share);
		by->close(in.waker);
	}
	return code;
}

static void begin_shares(struct fz_calibrated_clear *out)
{
	for (size_t i = 0; i < FZ_CALIBRATE_INTERRUPTS; i++)
		out->interrupted[i] =
			(struct fz_interrupted_share){ share_intervals_ns[i],
						       NAN };
}

int interrupts_measure(struct calibration *c, const struct interrupter *by)
{
	const size_t nr = c->params->nr_clears;
	struct interrupting in = { .c = c, .by = by };
	struct fz_err err = { "" };
	int code = open_waker(&in, INTERVAL_NS, &err);

	for (size_t i = 0; i < nr; i++)
		begin_shares(&c->out->clears[i]);
	if (code) {
		calibration_unknown(c, "interrupted_ns", "%.200s", err.msg);
		return 0;
	}
	/* What time is left, in even parts. */
	for (size_t i = 0; i < nr && !code; i++) {
		calibration_late(c, 1, "interrupts");
		code = interrupt_clear(
			&in, i, INTERRUPTS_PART - 0.01 * (double)(nr - i));
	}
	by->close(in.waker);
	for (size_t i = 0; i < nr && !code; i++)
		if (c->out->profile.clears[i].threshold_bytes)
			code = interrupt_elision(c, by, i);
	return code;
}

int calibrate_interrupts(struct calibration *c)
{
	static const struct interrupter real = {
		.open = fz_waker_open,
		.close = fz_waker_close,
		.begin = fz_waker_begin,
		.end = fz_waker_end,
		.spin = spin,
	};

	return interrupts_measure(c, &real);
}
