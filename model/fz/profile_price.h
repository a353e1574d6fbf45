/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a plan costs by a machine's profile. */
#ifndef FZ_PROFILE_PRICE_H
#define FZ_PROFILE_PRICE_H

#include <stdint.h>

#include <fz/histogram.h>
#include <fz/plan.h>
#include <fz/preempt.h>
#include <fz/profile.h>
#include <fz/range.h>

/**
 * DOC: pricing a plan
 *
 * A fault costs fault_ns and drain_ns once, each clear call what
 * fz_profile_call_ns() says of its length and of where it starts beside the
 * clear call before it, whatever stands between them, and each resched point
 * that acts point_ns. Nothing interrupts it and nobody shares the memory: those
 * are the simulator's business.
 *
 * Like calls of a run are priced together, so a price takes O(runs).
 *
 * drain_ns is in a kernel's fault as it is in a folio that is cleared in user
 * space: on x86 the return to user mode waits for the stores, as the clock does
 * that times the folio; and a calibrated fault_ns is what a fault takes beyond
 * the same plan in user space. Where that return does not wait, a fault is
 * priced so much too high.
 *
 * Stretches are those of the plan: fault_ns and drain_ns are in none of them. A
 * point belongs to the stretch that it ends; one before which nothing was
 * cleared is in none.
 */

/**
 * struct fz_prices - a price list
 * @profile: the machine; it must outlive this
 * @cached: the primitive of steps with hint cached; NULL = there is none
 * @streaming: of steps with hint streaming; NULL = there is none
 */
struct fz_prices {
	const struct fz_profile *profile;
	const struct fz_profile_clear *cached;
	const struct fz_profile_clear *streaming;
};

/**
 * fz_prices_of() - with the first primitive of each kind that a profile has
 * @profile: the machine
 *
 * Return: the list.
 */
struct fz_prices fz_prices_of(const struct fz_profile *profile);

/**
 * fz_relation_of() - where does a clear call start beside the one before it?
 * @before: the pages of the one before; none if there was none
 * @call: its pages
 *
 * Return: the relation.
 */
enum fz_relation fz_relation_of(struct fz_range before, struct fz_range call);

/**
 * struct fz_run_price - what the units of a run of FZ_OP_CLEAR cost
 * @nr: units, at least 1
 * @first_ns: the first one
 * @between_ns: each between; means nothing with less than three
 * @last_ns: the last one; means nothing with less than two
 *
 * In the order in which they are visited, without resched points.
 */
struct fz_run_price {
	uint64_t nr;
	double first_ns;
	double between_ns;
	double last_ns;
};

/**
 * fz_run_price() - the price of a run
 * @prices: the price list
 * @run: of FZ_OP_CLEAR
 * @latest: the clear call before it, none if its nr is 0; then the last of
 *	the run
 *
 * Return: ns; NAN if something that it depends on is not known.
 */
struct fz_run_price fz_run_price(const struct fz_prices *prices,
				 const struct fz_run *run,
				 struct fz_range *latest);

/**
 * fz_drain_ns() - what a folio costs beside its calls and points
 * @prices: the price list
 * @plan: the folio's plan
 *
 * Return: ns, of the primitive of the last clear call; 0 if that is not known,
 * or if there is none.
 */
double fz_drain_ns(const struct fz_prices *prices, const struct fz_plan *plan);

/**
 * fz_profile_price() - the price of a plan
 * @prices: the price list
 * @plan: the plan
 * @model: decides which calls act
 * @stretches: the plan's stretches are added, in whole ns; NULL = not asked for
 * @nr: how many times they are added
 *
 * Return: ns of one fault; NAN if something that it depends on is not known,
 * and then the stretches mean nothing.
 */
double fz_profile_price(const struct fz_prices *prices,
			const struct fz_plan *plan, enum fz_preempt model,
			struct fz_histogram *stretches, uint64_t nr);

#endif
