/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of `foliosim bench`, parsed. */
#ifndef FZ_BENCH_OPTIONS_H
#define FZ_BENCH_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fz/clear.h>
#include <fz/counts.h>
#include <fz/engine.h>
#include <fz/perf_event.h>
#include <fz/policy.h>
#include <fz/probe.h>
#include <fz/row.h>
#include <fz/waker.h>

#include "names.h"
#include "options.h"
#include "policy_option.h"

/* A faulting page as it was asked for. */
enum fz_fault_word {
	FZ_FAULT_WORD_NUMBER,
	FZ_FAULT_WORD_FIRST,
	FZ_FAULT_WORD_MIDDLE,
	FZ_FAULT_WORD_LAST,
	FZ_FAULT_WORD_RANDOM,
};

struct fz_fault_wish {
	enum fz_fault_word word;
	uint64_t number;
};

/*
 * Lists are in the order given; a list with nr 0 was not given and stands for
 * the default that the comment names.
 */
struct fz_bench_options {
	struct fz_policy_list policies;               /* all */
	const struct fz_engine *engines[FZ_LIST_MAX]; /* buffers, kernel */
	size_t nr_engines;
	const char *profile; /* of engine model, as it was given */
	const struct fz_clear *clears[FZ_LIST_MAX]; /* the kernel's choice */
	size_t nr_clears;
	const struct fz_clear *streams[FZ_LIST_MAX]; /* the fastest */
	size_t nr_streams;
	/* hugetlb, else THP; THP has bytes 0: the kernel's PMD size */
	struct fz_page_size pages[FZ_LIST_MAX];
	size_t nr_pages;
	struct fz_fault_wish faults[FZ_LIST_MAX]; /* random */
	size_t nr_faults;
	enum fz_preempt preempts[FZ_LIST_MAX]; /* the running kernel's */
	size_t nr_preempts;
	uint64_t batches[FZ_LIST_MAX]; /* in pages; the policy's */
	size_t nr_batches;
	uint64_t radii[FZ_LIST_MAX]; /* FZ_RADIUS_PAGES */
	size_t nr_radii;
	uint64_t folio_bytes; /* 0 = the page size */
	uint64_t bytes;       /* 0 = from the caches */
	/* name of a policy, while parsing as given; NULL = what the kernel does
	 */
	const char *baseline;
	enum fz_use use; /* near; with threads phase */
	bool has_use;    /* it was given */
	bool highmem;
	bool per_page_clear;
	/* threads of each row; without: the main thread, on its own */
	uint64_t threads[FZ_LIST_MAX];
	size_t nr_threads;
	const char *cpus; /* as it was given; NULL = chosen here */
	bool has_node;
	uint64_t node;
	bool has_waker;
	enum fz_waker_kind waker; /* of the timer */
	uint64_t interval_ns;
	struct fz_perf_event counters[FZ_MAX_COUNTERS]; /* none */
	size_t nr_counters;
	bool probes[FZ_NR_PROBES];
	bool has_probe;    /* one of them */
	const char *cache; /* to model beside them; NULL = this machine's */
	uint64_t repeat;   /* 0 = what fits into the time */
	uint64_t seed;
	bool reserve;
	bool overhead;
	bool histogram;
	enum fz_format format;
	const char *output; /* NULL = stdout */
};

/*
 * Parse argv and load policies. Return: FZ_EXIT_DONE to go on; -1 after --help
 * was printed; FZ_EXIT_USAGE or FZ_EXIT_FAILED after a complaint. In any case
 * fz_bench_options_fini() follows.
 */
int fz_bench_options_parse(struct fz_bench_options *options, int argc,
			   char **argv);

void fz_bench_options_fini(struct fz_bench_options *options);

/* Does an engine of the options measure? Is one there that does not? */
bool fz_bench_measures(const struct fz_bench_options *options);
bool fz_bench_models(const struct fz_bench_options *options);

/* Most threads of any row, at least 1. */
unsigned int fz_bench_max_threads(const struct fz_bench_options *options);

#endif
