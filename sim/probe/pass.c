// SPDX-License-Identifier: GPL-2.0-or-later
/* Rows in turn, folio by folio. */
#include "pass.h"

#include <errno.h>
#include <stdlib.h>

#include <fz/significance.h>

#include "stop_flag.h"

/* A sample during which another task had the CPU is taken again. */
#define MAX_TRIES 4u

void pass_set_reason(struct pass *pass, struct fz_row_probe *found,
		     enum fz_probe_kind kind, const char *reason)
{
	if (pass->probe->wanted[kind] && !found->reason[kind].msg[0])
		fz_err_set(&found->reason[kind], -ENOTSUP, "%s", reason);
}

static void set_reasons(struct pass *pass, struct fz_row_probe *found,
			const char *reason)
{
	for (size_t kind = 0; kind < FZ_NR_PROBES; kind++)
		pass_set_reason(pass, found, (enum fz_probe_kind)kind, reason);
}

/* Why no probe can look at the row; NULL if it can. */
static const char *why_not(const struct fz_row *row)
{
	if (row->status != FZ_ROW_MEASURED || !row->buffers)
		return row->reason[0] ? row->reason
				      : "the row was not measured";
	if (row->config.threads)
		return "a row with threads has no single cache to look at";
	if (row->config.engine == &fz_engine_bare)
		return "engine bare zeroes as engine buffers does: probe that";
	return NULL;
}

bool pass_is_empty(const struct fz_row *rows, size_t nr_rows)
{
	for (size_t i = 0; i < nr_rows; i++)
		if (!rows[i].twin && !why_not(&rows[i]))
			return false;
	return true;
}

static struct cold_folios *folios_of(struct pass *pass,
				     struct fz_buffer *buffer)
{
	struct cold_folios *folios = pass->folios;

	for (size_t i = 0; i < pass->nr_folios; i++, folios++)
		if (folios->buffer == buffer)
			return folios;
	pass->nr_folios++;
	folios->buffer = buffer;
	return folios;
}

static int add_subject(struct pass *pass, struct fz_row *row,
		       struct fz_row_probe *found)
{
	struct subject *s = &pass->subjects[pass->nr_subjects++];
	int code = 0;

	*s = (struct subject){
		.row = row,
		.found = found,
		.config = row->config,
		.folios = folios_of(pass, row->buffers[0]),
	};
	s->config.use = FZ_USE_NONE;
	if (pass->probe->wanted[FZ_PROBE_RESIDENCY])
		code = residency_init(&s->residency, &s->config,
				      pass->max_repeats);
	if (!s->residency.nr)
		pass_set_reason(pass, found, FZ_PROBE_RESIDENCY,
				"the policy is told no faulting page");
	if (!code && pass->probe->wanted[FZ_PROBE_VICTIM]) {
		s->nr_victims = pass->sets.nr;
		code = victim_init(&s->victim, &pass->sets, pass->max_repeats);
	}
	return code;
}

int pass_find_subjects(struct pass *pass, struct fz_row *rows, size_t nr_rows)
{
	int code = 0;

	pass->subjects = calloc(nr_rows + 1, sizeof(*pass->subjects));
	pass->folios = calloc(nr_rows + 1, sizeof(*pass->folios));
	pass->turns = calloc(nr_rows + 1, sizeof(*pass->turns));
	if (!pass->subjects || !pass->folios || !pass->turns)
		return -ENOMEM;
	for (size_t i = 0; i < nr_rows && !code; i++) {
		struct fz_row_probe *found = &pass->probe->rows[i];

		if (rows[i].twin)
			continue;
		if (why_not(&rows[i]))
			set_reasons(pass, found, why_not(&rows[i]));
		else
			code = add_subject(pass, &rows[i], found);
	}
	return code;
}

static int run_task(struct pass *pass, struct subject *s, size_t task,
		    size_t repeat, bool insist, struct fz_err *err)
{
	const struct residency_clear residency = {
		.bench = pass->bench,
		.config = &s->config,
		.folios = s->folios,
		.repeat = repeat,
		.nr = task,
		.clock_ticks = pass->probe->clock_ticks,
		.random = &pass->random,
		.keep = repeat > 0,
		.insist = insist,
	};
	const struct victim_clear victim = {
		.bench = pass->bench,
		.config = &s->config,
		.folios = s->folios,
		.repeat = repeat,
		.sets = &pass->sets,
		.nr = task - s->residency.nr_clears,
		.clock_ticks = pass->probe->clock_ticks,
		.keep = repeat > 0,
		.insist = insist,
	};

	return task < s->residency.nr_clears
		       ? residency_sample(&s->residency, &residency, err)
		       : victim_sample(&s->victim, &victim, err);
}

/* On a machine that is never quiet the last try counts. */
static int try_task(struct pass *pass, struct subject *s, size_t task,
		    size_t repeat, struct fz_err *err)
{
	int code = 1;

	for (unsigned int i = 0; i < MAX_TRIES && code > 0; i++)
		code = run_task(pass, s, task, repeat, i + 1 == MAX_TRIES, err);
	return code;
}

static void tell_progress(struct pass *pass, const struct fz_row *row)
{
	const struct fz_probe_params *params = pass->params;

	if (params->progress)
		params->progress(params->progress_state, pass->done,
				 pass->nr_subjects * (pass->repeats + 1), row);
	pass->done++;
}

/* A row that fails is out; only a stop ends everything. */
static int run_subject(struct pass *pass, struct subject *s, size_t repeat)
{
	unsigned int order[FZ_MAX_PAGE_DISTANCES + FZ_MAX_CACHES];
	const size_t nr = s->residency.nr_clears + s->nr_victims;
	struct fz_err err = { "" };

	tell_progress(pass, s->row);
	residency_shuffle(&s->residency, &pass->random);
	for (size_t i = 0; i < nr; i++)
		order[i] = (unsigned int)i;
	fz_random_shuffle(&pass->random, order, nr);
	for (size_t i = 0; i < nr; i++) {
		if (stop_flag_is_set(pass->bench->stop))
			return -EINTR;
		if (!try_task(pass, s, order[i], repeat, &err))
			continue;
		set_reasons(pass, s->found, err.msg);
		s->residency.nr_clears = s->nr_victims = 0;
		break;
	}
	return 0;
}

static int run_repeat(struct pass *pass, size_t repeat)
{
	unsigned int *order = pass->turns;
	int code = 0;

	for (size_t i = 0; i < pass->nr_subjects; i++)
		order[i] = (unsigned int)i;
	fz_random_shuffle(&pass->random, order, pass->nr_subjects);
	for (size_t i = 0; i < pass->nr_subjects && !code; i++)
		code = run_subject(pass, &pass->subjects[order[i]], repeat);
	return code;
}

static size_t affordable_repeats(const struct pass *pass, uint64_t spent_ns,
				 uint64_t repeat_ns)
{
	const uint64_t budget_ns = pass->params->budget_ns;
	const uint64_t repeats =
		(budget_ns > spent_ns ? budget_ns - spent_ns : 0) /
		(repeat_ns + 1);

	if (repeats < FZ_WINNER_MIN_ROUNDS)
		return FZ_WINNER_MIN_ROUNDS;
	return repeats > PASS_AUTO_REPEATS ? PASS_AUTO_REPEATS : repeats;
}

/* The first repeat only warms up, and tells how long one takes. */
int pass_run_repeats(struct pass *pass, uint64_t begin_ns)
{
	const struct fz_hooks *hooks = pass->bench->hooks;
	const uint64_t first_ns = hooks->now_ns(hooks->state);
	int code = run_repeat(pass, 0);
	const uint64_t end_ns = hooks->now_ns(hooks->state);

	if (!pass->params->repeat)
		pass->repeats = affordable_repeats(pass, end_ns - begin_ns,
						   end_ns - first_ns);
	for (size_t repeat = 1; repeat <= pass->repeats && !code; repeat++) {
		code = run_repeat(pass, repeat);
		if (!code)
			pass->probe->repeats = repeat;
	}
	return code;
}
