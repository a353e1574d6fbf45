/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who gives way in the kernel, and when. */
#ifndef FZ_GIVE_WAY_H
#define FZ_GIVE_WAY_H

#include <stdbool.h>

#include <fz/context.h>
#include <fz/preempt.h>

/**
 * struct fz_give_way - what kernel code does when a reschedule is due
 * @at_points: reschedules at the resched points that act
 * @at_irq_return: is preempted at the return from an interrupt
 * @fair_is_lazy: for a fair task it waits for the return to user mode or for
 *	the next tick
 */
struct fz_give_way {
	bool at_points;
	bool at_irq_return;
	bool fair_is_lazy;
};

/**
 * fz_give_way_of() - what a model's kernel does
 * @model: the preemption model
 *
 * Return: outside of any lock.
 */
struct fz_give_way fz_give_way_of(enum fz_preempt model);

/**
 * fz_give_way_in() - what it does in a context
 * @context: the context
 * @model: the preemption model
 *
 * Return: the same where nothing forbids it. Resched points do not act where
 * sleeping is illegal; an RCU section alone does not keep off preemption.
 */
struct fz_give_way fz_give_way_in(const struct fz_context *context,
				  enum fz_preempt model);

#endif
