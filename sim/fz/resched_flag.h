/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The flag by which a thread asks another one to reschedule, and the answer. */
#ifndef FZ_RESCHED_FLAG_H
#define FZ_RESCHED_FLAG_H

#include <stdatomic.h>
#include <stdint.h>

#include <fz/hooks.h>

/**
 * DOC: a reschedule that is asked for and answered
 *
 * One thread sets @need_resched and never again before it is 0. The thread
 * that zeroes looks at it with fz_resched_point() at every acting point and
 * where it would return to user mode, and answers:
 *
 *	if (fz_resched_point(&flag->need_resched))
 *		fz_resched_flag_answer(flag, hooks);
 *
 * The answer is when it looked. Who asked keeps the record, so that the thread
 * that zeroes has two stores to do, and only when it was asked.
 */

/**
 * struct fz_resched_flag - shared by two threads, alone in its cache line
 * @need_resched: 1 = asked, 0 = answered
 * @seen_ticks: the newest answer; valid once @need_resched is 0 again
 */
struct fz_resched_flag {
	_Alignas(64) _Atomic uint32_t need_resched;
	_Atomic uint64_t seen_ticks;
};

/**
 * fz_resched_flag_answer() - what a set flag makes its reader do
 * @flag: was seen set
 * @hooks: the clock
 *
 * Not inlined, so that it adds no code to the loop around a point.
 */
void fz_resched_flag_answer(struct fz_resched_flag *flag,
			    const struct fz_hooks *hooks);

#endif
