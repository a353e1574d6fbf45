// SPDX-License-Identifier: GPL-2.0-or-later
/* The measuring loop. */
#include <fz/round.h>

#include <errno.h>

#include <fz/folio.h>
#include <fz/noise.h>
#include <fz/random.h>
#include <fz/streams.h>

#include "guard.h"
#include "ticks.h"

struct round {
	struct fz_bench *bench;
	const struct fz_row_config *config;
	struct fz_buffer *buffer;
	struct fz_round_part part;
	struct fz_samples *samples;
	struct fz_err *err;
	uint64_t ticks;  /* timed sections of drained folios */
	uint64_t points; /* acting resched points */
	int code;
};

uint64_t fz_round_fault_page(const struct fz_row_config *config, uint64_t seed,
			     uint64_t round, uint64_t folio)
{
	const uint64_t nr_pages = config->folio_bytes >> FZ_PAGE_SHIFT;

	switch (config->fault) {
	case FZ_FAULT_AT:
		return config->fault_page;
	case FZ_FAULT_RANDOM:
		return fz_random_at(seed, FZ_STREAM_FAULT_PAGE,
				    (round << 32) + folio) %
		       nr_pages;
	case FZ_FAULT_NONE:
		break;
	}
	return 0;
}

static void drain(struct round *round)
{
	round->ticks += fz_recorder_drain(&round->bench->recorder,
					  &round->bench->clock, round->samples);
}

static int lookup_plan(const struct round *round, uint64_t fault_page,
		       const struct fz_cached_plan **cached)
{
	const struct fz_row_config *config = round->config;
	const struct fz_zero_request request =
		fz_row_request(config, fault_page);
	const int code = fz_plan_cache_get(round->bench->plans, config->policy,
					   &request, cached);

	if (code == -EINVAL)
		return fz_err_set(
			round->err, code,
			"no plan of '%s': a run leaves the folio, or its "
			"unit is longer than its range",
			config->policy->name);
	return code ? fz_err_set(round->err, code, "no memory for a plan") : 0;
}

static uint64_t fault_page_of(const struct round *round, uint64_t folio)
{
	return fz_round_fault_page(round->config, round->bench->seed,
				   round->part.round, folio);
}

static uint64_t nth_folio(const struct fz_round_part *part, uint64_t i)
{
	return part->in_place ? part->first : part->first + i;
}

/*
 * Planning allocates, and so may take page faults. All plans are made before
 * the folios' turn; later they are found in the cache, unless a round has more
 * different ones than it holds.
 */
static int make_plans(const struct round *round)
{
	const struct fz_cached_plan *cached;
	int code = 0;

	if (!round->config->engine->runs_plans)
		return 0;
	for (uint64_t i = 0; i < round->part.nr && !code; i++)
		code = lookup_plan(
			round, fault_page_of(round, nth_folio(&round->part, i)),
			&cached);
	return code;
}

/* Not timed: find the plan and make room for its marks. */
static int folio_plan(struct round *round, uint64_t fault_page,
		      const struct fz_plan **plan)
{
	const struct fz_cached_plan *cached;
	size_t marks = 0;
	int code;

	*plan = NULL;
	if (round->config->engine->runs_plans) {
		code = lookup_plan(round, fault_page, &cached);
		if (code)
			return code;
		*plan = &cached->plan;
		marks = cached->acting_points + 2;
		round->points += cached->acting_points;
	}
	if (!fz_recorder_has_room(&round->bench->recorder, marks))
		drain(round);
	if (!fz_recorder_has_room(&round->bench->recorder, marks))
		return fz_err_set(round->err, -ENOMEM,
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

static int zero_folio(struct round *round, uint64_t folio)
{
	const struct fz_row_config *config = round->config;
	const struct fz_hooks *hooks = round->bench->hooks;
	struct fz_recorder *recorder = &round->bench->recorder;
	struct fz_folio_record *record;
	struct fz_zero_job job = {
		.base = (char *)fz_buffer_base(round->buffer) +
			folio * config->folio_bytes,
		.fault_page = fault_page_of(round, folio),
		.preempt = config->preempt,
		.clear = config->clear,
		.stream = config->stream,
		.hooks = hooks,
		.recorder = recorder,
	};
	int code = folio_plan(round, job.fault_page, &job.plan);

	if (code)
		return code;
	record = &recorder->folios[recorder->nr_folios];
	record->begin = ticks_after_stores(hooks);
	record->nr_marks = config->engine->zero(&job);
	record->end = ticks_after_stores(hooks);
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

static void zero_part(void *argument)
{
	struct round *round = argument;
	const struct fz_round_part *part = &round->part;

	for (uint64_t i = 0; i < part->nr; i++) {
		round->code = must_stop(round->bench)
				      ? -EINTR
				      : zero_folio(round, nth_folio(part, i));
		if (round->code)
			return;
	}
}

/*
 * An engine that faults pages in may find none: SIGBUS. Then the pages that
 * were not reached are populated, since the next row relies on a whole buffer;
 * if they cannot be, its message says why.
 */
static int guarded_zero(struct round *round)
{
	int code;

	if (!fz_guarded(zero_part, round))
		return round->code;
	code = fz_buffer_populate(round->buffer, round->err);
	if (code)
		return code;
	return fz_err_set(round->err, -ENOMEM,
			  "SIGBUS while folios were touched: huge pages were "
			  "missing for a moment");
}

int fz_round_zero(struct fz_bench *bench, const struct fz_row_config *config,
		  struct fz_buffer *buffer, struct fz_round_part part,
		  struct fz_samples *samples, struct fz_round_result *result,
		  struct fz_err *err)
{
	struct round round = {
		.bench = bench,
		.config = config,
		.buffer = buffer,
		.part = part,
		.samples = samples,
		.err = err,
	};
	struct fz_noise_reading before, after;
	int code = make_plans(&round);

	if (code)
		return code;
	before = fz_noise_read(bench->hooks);
	code = guarded_zero(&round);
	after = fz_noise_read(bench->hooks);
	/* Fresh pages may be smaller than those that were verified: then
	 * nothing of this is kept. */
	if (!code && config->engine->prepare)
		code = fz_buffer_verify(buffer, err);
	if (code) {
		fz_recorder_drain(&bench->recorder, &bench->clock, NULL);
		return code;
	}
	drain(&round);
	*result = (struct fz_round_result){
		.seconds = (double)round.ticks * bench->clock.ns_per_tick / 1e9,
		.points = round.points,
		.noise = fz_noise_between(&before, &after),
	};
	return 0;
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

int fz_round_run(struct fz_bench *bench, const struct fz_row_config *config,
		 struct fz_buffer *buffer, uint64_t round,
		 struct fz_samples *samples, struct fz_round_result *result,
		 struct fz_err *err)
{
	const struct fz_engine *engine = config->engine;
	const struct fz_round_part all = {
		.nr = config->bytes / config->folio_bytes,
		.round = round,
	};
	int code;

	code = regain(buffer, err);
	if (code)
		return code;
	fz_buffer_dirty(buffer, engine->descending_dirty);
	if (engine->prepare) {
		code = engine->prepare(buffer, err);
		if (code)
			return code;
	}
	return fz_round_zero(bench, config, buffer, all, samples, result, err);
}
