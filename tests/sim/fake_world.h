/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hooks with a clock that a test turns, over real memory. */
#ifndef FAKE_WORLD_H
#define FAKE_WORLD_H

#include <stdint.h>

#include <fz/hooks.h>
#include <fz/round.h>

/**
 * struct fake_world - a clock, and hooks that read it
 * @hooks: hand these out
 * @now: ticks; a reading returns it and then adds @step
 * @step: ticks that a reading itself takes
 */
struct fake_world {
	struct fz_hooks hooks;
	uint64_t now;
	uint64_t step;
};

/* In the caller's memory; must stay where it is. */
void fake_world_init(struct fake_world *world, uint64_t step);

/* A bench on it, 2.0 ns a tick; base pages, no files. */
void fake_bench_open(struct fz_bench *bench, struct fake_world *world,
		     uint64_t max_folio_pages);

/* A buffer of base pages in the world. */
struct fz_buffer *fake_buffer(struct fake_world *world, uint64_t bytes);

#endif
