// SPDX-License-Identifier: GPL-2.0-or-later
/* A round: the parts of all threads, step by step. */
#include <fz/round.h>

#include <errno.h>
#include <stdlib.h>

#include <fz/folio.h>
#include <fz/random.h>
#include <fz/streams.h>
#include <fz/team.h>

#include "round_part.h"

uint64_t fz_round_fault_page(const struct fz_row_config *config, uint64_t seed,
			     uint64_t round, unsigned int thread,
			     uint64_t folio)
{
	const uint64_t nr_pages = config->folio_bytes >> FZ_PAGE_SHIFT;

	switch (config->fault) {
	case FZ_FAULT_AT:
		return config->fault_page;
	case FZ_FAULT_RANDOM:
		return fz_random_at(seed,
				    FZ_STREAM_FAULT_PAGE +
					    ((uint64_t)thread << 32),
				    (round << 32) + folio) %
		       nr_pages;
	case FZ_FAULT_RECORDED:
		return config->fault_pages[folio];
	case FZ_FAULT_NONE:
		break;
	}
	return 0;
}

typedef void (*step_fn)(struct round_part *part);

static const step_fn whole_round[] = { round_part_dirty,
				       round_part_plan,
				       round_part_zero,
				       round_part_settle,
				       round_part_use,
				       round_part_verify,
				       NULL };

/* The buffer is as it is to be. */
static const step_fn zero_only[] = { round_part_plan,   round_part_zero,
				     round_part_settle, round_part_use,
				     round_part_verify, NULL };

/* All threads of a round. */
struct round {
	struct fz_bench *bench; /* the calling thread's */
	const struct fz_row_config *config;
	struct round_part *parts; /* [nr] */
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
		if (*steps != round_part_use ||
		    round->config->use == FZ_USE_PHASE)
			code = take_step(round, *steps, err);
	/* A recorder must be empty for the next round. */
	for (unsigned int i = 0; i < round->nr; i++)
		round_part_drain(&round->parts[i]);
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
	struct round_part all = round->parts[0];

	for (unsigned int i = 1; i < round->nr; i++) {
		const struct round_part *part = &round->parts[i];

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
		const struct round_part *part = &round->parts[i];

		round->bench->threads[i] = (struct fz_round_thread){
			.zero_seconds = seconds_of(
				round->bench, span(part->begin, part->end)),
			.sections_seconds =
				seconds_of(round->bench, part->ticks),
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
		struct round_part *part = &round->parts[i];

		/* The machine's steal time counts once. */
		if (i > 0)
			part->noise.steal_ms = 0;
		fz_noise_add(&result->noise, &part->noise);
		fz_counts_add(&result->counts, &part->counts);
		result->points += part->points;
		result->conditional |= part->conditional;
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
	struct round_part one = {
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
	const int code = take_steps(&round, zero_only, err);

	if (!code)
		keep(&round, samples, result);
	return code;
}

static void part_init(struct round_part *part, const struct round *round,
		      struct fz_buffer *buffer, unsigned int thread,
		      uint64_t number)
{
	const struct fz_row_config *config = round->config;

	*part = (struct round_part){
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
