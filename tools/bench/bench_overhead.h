/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `foliosim bench --overhead`: rows and the table of its own. */
#ifndef FZ_BENCH_OVERHEAD_H
#define FZ_BENCH_OVERHEAD_H

#include <stdio.h>

#include <fz/round.h>

#include "bench_memory.h"
#include "bench_rows.h"
#include "result.h"

/*
 * Measure all cases on the first buffer, three rows a case. Return: FZ_EXIT_…;
 * `partial` is set when a signal stopped it.
 */
int fz_bench_overhead_run(struct fz_bench *bench, struct fz_bench_rows *rows,
			  const struct fz_bench_options *options,
			  const struct fz_bench_memories *memories,
			  bool *partial);

/* The baseline of row i: the bare row of its case. */
const struct fz_row *
fz_bench_overhead_baseline(const struct fz_bench_rows *rows, size_t i);

/* The table; 0 or -errno. */
int fz_bench_overhead_text(FILE *out, const struct fz_result *result);

#endif
