// SPDX-License-Identifier: GPL-2.0-or-later
/* The measuring loop. */
#include <fz/round.h>

#include <errno.h>
#include <stdlib.h>

#include <fz/folio.h>
#include <fz/noise.h>
#include <fz/random.h>
#include <fz/resched_point.h>
#include <fz/streams.h>
#include <fz/team.h>
#include <fz/wake_watch.h>

#include "guard.h"
#include "ticks.h"

/* Folios of a thread that fault at pages of their own: 16 GiB of 4 KiB. */
#define THREAD_SHIFT 22

/* What one thread does of a round. */
struct part {
	struct fz_bench *bench; /* the thread's */
	const struct fz_row_config *config;
	struct fz_buffer *buffer;
	struct fz_round_part which;
	struct fz_err err;
	int code;
	uint64_t ticks;              /* timed sections of drained folios */
	uint64_t points;             /* acting resched points */
	uint64_t begin, end;         /* ticks around all folios */
	uint64_t use_begin, use_end; /* ticks around reading them all */
	struct fz_noise_reading before;
	struct fz_noise noise;
	unsigned int cpu;
	struct fz_resched_flag *flag; /* NULL = nobody asks */
	struct fz_wakes wakes;
};

uint64_t fz_round_fault_page(const struct fz_row_config *config, uint64_t seed,
			     uint64_t round, unsigned int thread,
			     uint64_t folio)
{
	const uint64_t nr_pages = config->folio_bytes >> FZ_PAGE_SHIFT;

	switch (config->fault) {
	case FZ_FAULT_AT:
		return config->fault_page;
	case FZ_FAULT_RANDOM:
		return fz_random_at(seed, FZ_STREAM_FAULT_PAGE,
				    (round << 32) +
					    ((uint64_t)thread << THREAD_SHIFT) +
					    folio) %
		       nr_pages;
	case FZ_FAULT_NONE:
		break;
	}
	return 0;
}

static void drain(struct part *part)
{
	part->ticks +=
		fz_recorder_drain(&part->bench->recorder, &part->bench->clock,
				  part->bench->samples);
}

static int lookup_plan(struct part *part, uint64_t fault_page,
		       const struct fz_cached_plan **cached)
{
	const struct fz_row_config *config = part->config;
	const struct fz_zero_request request =
		fz_row_request(config, fault_page);
	const int code = fz_plan_cache_get(part->bench->plans, config->policy,
					   &request, cached);

	if (code == -EINVAL)
		return fz_err_set(
			&part->err, code,
			"no plan of '%s': a run leaves the folio, or its "
			"unit is longer than its range",
			config->policy->name);
	return code ? fz_err_set(&part->err, code, "no memory for a plan") : 0;
}

static uint64_t fault_page_of(const struct part *part, uint64_t folio)
{
	return fz_round_fault_page(part->config, part->bench->seed,
				   part->which.round, part->which.thread,
				   folio);
}

static uint64_t nth_folio(const struct fz_round_part *which, uint64_t i)
{
	return which->in_place ? which->first : which->first + i;
}

/*
 * Planning allocates, and so may take page faults. All plans are made before
 * the folios' turn; later they are found in the cache, unless a round has more
 * different ones than it holds.
 */
static int make_plans(struct part *part)
{
	const struct fz_cached_plan *cached;
	int code = 0;

	if (!part->config->engine->runs_plans)
		return 0;
	for (uint64_t i = 0; i < part->which.nr && !code; i++)
		code = lookup_plan(
			part, fault_page_of(part, nth_folio(&part->which, i)),
			&cached);
	return code;
}

/* Not timed: find the plan and make room for its marks. */
static int folio_plan(struct part *part, uint64_t fault_page,
		      const struct fz_plan **plan)
{
	const struct fz_cached_plan *cached;
	size_t marks = 0;
	int code;

	*plan = NULL;
	if (part->config->engine->runs_plans) {
		code = lookup_plan(part, fault_page, &cached);
		if (code)
			return code;
		*plan = &cached->plan;
		marks = cached->acting_points + 2;
		part->points += cached->acting_points;
	}
	if (!fz_recorder_has_room(&part->bench->recorder, marks))
		drain(part);
	if (!fz_recorder_has_room(&part->bench->recorder, marks))
		return fz_err_set(&part->err, -ENOMEM,
				  "a plan has too many resched points to "
				  "record: %zu",
				  marks);
	return 0;
}

/* A policy that is told no faulting page has none to use: whole folio only. */
static struct fz_use_ticks use_folio(const struct fz_zero_job *job,
				     const struct fz_row_config *config)
{
	const bool told = config->fault != FZ_FAULT_NONE;
	struct fz_use_ticks ticks = { 0 };

	if (!told && config->use != FZ_USE_FOLIO)
		return ticks;
	ticks = fz_use_folio(job->hooks, job->base,
			     config->folio_bytes >> FZ_PAGE_SHIFT,
			     job->fault_page, config->use);
	if (!told)
		ticks.line = ticks.near = 0;
	return ticks;
}

static int zero_folio(struct part *part, uint64_t folio)
{
	const struct fz_row_config *config = part->config;
	const struct fz_hooks *hooks = part->bench->hooks;
	struct fz_recorder *recorder = &part->bench->recorder;
	struct fz_folio_record *record;
	struct fz_zero_job job = {
		.base = (char *)fz_buffer_base(part->buffer) +
			folio * config->folio_bytes,
		.fault_page = fault_page_of(part, folio),
		.preempt = config->preempt,
		.clear = config->clear,
		.stream = config->stream,
		.hooks = hooks,
		.recorder = recorder,
		.flag = part->flag,
	};
	int code = folio_plan(part, job.fault_page, &job.plan);

	if (code)
		return code;
	record = &recorder->folios[recorder->nr_folios];
	record->begin = ticks_after_stores(hooks);
	record->nr_marks = config->engine->zero(&job);
	record->end = ticks_after_stores(hooks);
	/* The return to user mode is a resched point too. */
	if (part->flag && fz_resched_point(&part->flag->need_resched))
		fz_resched_flag_answer(part->flag, hooks);
	fz_wake_watch_span(part->bench->watch, record->begin, record->end);
	record->use = use_folio(&job, config);
	recorder->nr_folios++;
	recorder->nr_marks += record->nr_marks;
	return 0;
}

static bool must_stop(const struct fz_bench *bench)
{
	return bench->stop &&
	       atomic_load_explicit(bench->stop, memory_order_relaxed);
}

static void zero_folios(void *argument)
{
	struct part *part = argument;
	const struct fz_round_part *which = &part->which;

	for (uint64_t i = 0; i < which->nr; i++) {
		part->code = must_stop(part->bench)
				     ? -EINTR
				     : zero_folio(part, nth_folio(which, i));
		if (part->code)
			return;
	}
}

/*
 * An engine that faults pages in may find none: SIGBUS. Then the pages that
 * were not reached are populated, since the next row relies on a whole buffer;
 * if they cannot be, its message says why.
 */
static void guarded_zero(struct part *part)
{
	if (!fz_guarded(zero_folios, part))
		return;
	part->code = fz_buffer_populate(part->buffer, &part->err);
	if (!part->code)
		part->code = fz_err_set(
			&part->err, -ENOMEM,
			"SIGBUS while folios were touched: huge pages were "
			"missing for a moment");
}

/* Pages that an earlier row lost may be free again. */
static int regain(struct fz_buffer *buffer, struct fz_err *err)
{
	int code;

	if (!fz_buffer_is_lost(buffer))
		return 0;
	code = fz_buffer_remap(buffer, err);
	if (!code)
		code = fz_buffer_populate(buffer, err);
	return code ? code : fz_buffer_verify(buffer, err);
}

/* The steps of a round. Each sets the code if it fails. */
static void step_dirty(struct part *part)
{
	const struct fz_engine *engine = part->config->engine;

	part->code = regain(part->buffer, &part->err);
	if (part->code)
		return;
	fz_buffer_dirty(part->buffer, engine->descending_dirty);
	if (engine->prepare)
		part->code = engine->prepare(part->buffer, &part->err);
}

static void step_plan(struct part *part)
{
	fz_samples_init(part->bench->samples);
	part->code = make_plans(part);
	part->before = fz_noise_read(part->bench->hooks);
}

static void step_zero(struct part *part)
{
	const struct fz_hooks *hooks = part->bench->hooks;
	struct fz_wake_watch *watch = part->bench->watch;

	if (watch)
		part->flag = fz_wake_watch_begin(watch, part->config);
	part->begin = ticks_after_loads(hooks);
	guarded_zero(part);
	part->end = ticks_after_loads(hooks);
	if (watch)
		part->wakes = fz_wake_watch_end(watch);
}

/* Those woken while a folio was zeroed. */
static void keep_wakes(const struct part *part)
{
	const struct fz_wake_watch *watch = part->bench->watch;
	struct fz_samples *samples = part->bench->samples;

	if (!watch)
		return;
	fz_wakes_in(&part->wakes, watch->spans, watch->nr_spans,
		    &part->bench->clock, &samples->wakeup_ns);
	samples->wakes_dropped += part->wakes.dropped;
}

/* A step of its own, since reading /proc would hold up some threads. */
static void step_settle(struct part *part)
{
	const struct fz_noise_reading after = fz_noise_read(part->bench->hooks);

	part->noise = fz_noise_between(&part->before, &after);
	part->cpu = after.cpu;
	keep_wakes(part);
}

static void step_use(struct part *part)
{
	const struct fz_hooks *hooks = part->bench->hooks;

	part->use_begin = ticks_after_loads(hooks);
	fz_use_all(fz_buffer_base(part->buffer),
		   part->config->bytes >> FZ_PAGE_SHIFT);
	part->use_end = ticks_after_loads(hooks);
}

/* Fresh pages may be smaller than those that were verified. */
static void step_verify(struct part *part)
{
	if (part->config->engine->prepare)
		part->code = fz_buffer_verify(part->buffer, &part->err);
}

typedef void (*step_fn)(struct part *part);

static const step_fn whole_round[] = { step_dirty,  step_plan, step_zero,
				       step_settle, step_use,  step_verify,
				       NULL };

/* All threads of a round. */
struct round {
	struct fz_bench *bench; /* the calling thread's */
	const struct fz_row_config *config;
	struct part *parts; /* [nr] */
	unsigned int nr;
	step_fn step;
};

static void team_step(void *arg, unsigned int worker)
{
	struct round *round = arg;

	round->step(&round->parts[worker]);
}

static int take_step(struct round *round, step_fn step, struct fz_err *err)
{
	round->step = step;
	if (round->config->threads)
		fz_team_run(round->bench->team, round->nr, team_step, round);
	else
		step(&round->parts[0]);
	for (unsigned int i = 0; i < round->nr; i++)
		if (round->parts[i].code)
			return fz_err_set(err, round->parts[i].code, "%s",
					  round->parts[i].err.msg);
	return 0;
}

static int take_steps(struct round *round, const step_fn *steps,
		      struct fz_err *err)
{
	int code = 0;

	for (; *steps && !code; steps++)
		if (*steps != step_use || round->config->use == FZ_USE_PHASE)
			code = take_step(round, *steps, err);
	/* A recorder must be empty for the next round. */
	for (unsigned int i = 0; i < round->nr; i++)
		drain(&round->parts[i]);
	return code;
}

static double seconds_of(const struct fz_bench *bench, uint64_t ticks)
{
	return (double)ticks * bench->clock.ns_per_tick / 1e9;
}

static uint64_t span(uint64_t begin, uint64_t end)
{
	return end > begin ? end - begin : 0;
}

/* From the first start to the last end. */
static void set_times(const struct round *round, struct fz_round_result *result)
{
	struct part all = round->parts[0];

	for (unsigned int i = 1; i < round->nr; i++) {
		const struct part *part = &round->parts[i];

		if (part->begin < all.begin)
			all.begin = part->begin;
		if (part->end > all.end)
			all.end = part->end;
		if (part->use_begin < all.use_begin)
			all.use_begin = part->use_begin;
		if (part->use_end > all.use_end)
			all.use_end = part->use_end;
	}
	result->seconds = seconds_of(
		round->bench,
		round->config->threads ? span(all.begin, all.end) : all.ticks);
	result->use_seconds =
		seconds_of(round->bench, span(all.use_begin, all.use_end));
}

static void set_threads(const struct round *round,
			struct fz_round_result *result)
{
	for (unsigned int i = 0; i < round->nr; i++) {
		const struct part *part = &round->parts[i];

		round->bench->threads[i] = (struct fz_round_thread){
			.zero_seconds = seconds_of(
				round->bench, span(part->begin, part->end)),
			.use_seconds =
				seconds_of(round->bench, span(part->use_begin,
							      part->use_end)),
			.cpu = part->cpu,
		};
	}
	result->threads = round->bench->threads;
}

static void keep(const struct round *round, struct fz_samples *samples,
		 struct fz_round_result *result)
{
	*result = (struct fz_round_result){ .points = 0 };
	for (unsigned int i = 0; i < round->nr; i++) {
		struct part *part = &round->parts[i];

		/* The machine's steal time counts once. */
		if (i > 0)
			part->noise.steal_ms = 0;
		fz_noise_add(&result->noise, &part->noise);
		result->points += part->points;
		if (samples)
			fz_samples_merge(samples, part->bench->samples);
	}
	set_times(round, result);
	set_threads(round, result);
}

int fz_round_zero(struct fz_bench *bench, const struct fz_row_config *config,
		  struct fz_buffer *buffer, struct fz_round_part part,
		  struct fz_samples *samples, struct fz_round_result *result,
		  struct fz_err *err)
{
	struct part one = {
		.bench = bench,
		.config = config,
		.buffer = buffer,
		.which = part,
	};
	struct round round = {
		.bench = bench,
		.config = config,
		.parts = &one,
		.nr = 1,
	};
	const int code = take_steps(&round, whole_round + 1, err);

	if (!code)
		keep(&round, samples, result);
	return code;
}

static void part_init(struct part *part, const struct round *round,
		      struct fz_buffer *buffer, unsigned int thread,
		      uint64_t number)
{
	const struct fz_row_config *config = round->config;

	*part = (struct part){
		.bench = config->threads
				 ? fz_team_bench(round->bench->team, thread)
				 : round->bench,
		.config = config,
		.buffer = buffer,
		.which = {
			.nr = config->bytes / config->folio_bytes,
			.round = number,
			.thread = thread,
		},
	};
}

int fz_round_run(struct fz_bench *bench, const struct fz_row_config *config,
		 struct fz_buffer *const *buffers, uint64_t number,
		 struct fz_samples *samples, struct fz_round_result *result,
		 struct fz_err *err)
{
	struct round round = {
		.bench = bench,
		.config = config,
		.nr = fz_row_nr_buffers(config),
	};
	int code;

	round.parts = calloc(round.nr, sizeof(*round.parts));
	if (!round.parts)
		return fz_err_set(err, -ENOMEM, "no memory for a round");
	for (unsigned int i = 0; i < round.nr; i++)
		part_init(&round.parts[i], &round, buffers[i], i, number);
	code = take_steps(&round, whole_round, err);
	if (!code)
		keep(&round, samples, result);
	free(round.parts);
	return code;
}
