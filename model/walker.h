/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Steering a walker run by run; not installed. */
#ifndef FZ_WALKER_H
#define FZ_WALKER_H

#include <fz/plan.h>

/* The run that the next step is of; NULL at the end. */
const struct fz_run *fz_walker_run(struct fz_walker *walker);

/* Before the first step of a run: on to the run behind it. */
void fz_walker_skip_run(struct fz_walker *walker);

/* Does the next step begin a unit, or is it a call of its own? */
static inline bool fz_walker_at_unit(const struct fz_walker *walker)
{
	return !walker->done && !walker->point_taken;
}

/* Does it begin a run? Asked where there is a run. */
static inline bool fz_walker_at_run(const struct fz_walker *walker)
{
	return !walker->visited && fz_walker_at_unit(walker);
}

#endif
