// SPDX-License-Identifier: GPL-2.0-or-later
/* A clock that a test turns. */
#include "fake_world.h"

#include <check.h>

static uint64_t fake_ticks(void *state)
{
	struct fake_world *world = state;
	const uint64_t now = world->now;

	world->now += world->step;
	return now;
}

/* Two ns a tick. */
static uint64_t fake_now_ns(void *state)
{
	return 2 * fake_ticks(state);
}

static unsigned int fake_cpu(void *state)
{
	(void)state;
	return 0;
}

void fake_world_init(struct fake_world *world, uint64_t step)
{
	*world = (struct fake_world){
		.hooks = fz_hooks_default,
		.now = 1000,
		.step = step,
	};
	world->hooks.state = world;
	world->hooks.ticks = fake_ticks;
	world->hooks.now_ns = fake_now_ns;
	world->hooks.cpu = fake_cpu;
}

void fake_bench_open(struct fz_bench *bench, struct fake_world *world,
		     uint64_t max_folio_pages)
{
	const uint64_t step = world->step;
	struct fz_err err = { "" };

	world->step = 1000000; /* so that calibration ends at once */
	ck_assert_msg(fz_bench_open(bench, &world->hooks, 1, max_folio_pages,
				    &err) == 0,
		      "%s", err.msg);
	world->step = step;
	bench->clock.ns_per_tick = 2.0;
}

struct fz_buffer *fake_buffer(struct fake_world *world, uint64_t bytes)
{
	const struct fz_page_size page = { FZ_PAGES_BASE, 4096 };
	struct fz_buffer *buffer = NULL;
	struct fz_err err = { "" };

	ck_assert_msg(
		fz_buffer_open(&buffer, &world->hooks, page, bytes, &err) == 0,
		"%s", err.msg);
	return buffer;
}
