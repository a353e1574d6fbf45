// SPDX-License-Identifier: GPL-2.0-or-later
/* Speed of the bare engine beside a plain loop over the same extents. */
#include <stdio.h>
#include <stdlib.h>

#include <fz/folio.h>
#include <fz/overhead.h>
#include <fz/policies.h>
#include <fz/random.h>
#include <fz/round.h>
#include <fz/statistics.h>

#include "plain_clear.h"

#define PAIRS       400u
#define BYTES       ((uint64_t)256 << 20)
#define CHUNK_BYTES ((uint64_t)8 << 20)
#define HOT_LAPS    64u

/* A case of the overhead test, with its plan and the extents of its clears. */
struct contest {
	const struct fz_overhead_case *which;
	struct fz_plan plan;
	uint64_t *first_page; /* [nr] */
	uint64_t *nr_pages;   /* [nr] */
	uint64_t nr;
	const struct fz_clear *clear;
	struct fz_buffer *buffer;
	struct fz_recorder recorder;
	uint64_t next_chunk;
};

static int contest_open(struct contest *contest)
{
	const struct fz_zero_request request = {
		.nr_pages = contest->which->folio_bytes >> FZ_PAGE_SHIFT,
		.fault_page = contest->which->fault_page,
		.batch_pages = contest->which->batch_pages,
		.radius_pages = FZ_RADIUS_PAGES,
	};
	struct fz_walker walker;
	struct fz_step step;

	if (fz_policy_plan(fz_policy_find(contest->which->policy), &request,
			   &contest->plan, NULL))
		return -1;
	contest->first_page = calloc(request.nr_pages, sizeof(uint64_t));
	contest->nr_pages = calloc(request.nr_pages, sizeof(uint64_t));
	if (!contest->first_page || !contest->nr_pages)
		return -1;
	fz_walker_begin(&walker, &contest->plan);
	while (fz_walker_next(&walker, &step)) {
		if (step.op != FZ_OP_CLEAR)
			continue;
		contest->first_page[contest->nr] = step.first;
		contest->nr_pages[contest->nr++] = step.nr;
	}
	return 0;
}

static void contest_close(struct contest *contest)
{
	fz_plan_fini(&contest->plan);
	free(contest->first_page);
	free(contest->nr_pages);
}

static void zero_folio(struct contest *contest, char *base, bool plain)
{
	const struct fz_zero_job job = {
		.base = base,
		.plan = &contest->plan,
		.preempt = FZ_PREEMPT_NONE,
		.clear = contest->clear,
		.stream = contest->clear,
		.hooks = &fz_hooks_default,
		.recorder = &contest->recorder,
	};

	if (plain)
		plain_clear_extents(base, contest->nr, contest->first_page,
				    contest->nr_pages, contest->clear->clear);
	else
		fz_engine_bare.zero(&job);
}

/* One chunk of fresh memory, or one folio again and again. */
static double chunk_ticks(struct contest *contest, bool plain)
{
	const struct fz_hooks *hooks = &fz_hooks_default;
	const uint64_t folio = contest->which->folio_bytes;
	char *base = fz_buffer_base(contest->buffer);
	uint64_t begin;

	if (!contest->which->in_cache)
		base += contest->next_chunk++ * CHUNK_BYTES;
	begin = hooks->ticks(hooks->state);
	if (contest->which->in_cache)
		for (unsigned int i = 0; i < HOT_LAPS; i++)
			zero_folio(contest, base, plain);
	else
		for (uint64_t at = 0; at < CHUNK_BYTES; at += folio)
			zero_folio(contest, base + at, plain);
	return (double)(hooks->ticks(hooks->state) - begin);
}

static void contest_run(struct contest *contest)
{
	struct fz_random random = fz_random_begin(1, 1);
	double ticks[2][PAIRS]; /* [plain][pair] */
	struct fz_ratio ratio;

	for (size_t i = 0; i < PAIRS; i++) {
		const bool first = fz_random_below(&random, 2);

		if ((contest->next_chunk + 4) * CHUNK_BYTES > BYTES)
			contest->next_chunk = 0;
		if (contest->next_chunk == 0)
			fz_buffer_dirty(contest->buffer, false);
		/* There and back, so that neither gains by its place. */
		ticks[first][i] = chunk_ticks(contest, first);
		ticks[!first][i] = chunk_ticks(contest, !first);
		ticks[!first][i] += chunk_ticks(contest, !first);
		ticks[first][i] += chunk_ticks(contest, first);
	}
	/* Speed of bare over plain = time of plain over bare. */
	ratio = fz_paired_ratio(ticks[true], ticks[false], PAIRS, 1);
	printf("%-22s  %.3f (%.3f-%.3f)\n", contest->which->name, ratio.median,
	       ratio.ci95.lo, ratio.ci95.hi);
}

static struct fz_buffer *open_buffer(void)
{
	static const struct fz_page_size pages[] = {
		{ FZ_PAGES_HUGETLB, 2 << 20 },
		{ FZ_PAGES_THP, 2 << 20 },
	};
	struct fz_buffer *buffer = NULL;
	struct fz_err err = { "" };

	for (size_t i = 0; i < 2 && !buffer; i++)
		if (fz_buffer_open(&buffer, &fz_hooks_default, pages[i], BYTES,
				   &err))
			fprintf(stderr, "note: %s\n", err.msg);
	return buffer;
}

int main(void)
{
	struct fz_buffer *buffer = open_buffer();

	if (!buffer)
		return 77;
	printf("Speed of engine bare over a plain C loop, %u pairs, median and "
	       "95 %% interval\n\n",
	       PAIRS);
	for (size_t i = 0; i < fz_nr_overhead_cases; i++) {
		struct contest contest = {
			.which = &fz_overhead_cases[i],
			.clear = fz_clear_kernel_choice(),
			.buffer = buffer,
		};

		if (contest_open(&contest)) {
			fprintf(stderr, "out of memory\n");
			return 1;
		}
		contest_run(&contest);
		contest_close(&contest);
	}
	fz_buffer_close(buffer);
	return 0;
}
