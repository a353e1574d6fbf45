// SPDX-License-Identifier: GPL-2.0-or-later
/* The contexts zeroing runs in, and the sleeps that are illegal there. */
#include <fz/context.h>

#include <string.h>

#include "run.h"

/* Bits 16-19 of preempt_count nest hard interrupts. */
#define CONTEXT_HARDIRQ_OFFSET 0x10000u

const struct fz_context fz_contexts[] = {
	{
		.name = "user-fault",
		.summary = "page fault from user mode, mmap lock held",
	},
	{
		.name = "alloc-sleepable",
		.summary = "allocation that may sleep (GFP_KERNEL)",
	},
	{
		.name = "alloc-pte-lock",
		.summary = "allocation under the page-table lock and RCU: "
			   "exit_mmap() gathering",
		.preempt_count = 1,
		.preempt_count_rt = 0,
		.rcu_depth = 1,
	},
	{
		.name = "alloc-irq",
		.summary = "allocation in a hard interrupt",
		.preempt_count = CONTEXT_HARDIRQ_OFFSET,
		.preempt_count_rt = CONTEXT_HARDIRQ_OFFSET,
		.irqs_disabled = true,
	},
};

const size_t fz_nr_contexts = sizeof(fz_contexts) / sizeof(fz_contexts[0]);

const struct fz_context *fz_context_find(const char *name)
{
	for (size_t i = 0; i < fz_nr_contexts; i++)
		if (strcmp(name, fz_contexts[i].name) == 0)
			return &fz_contexts[i];
	return NULL;
}

/* The first resched call of the run; seq counts from the run's start. */
static bool run_find_call(const struct fz_run *run, uint64_t *seq,
			  enum fz_op *op)
{
	*seq = 0;
	*op = run->op == FZ_OP_CLEAR ? FZ_OP_COND_RESCHED : (enum fz_op)run->op;
	if (run->op != FZ_OP_CLEAR)
		return true;
	if (run->resched == FZ_RESCHED_AFTER)
		*seq = fz_calls_for(fz_run_first_unit(run), run->call_pages);
	return run->resched != FZ_RESCHED_NONE;
}

static bool plan_find_call(const struct fz_plan *plan, uint64_t *seq,
			   enum fz_op *op)
{
	uint64_t before = 0;

	for (size_t i = 0; i < plan->nr_runs; i++) {
		if (run_find_call(&plan->runs[i], seq, op)) {
			*seq += before;
			return true;
		}
		before += fz_run_count(&plan->runs[i], FZ_OP_CLEAR);
	}
	return false;
}

bool fz_plan_find_illegal_sleep(const struct fz_plan *plan,
				const struct fz_context *context,
				enum fz_preempt model,
				struct fz_illegal_sleep *illegal)
{
	struct fz_illegal_sleep found = {
		.preempt_count = fz_preempt_is_rt(model)
					 ? context->preempt_count_rt
					 : context->preempt_count,
		.rcu_depth = context->rcu_depth,
		.irqs_disabled = context->irqs_disabled,
	};

	if (found.preempt_count == 0 && found.rcu_depth == 0 &&
	    !found.irqs_disabled)
		return false;
	if (!plan_find_call(plan, &found.seq, &found.op))
		return false;
	found.nr_calls = fz_plan_count(plan, FZ_OP_COND_RESCHED) +
			 fz_plan_count(plan, FZ_OP_MIGHT_SLEEP);
	*illegal = found;
	return true;
}
