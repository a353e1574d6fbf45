// SPDX-License-Identifier: GPL-2.0-or-later
/* The waker's thread, from open to close. */
#include <fz/waker.h>

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <fz/resched_point.h>
#include <fz/streams.h>

#include "waker_thread.h"

static void wait_for(sem_t *semaphore)
{
	while (sem_wait(semaphore) && errno == EINTR)
		;
}

static void refused(struct fz_waker *waker, int code)
{
	waker->kind = FZ_WAKER_FAIR;
	if (code == -EPERM)
		fz_err_set(
			&waker->reason, code,
			"no right to use SCHED_FIFO (CAP_SYS_NICE or "
			"'ulimit -r 1'; in a cgroup also cpu.rt_runtime_us)");
	else
		fz_err_set(&waker->reason, code, "SCHED_FIFO was refused: %s",
			   strerror(-code));
}

/* By the thread itself. Where the slack is refused, it is only later. */
static int setup(struct fz_waker *waker)
{
	const struct fz_hooks *hooks = waker->hooks;
	int code = hooks->pin(hooks->state, waker->params.cpu);

	if (code || waker->kind == FZ_WAKER_FLAG)
		return code;
	hooks->set_timer_slack(hooks->state, 1);
	if (waker->kind == FZ_WAKER_FIFO) {
		code = hooks->set_fifo(hooks->state, FZ_WAKER_PRIORITY);
		if (code)
			refused(waker, code);
	}
	return 0;
}

static void *waker_main(void *argument)
{
	struct fz_waker *waker = argument;

	waker->setup_code = setup(waker);
	sem_post(&waker->done);
	for (;;) {
		wait_for(&waker->go);
		if (waker->quit)
			return NULL;
		if (waker->kind == FZ_WAKER_FLAG)
			waker_run_flag(waker);
		else
			waker_run_timer(waker);
		sem_post(&waker->done);
	}
}

/* Signals are for the threads that were there before. */
static int thread_start(struct fz_waker *waker)
{
	sigset_t all, before;
	int error;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&waker->thread, NULL, waker_main, waker);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return -error;
}

static size_t wake_bytes(const struct fz_waker_params *params)
{
	return params->max_wakes * sizeof(struct fz_wake);
}

/* Without its thread, which has ended or was never there. */
static void waker_free(struct fz_waker *waker)
{
	const struct fz_hooks *hooks = waker->hooks;

	hooks->unmap(hooks->state, waker->wake, wake_bytes(&waker->params));
	sem_destroy(&waker->go);
	sem_destroy(&waker->ready);
	sem_destroy(&waker->done);
	free(waker);
}

static struct fz_waker *waker_new(const struct fz_hooks *hooks,
				  const struct fz_waker_params *params)
{
	struct fz_waker *waker = aligned_alloc(64, sizeof(*waker));
	void *wake;

	if (!waker)
		return NULL;
	wake = hooks->map(hooks->state, NULL, wake_bytes(params),
			  PROT_READ | PROT_WRITE, MAP_POPULATE);
	if (wake == MAP_FAILED) {
		free(waker);
		return NULL;
	}
	memset(waker, 0, sizeof(*waker));
	waker->hooks = hooks;
	waker->params = *params;
	waker->kind = params->kind;
	waker->wake = wake;
	waker->floor_ns = UINT64_MAX;
	waker->random = fz_random_begin(params->seed, FZ_STREAM_WAKER);
	sem_init(&waker->go, 0, 0);
	sem_init(&waker->ready, 0, 0);
	sem_init(&waker->done, 0, 0);
	return waker;
}

static int check(const struct fz_waker_params *params, struct fz_err *err)
{
	if (params->interval_ns < FZ_WAKER_MIN_INTERVAL_NS ||
	    params->interval_ns > FZ_WAKER_MAX_INTERVAL_NS)
		return fz_err_set(err, -ERANGE,
				  "cannot wake a thread every '%llu ns': from "
				  "10us to 1s",
				  (unsigned long long)params->interval_ns);
	if (params->max_wakes == 0 ||
	    params->max_wakes > SIZE_MAX / sizeof(struct fz_wake))
		return fz_err_set(err, -ERANGE, "cannot keep '%zu' wake-ups",
				  params->max_wakes);
	return 0;
}

int fz_waker_open(struct fz_waker **out, const struct fz_hooks *hooks,
		  const struct fz_waker_params *params, struct fz_err *err)
{
	struct fz_waker *waker;
	int code = check(params, err);

	if (code)
		return code;
	waker = waker_new(hooks, params);
	if (!waker)
		return fz_err_set(err, -ENOMEM, "no memory for wake-ups");
	code = thread_start(waker);
	if (code) {
		waker_free(waker);
		return fz_err_set(err, code,
				  "cannot start a thread to wake: %s",
				  strerror(-code));
	}
	wait_for(&waker->done);
	code = waker->setup_code;
	if (code) {
		fz_waker_close(waker);
		return fz_err_set(err, code,
				  "cannot put a thread to wake on cpu '%u': %s",
				  params->cpu, strerror(-code));
	}
	*out = waker;
	return 0;
}

void fz_waker_close(struct fz_waker *waker)
{
	if (!waker)
		return;
	waker->quit = true;
	sem_post(&waker->go);
	pthread_join(waker->thread, NULL);
	waker_free(waker);
}

const char *fz_waker_kind_name(enum fz_waker_kind kind)
{
	static const char *const names[] = {
		[FZ_WAKER_FIFO] = "fifo",
		[FZ_WAKER_FAIR] = "fair",
		[FZ_WAKER_FLAG] = "flag",
	};

	return names[kind];
}

enum fz_waker_kind fz_waker_kind(const struct fz_waker *waker)
{
	return waker->kind;
}

const char *fz_waker_reason(const struct fz_waker *waker)
{
	return waker->reason.msg;
}

struct fz_resched_flag *fz_waker_flag(struct fz_waker *waker)
{
	return waker->kind == FZ_WAKER_FLAG ? &waker->flag : NULL;
}

void fz_waker_begin(struct fz_waker *waker)
{
	atomic_store_explicit(&waker->stop, false, memory_order_relaxed);
	waker->nr = 0;
	waker->dropped = 0;
	waker->newest_ticks = 0;
	sem_post(&waker->go);
	wait_for(&waker->ready);
}

/* The waker may set the flag once more before it notices. */
static void answer_until_done(struct fz_waker *waker)
{
	while (sem_trywait(&waker->done)) {
		if (fz_resched_point(&waker->flag.need_resched))
			fz_resched_flag_answer(&waker->flag, waker->hooks);
		sched_yield();
	}
}

struct fz_wakes fz_waker_end(struct fz_waker *waker)
{
	atomic_store_explicit(&waker->stop, true, memory_order_release);
	if (waker->kind == FZ_WAKER_FLAG)
		answer_until_done(waker);
	else
		wait_for(&waker->done);
	return (struct fz_wakes){ waker->wake, waker->nr, waker->dropped };
}
