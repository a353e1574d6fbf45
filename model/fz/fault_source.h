/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where recorded faults come from: a file, a generator, several of them. */
#ifndef FZ_FAULT_SOURCE_H
#define FZ_FAULT_SOURCE_H

#include <stddef.h>
#include <sys/types.h>

#include <fz/err.h>
#include <fz/fault.h>

/**
 * struct fz_fault_source - an iterator
 * @state: handed to @next
 * @next: writes up to @max records in order of time (where the recording knows
 *	times); how many, 0 at the end, or a negative errno with a message
 *
 * Who makes one frees its state.
 */
struct fz_fault_source {
	void *state;
	ssize_t (*next)(void *state, struct fz_fault *faults, size_t max,
			struct fz_err *err);
};

#endif
