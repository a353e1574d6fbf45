/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The entry of a clear primitive on the architectures that it is not for. */
#ifndef FZ_CLEAR_FOREIGN_H
#define FZ_CLEAR_FOREIGN_H

#include <stddef.h>

/**
 * FZ_CLEAR_FOREIGN() - .unsupported and .clear where they cannot be compiled
 * @needs_fn: gives the sentence, "needs x86-64"
 */
#define FZ_CLEAR_FOREIGN(needs_fn) \
	.unsupported = (needs_fn), .clear = fz_clear_nowhere

/**
 * fz_clear_nowhere() - stands for a primitive of another architecture
 * @dst: not touched
 * @len_bytes: any
 *
 * Calling it is a caller's bug.
 */
void fz_clear_nowhere(void *dst, size_t len_bytes);

#endif
