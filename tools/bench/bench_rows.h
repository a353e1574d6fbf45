/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From options to rows: every combination that makes sense. */
#ifndef FZ_BENCH_ROWS_H
#define FZ_BENCH_ROWS_H

#include <stddef.h>

#include <fz/machine.h>
#include <fz/row.h>

#include "bench_memory.h"
#include "bench_options.h"

/* More rows than this are refused: nobody could read them. */
#define FZ_BENCH_MAX_ROWS 512u

/* Rows in the order of the table. */
struct fz_bench_rows {
	struct fz_row *rows; /* [nr] */
	size_t nr;
};

/* The running kernel's model; a note, and none, where it is unknown. */
enum fz_preempt fz_bench_running_model(const struct fz_machine *machine,
				       const struct fz_bench_options *options);

/*
 * The streaming primitive of rows whose options name none: found by measuring,
 * and named in a note. NULL where no row needs it, or none runs here.
 */
const struct fz_clear *
fz_bench_rows_choose_stream(const struct fz_bench_options *options,
			    const struct fz_bench_memories *memories,
			    const struct fz_hooks *hooks);

/*
 * Expand the options, behind the rows that there are. Rows that cannot run here
 * are there too, with a reason. Streaming rows get `stream` unless the options
 * name primitives. Return: FZ_EXIT_DONE, FZ_EXIT_USAGE or FZ_EXIT_FAILED after
 * a complaint.
 */
int fz_bench_rows_make(struct fz_bench_rows *rows,
		       const struct fz_bench_options *options,
		       const struct fz_bench_memories *memories,
		       enum fz_preempt running_model,
		       const struct fz_clear *stream);

/*
 * A warning if rows that nothing is measured of have no price; not every view
 * has room for their reasons.
 */
void fz_bench_rows_warn_unpriced(const struct fz_bench_rows *rows);

/* Take the buffers away, which are then closed; what was found stays. */
void fz_bench_rows_leave(struct fz_bench_rows *rows);

void fz_bench_rows_fini(struct fz_bench_rows *rows);

#endif
