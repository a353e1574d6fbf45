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

#include "stop_flag.h"
#include "switches.h"
#include "ticks.h"

int calibration_open(struct calibration *c, struct fz_calibration *out,
		     struct fz_bench *bench,
		     const struct fz_calibrate_params *params)
{
	*c = (struct calibration){
		.bench = bench,
		.params = params,
		.out = out,
		.cold = { params->buffer, fz_buffer_bytes(params->buffer) },
		.random = fz_random_begin(bench->seed, FZ_STREAM_CALIBRATE),
		.begin_ns = bench->hooks->now_ns(bench->hooks->state),
	};
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

char *calibration_cold(struct calibration *c, uint64_t bytes)
{
	struct cold *cold = &c->cold;
	char *at;

	assert(bytes <= fz_buffer_bytes(cold->buffer));
	if (bytes > fz_buffer_bytes(cold->buffer) - cold->next) {
		fz_buffer_dirty(cold->buffer, false);
		cold->next = 0;
	}
	at = (char *)fz_buffer_base(cold->buffer) + cold->next;
	cold->next += bytes;
	return at;
}

static double time_job(struct calibration *c, const struct fz_zero_job *job)
{
	const struct fz_hooks *hooks = c->bench->hooks;
	const uint64_t switches = switches_so_far(hooks);
	const uint64_t begin = ticks_after_stores(hooks);
	uint64_t end;

	fz_engine_bare.zero(job);
	end = ticks_after_stores(hooks);
	if (switches_so_far(hooks) != switches)
		return NAN;
	return (double)(end - begin) * c->bench->clock.ns_per_tick;
}

double calibration_time_plan(struct calibration *c,
			     const struct fz_clear *clear,
			     const struct fz_plan *plan)
{
	const struct fz_zero_job job = {
		.base = calibration_cold(c, plan->nr_pages << FZ_PAGE_SHIFT),
		.plan = plan,
		.preempt = SHAPE_PREEMPT,
		.clear = clear,
		.stream = clear,
		.hooks = c->bench->hooks,
		.recorder = &c->bench->recorder,
	};

	return time_job(c, &job);
}

double calibration_time_call(struct calibration *c,
			     const struct fz_clear *clear, uint64_t bytes)
{
	const uint64_t nr = bytes >> FZ_PAGE_SHIFT;
	struct fz_run run = { .nr = nr, .unit_pages = nr, .call_pages = nr };
	const struct fz_plan plan = {
		.runs = &run,
		.nr_runs = 1,
		.nr_pages = nr,
	};

	return calibration_time_plan(c, clear, &plan);
}
