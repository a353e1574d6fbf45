/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Executing a plan on memory: the loop that buffers and bare share. */
#ifndef FZ_PLAN_RUN_H
#define FZ_PLAN_RUN_H

#include <assert.h>

#include <fz/engine.h>
#include <fz/folio.h>
#include <fz/resched_point.h>

#define FZ_INLINE static inline __attribute__((always_inline))

/*
 * State of one execution. The plan is walked run by run, not with the step
 * walker: a step here costs a few instructions beside the primitive's call.
 * `record` is a constant in each caller, so that bare compiles to the same
 * loop without the clock.
 */
struct plan_run {
	char *base;
	uint64_t *mark; /* the newest mark */
	bool cleared;   /* bytes were cleared since the newest mark */
	const struct fz_hooks *hooks;
	const _Atomic uint32_t *need_resched;
	struct fz_resched_flag *flag; /* NULL: @need_resched is never set */
};

FZ_INLINE void run_mark(struct plan_run *run)
{
	/* Without bytes since the last mark, that mark moves. */
	run->mark += run->cleared;
	*run->mark = run->hooks->ticks(run->hooks->state);
	run->cleared = false;
}

FZ_INLINE void run_point(struct plan_run *run, bool record)
{
	if (fz_resched_point(run->need_resched))
		fz_resched_flag_answer(run->flag, run->hooks);
	if (record)
		run_mark(run);
}

FZ_INLINE void run_pages(struct plan_run *run, const struct fz_clear *clear,
			 uint64_t first, uint64_t nr, uint64_t call_pages)
{
	char *at = run->base + (first << FZ_PAGE_SHIFT);
	const size_t call_bytes = call_pages << FZ_PAGE_SHIFT;
	size_t left_bytes = nr << FZ_PAGE_SHIFT;

	for (; left_bytes > call_bytes; left_bytes -= call_bytes) {
		clear->clear(at, call_bytes);
		at += call_bytes;
	}
	clear->clear(at, left_bytes);
	run->cleared = true;
}

/* First page of the unit that a run visits at position i of nr_units. */
FZ_INLINE uint64_t run_unit_first(const struct fz_run *r, uint64_t i,
				  uint64_t nr_units)
{
	if (r->direction == FZ_DIRECTION_DOWN)
		return r->first + (nr_units - 1 - i) * r->unit_pages;
	if (r->direction == FZ_DIRECTION_CONVERGE)
		return i % 2 ? r->first + r->nr - 1 - i / 2 : r->first + i / 2;
	return r->first + i * r->unit_pages;
}

FZ_INLINE void run_clears(struct plan_run *run, const struct fz_run *r,
			  const struct fz_clear *clear, bool acts, bool record)
{
	const bool before = acts && r->resched == FZ_RESCHED_BEFORE;
	const bool after = acts && r->resched == FZ_RESCHED_AFTER;
	const uint64_t end = r->first + r->nr;
	const uint64_t nr_units = (r->nr + r->unit_pages - 1) / r->unit_pages;

	assert(clear); /* a row has every primitive that its plans need */
	for (uint64_t i = 0; i < nr_units; i++) {
		const uint64_t first = run_unit_first(r, i, nr_units);
		const uint64_t left = end - first;

		if (before)
			run_point(run, record);
		run_pages(run, clear, first,
			  left < r->unit_pages ? left : r->unit_pages,
			  r->call_pages);
		if (after)
			run_point(run, record);
	}
}

/* Execute the job's plan. Return: marks written, the start included. */
FZ_INLINE size_t run_plan(const struct fz_zero_job *job, bool record)
{
	const _Atomic uint32_t never = 0;
	const bool cond_acts = fz_op_acts(FZ_OP_COND_RESCHED, job->preempt);
	uint64_t *const marks = job->recorder->marks + job->recorder->nr_marks;
	struct plan_run run = {
		.base = job->base,
		.mark = marks,
		.hooks = job->hooks,
		.need_resched = job->flag ? &job->flag->need_resched : &never,
		.flag = job->flag,
	};

	if (record)
		run_mark(&run);
	for (size_t i = 0; i < job->plan->nr_runs; i++) {
		const struct fz_run *r = &job->plan->runs[i];

		if (r->op == FZ_OP_CLEAR)
			run_clears(&run, r,
				   r->hint == FZ_HINT_STREAMING ? job->stream
								: job->clear,
				   cond_acts, record);
		else if (fz_op_acts(r->op, job->preempt))
			for (uint64_t n = 0; n < r->nr; n++)
				run_point(&run, record);
	}
	if (!record)
		return 0;
	if (run.cleared)
		run_mark(&run);
	return (size_t)(run.mark - marks) + 1;
}

#endif
