/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What zeroing a folio does to what somebody else had in the caches. */
#ifndef FZ_PROBE_VICTIM_H
#define FZ_PROBE_VICTIM_H

#include <fz/probe.h>
#include <fz/random.h>

#include "chase.h"
#include "cold_folio.h"

/* Working sets: one for each cache that can be told from memory. */
struct victim_sets {
	size_t nr;
	size_t level[FZ_MAX_CACHES]; /* index in struct fz_levels */
	struct chase chase[FZ_MAX_CACHES];
};

/* Bytes that the sets of all levels need. */
uint64_t victim_bytes(const struct fz_levels *levels);

/*
 * Build the sets one behind the other. A cache that cannot be told from memory
 * has none: left out, with the reason in probe->no_victim. `lines` is scratch,
 * [CHASE_MAX_LINES].
 */
void victim_sets_build(struct victim_sets *sets, struct fz_probe *probe,
		       char *base, unsigned int *lines,
		       struct fz_random *random);

/* The samples of one row. */
struct victim {
	double *undisturbed; /* [nr_sets][max_samples] ticks, row-major */
	double *disturbed;
	size_t nr_samples[FZ_MAX_CACHES];
	size_t max_samples;
};

/* Return: 0 or -ENOMEM. */
int victim_init(struct victim *v, const struct victim_sets *sets,
		size_t max_samples);
void victim_fini(struct victim *v);

/* What one clear takes. */
struct victim_clear {
	struct fz_bench *bench;
	const struct fz_row_config *config;
	struct cold_folios *folios;
	uint64_t repeat;
	const struct victim_sets *sets;
	size_t nr; /* below sets->nr */
	double clock_ticks;
	bool keep;   /* false: to warm up */
	bool insist; /* keep it even if another task had the CPU meanwhile */
};

/*
 * Fill a set in, read it, zero a folio, and read it again. Return: as
 * residency_sample().
 */
int victim_sample(struct victim *v, const struct victim_clear *clear,
		  struct fz_err *err);

/*
 * Add what the samples say. A set that read like memory before anything was
 * zeroed was no victim: a reason instead.
 */
void victim_found(const struct victim *v, const struct victim_sets *sets,
		  const struct fz_probe *probe, uint64_t seed,
		  struct fz_row_probe *found);

#endif
