/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The contexts zeroing runs in, and the sleeps that are illegal there. */
#ifndef FZ_CONTEXT_H
#define FZ_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fz/plan.h>
#include <fz/preempt.h>

/**
 * DOC: contexts
 *
 * A resched call is legal only with preempt_count 0, interrupts on and no RCU
 * read-side section held. Debug kernels report a call elsewhere ("sleeping
 * function called from invalid context") under every preemption model, also
 * where the call itself is a no-op; so does this check.
 */

/**
 * struct fz_context - a context that zeroing is called from
 * @name: name on the command line
 * @summary: one line: who calls from there
 * @preempt_count: as seen on kernels that are not PREEMPT_RT
 * @preempt_count_rt: on PREEMPT_RT, where spinlocks sleep
 * @rcu_depth: RCU read-side nesting
 * @irqs_disabled: interrupts are off
 */
struct fz_context {
	const char *name;
	const char *summary;
	unsigned int preempt_count;
	unsigned int preempt_count_rt;
	unsigned int rcu_depth;
	bool irqs_disabled;
};

/* All contexts: user-fault, alloc-sleepable, alloc-pte-lock, alloc-irq. */
extern const struct fz_context fz_contexts[];
extern const size_t fz_nr_contexts;

/**
 * fz_context_find() - the context of that name
 * @name: exact name
 *
 * Return: the context, or NULL.
 */
const struct fz_context *fz_context_find(const char *name);

/**
 * struct fz_illegal_sleep - the first resched call a debug kernel would report
 * @seq: index of the call in the plan's expansion
 * @op: the call
 * @preempt_count: found; 0 expected
 * @rcu_depth: found; 0 expected
 * @irqs_disabled: found; false expected
 * @nr_calls: how many calls in the plan are illegal, this one included
 */
struct fz_illegal_sleep {
	uint64_t seq;
	enum fz_op op;
	unsigned int preempt_count;
	unsigned int rcu_depth;
	bool irqs_disabled;
	uint64_t nr_calls;
};

/**
 * fz_plan_find_illegal_sleep() - does the plan sleep where it must not?
 * @plan: the plan
 * @context: where it would run
 * @model: the kernel's preemption model
 * @illegal: written when there is one
 *
 * Return: true if a resched call stands where sleeping is illegal.
 */
bool fz_plan_find_illegal_sleep(const struct fz_plan *plan,
				const struct fz_context *context,
				enum fz_preempt model,
				struct fz_illegal_sleep *illegal);

#endif
