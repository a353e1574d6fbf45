// SPDX-License-Identifier: GPL-2.0-or-later
/* Which rows a row is compared with, and the figures that come of it. */
#include "bench_figures.h"

#include "bench_overhead.h"
#include "row_facts.h"

/* What was measured, how, and where. */
struct bench {
	const struct fz_bench_rows *rows;
	const struct fz_bench_options *options;
	const struct fz_machine *machine;
};

/* Ratios compare with what the running kernel does, where it is a row. */
static const char *baseline_policy(const struct bench *bench,
				   const struct fz_row *row)
{
	const struct fz_finding *finding =
		row->config.page.kind == FZ_PAGES_BASE
			? &bench->machine->base_policy
			: &bench->machine->kernel_policy;

	if (bench->options->baseline)
		return bench->options->baseline;
	return finding->value[0] ? finding->value : "discontiguous-page";
}

static const struct fz_row *baseline_of(const struct bench *bench, size_t i)
{
	const struct fz_row *rows = bench->rows->rows;
	const struct fz_row *baseline;

	if (bench->options->overhead)
		return fz_bench_overhead_baseline(bench->rows, i);
	baseline = fz_baseline_of(rows, bench->rows->nr, &rows[i],
				  baseline_policy(bench, &rows[i]));
	/* Without the kernel's policy the kernel itself will do. */
	if (!baseline && !bench->options->baseline)
		baseline =
			fz_baseline_of(rows, bench->rows->nr, &rows[i], NULL);
	return baseline;
}

/* The kernel's own steps in user space, on the same faults. */
static const struct fz_row *model_of(const struct bench *bench, size_t i)
{
	const struct fz_row *row = &bench->rows->rows[i];
	const struct fz_row *model;

	if (row->config.engine->runs_plans ||
	    !fz_row_policy_name(bench->machine, row))
		return NULL;
	model = fz_baseline_of(bench->rows->rows, bench->rows->nr, row,
			       fz_row_policy_name(bench->machine, row));
	return model && model->config.engine->records &&
			       model->config.preempt == row->config.preempt &&
			       fz_row_meets_fault(&row->config, &model->config)
		       ? model
		       : NULL;
}

void fz_bench_figures(struct fz_figures *figures,
		      const struct fz_bench_rows *rows,
		      const struct fz_bench_options *options,
		      const struct fz_machine *machine)
{
	const struct bench bench = { rows, options, machine };

	for (size_t i = 0; i < rows->nr; i++) {
		const struct fz_row *row = &rows->rows[i];
		const struct fz_references others = {
			.baseline = baseline_of(&bench, i),
			.scaling =
				fz_scaling_base_of(rows->rows, rows->nr, row),
			.model = model_of(&bench, i),
			.measured = fz_measured_of(rows->rows, rows->nr, row),
		};

		fz_figures_of(row, others, machine->topology.llc_bytes,
			      options->seed, &figures[i]);
	}
}
