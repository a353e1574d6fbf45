// SPDX-License-Identifier: GPL-2.0-or-later
/* What recording costs, as a table. */
#include "bench_overhead.h"

#include <errno.h>
#include <stdlib.h>

#include <fz/overhead.h>

#include "command.h"
#include "progress.h"

/* Bare against bare spreads by some percent: medians need hundreds of pairs. */
#define DEFAULT_PAIRS 300u

static const struct fz_row *case_rows(const struct fz_row *rows, size_t which)
{
	return rows + which * FZ_NR_OVERHEAD_ROWS;
}

static int run_case(struct fz_bench *bench, struct fz_bench_rows *rows,
		    const struct fz_bench_options *options,
		    struct fz_buffer *const *buffer, size_t which,
		    struct fz_err *err)
{
	const struct fz_clear *clear = options->nr_clears
					       ? options->clears[0]
					       : fz_clear_kernel_choice();
	struct fz_row *three = &rows->rows[rows->nr];

	fz_overhead_rows(&fz_overhead_cases[which], clear, buffer, three);
	rows->nr += FZ_NR_OVERHEAD_ROWS;
	return fz_overhead_run(
		bench, &fz_overhead_cases[which], three,
		options->repeat ? options->repeat : DEFAULT_PAIRS, err);
}

static bool can_run(const struct fz_bench_options *options,
		    const struct fz_bench_memory *memory)
{
	if (!memory->buffers)
		return false;
	if (options->nr_clears &&
	    fz_clear_why_unsupported(options->clears[0])) {
		fz_complain("%s: %s", options->clears[0]->name,
			    fz_clear_why_unsupported(options->clears[0]));
		return false;
	}
	return true;
}

int fz_bench_overhead_run(struct fz_bench *bench, struct fz_bench_rows *rows,
			  const struct fz_bench_options *options,
			  const struct fz_bench_memories *memories,
			  bool *partial)
{
	struct fz_progress progress;
	struct fz_err err = { "" };
	int code = 0;

	rows->nr = 0;
	rows->rows = calloc(fz_nr_overhead_cases * FZ_NR_OVERHEAD_ROWS,
			    sizeof(*rows->rows));
	if (!rows->rows)
		return FZ_EXIT_FAILED;
	if (!can_run(options, &memories->memory[0]))
		return FZ_EXIT_CANNOT_RUN;
	fz_progress_init(&progress);
	for (size_t i = 0; i < fz_nr_overhead_cases && !code; i++) {
		code = run_case(bench, rows, options,
				memories->memory[0].buffers, i, &err);
		fz_progress_step(&progress, i + 1, fz_nr_overhead_cases,
				 case_rows(rows->rows, i));
	}
	fz_progress_end(&progress);
	*partial = code == -EINTR;
	if (!code || *partial)
		return FZ_EXIT_DONE;
	fz_complain("%s", err.msg);
	return FZ_EXIT_FAILED;
}

const struct fz_row *
fz_bench_overhead_baseline(const struct fz_bench_rows *rows, size_t i)
{
	return case_rows(rows->rows, i / FZ_NR_OVERHEAD_ROWS);
}

/* Figures hold bandwidth ratios; here times are compared. */
static void put_ratio(FILE *out, const struct fz_figures *figures)
{
	fprintf(out, "  %6.3f (%.3f-%.3f)", 1.0 / figures->ratio.median,
		1.0 / figures->ratio.ci95.hi, 1.0 / figures->ratio.ci95.lo);
}

/* Median over the pairs of the difference a step. */
static double ns_a_step(const struct fz_row *buffers, const struct fz_row *bare)
{
	const double steps = (double)buffers->points / (double)buffers->rounds;
	const size_t rounds =
		buffers->rounds < bare->rounds ? buffers->rounds : bare->rounds;
	double ns[FZ_MAX_ROUNDS];

	for (size_t i = 0; i < rounds; i++)
		ns[i] = 1e9 * (buffers->seconds[i] - bare->seconds[i]) / steps;
	return fz_median(ns, rounds);
}

static void put_case(FILE *out, const struct fz_result *result, size_t which)
{
	const struct fz_row *rows = case_rows(result->rows, which);
	const struct fz_figures *figures =
		result->figures + which * FZ_NR_OVERHEAD_ROWS;

	fprintf(out, "%-22s", fz_overhead_cases[which].name);
	if (!figures[FZ_OVERHEAD_BUFFERS].ratio.rounds ||
	    !figures[FZ_OVERHEAD_CONTROL].ratio.rounds) {
		fprintf(out, "  not measured\n");
		return;
	}
	put_ratio(out, &figures[FZ_OVERHEAD_BUFFERS]);
	put_ratio(out, &figures[FZ_OVERHEAD_CONTROL]);
	/* In memory the noise of a clear drowns a few ns. */
	if (fz_overhead_cases[which].in_cache)
		fprintf(out, "  %8.1f\n",
			ns_a_step(&rows[FZ_OVERHEAD_BUFFERS],
				  &rows[FZ_OVERHEAD_BARE]));
	else
		fprintf(out, "  %8s\n", "-");
}

int fz_bench_overhead_text(FILE *out, const struct fz_result *result)
{
	const size_t nr = result->nr_rows / FZ_NR_OVERHEAD_ROWS;

	fprintf(out,
		"What recording costs: time of engine buffers (a clock reading "
		"a piece) over\nengine bare (none), %zu pairs, median and 95 %% "
		"interval; the control is bare\nover bare. Primitive %s, %s.\n"
		"\n%-22s  %-20s  %-20s  %8s\n",
		nr ? result->rows[0].rounds : 0,
		nr ? result->rows[0].config.clear->name : "none",
		result->machine->cpu, "", "buffers/bare", "control",
		"ns/piece");
	for (size_t i = 0; i < nr; i++)
		put_case(out, result, i);
	if (result->partial)
		fprintf(out, "\npartial: stopped by a signal\n");
	return ferror(out) ? -EIO : 0;
}
