/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Engines: what zeroes a folio while the round measures. */
#ifndef FZ_ENGINE_H
#define FZ_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#include <fz/buffer.h>
#include <fz/clear.h>
#include <fz/hooks.h>
#include <fz/plan.h>
#include <fz/recorder.h>
#include <fz/resched_flag.h>

/**
 * struct fz_zero_job - one folio to zero, now
 * @base: first byte of the folio
 * @fault_page: the page whose first byte is "faulting"
 * @plan: what to do; NULL for an engine that runs no plan
 * @preempt: decides which calls of the plan act
 * @clear: primitive for FZ_HINT_CACHED
 * @stream: primitive for FZ_HINT_STREAMING
 * @hooks: the clock
 * @recorder: where readings go
 * @flag: asks for a reschedule; NULL = nobody does
 */
struct fz_zero_job {
	char *base;
	uint64_t fault_page;
	const struct fz_plan *plan;
	enum fz_preempt preempt;
	const struct fz_clear *clear;
	const struct fz_clear *stream;
	const struct fz_hooks *hooks;
	struct fz_recorder *recorder;
	struct fz_resched_flag *flag;
};

/**
 * struct fz_engine - one way of getting a folio zeroed
 * @name: name on the command line. Required.
 * @summary: one line. Required.
 * @runs_plans: it needs a plan and a primitive
 * @records: it reads the clock at each acting resched point
 * @descending_dirty: dirty the buffer from its end, see engine_kernel.c
 * @prepare: after the buffer was dirtied, before the first folio; 0 or -errno.
 *	Not required.
 * @zero: zero the folio; timed. Returns the marks it recorded. NULL: it works
 *	out what others measure, see price.h
 */
struct fz_engine {
	const char *name;
	const char *summary;
	bool runs_plans;
	bool records;
	bool descending_dirty;
	int (*prepare)(struct fz_buffer *buffer, struct fz_err *err);
	size_t (*zero)(const struct fz_zero_job *job);
};

extern const struct fz_engine fz_engine_buffers;
extern const struct fz_engine fz_engine_bare;
extern const struct fz_engine fz_engine_kernel;
extern const struct fz_engine fz_engine_model;

/* NULL-terminated: the engines that measure. */
extern const struct fz_engine *const fz_engines[];

#endif
