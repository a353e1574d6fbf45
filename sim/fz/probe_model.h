/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The figures of probes, worked out on modelled caches. */
#ifndef FZ_PROBE_MODEL_H
#define FZ_PROBE_MODEL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include <fz/cache_plan.h>
#include <fz/err.h>
#include <fz/row.h>

struct fz_probe;

/**
 * struct fz_probe_model - caches that are modelled beside the probes
 * @known: there are any
 * @spec: they, with latencies; see fz_probe_model()
 * @reason: why there are none; "" = nobody asked
 */
struct fz_probe_model {
	bool known;
	struct fz_cache_spec spec;
	struct fz_err reason;
};

/**
 * struct fz_probe_model_params - how to model what was probed
 * @spec: the caches; NULL = they are not known
 * @reason: with NULL: why
 * @stop: as in struct fz_bench
 * @progress: as in struct fz_experiment, rows that are done
 * @progress_state: handed to @progress
 */
struct fz_probe_model_params {
	const struct fz_cache_spec *spec;
	const char *reason;
	const atomic_int *stop;
	void (*progress)(void *state, size_t done, size_t total,
			 const struct fz_row *row);
	void *progress_state;
};

/**
 * fz_probe_model() - work out on modelled caches what was probed
 * @probe: run; model_level, model_ticks and model_slowdown are written
 * @params: how
 * @rows: [nr_rows], those that were probed
 * @nr_rows: their number
 *
 * The plan of each row is studied with the primitives that it is run with, the
 * working sets have the sizes of those that were read, and latencies that the
 * caches do not come with are those that the probe's levels have, level by
 * level. Rows of random faults are studied with the middle page. What is
 * missing afterwards has a reason.
 *
 * Return: 0, or -EINTR if a signal stopped it.
 */
int fz_probe_model(struct fz_probe *probe,
		   const struct fz_probe_model_params *params,
		   const struct fz_row *rows, size_t nr_rows);

#endif
