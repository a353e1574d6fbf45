/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Has a signal asked for the end? */
#ifndef FZ_STOP_FLAG_H
#define FZ_STOP_FLAG_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* NULL = nobody asks. The flag says all there is to say: nothing that was
 * written before it has to be seen. */
static inline bool stop_flag_is_set(const atomic_int *stop)
{
	return stop && atomic_load_explicit(stop, memory_order_relaxed);
}

#endif
