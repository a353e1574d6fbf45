/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who interrupts, where the cost of it is measured. */
#ifndef FZ_INTERRUPTS_H
#define FZ_INTERRUPTS_H

#include <fz/waker.h>

#include "calibration.h"

/**
 * struct interrupter - a waker, and work that it has nothing to do with
 * @open: see fz_waker_open()
 * @close: see fz_waker_close()
 * @begin: see fz_waker_begin()
 * @end: see fz_waker_end()
 * @spin: compute for so many turns, in which nothing but time is lost
 *
 * Tests have one without a thread, on a clock that they turn.
 */
struct interrupter {
	int (*open)(struct fz_waker **waker, const struct fz_hooks *hooks,
		    const struct fz_waker_params *params, struct fz_err *err);
	void (*close)(struct fz_waker *waker);
	void (*begin)(struct fz_waker *waker);
	struct fz_wakes (*end)(struct fz_waker *waker);
	void (*spin)(uint64_t turns);
};

/* calibrate_interrupts() with that one. Return: 0 or -EINTR. */
int interrupts_measure(struct calibration *c, const struct interrupter *by);

#endif
