/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The probes of a run, and the caches that are modelled beside them. */
#ifndef FZ_BENCH_PROBE_H
#define FZ_BENCH_PROBE_H

#include <stdbool.h>

#include <fz/machine.h>
#include <fz/probe.h>

#include "bench_options.h"
#include "bench_rows.h"

/**
 * struct fz_bench_probe - the probes of a run
 * @found: what they found; for fz_probe_fini()
 * @has_caches: there are caches to model
 * @caches: they
 * @no_caches: why there are none
 */
struct fz_bench_probe {
	struct fz_probe found;
	bool has_caches;
	struct fz_cache_spec caches;
	struct fz_err no_caches;
};

/*
 * Which caches are modelled, if anything is to be probed. Those that were asked
 * for must be known; this machine's need not be. Return: FZ_EXIT_DONE or, after
 * a complaint, another status.
 */
int fz_bench_probe_choose(struct fz_bench_probe *probe,
			  const struct fz_bench_options *options,
			  const struct fz_machine *machine);

/*
 * Probe the rows that were measured, if that is asked for, and model the same.
 * What fails is a row without figures, with the reason. Return: 0, or -EINTR if
 * a signal stopped it.
 */
int fz_bench_probe_run(struct fz_bench_probe *probe,
		       const struct fz_bench_options *options,
		       const struct fz_machine *machine,
		       struct fz_bench_rows *rows, struct fz_bench *bench);

#endif
