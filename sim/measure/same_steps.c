// SPDX-License-Identifier: GPL-2.0-or-later
/* Finding rows whose policies come to the same steps. */
#include <fz/row.h>

#include <string.h>

#include <fz/folio.h>

/* Folios of up to this many pages are compared at every faulting page. */
#define SAME_ALL_PAGES 512u
/* Larger ones at this many, the first and the last ones included. */
#define SAME_SOME_PAGES 64u

/* The run as an engine takes it under a model that may ignore resched calls. */
static struct fz_run effective_run(struct fz_run run, enum fz_preempt model)
{
	if (!fz_op_acts(FZ_OP_COND_RESCHED, model))
		run.resched = FZ_RESCHED_NONE;
	if (run.resched == FZ_RESCHED_NONE &&
	    run.direction == FZ_DIRECTION_UP &&
	    (run.call_pages == run.unit_pages ||
	     run.unit_pages % run.call_pages == 0)) {
		run.unit_pages = run.nr;
	}
	if (run.unit_pages == run.nr)
		run.direction = FZ_DIRECTION_UP;
	return run;
}

static bool run_is_idle(const struct fz_run *run, enum fz_preempt model)
{
	return run->op != FZ_OP_CLEAR && !fz_op_acts(run->op, model);
}

/* Index of the next run at or after i that an engine acts on. */
static size_t next_run(const struct fz_plan *plan, size_t i,
		       enum fz_preempt model)
{
	while (i < plan->nr_runs && run_is_idle(&plan->runs[i], model))
		i++;
	return i;
}

/* A row says whether its plans are conditional, so that counts too. */
static bool plans_equal(const struct fz_plan *a, enum fz_preempt model_a,
			const struct fz_plan *b, enum fz_preempt model_b)
{
	size_t i = next_run(a, 0, model_a);
	size_t j = next_run(b, 0, model_b);

	while (i < a->nr_runs && j < b->nr_runs) {
		const struct fz_run run_a = effective_run(a->runs[i], model_a);
		const struct fz_run run_b = effective_run(b->runs[j], model_b);

		if (!fz_run_equals(&run_a, &run_b))
			return false;
		i = next_run(a, i + 1, model_a);
		j = next_run(b, j + 1, model_b);
	}
	return i == a->nr_runs && j == b->nr_runs &&
	       a->conditional == b->conditional;
}

static bool same_at_page(const struct fz_row_config *a,
			 const struct fz_row_config *b, uint64_t page)
{
	const struct fz_zero_request request_a = fz_row_request(a, page);
	const struct fz_zero_request request_b = fz_row_request(b, page);
	struct fz_plan plan_a, plan_b;
	bool same;

	if (fz_policy_plan(a->policy, &request_a, &plan_a, NULL))
		return false;
	if (fz_policy_plan(b->policy, &request_b, &plan_b, NULL)) {
		fz_plan_fini(&plan_a);
		return false;
	}
	same = plans_equal(&plan_a, a->preempt, &plan_b, b->preempt);
	fz_plan_fini(&plan_a);
	fz_plan_fini(&plan_b);
	return same;
}

static bool same_plans(const struct fz_row_config *a,
		       const struct fz_row_config *b)
{
	const uint64_t nr_pages = a->folio_bytes >> FZ_PAGE_SHIFT;
	const uint64_t nr =
		nr_pages <= SAME_ALL_PAGES ? nr_pages : SAME_SOME_PAGES;

	if (a->fault != FZ_FAULT_RANDOM)
		return same_at_page(a, b, a->fault_page);
	for (uint64_t i = 0; i < nr; i++) {
		const uint64_t page =
			nr == 1 ? 0 : i * (nr_pages - 1) / (nr - 1);

		if (!same_at_page(a, b, page))
			return false;
	}
	return true;
}

bool fz_row_same_steps(const struct fz_row_config *a,
		       const struct fz_row_config *b)
{
	if (a->engine != b->engine || !fz_row_same_memory(a, b) ||
	    !fz_row_same_fault(a, b) || a->use != b->use ||
	    a->clear != b->clear || a->stream != b->stream)
		return false;
	if (!a->policy || !b->policy)
		return a->policy == b->policy;
	if (a->policy != b->policy &&
	    (a->policy->make_plan || b->policy->make_plan))
		return false;
	return same_plans(a, b);
}
