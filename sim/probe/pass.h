/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The pass over all rows: what probe.c, pass.c and working_sets.c share. */
#ifndef FZ_PROBE_PASS_H
#define FZ_PROBE_PASS_H

#include <fz/probe.h>
#include <fz/random.h>

#include "cold_folio.h"
#include "residency.h"
#include "victim.h"

/* More repeats than this narrow an interval less than the machine drifts. */
#define PASS_AUTO_REPEATS 101u

/* A row that is probed. */
struct subject {
	struct fz_row *row;
	struct fz_row_probe *found;
	struct fz_row_config config; /* without use: it would warm pages */
	struct cold_folios *folios;
	struct residency residency;
	struct victim victim;
	size_t nr_victims; /* sets to try */
};

struct pass {
	struct fz_probe *probe;
	const struct fz_probe_params *params;
	struct fz_bench *bench;
	struct fz_buffer *memory; /* of the working sets */
	struct victim_sets sets;
	struct subject *subjects;   /* [nr_subjects] */
	struct cold_folios *folios; /* [nr_folios], one a buffer */
	unsigned int *lines;        /* [CHASE_MAX_LINES], scratch */
	unsigned int *turns;        /* [nr_subjects], scratch */
	size_t nr_subjects;
	size_t nr_folios;
	struct fz_random random;
	size_t max_repeats;
	size_t repeats;
	size_t done; /* rows of repeats, for progress */
};

/*
 * Measure how long loads take, and build the sets of victims. Return: 0, -EINTR
 * or -ENOMEM.
 */
int pass_measure_levels(struct pass *pass, struct fz_err *err);

/* Is there no row to probe? */
bool pass_is_empty(const struct fz_row *rows, size_t nr_rows);

/* Which rows are probed; the others get a reason. Return: 0 or -ENOMEM. */
int pass_find_subjects(struct pass *pass, struct fz_row *rows, size_t nr_rows);

/* Repeat until it is enough; the time goes from `begin_ns` on. 0 or -EINTR. */
int pass_run_repeats(struct pass *pass, uint64_t begin_ns);

/* A probe that is wanted and has no reason yet gets this one. */
void pass_set_reason(struct pass *pass, struct fz_row_probe *found,
		     enum fz_probe_kind kind, const char *reason);

#endif
