/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the waker share: its insides. */
#ifndef FZ_WAKER_THREAD_H
#define FZ_WAKER_THREAD_H

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>

#include <fz/random.h>
#include <fz/waker.h>

/*
 * The thread owns what is not atomic while it runs, from `go` to `done`; the
 * caller in between. The semaphores carry the ownership.
 */
struct fz_waker {
	struct fz_resched_flag flag;
	_Alignas(64) _Atomic bool stop;
	const struct fz_hooks *hooks;
	struct fz_waker_params params;
	enum fz_waker_kind kind;
	struct fz_err reason;
	struct fz_wake *wake; /* [params.max_wakes], in populated memory */
	size_t nr;
	uint64_t dropped;
	uint64_t newest_ticks; /* due_ticks of the newest */
	uint64_t floor_ns;     /* of a timer; UINT64_MAX = not known */
	struct fz_random random;
	pthread_t thread;
	int setup_code;
	bool quit;
	sem_t go, ready, done;
};

/* Until stop: the loops of the two ways. Each posts ready when it has begun. */
void waker_run_timer(struct fz_waker *waker);
void waker_run_flag(struct fz_waker *waker);

/* Time to the next instant: at least 1 ns, so that instants advance. */
uint64_t waker_gap_ns(struct fz_waker *waker);

/* Keeps a wake-up, or counts it where there is no room. */
void waker_add(struct fz_waker *waker, uint64_t due_ticks, uint64_t seen_ticks);

static inline bool waker_must_stop(const struct fz_waker *waker)
{
	return atomic_load_explicit(&waker->stop, memory_order_acquire);
}

#endif
