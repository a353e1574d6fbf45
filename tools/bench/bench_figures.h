/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The figures of all rows of a bench run. */
#ifndef FZ_BENCH_FIGURES_H
#define FZ_BENCH_FIGURES_H

#include <fz/figures.h>
#include <fz/machine.h>

#include "bench_options.h"
#include "bench_rows.h"

/* Finds the rows that each row refers to, and works its figures out:
 * [rows->nr]. */
void fz_bench_figures(struct fz_figures *figures,
		      const struct fz_bench_rows *rows,
		      const struct fz_bench_options *options,
		      const struct fz_machine *machine);

#endif
