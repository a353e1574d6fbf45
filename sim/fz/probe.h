/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What zeroing leaves in the caches, found by timing loads. */
#ifndef FZ_PROBE_H
#define FZ_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fz/buffer.h>
#include <fz/err.h>
#include <fz/probe_levels.h>
#include <fz/probe_model.h>
#include <fz/round.h>
#include <fz/row.h>
#include <fz/statistics.h>

/**
 * DOC: probes
 *
 * They run in a pass of their own when all rounds are done, so that the rounds
 * are the same with and without them. A repeat takes every row once, in a new
 * random order: a folio that no cache holds is zeroed as in a round, and then
 * loads are timed, each of which needs what the one before it loaded. One
 * folio is zeroed for each few pages that are read, since reading changes what
 * is found.
 *
 * Times are in ticks of the hooks' clock, on x86-64 those of the time-stamp
 * counter, which need not be the cycles of the core.
 */

/**
 * enum fz_probe_kind - what is probed
 * @FZ_PROBE_RESIDENCY: where pages of the folio are after it was zeroed
 * @FZ_PROBE_VICTIM: what became of a working set that was in a cache before
 * @FZ_NR_PROBES: how many
 */
enum fz_probe_kind {
	FZ_PROBE_RESIDENCY,
	FZ_PROBE_VICTIM,
	FZ_NR_PROBES,
};

/**
 * fz_probe_name() - its name on the command line
 * @kind: the probe
 *
 * Return: a string constant.
 */
const char *fz_probe_name(enum fz_probe_kind kind);

/**
 * struct fz_residency - a page of the folio after it was zeroed
 * @distance_pages: from the faulting page, negative before it
 * @class: index in struct fz_levels: where the median load comes from
 * @median_ticks: a load from it
 * @ci95_ticks: bootstrap 95 % interval of the median
 * @samples: folios that were looked at
 * @model_level: in the modelled caches: the level that has most of its lines,
 *	from 1; one more than there are = memory; 0 = not modelled
 * @model_ticks: a load from it there; 0 = not known
 */
struct fz_residency {
	int64_t distance_pages;
	size_t class;
	double median_ticks;
	struct fz_interval ci95_ticks;
	size_t samples;
	unsigned int model_level;
	double model_ticks;
};

/**
 * struct fz_victim - a working set beside which a folio was zeroed
 * @level: index in struct fz_levels: the cache that half of it fills
 * @loads: lines that were read
 * @undisturbed_ns: median time to read them before the folio is zeroed
 * @disturbed_ns: afterwards
 * @slowdown: the second over the first, paired
 * @model_slowdown: of the same set in the modelled caches; 0 = not known
 */
struct fz_victim {
	size_t level;
	size_t loads;
	double undisturbed_ns;
	double disturbed_ns;
	struct fz_ratio slowdown;
	double model_slowdown;
};

/**
 * struct fz_row_probe - what was found of a row
 * @reason: [FZ_NR_PROBES], why it was not probed; "" if it was, or was not to
 * be
 * @not_modelled: why what was found has no modelled figures beside it; ""
 *	if it has, or nothing was found
 * @nr_residency: entries in @residency
 * @residency: [nr_residency], ascending distances; owned
 * @nr_victims: entries in @victims
 * @victims: [nr_victims], from the core outward
 */
struct fz_row_probe {
	struct fz_err reason[FZ_NR_PROBES];
	struct fz_err not_modelled;
	size_t nr_residency;
	struct fz_residency *residency;
	size_t nr_victims;
	struct fz_victim victims[FZ_MAX_CACHES];
};

/**
 * struct fz_probe - what was found of all rows, and how to read it
 * @wanted: [FZ_NR_PROBES]
 * @levels: times that loads take here
 * @page: pages of the working sets
 * @clock_ticks: reading the clock twice, taken off every time
 * @ns_per_tick: of the clock
 * @repeats: of each row
 * @no_victim: [FZ_MAX_CACHES] of each cache: why there is no set for it; ""
 *	if there is one
 * @model: caches that the same was worked out for
 * @rows: [nr_rows]
 * @nr_rows: rows of the experiment
 */
struct fz_probe {
	bool wanted[FZ_NR_PROBES];
	struct fz_levels levels;
	struct fz_page_size page;
	double clock_ticks;
	double ns_per_tick;
	size_t repeats;
	struct fz_err no_victim[FZ_MAX_CACHES];
	struct fz_probe_model model;
	struct fz_row_probe *rows;
	size_t nr_rows;
};

/**
 * struct fz_probe_params - how to probe
 * @wanted: [FZ_NR_PROBES]
 * @topology: the caches
 * @thp_bytes: size of transparent huge pages for the working sets; 0 = none
 * @repeat: of each row, at most FZ_MAX_ROUNDS; 0 = as many as the budget
 *	allows, but at least FZ_WINNER_MIN_ROUNDS and at most 101
 * @budget_ns: with @repeat 0: time for all of it
 * @progress: as in struct fz_experiment
 * @progress_state: handed to @progress
 */
struct fz_probe_params {
	bool wanted[FZ_NR_PROBES];
	const struct fz_topology *topology;
	uint64_t thp_bytes;
	size_t repeat;
	uint64_t budget_ns;
	void (*progress)(void *state, size_t done, size_t total,
			 const struct fz_row *row);
	void *progress_state;
};

/**
 * fz_probe_run() - probe all rows that were measured
 * @probe: written, also after a failure; for fz_probe_fini()
 * @params: how
 * @rows: [nr_rows], which point into @probe afterwards; those that were
 *	measured themselves are probed
 * @nr_rows: their number
 * @bench: the bench
 * @err: message on failure; not NULL
 *
 * What is missing afterwards has a reason.
 *
 * Return: 0; -EINTR if a signal stopped it (what was found is kept); -ENOMEM:
 * no memory for samples or working sets.
 */
int fz_probe_run(struct fz_probe *probe, const struct fz_probe_params *params,
		 struct fz_row *rows, size_t nr_rows, struct fz_bench *bench,
		 struct fz_err *err);

/**
 * fz_probe_fini() - free what was found
 * @probe: zeroed, or run
 */
void fz_probe_fini(struct fz_probe *probe);

#endif
