/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a plan and its prices to flows. */
#ifndef FZ_ZERO_WORK_H
#define FZ_ZERO_WORK_H

#include <stddef.h>
#include <stdint.h>

#include <fz/plan.h>
#include <fz/preempt.h>
#include <fz/profile.h>
#include <fz/profile_price.h>

#include "bus.h"
#include "work.h"

/**
 * DOC: zeroing as flows
 *
 * A run of a plan is one flow, however many pages, calls and resched points it
 * has. Alone it takes as long as the run costs (profile_price.h), so its course
 * is told in ns of the run alone, and that is where its resched points are.
 *
 * Costs of a call that move no byte go where they belong: a run whose calls are
 * short, FZ_SHORT_CALL_PAGES at most, is slower for them, and uses less of the
 * bus; one whose calls are long is taken to have so many more bytes. The former
 * needs a class of its own; where there are too many, runs are as the latter.
 *
 * A call that is elided is two flows: what allocates, and the rest, which costs
 * as streaming does. If only a share of such calls is elided, each is a mean
 * one: the part that allocates is so much longer.
 */

#define FZ_SHORT_CALL_PAGES 16

/**
 * struct fz_clear_kind - how a primitive's flows are
 * @clear: the primitive; NULL = there is none
 * @cost: bytes on the bus a byte, while it is not elided
 * @class: of a flow that is not elided
 * @elided_class: of one that is
 */
struct fz_clear_kind {
	const struct fz_profile_clear *clear;
	double cost;
	int class;
	int elided_class;
};

/**
 * struct fz_zero_kinds - what works are made with
 * @prices: the price list
 * @preempt: decides which points act, and so cost something
 * @bus: where classes are
 * @kind: [enum fz_hint]
 */
struct fz_zero_kinds {
	struct fz_prices prices;
	enum fz_preempt preempt;
	struct fz_bus *bus;
	struct fz_clear_kind kind[FZ_HINT_STREAMING + 1];
};

/**
 * fz_zero_kinds_init() - with the classes that every work can have
 * @kinds: written; prices, preempt and bus are set already
 *
 * Return: 0 or -ENOSPC.
 */
int fz_zero_kinds_init(struct fz_zero_kinds *kinds);

/**
 * struct fz_zero_works - a plan as works
 * @work: [nr], in order; owned
 * @nr: their number
 * @cached_bytes: that stores which allocate leave in a cache of any size
 * @drain_ns: what the folio costs beside them
 */
struct fz_zero_works {
	struct fz_work *work;
	size_t nr;
	double cached_bytes;
	double drain_ns;
};

/**
 * fz_zero_works_make() - the works of a plan
 * @kinds: the primitives and their prices, which are known
 * @plan: the plan, which uses no primitive that there is none of
 * @works: written on success
 *
 * Return: 0 or -ENOMEM.
 */
int fz_zero_works_make(const struct fz_zero_kinds *kinds,
		       const struct fz_plan *plan, struct fz_zero_works *works);

/**
 * fz_zero_works_fini() - free them
 * @works: none afterwards
 */
void fz_zero_works_fini(struct fz_zero_works *works);

/**
 * fz_zero_work_rest() - what is left of a work that was interrupted
 * @work: of zeroing
 * @done_ns: of it alone: above 0, less than all
 *
 * A call that was elided goes on as a call of the bytes that are left. There is
 * no place in the rest: kernels that interrupt clears have none.
 *
 * Return: the rest, with what the interruption costs.
 */
struct fz_work fz_zero_work_rest(const struct fz_work *work, double done_ns);

#endif
