// SPDX-License-Identifier: GPL-2.0-or-later
/* What it costs to be preempted: points, switches, interrupts, ticks. */
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <fz/resched_point.h>
#include <fz/statistics.h>
#include <fz/waker.h>

#include "calibration.h"

/* Each some 4 us; a batch is long enough for a few ticks not to matter. */
#define TURNS   200u
#define BATCHES 31u

/* Two threads of one CPU that hand it to each other. */
struct players {
	const struct fz_hooks *hooks;
	unsigned int cpu;
	sem_t ping;
	sem_t pong;
	int code; /* of the second one's pinning */
};

static void wait_for(sem_t *semaphore)
{
	while (sem_wait(semaphore) && errno == EINTR)
		;
}

static void *second(void *arg)
{
	struct players *p = arg;

	p->code = p->hooks->pin(p->hooks->state, p->cpu);
	sem_post(&p->pong);
	for (unsigned int i = 0; !p->code && i < BATCHES * TURNS; i++) {
		wait_for(&p->ping);
		sem_post(&p->pong);
	}
	return NULL;
}

/* ns of one hand-over, [BATCHES]. */
static void play(struct players *p, double ns_per_tick, double *ns)
{
	const struct fz_hooks *hooks = p->hooks;

	for (unsigned int batch = 0; batch < BATCHES; batch++) {
		const uint64_t begin = hooks->ticks(hooks->state);

		for (unsigned int i = 0; i < TURNS; i++) {
			sem_post(&p->ping);
			wait_for(&p->pong);
		}
		ns[batch] = (double)(hooks->ticks(hooks->state) - begin) *
			    ns_per_tick / (2 * TURNS);
	}
}

static int start(struct players *p, pthread_t *thread)
{
	sigset_t all, before;
	int code;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	code = -pthread_create(thread, NULL, second, p);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (code)
		return code;
	wait_for(&p->pong);
	return 0;
}

static void measure_switch(struct calibration *c)
{
	const struct fz_hooks *hooks = c->bench->hooks;
	struct players p = { .hooks = hooks, .cpu = hooks->cpu(hooks->state) };
	double ns[BATCHES];
	pthread_t thread;
	int code;

	c->out->profile.switch_ns = NAN;
	sem_init(&p.ping, 0, 0);
	sem_init(&p.pong, 0, 0);
	code = start(&p, &thread);
	if (!code) {
		if (!p.code)
			play(&p, c->bench->clock.ns_per_tick, ns);
		pthread_join(thread, NULL);
		code = p.code;
	}
	sem_destroy(&p.ping);
	sem_destroy(&p.pong);
	if (code) {
		calibration_unknown(c, "switch_ns",
				    "no two threads on one CPU: %s",
				    strerror(-code));
		return;
	}
	c->out->profile.switch_ns = fz_median(ns, BATCHES);
	calibration_note(
		c, "switch_ns",
		"two threads hand a CPU to each other, with the system "
		"calls that this takes");
}

#define WAKE_INTERVAL_NS 200000u
#define WAKE_SPAN_NS     300000000u
#define MAX_WAKES        4096u

/* The timer's interrupt, without the switch that follows. */
static void set_irq(struct calibration *c, const struct fz_histogram *latency)
{
	const double late_ns = (double)fz_histogram_quantile(latency, 0.5);
	const double switch_ns = c->out->profile.switch_ns;

	if (!latency->count || isnan(switch_ns)) {
		calibration_unknown(c, "irq_ns", "%s",
				    latency->count
					    ? "a wake-up holds a switch, which "
					      "is not known"
					    : "no timer came");
		return;
	}
	c->out->profile.irq_ns = fmax(late_ns - switch_ns, 0);
	calibration_note(
		c, "irq_ns",
		"a timer beside a thread that computes is %.0f ns late "
		"(median of %llu), less switch_ns",
		late_ns, (unsigned long long)latency->count);
}

static void measure_irq(struct calibration *c)
{
	const struct fz_hooks *hooks = c->bench->hooks;
	const struct fz_waker_params params = {
		.kind = FZ_WAKER_FIFO,
		.cpu = hooks->cpu(hooks->state),
		.interval_ns = WAKE_INTERVAL_NS,
		.max_wakes = MAX_WAKES,
		.seed = c->bench->seed,
		.clock = c->bench->clock,
	};
	struct fz_histogram *latency = malloc(sizeof(*latency));
	struct fz_waker *waker = NULL;
	struct fz_err err = { "out of memory" };

	c->out->profile.irq_ns = NAN;
	if (!latency || fz_waker_open(&waker, hooks, &params, &err)) {
		calibration_unknown(c, "irq_ns", "%.200s", err.msg);
	} else if (fz_waker_kind(waker) != FZ_WAKER_FIFO) {
		/* It would wait for the other thread's slice to end. */
		calibration_unknown(c, "irq_ns", "%.200s",
				    fz_waker_reason(waker));
	} else {
		fz_waker_baseline(waker, FZ_MEANWHILE_SPIN, WAKE_SPAN_NS,
				  latency);
		set_irq(c, latency);
	}
	fz_waker_close(waker);
	free(latency);
}

static void read_hz(struct calibration *c)
{
	const struct fz_hooks *hooks = c->bench->hooks;
	const uint64_t tick_ns = hooks->tick_ns(hooks->state);

	c->out->profile.hz = c->params->machine->hz;
	if (c->out->profile.hz) {
		calibration_note(c, "hz", "the kernel's configuration");
	} else if (tick_ns) {
		c->out->profile.hz =
			(unsigned int)((1000000000 + tick_ns / 2) / tick_ns);
		calibration_note(c, "hz",
				 "the resolution of CLOCK_MONOTONIC_COARSE");
	} else {
		calibration_unknown(c, "hz", "the kernel does not tell it");
	}
}

int calibrate_scheduling(struct calibration *c)
{
	calibration_late(c, 1, "scheduling");
	c->out->profile.point_ns =
		fz_resched_point_cost_ns(c->bench->hooks, &c->bench->clock);
	calibration_note(c, "point_ns",
			 "a call, a load and a test in user space");
	measure_switch(c);
	if (calibration_stopped(c))
		return -EINTR;
	measure_irq(c);
	read_hz(c);
	return calibration_stopped(c) ? -EINTR : 0;
}
