/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The plan: what is cleared, in which order, with which resched calls. */
#ifndef FZ_PLAN_H
#define FZ_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fz/err.h>
#include <fz/preempt.h>
#include <fz/range.h>

/**
 * DOC: plans
 *
 * A plan is plain data for the zeroing of one folio: an array of runs. A run
 * stands for one or for many like steps; a walker expands runs into steps. So
 * a 1 GiB folio cleared page by page is one run, not 262,144 records.
 *
 * Plans always hold all resched calls. Whether a call acts (reschedules)
 * depends on the preemption model, which is the reader's business:
 * fz_op_acts().
 *
 * A run of FZ_OP_CLEAR covers the pages [first, first + nr) once. They are cut
 * into units of unit_pages, counted from first, the last unit taking the rest.
 * The units are visited in the run's direction, and inside a unit the pages
 * are cleared ascending, call_pages pages a primitive call, the last call
 * taking the rest. A resched call stands before or after each unit.
 *
 * FZ_DIRECTION_CONVERGE is the converging order of clear_huge_page(): units of
 * one page; the clear 2i is page first + i, the clear 2i + 1 is page
 * first + nr - 1 - i. The kernel's nr is even; an odd one ends in the middle.
 *
 * A run of another op is nr such calls; its other fields are 0.
 */

/**
 * enum fz_op - what a step does
 * @FZ_OP_CLEAR: one call of a clear primitive
 * @FZ_OP_COND_RESCHED: one cond_resched() call
 * @FZ_OP_MIGHT_SLEEP: one might_sleep() call
 */
enum fz_op {
	FZ_OP_CLEAR,
	FZ_OP_COND_RESCHED,
	FZ_OP_MIGHT_SLEEP,
};

/**
 * enum fz_direction - order in which a run visits its units
 * @FZ_DIRECTION_UP: ascending
 * @FZ_DIRECTION_DOWN: descending
 * @FZ_DIRECTION_CONVERGE: from both ends to the middle, low page first
 */
enum fz_direction {
	FZ_DIRECTION_UP,
	FZ_DIRECTION_DOWN,
	FZ_DIRECTION_CONVERGE,
};

/**
 * enum fz_hint - which kind of clear primitive a step asks for
 * @FZ_HINT_CACHED: ordinary stores
 * @FZ_HINT_STREAMING: stores that do not allocate cache lines
 */
enum fz_hint {
	FZ_HINT_CACHED,
	FZ_HINT_STREAMING,
};

/**
 * enum fz_resched - where the cond_resched() call of a unit stands
 * @FZ_RESCHED_NONE: there is none
 * @FZ_RESCHED_BEFORE: before each unit
 * @FZ_RESCHED_AFTER: after each unit
 */
enum fz_resched {
	FZ_RESCHED_NONE,
	FZ_RESCHED_BEFORE,
	FZ_RESCHED_AFTER,
};

/**
 * struct fz_run - like steps, see DOC: plans
 * @first: first page
 * @nr: number of pages; for other ops number of calls
 * @unit_pages: pages between two resched calls, at least 1, at most @nr
 * @call_pages: pages of one primitive call, at least 1, at most @unit_pages
 * @op: enum fz_op
 * @direction: enum fz_direction
 * @hint: enum fz_hint
 * @resched: enum fz_resched
 */
struct fz_run {
	uint64_t first;
	uint64_t nr;
	uint64_t unit_pages;
	uint64_t call_pages;
	uint8_t op;
	uint8_t direction;
	uint8_t hint;
	uint8_t resched;
};

/**
 * fz_run_equals() - are two runs the same data?
 * @a: a run
 * @b: another run
 *
 * Runs that are not may still expand to the same steps.
 *
 * Return: true if all members are equal.
 */
bool fz_run_equals(const struct fz_run *a, const struct fz_run *b);

/**
 * struct fz_plan - how one folio is zeroed
 * @runs: [nr_runs]
 * @nr_runs: number of runs
 * @nr_pages: pages in the folio
 * @conditional: a kernel might have taken another course: the policy asked what
 *	only a running one knows, such as need_resched(), and was told no
 */
struct fz_plan {
	struct fz_run *runs;
	size_t nr_runs;
	uint64_t nr_pages;
	bool conditional;
};

/**
 * struct fz_step - one call
 * @op: what is called
 * @hint: FZ_OP_CLEAR: which kind of primitive; else FZ_HINT_CACHED
 * @first: FZ_OP_CLEAR: first page; else 0
 * @nr: FZ_OP_CLEAR: number of pages; else 0
 */
struct fz_step {
	enum fz_op op;
	enum fz_hint hint;
	uint64_t first;
	uint64_t nr;
};

/**
 * fz_step_equals() - are two steps the same call?
 * @a: a step
 * @b: another step
 *
 * Return: true if all members are equal.
 */
bool fz_step_equals(const struct fz_step *a, const struct fz_step *b);

/**
 * fz_op_acts() - does this call reschedule under this model?
 * @op: a step's op
 * @model: the preemption model
 *
 * Return: true if it is a resched point there; never for FZ_OP_CLEAR.
 */
bool fz_op_acts(enum fz_op op, enum fz_preempt model);

/**
 * fz_plan_fini() - free the runs
 * @plan: a plan that a builder finished
 */
void fz_plan_fini(struct fz_plan *plan);

/**
 * fz_plan_count() - number of steps of one op
 * @plan: the plan
 * @op: the op
 *
 * Return: calls of that op in the whole expansion, in O(runs).
 */
uint64_t fz_plan_count(const struct fz_plan *plan, enum fz_op op);

/**
 * fz_plan_acting_points() - resched points that act under a model
 * @plan: the plan
 * @model: the preemption model
 *
 * Return: their number in the whole expansion, in O(runs).
 */
uint64_t fz_plan_acting_points(const struct fz_plan *plan,
			       enum fz_preempt model);

/**
 * fz_plan_uses_hint() - does any clear ask for this kind of primitive?
 * @plan: the plan
 * @hint: the kind
 *
 * Return: true if one does.
 */
bool fz_plan_uses_hint(const struct fz_plan *plan, enum fz_hint hint);

/**
 * fz_plan_set_hints() - say what the primitives do, not what they are asked
 * @plan: the plan
 * @streams: [enum fz_hint], whether the one for such clears streams
 */
void fz_plan_set_hints(struct fz_plan *plan,
		       const bool streams[FZ_HINT_STREAMING + 1]);

/**
 * struct fz_walker - expands a plan into steps, in order
 *
 * In the caller's memory; needs no fini.
 */
struct fz_walker {
	/* private: */
	const struct fz_plan *plan;
	size_t run;       /* index of the run being expanded */
	uint64_t visited; /* pages of the run's finished units, or calls */
	uint64_t done;    /* pages of the unit that were handed out */
	bool point_taken; /* the unit's leading resched call was handed out */
};

/**
 * fz_walker_begin() - stand before the first step
 * @walker: the walker
 * @plan: must outlive the walk
 */
void fz_walker_begin(struct fz_walker *walker, const struct fz_plan *plan);

/**
 * fz_walker_next() - the next step
 * @walker: the walker
 * @step: written when there is one
 *
 * Return: true if there was a step, false at the end.
 */
bool fz_walker_next(struct fz_walker *walker, struct fz_step *step);

/**
 * struct fz_plan_builder - collects runs and single steps into a plan
 *
 * Runs are appended as they are. Single steps are coalesced: the builder finds
 * the runs in a sequence of steps that a policy emits one by one. Errors
 * stick and come back from fz_plan_finish(). Nothing outside the folio gets
 * into a plan; that each page is cleared once is the policy's care.
 */
struct fz_plan_builder;

/**
 * fz_plan_builder_new() - begin a plan
 * @nr_pages: pages in the folio, at least 1
 *
 * Return: a builder, NULL without memory.
 */
struct fz_plan_builder *fz_plan_builder_new(uint64_t nr_pages);

/**
 * fz_plan_add_run() - append a run
 * @builder: the builder; NULL is ignored
 * @run: a run; one with nr 0 is dropped: an empty range costs nothing
 */
void fz_plan_add_run(struct fz_plan_builder *builder, struct fz_run run);

/**
 * fz_plan_add_step() - append one step, joined to its like where possible
 * @builder: the builder; NULL is ignored
 * @step: the step; a clear of no pages is dropped
 */
void fz_plan_add_step(struct fz_plan_builder *builder, struct fz_step step);

/**
 * fz_plan_might_sleep() - append one might_sleep() call
 * @builder: the builder
 */
void fz_plan_might_sleep(struct fz_plan_builder *builder);

/**
 * fz_plan_conditional() - say that a kernel might take another course
 * @builder: the builder; NULL is ignored
 */
void fz_plan_conditional(struct fz_plan_builder *builder);

/**
 * fz_plan_finish() - hand the plan over and free the builder
 * @builder: the builder; NULL gives -ENOMEM
 * @plan: written on success; the caller's to fz_plan_fini()
 *
 * Return: 0, -ENOMEM, or -EINVAL if a run or a step was not one: it reached
 * outside the folio, or its units or calls were impossible.
 */
int fz_plan_finish(struct fz_plan_builder *builder, struct fz_plan *plan);

/**
 * fz_plan_check() - is it a plan at all?
 * @plan: a plan of any origin, its runs possibly nonsense
 * @err: written on failure: the page and the step, counted from 0, or the run
 *	that is none; may be NULL
 *
 * Checks that every run is one (see DOC: plans) and that none leaves the folio.
 * A plan that passes may be walked and counted.
 *
 * Return: 0, or -EINVAL.
 */
int fz_plan_check(const struct fz_plan *plan, struct fz_err *err);

/**
 * fz_plan_verify() - does a plan clear every page once?
 * @plan: a plan of any origin, its runs possibly nonsense
 * @err: written on failure: the page and the steps, counted from 0, or the run
 *	that is none; may be NULL
 *
 * fz_plan_check(), and that every page is cleared exactly once, in
 * O(runs log runs).
 *
 * Return: 0, -EINVAL, or -ENOMEM.
 */
int fz_plan_verify(const struct fz_plan *plan, struct fz_err *err);

#endif
