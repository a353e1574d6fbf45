/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A thread that is woken at random instants, and how late it was each time. */
#ifndef FZ_WAKER_H
#define FZ_WAKER_H

#include <stddef.h>
#include <stdint.h>

#include <fz/clock.h>
#include <fz/err.h>
#include <fz/hooks.h>
#include <fz/resched_flag.h>
#include <fz/wake.h>

/**
 * DOC: wakers
 *
 * What model/fz/stretches.h works out from stretches, a waker measures: it is
 * to run at random instants and notes how late it was.
 *
 * A timer waker (@FZ_WAKER_FIFO, @FZ_WAKER_FAIR) sleeps until an absolute
 * instant on the CPU of the thread that zeroes, and wants that CPU when it is
 * woken. It is late by the timer interrupt, by the wait for a place where the
 * kernel reschedules, and by the context switch. Both others are in
 * fz_waker_baseline(). A fair one also has to win against the thread it
 * interrupts, else it waits for the end of that thread's slice; a real-time one
 * always wins. Under the default timer slack the kernel may fire a fair
 * thread's timer 50 us late to save an interrupt, so the slack is set to 1 ns.
 *
 * A flag waker (@FZ_WAKER_FLAG) runs on another CPU and sets a flag, which the
 * thread that zeroes sees at its next resched point in user space. There is no
 * interrupt and no context switch: what is left is the wait itself, and the
 * time that a cache line takes between two CPUs. It spins, for a sleeping
 * thread would set the flag when its own timer fires, and that is late for a
 * while after every answer: the first part of long stretches would be missed.
 *
 * The instants are a Poisson process: independent of what the other thread
 * does, in step with nothing, and each moment is as likely as any other. A
 * thread cannot be woken a second time while it still waits, but under such a
 * process further instants fall due meanwhile. They count as well, each with
 * the time it came: else a stretch that is long beside the interval would have
 * one wake-up, always near its begin, and latencies would come out too long.
 *
 * For a timer that holds only as far as it waited for a place to reschedule. A
 * further instant shorter before the wake-up than interrupt and switch take
 * would have been served later, by an interrupt of its own; it is not counted.
 * How long they take is the median of FZ_MEANWHILE_SPIN: before that baseline
 * was measured, a timer counts no further instants at all, and its latencies
 * are right only where stretches are short beside the interval.
 *
 * The price: the wake-ups take the CPU from the thread that zeroes, some
 * microseconds each, and its involuntary context switches count them.
 *
 * What can go wrong, and is not looked into here: on a CPU that is isolated
 * (isolcpus, nohz_full) the kernel arms a sleeper's timer on another CPU; a
 * hypervisor may take the CPU away from the whole machine; real-time threads
 * that use more than sched_rt_runtime_us of their period are held back, which a
 * sleeper does not; a thread that zeroes under a real-time policy of its own
 * is not interrupted by any of these.
 */

/**
 * enum fz_waker_kind - who wakes up, and how
 * @FZ_WAKER_FIFO: a timer, under SCHED_FIFO
 * @FZ_WAKER_FAIR: a timer, under the policy that threads begin with
 * @FZ_WAKER_FLAG: a flag, set from another CPU
 */
enum fz_waker_kind {
	FZ_WAKER_FIFO,
	FZ_WAKER_FAIR,
	FZ_WAKER_FLAG,
};

/**
 * fz_waker_kind_name() - a word for it
 * @kind: the kind
 *
 * Return: "fifo", "fair" or "flag".
 */
const char *fz_waker_kind_name(enum fz_waker_kind kind);

/*
 * The lowest real-time priority: it preempts every fair thread, and stays
 * below the kernel's interrupt threads (50).
 */
#define FZ_WAKER_PRIORITY 1

/*
 * A wake-up costs a few microseconds of the CPU: more often than this, the
 * wakers themselves are what is measured. The longest gap is for waiters at
 * the end.
 */
#define FZ_WAKER_MIN_INTERVAL_NS 10000u
#define FZ_WAKER_MAX_INTERVAL_NS 1000000000u

/**
 * struct fz_waker_params - a waker to open
 * @kind: which; FIFO becomes FAIR where it is refused
 * @cpu: where the waker runs: for the timers that of the thread that zeroes,
 *	for the flag any other
 * @interval_ns: mean time between wake-ups, FZ_WAKER_MIN_INTERVAL_NS to
 *	FZ_WAKER_MAX_INTERVAL_NS
 * @max_wakes: what is kept between begin and end; 16 bytes each
 * @seed: of the run
 * @clock: rate of the ticks
 */
struct fz_waker_params {
	enum fz_waker_kind kind;
	unsigned int cpu;
	uint64_t interval_ns;
	size_t max_wakes;
	uint64_t seed;
	struct fz_clock clock;
};

struct fz_waker;

/**
 * fz_waker_open() - start the thread, which then waits
 * @out: written on success
 * @hooks: the world, of both threads; must outlive the waker
 * @params: what it is
 * @err: message on failure
 *
 * Return: 0; -ERANGE (interval); -ENOMEM; -errno of the thread or of binding
 * it to its CPU.
 */
int fz_waker_open(struct fz_waker **out, const struct fz_hooks *hooks,
		  const struct fz_waker_params *params, struct fz_err *err);

/**
 * fz_waker_close() - end the thread
 * @waker: not between begin and end; may be NULL
 */
void fz_waker_close(struct fz_waker *waker);

/**
 * fz_waker_kind() - what it really is
 * @waker: the waker
 *
 * Return: the kind asked for, or FAIR where FIFO was refused.
 */
enum fz_waker_kind fz_waker_kind(const struct fz_waker *waker);

/**
 * fz_waker_reason() - why it is not what was asked for
 * @waker: the waker
 *
 * Return: a sentence that lives as long as the waker; "" if it is.
 */
const char *fz_waker_reason(const struct fz_waker *waker);

/**
 * fz_waker_flag() - the flag to look at while zeroing
 * @waker: the waker
 *
 * Return: the flag; NULL for timers.
 */
struct fz_resched_flag *fz_waker_flag(struct fz_waker *waker);

/**
 * fz_waker_begin() - wake-ups from now on
 * @waker: not begun
 *
 * Returns once the first instant is set. The seed decides the gaps between
 * wake-ups; later begins go on in the same sequence.
 */
void fz_waker_begin(struct fz_waker *waker);

/**
 * fz_waker_end() - no more wake-ups
 * @waker: begun
 *
 * Waits for those that fell due and did not come yet, and at most 10 ms for a
 * sleeper to notice. A flag that is set by then is answered here.
 *
 * Return: the wake-ups since begin, valid until the next begin or close; some
 * may have fallen due after this was called.
 */
struct fz_wakes fz_waker_end(struct fz_waker *waker);

/**
 * enum fz_waker_meanwhile - what the calling thread does in a baseline
 * @FZ_MEANWHILE_IDLE: it sleeps, and its CPU with it. On a virtual machine the
 *	timer then has to bring the CPU back from its host, which takes longer
 *	than any interrupt; power saving does the same to a real CPU
 * @FZ_MEANWHILE_SPIN: it computes in user mode, where it may be preempted
 *	anywhere: interrupt and context switch are left. For a flag: it does
 *	nothing but look at it
 */
enum fz_waker_meanwhile {
	FZ_MEANWHILE_IDLE,
	FZ_MEANWHILE_SPIN,
};

/**
 * fz_waker_baseline() - how late wake-ups are while nothing is zeroed
 * @waker: not begun; a flag takes FZ_MEANWHILE_SPIN only
 * @meanwhile: what the calling thread does
 * @span_ns: how long
 * @latency_ns: initialised and filled
 *
 * To be called by the thread that zeroes, where it zeroes. After
 * FZ_MEANWHILE_SPIN a timer counts all instants, see above: measure that first.
 */
void fz_waker_baseline(struct fz_waker *waker,
		       enum fz_waker_meanwhile meanwhile, uint64_t span_ns,
		       struct fz_histogram *latency_ns);

#endif
