/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the pages of a folio are after it was zeroed. */
#ifndef FZ_PROBE_RESIDENCY_H
#define FZ_PROBE_RESIDENCY_H

#include <fz/page_distances.h>
#include <fz/probe.h>
#include <fz/random.h>
#include <fz/row.h>

#include "cold_folio.h"

/* Pages read after one clear; those of a huge folio, which takes long, all. */
#define RESIDENCY_PAGES 4u

/* The samples of one row. */
struct residency {
	size_t nr; /* distances */
	int64_t distance[FZ_MAX_PAGE_DISTANCES];
	unsigned int order[FZ_MAX_PAGE_DISTANCES];
	size_t nr_samples[FZ_MAX_PAGE_DISTANCES];
	double *ticks; /* [nr][max_samples], row-major */
	size_t max_samples;
	size_t pages_a_clear;
	size_t nr_clears; /* of a repeat */
};

/*
 * Choose the distances; none if the policy is told no faulting page. Return: 0
 * or -ENOMEM.
 */
int residency_init(struct residency *r, const struct fz_row_config *config,
		   size_t max_samples);
void residency_fini(struct residency *r);

/* Put the distances into another order for the next repeat. */
void residency_shuffle(struct residency *r, struct fz_random *random);

/* What one clear takes. */
struct residency_clear {
	struct fz_bench *bench;
	const struct fz_row_config *config;
	struct cold_folios *folios;
	uint64_t repeat;
	size_t nr; /* below nr_clears */
	double clock_ticks;
	struct fz_random *random;
	bool keep;   /* false: to warm up */
	bool insist; /* keep it even if another task had the CPU meanwhile */
};

/*
 * Zero a folio and read some of its pages. Return: 0; 1 if another task had the
 * CPU meanwhile and nothing was kept; or as cold_folio_next().
 */
int residency_sample(struct residency *r, const struct residency_clear *clear,
		     struct fz_err *err);

/*
 * What the samples say; @found has room for r->nr. Distances without samples
 * are left out. Return: entries written.
 */
size_t residency_found(const struct residency *r,
		       const struct fz_levels *levels, uint64_t seed,
		       struct fz_residency *found);

#endif
