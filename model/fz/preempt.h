/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's preemption models and which calls reschedule under each. */
#ifndef FZ_PREEMPT_H
#define FZ_PREEMPT_H

#include <stdbool.h>

/**
 * enum fz_preempt - preemption model
 * @FZ_PREEMPT_NONE: cooperative; cond_resched() acts
 * @FZ_PREEMPT_VOLUNTARY: cooperative; cond_resched() and might_sleep() act
 * @FZ_PREEMPT_FULL: preemptible at any interrupt return; neither call acts
 * @FZ_PREEMPT_LAZY: as full for RT and deadline wake-ups; fair ones wait for
 *	the return to user mode or the next tick
 * @FZ_PREEMPT_RT_FULL: full on PREEMPT_RT
 * @FZ_PREEMPT_RT_LAZY: lazy on PREEMPT_RT
 * @FZ_NR_PREEMPT: how many there are
 */
enum fz_preempt {
	FZ_PREEMPT_NONE,
	FZ_PREEMPT_VOLUNTARY,
	FZ_PREEMPT_FULL,
	FZ_PREEMPT_LAZY,
	FZ_PREEMPT_RT_FULL,
	FZ_PREEMPT_RT_LAZY,
	FZ_NR_PREEMPT,
};

/* Sets of models, one bit each: bit m stands for enum fz_preempt m. */
#define FZ_PREEMPT_BIT(model) (1u << (model))
#define FZ_PREEMPT_ANY        (FZ_PREEMPT_BIT(FZ_NR_PREEMPT) - 1)
#define FZ_PREEMPT_PREEMPTIBLE                                               \
	(FZ_PREEMPT_BIT(FZ_PREEMPT_FULL) | FZ_PREEMPT_BIT(FZ_PREEMPT_LAZY) | \
	 FZ_PREEMPT_BIT(FZ_PREEMPT_RT_FULL) |                                \
	 FZ_PREEMPT_BIT(FZ_PREEMPT_RT_LAZY))

/**
 * fz_preempt_name() - name as on the kernel command line, "rt-full" and so on
 * @model: a model
 *
 * Return: a string constant.
 */
const char *fz_preempt_name(enum fz_preempt model);

/**
 * fz_preempt_find() - the model of that name
 * @name: exact name
 * @model: written when found
 *
 * Return: true if there is one.
 */
bool fz_preempt_find(const char *name, enum fz_preempt *model);

/**
 * fz_preempt_is_preemptible() - does the model preempt kernel code by itself?
 * @model: a model
 *
 * Return: true for full, lazy and both rt models: there a batched clear takes
 * the whole range in one call.
 */
bool fz_preempt_is_preemptible(enum fz_preempt model);

/**
 * fz_preempt_is_rt() - is it a PREEMPT_RT kernel's model?
 * @model: a model
 *
 * Return: true for both rt models.
 */
bool fz_preempt_is_rt(enum fz_preempt model);

#endif
