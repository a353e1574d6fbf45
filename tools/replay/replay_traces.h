/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The recordings of a replay: opened, looked at, and merged. */
#ifndef FZ_REPLAY_TRACES_H
#define FZ_REPLAY_TRACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fz/fault_merge.h>
#include <fz/survey.h>

#include "note.h"
#include "replay_options.h"

struct fz_replay_trace {
	const char *path;
	struct fz_trace_file *file;
	struct fz_survey *survey;
};

/* Zero it at the start. */
struct fz_replay_traces {
	struct fz_replay_trace trace[FZ_REPLAY_MAX_TRACES]; /* [nr] */
	size_t nr;
	struct fz_fault_merge *merge;
	/* what each fault made, at most: given, or detected in `coarsest` */
	uint64_t recorded_bytes;
	const struct fz_replay_trace *coarsest; /* NULL = it was given */
};

/*
 * Open them, and settle the folio sizes: without --folio-size those of 4K, 64K
 * and 2M that the recordings allow. Return: FZ_EXIT_DONE, or FZ_EXIT_FAILED or
 * FZ_EXIT_USAGE (a size below what was recorded) after a complaint.
 * fz_replay_traces_close() follows also then.
 */
int fz_replay_traces_open(struct fz_replay_traces *traces,
			  struct fz_replay_options *options);
void fz_replay_traces_close(struct fz_replay_traces *traces);

/* All records, of which there is one source. */
struct fz_fault_source fz_replay_traces_source(struct fz_replay_traces *traces);

/* How much of their files was read. */
struct fz_byte_share
fz_replay_traces_share(const struct fz_replay_traces *traces);

/* What could not be used, to standard error. */
void fz_replay_traces_complain(const struct fz_replay_traces *traces);

/* "503 of 698 faults (72 %) are ...": why a trace is thought to be coarse. */
void fz_note_add_granularity(struct fz_note *note,
			     const struct fz_replay_trace *trace);

#endif
