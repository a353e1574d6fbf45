// SPDX-License-Identifier: GPL-2.0-or-later
/* Samples curves: powers of two first, then closer around the answers. */
#include "tune.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <fz/folio.h>

/* Each halves a gap: an octave is left with a sixteenth. */
#define MAX_STEPS 4

void fz_tune_add(struct fz_tune_curve *curve,
		 const struct fz_tune_sample *sample)
{
	size_t i = 0;

	while (i < curve->nr &&
	       curve->samples[i].batch_bytes < sample->batch_bytes)
		i++;
	if (curve->nr == FZ_TUNE_MAX_SAMPLES ||
	    (i < curve->nr &&
	     curve->samples[i].batch_bytes == sample->batch_bytes))
		return;
	memmove(&curve->samples[i + 1], &curve->samples[i],
		(curve->nr - i) * sizeof(*sample));
	curve->samples[i] = *sample;
	curve->nr++;
}

static void points_of(const struct fz_tune_curve *curve, bool longest,
		      struct fz_tuning_point *points)
{
	for (size_t i = 0; i < curve->nr; i++) {
		const struct fz_tune_sample *sample = &curve->samples[i];

		points[i] = (struct fz_tuning_point){
			.batch_bytes = sample->batch_bytes,
			.share = sample->share,
			.stretch_ns = longest ? sample->longest_ns
					      : sample->stretch_ns,
		};
	}
}

/* Asks so far, and room for more. */
struct asks {
	struct fz_tune_ask ask[FZ_TUNE_MAX_ASKS];
	size_t nr;
};

static void add_ask(struct asks *asks, struct fz_tune_curve *curve,
		    uint64_t batch_bytes)
{
	if (asks->nr < FZ_TUNE_MAX_ASKS)
		asks->ask[asks->nr++] =
			(struct fz_tune_ask){ curve, batch_bytes };
}

/* The whole folio comes first: shares are of it. */
static void ask_first(struct asks *asks, const struct fz_tune *tune,
		      struct fz_tune_curve *curve)
{
	const struct fz_bench_options *o = &tune->options->bench;

	add_ask(asks, curve, tune->folio_bytes);
	for (size_t i = 0; i < o->nr_batches; i++)
		add_ask(asks, curve, o->batches[i] << FZ_PAGE_SHIFT);
	if (o->nr_batches)
		return;
	for (uint64_t bytes = FZ_PAGE_BYTES; bytes < tune->folio_bytes;
	     bytes *= 2)
		add_ask(asks, curve, bytes);
}

static void ask_next(struct asks *asks, const struct fz_tune *tune,
		     struct fz_tune_curve *curve)
{
	struct fz_tuning_point points[FZ_TUNE_MAX_SAMPLES];
	uint64_t next[FZ_TUNING_MAX_NEXT];
	size_t nr;

	points_of(curve, false, points);
	nr = fz_tuning_next(points, curve->nr, tune->options->wish, next);
	for (size_t i = 0; i < nr; i++)
		add_ask(asks, curve, next[i]);
}

bool fz_tune_at_edge(const struct fz_tune_sample *sample,
		     struct fz_tuning_wish wish)
{
	return sample->share_ci95.lo < wish.share &&
	       wish.share <= sample->share_ci95.hi;
}

static void find_edge(struct fz_tune_curve *curve, struct fz_tuning_wish wish)
{
	for (size_t i = 0; i < curve->nr; i++) {
		const struct fz_tune_sample *sample = &curve->samples[i];

		if (!fz_tune_at_edge(sample, wish))
			continue;
		if (!curve->edge_from_bytes)
			curve->edge_from_bytes = sample->batch_bytes;
		curve->edge_to_bytes = sample->batch_bytes;
	}
}

static void answer(struct fz_tune *tune, struct fz_tune_curve *curve)
{
	struct fz_tuning_point points[FZ_TUNE_MAX_SAMPLES];

	find_edge(curve, tune->options->wish);

	points_of(curve, false, points);
	curve->answer =
		fz_tuning_answer_of(points, curve->nr, tune->options->wish);
	points_of(curve, true, points);
	curve->answer_longest =
		fz_tuning_answer_of(points, curve->nr, tune->options->wish);
}

static int sample_all(struct fz_tune *tune, struct fz_tune_source source,
		      struct asks *asks, struct fz_err *err)
{
	int code;

	for (size_t i = 0; i < tune->nr_curves; i++)
		if (!tune->curves[i].reason[0])
			ask_first(asks, tune, &tune->curves[i]);
	code = source.sample(source.state, tune, asks->ask, asks->nr, err);
	for (int step = 0; step < MAX_STEPS && !code; step++) {
		asks->nr = 0;
		for (size_t i = 0; i < tune->nr_curves; i++)
			if (!tune->curves[i].reason[0])
				ask_next(asks, tune, &tune->curves[i]);
		if (!asks->nr || tune->options->bench.nr_batches)
			break;
		code = source.sample(source.state, tune, asks->ask, asks->nr,
				     err);
	}
	return code;
}

int fz_tune_run(struct fz_tune *tune, struct fz_tune_source source,
		struct fz_err *err)
{
	struct asks *asks = calloc(1, sizeof(*asks));
	int code;

	if (!asks)
		return fz_err_set(err, -ENOMEM, "out of memory");
	code = sample_all(tune, source, asks, err);
	free(asks);
	for (size_t i = 0; i < tune->nr_curves; i++)
		answer(tune, &tune->curves[i]);
	return code;
}
