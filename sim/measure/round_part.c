// SPDX-License-Identifier: GPL-2.0-or-later
/* One thread's part of a round: dirty, plan, zero, use, verify. */
#include "round_part.h"

#include <errno.h>

#include <fz/counters.h>
#include <fz/folio.h>
#include <fz/resched_point.h>
#include <fz/use.h>
#include <fz/wake_watch.h>

#include "guard.h"
#include "stop_flag.h"
#include "ticks.h"

/* A signal is noticed after this time at the latest. */
#define LONGEST_SLEEP_NS 100000000u

void round_part_drain(struct round_part *part)
{
	part->ticks +=
		fz_recorder_drain(&part->bench->recorder, &part->bench->clock,
				  part->bench->samples);
}

static int lookup_plan(struct round_part *part, uint64_t fault_page,
		       const struct fz_cached_plan **cached)
{
	const struct fz_row_config *config = part->config;
	const struct fz_zero_request request =
		fz_row_request(config, fault_page);
	const int code = fz_plan_cache_get(part->bench->plans, config->policy,
					   &request, cached, &part->err);

	return code ? code
		    : fz_row_check_plan(config, fault_page, &(*cached)->plan,
					&part->err);
}

static uint64_t fault_page_of(const struct round_part *part, uint64_t folio)
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
static int make_plans(struct round_part *part)
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
static int folio_plan(struct round_part *part, uint64_t fault_page,
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
		part->conditional |= cached->plan.conditional;
	}
	if (!fz_recorder_has_room(&part->bench->recorder, marks))
		round_part_drain(part);
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

static int zero_folio(struct round_part *part, uint64_t folio)
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

/* At the pace of a recording; in short sleeps, so that it can be stopped. */
static void wait_until_due(const struct round_part *part, uint64_t begin_ns,
			   uint64_t folio)
{
	const struct fz_hooks *hooks = part->bench->hooks;
	const uint64_t due_ns = begin_ns + part->config->due_ns[folio];

	while (!stop_flag_is_set(part->bench->stop)) {
		const uint64_t now_ns = hooks->now_ns(hooks->state);

		if (now_ns >= due_ns)
			return;
		hooks->sleep_until_ns(hooks->state,
				      due_ns - now_ns < LONGEST_SLEEP_NS
					      ? due_ns
					      : now_ns + LONGEST_SLEEP_NS);
	}
}

static void zero_folios(void *argument)
{
	struct round_part *part = argument;
	const struct fz_round_part *which = &part->which;
	const struct fz_hooks *hooks = part->bench->hooks;
	const uint64_t begin_ns =
		part->config->due_ns ? hooks->now_ns(hooks->state) : 0;

	for (uint64_t i = 0; i < which->nr; i++) {
		if (part->config->due_ns)
			wait_until_due(part, begin_ns, nth_folio(which, i));
		part->code = stop_flag_is_set(part->bench->stop)
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
static void guarded_zero(struct round_part *part)
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
void round_part_dirty(struct round_part *part)
{
	const struct fz_engine *engine = part->config->engine;

	part->code = regain(part->buffer, &part->err);
	if (part->code)
		return;
	fz_buffer_dirty(part->buffer, engine->descending_dirty);
	if (engine->prepare)
		part->code = engine->prepare(part->buffer, &part->err);
}

void round_part_plan(struct round_part *part)
{
	fz_samples_init(part->bench->samples);
	part->code = make_plans(part);
	part->before = fz_noise_read(part->bench->hooks);
}

/* A thread is handed over to between steps, which is no noise. */
void round_part_zero(struct round_part *part)
{
	const struct fz_hooks *hooks = part->bench->hooks;
	struct fz_wake_watch *watch = part->bench->watch;

	if (watch)
		part->flag = fz_wake_watch_begin(watch, part->config);
	fz_noise_read_thread(hooks, &part->before);
	fz_counters_begin(part->bench->counters);
	part->begin = ticks_after_loads(hooks);
	guarded_zero(part);
	part->end = ticks_after_loads(hooks);
	fz_counters_end(part->bench->counters, &part->counts);
	fz_noise_read_thread(hooks, &part->after);
	if (watch)
		part->wakes = fz_wake_watch_end(watch);
}

/* Those woken while a folio was zeroed. */
static void keep_wakes(const struct round_part *part)
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
void round_part_settle(struct round_part *part)
{
	const struct fz_hooks *hooks = part->bench->hooks;

	/* Of the machine; the thread's were read closer to its work. */
	part->after.steal_ms = fz_noise_read(hooks).steal_ms;
	part->noise = fz_noise_between(&part->before, &part->after);
	part->cpu = part->after.cpu;
	keep_wakes(part);
}

void round_part_use(struct round_part *part)
{
	const struct fz_hooks *hooks = part->bench->hooks;

	part->use_begin = ticks_after_loads(hooks);
	fz_use_all(fz_buffer_base(part->buffer),
		   part->config->bytes >> FZ_PAGE_SHIFT);
	part->use_end = ticks_after_loads(hooks);
}

/* Fresh pages may be smaller than those that were verified. */
void round_part_verify(struct round_part *part)
{
	if (part->config->engine->prepare)
		part->code = fz_buffer_verify(part->buffer, &part->err);
}
