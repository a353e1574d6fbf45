// SPDX-License-Identifier: GPL-2.0-or-later
/* What a wake-up takes where nothing holds it up. */
#include <assert.h>

#include <fz/resched_point.h>
#include <fz/waker.h>

#include "waker_thread.h"

static void idle(const struct fz_hooks *hooks, uint64_t until_ns)
{
	hooks->sleep_until_ns(hooks->state, until_ns);
}

/* User mode only, so the clock is read from there too. */
static void spin(const struct fz_hooks *hooks, uint64_t until_ns,
		 struct fz_resched_flag *flag)
{
	while (hooks->now_ns(hooks->state) < until_ns) {
		for (unsigned int i = 0; flag && i < 100; i++) {
			if (fz_resched_point(&flag->need_resched))
				fz_resched_flag_answer(flag, hooks);
		}
	}
}

static void part(struct fz_waker *waker, enum fz_waker_meanwhile meanwhile,
		 uint64_t until_ns, struct fz_histogram *latency_ns)
{
	const struct fz_hooks *hooks = waker->hooks;
	struct fz_tick_span span;
	struct fz_wakes wakes;

	fz_waker_begin(waker);
	span.begin = hooks->ticks(hooks->state);
	if (meanwhile == FZ_MEANWHILE_IDLE)
		idle(hooks, until_ns);
	else
		spin(hooks, until_ns, fz_waker_flag(waker));
	span.end = hooks->ticks(hooks->state);
	wakes = fz_waker_end(waker);
	fz_wakes_in(&wakes, &span, 1, &waker->params.clock, latency_ns);
}

/* In parts that the waker has room for. */
static void parts(struct fz_waker *waker, enum fz_waker_meanwhile meanwhile,
		  uint64_t span_ns, struct fz_histogram *latency_ns)
{
	const struct fz_hooks *hooks = waker->hooks;
	const uint64_t part_ns =
		waker->params.max_wakes * waker->params.interval_ns / 2 + 1;
	uint64_t now_ns = hooks->now_ns(hooks->state);
	const uint64_t end_ns = now_ns + span_ns;

	while (now_ns < end_ns) {
		part(waker, meanwhile,
		     end_ns - now_ns < part_ns ? end_ns : now_ns + part_ns,
		     latency_ns);
		now_ns = hooks->now_ns(hooks->state);
	}
}

/* Without a floor, so that what is counted was really slept for. */
void fz_waker_baseline(struct fz_waker *waker,
		       enum fz_waker_meanwhile meanwhile, uint64_t span_ns,
		       struct fz_histogram *latency_ns)
{
	const uint64_t floor_ns = waker->floor_ns;

	assert(meanwhile == FZ_MEANWHILE_SPIN || !fz_waker_flag(waker));
	fz_histogram_init(latency_ns);
	waker->floor_ns = UINT64_MAX;
	parts(waker, meanwhile, span_ns, latency_ns);
	waker->floor_ns = floor_ns;
	if (meanwhile == FZ_MEANWHILE_SPIN && latency_ns->count)
		waker->floor_ns = fz_histogram_quantile(latency_ns, 0.5);
}
