// SPDX-License-Identifier: GPL-2.0-or-later
/* Cold memory, times, notes: what the parts of a calibration share. */
#include "calibration.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <fz/folio.h>
#include <fz/streams.h>

#include "memory_available.h"
#include "stop_flag.h"
#include "switches.h"
#include "ticks.h"

/* As cold as the buffer where that is no larger; and of the memory that is to
 * be had no more than this part. */
#define SMALL_BYTES ((uint64_t)256 << 20)
#define SMALL_SHARE 4u

/* Nothing of it is cold yet. */
static struct cold cold_memory(struct fz_buffer *buffer)
{
	return (struct cold){ buffer, buffer ? fz_buffer_bytes(buffer) : 0 };
}

/* NULL if the buffer has such pages itself, or if memory is short. */
static struct fz_buffer *open_small(const struct fz_hooks *hooks,
				    const struct fz_buffer *buffer)
{
	const struct fz_page_size base = { FZ_PAGES_BASE, FZ_PAGE_BYTES };
	const uint64_t room = fz_memory_available(hooks) / SMALL_SHARE;
	uint64_t bytes = fz_buffer_bytes(buffer);
	struct fz_buffer *small = NULL;

	if (bytes > SMALL_BYTES)
		bytes = SMALL_BYTES;
	if (fz_buffer_page(buffer).kind != FZ_PAGES_BASE && bytes <= room &&
	    fz_buffer_open(&small, hooks, base, bytes, NULL))
		return NULL;
	return small;
}

int calibration_open(struct calibration *c, struct fz_calibration *out,
		     struct fz_bench *bench,
		     const struct fz_calibrate_params *params)
{
	*c = (struct calibration){
		.bench = bench,
		.params = params,
		.out = out,
		.cold = cold_memory(params->buffer),
		.random = fz_random_begin(bench->seed, FZ_STREAM_CALIBRATE),
		.begin_ns = bench->hooks->now_ns(bench->hooks->state),
	};
	c->small = cold_memory(open_small(bench->hooks, params->buffer));
	/* The plans have drawn from the same stream. */
	c->random.counter = 1ull << 32;
	if (shapes_make(&c->shapes, params->max_extent_bytes, bench->seed))
		return -ENOMEM;
	c->timings =
		calloc(params->nr_clears * c->shapes.nr, sizeof(*c->timings));
	return c->timings ? 0 : -ENOMEM;
}

void calibration_close(struct calibration *c)
{
	fz_buffer_close(c->small.buffer);
	shapes_fini(&c->shapes);
	free(c->timings);
}

bool calibration_stopped(const struct calibration *c)
{
	return stop_flag_is_set(c->bench->stop);
}

bool calibration_late(struct calibration *c, double part, const char *what)
{
	const struct fz_calibrate_params *params = c->params;
	const struct fz_hooks *hooks = c->bench->hooks;
	const uint64_t gone_ns = hooks->now_ns(hooks->state) - c->begin_ns;

	if (params->progress)
		params->progress(params->progress_state, gone_ns,
				 gone_ns > params->budget_ns
					 ? gone_ns
					 : params->budget_ns,
				 what);
	return (double)gone_ns >= part * (double)params->budget_ns;
}

static void add_note(struct calibration *c, const char *member, bool unknown,
		     const char *format, va_list args)
{
	struct fz_calibration_note *note = &c->out->notes[c->out->nr_notes];

	assert(c->out->nr_notes < FZ_CALIBRATE_MAX_NOTES);
	c->out->nr_notes++;
	note->unknown = unknown;
	snprintf(note->member, sizeof(note->member), "%s", member);
	vsnprintf(note->text, sizeof(note->text), format, args);
}

void calibration_note(struct calibration *c, const char *member,
		      const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add_note(c, member, false, format, args);
	va_end(args);
}

void calibration_unknown(struct calibration *c, const char *member,
			 const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add_note(c, member, true, format, args);
	va_end(args);
}

static void sweep(struct cold *cold)
{
	fz_buffer_dirty(cold->buffer, false);
	cold->next = 0;
}

static char *take(struct cold *cold, uint64_t bytes)
{
	char *at;

	assert(bytes <= fz_buffer_bytes(cold->buffer));
	if (bytes > fz_buffer_bytes(cold->buffer) - cold->next)
		sweep(cold);
	at = (char *)fz_buffer_base(cold->buffer) + cold->next;
	cold->next += bytes;
	return at;
}

static struct cold *memory_of(struct calibration *c, bool small)
{
	return small && c->small.buffer ? &c->small : &c->cold;
}

void calibration_sweep_small(struct calibration *c)
{
	sweep(memory_of(c, true));
}

char *calibration_cold(struct calibration *c, uint64_t bytes)
{
	return take(&c->cold, bytes);
}

static uint64_t ticks_of(const struct fz_zero_job *job)
{
	const uint64_t begin = ticks_after_stores(job->hooks);

	fz_engine_bare.zero(job);
	return ticks_after_stores(job->hooks) - begin;
}

double calibration_time_shape(struct calibration *c,
			      const struct fz_clear *clear,
			      const struct shape *shape)
{
	const struct fz_hooks *hooks = c->bench->hooks;
	const uint64_t folio_bytes = shape->plan.nr_pages << FZ_PAGE_SHIFT;
	char *const base = take(memory_of(c, shape->small),
				shape->nr_folios * folio_bytes);
	struct fz_zero_job job = {
		.plan = &shape->plan,
		.preempt = SHAPE_PREEMPT,
		.clear = clear,
		.stream = clear,
		.hooks = hooks,
		.recorder = &c->bench->recorder,
	};
	const uint64_t switches = switches_so_far(hooks);
	uint64_t ticks = 0;

	for (uint64_t i = 0; i < shape->nr_folios; i++) {
		job.base = base + i * folio_bytes;
		ticks += ticks_of(&job);
	}
	if (switches_so_far(hooks) != switches)
		return NAN;
	return (double)ticks * c->bench->clock.ns_per_tick;
}

double calibration_time_call(struct calibration *c,
			     const struct fz_clear *clear, uint64_t bytes)
{
	const uint64_t nr = bytes >> FZ_PAGE_SHIFT;
	struct fz_run run = { .nr = nr, .unit_pages = nr, .call_pages = nr };
	const struct shape shape = {
		.plan = { .runs = &run, .nr_runs = 1, .nr_pages = nr },
		.nr_folios = 1,
	};

	return calibration_time_shape(c, clear, &shape);
}
