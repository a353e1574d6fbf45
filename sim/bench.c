// SPDX-License-Identifier: GPL-2.0-or-later
/* What rounds need: a calibrated clock, pre-faulted records, plans. */
#include <fz/round.h>

#include <errno.h>
#include <stdlib.h>

#define CALIBRATION_NS (20u * 1000 * 1000)

/* Marks of many small folios between two drains: 2 MiB. */
#define BENCH_MIN_MARKS (1u << 18)
#define BENCH_FOLIOS    (1u << 15)
/* Every faulting page of a 2 MiB folio, for several policies. */
#define BENCH_PLANS 4096u
/* An entry with about ten runs. */
#define BENCH_PLAN_BYTES 1024u
/* What an arena has beside what was asked for, see arena_jemalloc.c. */
#define BENCH_ARENA_SLACK_BYTES ((size_t)8 << 20)

/* A folio has at most a point a page, its start and its end, and a few points
 * between ranges that clear nothing. */
static size_t bench_marks(uint64_t max_folio_pages)
{
	const uint64_t marks = max_folio_pages + 16;

	return marks > BENCH_MIN_MARKS ? marks : BENCH_MIN_MARKS;
}

static size_t arena_bytes(uint64_t max_folio_pages)
{
	return bench_marks(max_folio_pages) * sizeof(uint64_t) +
	       BENCH_FOLIOS * sizeof(struct fz_folio_record) +
	       (size_t)BENCH_PLANS * BENCH_PLAN_BYTES;
}

uint64_t fz_bench_bytes(uint64_t max_folio_pages)
{
	const uint64_t bytes = arena_bytes(max_folio_pages);

	return bytes + bytes / 4 + BENCH_ARENA_SLACK_BYTES;
}

static int bench_records(struct fz_bench *bench, size_t max_marks)
{
	int code = fz_recorder_init(&bench->recorder, bench->arena, max_marks,
				    BENCH_FOLIOS);

	if (code)
		return code;
	bench->samples = malloc(sizeof(*bench->samples));
	if (!bench->samples)
		return -ENOMEM;
	return fz_plan_cache_open(&bench->plans, bench->arena, BENCH_PLANS);
}

int fz_bench_open_like(struct fz_bench *bench, const struct fz_bench *lead,
		       uint64_t max_folio_pages, struct fz_err *err)
{
	struct fz_bench b = {
		.hooks = lead->hooks,
		.clock = lead->clock,
		.seed = lead->seed,
		.stop = lead->stop,
	};
	int code = fz_arena_open(&b.arena, arena_bytes(max_folio_pages), err);

	if (code)
		return code;
	code = bench_records(&b, bench_marks(max_folio_pages));
	if (code) {
		fz_bench_close(&b);
		return fz_err_set(err, code, "no memory for records");
	}
	*bench = b;
	return 0;
}

int fz_bench_open(struct fz_bench *bench, const struct fz_hooks *hooks,
		  uint64_t seed, uint64_t max_folio_pages, struct fz_err *err)
{
	const struct fz_bench lead = {
		.hooks = hooks,
		.clock = fz_clock_calibrate(hooks, CALIBRATION_NS),
		.seed = seed,
	};
	int code = fz_bench_open_like(bench, &lead, max_folio_pages, err);

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
	fz_plan_cache_close(bench->plans);
	free(bench->samples);
	free(bench->threads);
	fz_arena_close(bench->arena);
}
