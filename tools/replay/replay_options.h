/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of `foliosim replay`, parsed. */
#ifndef FZ_REPLAY_OPTIONS_H
#define FZ_REPLAY_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fz/population.h>

#include "bench_options.h"
#include "trace_file.h"

#define FZ_REPLAY_MAX_TRACES 64

/* What --folio-size asks for, beginning with the smallest; the auto one last.
 */
struct fz_replay_options {
	struct fz_bench_options
		bench; /* policies, primitives, memory, output */
	bool model;    /* engine; the default */
	bool buffers;  /* engine */
	struct fz_folio_choice choices[FZ_MAX_FOLIO_CHOICES];
	size_t nr_choices;
	uint64_t recorded_bytes; /* 0 = detected */
	bool assume_anon;
	bool recorded_pace;
	const char *profile; /* --profile; NULL = the default */
	struct fz_trace_options trace;
	char **traces; /* [nr_traces], of argv */
	size_t nr_traces;
};

/*
 * Parse argv and load policies. Return: FZ_EXIT_DONE to go on; -1 after --help
 * was printed; FZ_EXIT_USAGE or FZ_EXIT_FAILED after a complaint. In any case
 * fz_bench_options_fini() follows.
 */
int fz_replay_options_parse(struct fz_replay_options *options, int argc,
			    char **argv);

/* Bytes that any text of a choice needs. */
#define FZ_CHOICE_BYTES 80

/* "2M", "auto:64K,2M"; into [cap]. */
void fz_folio_choice_text(char *buf, size_t cap,
			  const struct fz_folio_choice *choice);

#endif
