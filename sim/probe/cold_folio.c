// SPDX-License-Identifier: GPL-2.0-or-later
/* Walks through a dirtied buffer. */
#include "cold_folio.h"

#include <errno.h>

#include <fz/buffer.h>
#include <fz/plan_cache.h>

#include "guard.h"

int cold_folios_restore(struct cold_folios *folios, struct fz_err *err)
{
	int code = 0;

	if (!folios->unmapped && !fz_buffer_is_lost(folios->buffer))
		return 0;
	if (fz_buffer_is_lost(folios->buffer))
		code = fz_buffer_remap(folios->buffer, err);
	if (!code)
		code = fz_buffer_populate(folios->buffer, err);
	if (!code)
		code = fz_buffer_verify(folios->buffer, err);
	folios->unmapped = false;
	return code;
}

static int begin_walk(struct cold_folios *folios,
		      const struct fz_row_config *config, struct fz_err *err)
{
	const struct fz_engine *engine = config->engine;
	int code = cold_folios_restore(folios, err);

	folios->next = folios->nr = 0;
	if (code)
		return code;
	fz_buffer_dirty(folios->buffer, engine->descending_dirty);
	if (engine->prepare) {
		folios->unmapped = true;
		code = engine->prepare(folios->buffer, err);
	}
	if (!code)
		folios->nr = config->bytes / config->folio_bytes;
	folios->folio_bytes = config->folio_bytes;
	return code;
}

static int find_plan(struct fz_bench *bench, const struct fz_row_config *config,
		     struct fz_zero_job *job, struct fz_err *err)
{
	const struct fz_zero_request request =
		fz_row_request(config, job->fault_page);
	const struct fz_cached_plan *cached;
	int code = fz_plan_cache_get(bench->plans, config->policy, &request,
				     &cached, err);

	if (!code)
		code = fz_row_check_plan(config, job->fault_page, &cached->plan,
					 err);
	if (code)
		return code;
	if (!fz_recorder_has_room(&bench->recorder, cached->acting_points + 2))
		return fz_err_set(err, -ENOMEM,
				  "a plan has too many resched points");
	job->plan = &cached->plan;
	return 0;
}

int cold_folio_next(struct cold_folios *folios, struct fz_bench *bench,
		    const struct fz_row_config *config, uint64_t repeat,
		    struct fz_zero_job *job, struct fz_err *err)
{
	const bool faults = config->engine->prepare != NULL;
	int code = 0;

	if (folios->next == folios->nr || folios->unmapped != faults ||
	    folios->folio_bytes != config->folio_bytes)
		code = begin_walk(folios, config, err);
	if (code)
		return code;
	*job = (struct fz_zero_job){
		.base = (char *)fz_buffer_base(folios->buffer) +
			folios->next * config->folio_bytes,
		.fault_page = fz_round_fault_page(config, bench->seed, repeat,
						  0, folios->next),
		.preempt = config->preempt,
		.clear = config->clear,
		.stream = config->stream,
		.hooks = bench->hooks,
		.recorder = &bench->recorder,
	};
	folios->next++;
	return config->engine->runs_plans ? find_plan(bench, config, job, err)
					  : 0;
}

/* A guard's argument. */
struct zeroing {
	const struct fz_engine *engine;
	const struct fz_zero_job *job;
};

static void zero(void *arg)
{
	const struct zeroing *zeroing = arg;

	zeroing->engine->zero(zeroing->job);
}

/* Pages that are there need no guard, whose system calls take some cache. */
int cold_folio_zero(const struct fz_row_config *config, struct fz_zero_job *job,
		    struct fz_err *err)
{
	struct zeroing zeroing = { config->engine, job };

	if (!config->engine->prepare) {
		zero(&zeroing);
		return 0;
	}
	if (fz_guarded(zero, &zeroing))
		return fz_err_set(err, -ENOMEM,
				  "SIGBUS while a folio was touched: huge "
				  "pages were missing for a moment");
	return 0;
}
