// SPDX-License-Identifier: GPL-2.0-or-later
/* The probes of a run, and the caches that are modelled beside them. */
#include "bench_probe.h"

#include <errno.h>
#include <stdio.h>

#include <fz/topology_cache.h>

#include "cache_option.h"
#include "command.h"
#include "progress.h"

/* Besides the time of the rounds. */
#define PROBE_BUDGET_NS (5000ull * 1000 * 1000)

int fz_bench_probe_choose(struct fz_bench_probe *probe,
			  const struct fz_bench_options *options,
			  const struct fz_machine *machine)
{
	int status = FZ_EXIT_DONE;

	if (options->cache)
		status = fz_cache_option("bench", options->cache,
					 &probe->caches);
	else if (!options->has_probe ||
		 fz_topology_cache_spec(&machine->topology, &probe->caches,
					&probe->no_caches))
		return FZ_EXIT_DONE;
	probe->has_caches = !status;
	return status;
}

static int time_loads(struct fz_bench_probe *probe,
		      const struct fz_bench_options *options,
		      const struct fz_machine *machine,
		      struct fz_bench_rows *rows, struct fz_bench *bench)
{
	struct fz_progress progress;
	const struct fz_probe_params params = {
		.wanted = { options->probes[FZ_PROBE_RESIDENCY],
			    options->probes[FZ_PROBE_VICTIM] },
		.topology = &machine->topology,
		.thp_bytes = machine->thp_pmd_bytes,
		.repeat = options->repeat,
		.budget_ns = PROBE_BUDGET_NS,
		.progress = fz_progress_step,
		.progress_state = &progress,
	};
	struct fz_err err = { "" };
	int code;

	fz_progress_init(&progress);
	code = fz_probe_run(&probe->found, &params, rows->rows, rows->nr, bench,
			    &err);
	fz_progress_end(&progress);
	if (code && code != -EINTR)
		fprintf(stderr, "foliosim: warning: --probe: %s\n", err.msg);
	return code;
}

static int model_caches(struct fz_bench_probe *probe,
			const struct fz_bench_rows *rows,
			const struct fz_bench *bench)
{
	struct fz_progress progress;
	const struct fz_probe_model_params params = {
		.spec = probe->has_caches ? &probe->caches : NULL,
		.reason = probe->no_caches.msg,
		.stop = bench->stop,
		.progress = fz_progress_step,
		.progress_state = &progress,
	};
	int code;

	fz_progress_init(&progress);
	code = fz_probe_model(&probe->found, &params, rows->rows, rows->nr);
	fz_progress_end(&progress);
	return code;
}

int fz_bench_probe_run(struct fz_bench_probe *probe,
		       const struct fz_bench_options *options,
		       const struct fz_machine *machine,
		       struct fz_bench_rows *rows, struct fz_bench *bench)
{
	int code, model_code;

	if (!options->has_probe)
		return 0;
	code = time_loads(probe, options, machine, rows, bench);
	model_code = model_caches(probe, rows, bench);
	return code == -EINTR ? code : model_code;
}
