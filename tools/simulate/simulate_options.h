/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of `foliosim simulate`, parsed. */
#ifndef FZ_SIMULATE_OPTIONS_H
#define FZ_SIMULATE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fz/context.h>
#include <fz/init_on_alloc.h>
#include <fz/simulate.h>

#include "replay_options.h"
#include "workload.h"

/* Where tasks are from. */
enum fz_simulate_source {
	FZ_SIMULATE_FILE,
	FZ_SIMULATE_GENERATED,
	FZ_SIMULATE_TRACES,
};

/*
 * What replay and bench have as well is in their options: traces, what they
 * were recorded with, policies, models, batches, the view and its file.
 */
struct fz_simulate_options {
	struct fz_replay_options replay;
	enum fz_simulate_source source;
	const char *workload; /* its file, or its name */
	const char *profile;
	const char *sets[FZ_LIST_MAX]; /* [nr_sets], "KEY=VALUE" */
	size_t nr_sets;
	char hz_set[24];      /* --hz as one of them */
	uint64_t nr_cpus;     /* 0 = not given */
	uint64_t bytes;       /* of each generated process */
	uint64_t folio_bytes; /* of generated processes and traces */
	bool has_waker;
	enum fz_sim_class waker;
	uint64_t interval_ns;
	const char *clear;  /* NULL = the profile's first */
	const char *stream; /* NULL = the profile's first */
	const struct fz_context *context;
	uint64_t radius_pages;
	double wins;
	uint64_t slice_ns;
	uint64_t warn_ns;
	enum fz_init_on_alloc init;
	bool hugetlb;        /* which init_on_alloc does not concern */
	uint64_t until_ns;   /* UINT64_MAX = not given */
	uint64_t max_events; /* 0 = no limit */
	uint64_t nr_jobs;
	const char *timeline;
	/* What was given, for what does not go together. */
	bool has_size, has_folio, has_interval, has_kind;
};

/*
 * Parse argv and load policies. Return: FZ_EXIT_DONE to go on; -1 after --help
 * was printed; FZ_EXIT_USAGE or FZ_EXIT_FAILED after a complaint. In any case
 * fz_bench_options_fini() follows.
 */
int fz_simulate_options_parse(struct fz_simulate_options *options, int argc,
			      char **argv);

#endif
