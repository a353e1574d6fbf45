/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The fastest streaming primitive here, found by measuring. */
#ifndef FZ_STREAM_CHOICE_H
#define FZ_STREAM_CHOICE_H

#include <stdbool.h>

#include <fz/buffer.h>
#include <fz/clear.h>
#include <fz/hooks.h>

/**
 * fz_stream_choice() - which streaming primitive clears cold memory fastest
 * @hooks: the world
 * @buffer: memory to clear; what it holds is lost
 * @measured: false if the buffer is too small for a race: then the first
 *	supported primitive of the table is returned
 *
 * Clears pieces of freshly dirtied memory, 2 MiB if there is room, with each
 * supported streaming primitive in turn. Of those whose median is within 10 %
 * of the lowest the first in the table is taken, so that runs choose alike.
 *
 * Return: the primitive, or NULL if none is supported here.
 */
const struct fz_clear *fz_stream_choice(const struct fz_hooks *hooks,
					struct fz_buffer *buffer,
					bool *measured);

#endif
