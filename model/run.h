/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arithmetic on one run, shared by the plan's files; not installed. */
#ifndef FZ_RUN_H
#define FZ_RUN_H

#include <fz/plan.h>

/* Calls that it takes to cover nr pages, the last call taking the rest. */
static inline uint64_t fz_calls_for(uint64_t nr_pages, uint64_t call_pages)
{
	return nr_pages / call_pages + (nr_pages % call_pages != 0);
}

/* Pages of the first unit visited: descending, that is the short one. */
static inline uint64_t fz_run_first_unit(const struct fz_run *run)
{
	const uint64_t rest = run->nr % run->unit_pages;

	return run->direction == FZ_DIRECTION_DOWN && rest ? rest
							   : run->unit_pages;
}

/* The i-th page of a converging run: low, high, next low, next high ... */
static inline uint64_t fz_run_converging_page(const struct fz_run *run,
					      uint64_t i)
{
	return i % 2 == 0 ? run->first + i / 2
			  : run->first + run->nr - 1 - i / 2;
}

/* Is it a run as DOC: plans describes them, inside a folio of so many pages? */
static inline bool fz_run_is_valid(const struct fz_run *run, uint64_t nr_pages)
{
	if (run->op != FZ_OP_CLEAR)
		return run->op <= FZ_OP_MIGHT_SLEEP;
	return run->first < nr_pages && run->nr <= nr_pages - run->first &&
	       run->unit_pages >= 1 && run->unit_pages <= run->nr &&
	       run->call_pages >= 1 && run->call_pages <= run->unit_pages &&
	       run->direction <= FZ_DIRECTION_CONVERGE &&
	       (run->direction != FZ_DIRECTION_CONVERGE ||
		run->unit_pages == 1) &&
	       run->hint <= FZ_HINT_STREAMING &&
	       run->resched <= FZ_RESCHED_AFTER;
}

/* Steps of one op in the run's expansion. */
static inline uint64_t fz_run_count(const struct fz_run *run, enum fz_op op)
{
	const uint64_t full =
		run->op == FZ_OP_CLEAR ? run->nr / run->unit_pages : 0;
	const uint64_t rest = run->nr - full * run->unit_pages;

	if (run->op != FZ_OP_CLEAR)
		return run->op == op ? run->nr : 0;
	if (op == FZ_OP_CLEAR)
		return full * fz_calls_for(run->unit_pages, run->call_pages) +
		       fz_calls_for(rest, run->call_pages);
	if (op == FZ_OP_COND_RESCHED && run->resched != FZ_RESCHED_NONE)
		return full + (rest != 0);
	return 0;
}

/* Steps of all ops in it. */
static inline uint64_t fz_run_steps(const struct fz_run *run)
{
	return fz_run_count(run, FZ_OP_CLEAR) +
	       fz_run_count(run, FZ_OP_COND_RESCHED) +
	       fz_run_count(run, FZ_OP_MIGHT_SLEEP);
}

#endif
