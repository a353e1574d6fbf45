// SPDX-License-Identifier: GPL-2.0-or-later
/* What rounds need: a calibrated clock, pre-faulted records, plans. */
#include <fz/round.h>

#include <errno.h>
#include <stdlib.h>

#include <fz/counters.h>

#define CALIBRATION_NS (20u * 1000 * 1000)

/* An entry of the plan cache with about ten runs. */
#define PLAN_BYTES 1024u
/* What an arena has beside what was asked for, see arena_jemalloc.c. */
#define ARENA_SLACK_BYTES ((size_t)8 << 20)

/* Between two drains, and in the cache. */
struct capacity {
	size_t marks;
	size_t folios;
	size_t plans;
};

/* Many small folios; every faulting page of a 2 MiB folio for several policies.
 */
static const struct capacity alone = { 1u << 18, 1u << 15, 4096 };
/* There may be a thousand of them. */
static const struct capacity in_team = { 1u << 14, 1u << 12, 1024 };

/* A folio has at most a point a page, its start and its end, and a few points
 * between ranges that clear nothing. */
static size_t marks_of(const struct capacity *capacity,
		       uint64_t max_folio_pages)
{
	const uint64_t marks = max_folio_pages + 16;

	return marks > capacity->marks ? marks : capacity->marks;
}

static size_t arena_bytes(const struct capacity *capacity,
			  uint64_t max_folio_pages)
{
	return marks_of(capacity, max_folio_pages) * sizeof(uint64_t) +
	       capacity->folios * sizeof(struct fz_folio_record) +
	       capacity->plans * PLAN_BYTES;
}

uint64_t fz_bench_like_bytes(uint64_t max_folio_pages)
{
	const uint64_t bytes = arena_bytes(&in_team, max_folio_pages);

	return bytes + bytes / 4 + ARENA_SLACK_BYTES;
}

static int open_records(struct fz_bench *bench, const struct capacity *capacity,
			uint64_t max_folio_pages)
{
	int code = fz_recorder_init(&bench->recorder, bench->arena,
				    marks_of(capacity, max_folio_pages),
				    capacity->folios);

	if (code)
		return code;
	bench->samples = malloc(sizeof(*bench->samples));
	if (!bench->samples)
		return -ENOMEM;
	return fz_plan_cache_open(&bench->plans, bench->arena, capacity->plans);
}

static int open_bench(struct fz_bench *bench, struct fz_bench b,
		      const struct capacity *capacity, uint64_t max_folio_pages,
		      struct fz_err *err)
{
	int code = fz_arena_open(&b.arena,
				 arena_bytes(capacity, max_folio_pages), err);

	if (code)
		return code;
	code = open_records(&b, capacity, max_folio_pages);
	if (code) {
		fz_bench_close(&b);
		return fz_err_set(err, code, "no memory for records");
	}
	*bench = b;
	return 0;
}

int fz_bench_open_like(struct fz_bench *bench, const struct fz_bench *lead,
		       uint64_t max_folio_pages, struct fz_err *err)
{
	const struct fz_bench b = {
		.hooks = lead->hooks,
		.clock = lead->clock,
		.seed = lead->seed,
		.stop = lead->stop,
	};

	return open_bench(bench, b, &in_team, max_folio_pages, err);
}

int fz_bench_open(struct fz_bench *bench, const struct fz_hooks *hooks,
		  uint64_t seed, uint64_t max_folio_pages, struct fz_err *err)
{
	const struct fz_bench b = {
		.hooks = hooks,
		.clock = fz_clock_calibrate(hooks, CALIBRATION_NS),
		.seed = seed,
	};
	int code = open_bench(bench, b, &alone, max_folio_pages, err);

	if (code)
		return code;
	bench->threads = calloc(FZ_MAX_THREADS, sizeof(*bench->threads));
	if (bench->threads)
		return 0;
	fz_bench_close(bench);
	return fz_err_set(err, -ENOMEM, "no memory for records");
}

void fz_bench_close(struct fz_bench *bench)
{
	fz_counters_close(bench->counters);
	fz_plan_cache_close(bench->plans);
	free(bench->samples);
	free(bench->threads);
	fz_arena_close(bench->arena);
}
