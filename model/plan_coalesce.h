/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the runs in a sequence of single steps; not installed. */
#ifndef FZ_PLAN_COALESCE_H
#define FZ_PLAN_COALESCE_H

#include <stddef.h>
#include <stdint.h>

#include <fz/plan.h>

/*
 * A run that may still grow. Steps become runs of one step at the end of an
 * array, and the last runs are joined wherever one run has the very same
 * expansion. So whatever is joined or missed, the array always expands to the
 * steps that were added.
 *
 * A converging run is a run only when its two ends have met. Until then
 * `missing` says how many pages between them are still to come; a draft that
 * ends so stands for single pages.
 */
struct fz_draft {
	struct fz_run run;
	uint64_t missing;
};

/*
 * Adds a step after the drafts [0, nr), of which it may change the last four.
 * There must be room for one more. Returns the new number of drafts.
 */
size_t fz_drafts_add_step(struct fz_draft *drafts, size_t nr,
			  const struct fz_step *step);

/* Number of runs that a draft stands for. */
size_t fz_draft_nr_runs(const struct fz_draft *draft);

/* Writes those runs. */
void fz_draft_write(const struct fz_draft *draft, struct fz_run *runs);

#endif
