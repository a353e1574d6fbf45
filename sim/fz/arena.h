/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pre-faulted memory for records and plans. */
#ifndef FZ_ARENA_H
#define FZ_ARENA_H

#include <stddef.h>
#include <stdint.h>

#include <fz/err.h>

/**
 * DOC: arena
 *
 * A measuring thread must take no page fault of its own, so what it writes
 * while it measures lives in memory that was faulted in beforehand. With
 * jemalloc this is an arena of its own over one populated mapping; where
 * sanitizers forbid jemalloc it is a plain allocator over the same mapping.
 */

struct fz_arena;

/**
 * fz_arena_open() - map, populate and set up
 * @out: written on success
 * @bytes: what the allocations will add up to, at most
 * @err: message on failure
 *
 * Return: 0 or -ENOMEM.
 */
int fz_arena_open(struct fz_arena **out, size_t bytes, struct fz_err *err);

/**
 * fz_arena_close() - free everything
 * @arena: may be NULL
 */
void fz_arena_close(struct fz_arena *arena);

/**
 * fz_arena_alloc() - memory that takes no fault when touched
 * @arena: the arena
 * @bytes: not 0
 *
 * Return: memory aligned to 64 bytes, not zeroed; NULL when the arena is full.
 */
void *fz_arena_alloc(struct fz_arena *arena, size_t bytes);

/**
 * fz_arena_free() - give an allocation back
 * @arena: the arena
 * @memory: from fz_arena_alloc(); may be NULL
 */
void fz_arena_free(struct fz_arena *arena, void *memory);

#endif
