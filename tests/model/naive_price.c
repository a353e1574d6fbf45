// SPDX-License-Identifier: GPL-2.0-or-later
/* The price of a plan step by step, from the words in fz/profile.h. */
#include "naive_price.h"

#include <string.h>

#include <fz/folio.h>

/* Powers of two: bytes by them are sums of few bits, and 1e9 has 21. */
struct fz_profile exact_profile(void)
{
	return (struct fz_profile){
		.fault_ns = 1 << 20,
		.point_ns = 7,
		.nr_clears = 2,
		.clears = { { .name = "stosb",
			      .call_ns = { 16, 48, 33 },
			      .drain_ns = 1 << 18,
			      .bps = 0x1p30,
			      .threshold_bytes = 5 << FZ_PAGE_SHIFT,
			      .ramp_bytes = 3 << FZ_PAGE_SHIFT,
			      .elided_bps = 0x1p32,
			      .elided_share = 0.75 },
			    { .name = "movnti",
			      .streaming = true,
			      .call_ns = { 2, 4, 3 },
			      .drain_ns = 1 << 17,
			      .bps = 0x1p31 } },
	};
}

static double naive_call_ns(const struct fz_profile_clear *clear,
			    const struct fz_step *step,
			    const struct fz_step *before)
{
	const double bytes = (double)(step->nr << FZ_PAGE_SHIFT);
	const double ramp = (double)clear->ramp_bytes;
	const double plain = bytes / clear->bps * 1e9;
	double ns = clear->call_ns[FZ_RELATION_OTHER];

	if (before->nr && step->first == before->first + before->nr)
		ns = clear->call_ns[FZ_RELATION_UP];
	else if (before->nr && step->first + step->nr == before->first)
		ns = clear->call_ns[FZ_RELATION_DOWN];
	if (!clear->threshold_bytes || bytes < (double)clear->threshold_bytes)
		return ns + plain;
	return ns + (1 - clear->elided_share) * plain +
	       clear->elided_share *
		       (ramp / clear->bps +
			(bytes - ramp) / clear->elided_bps) *
		       1e9;
}

/* As the recorder sees it: a stretch without bytes is none. */
static double naive_price(const struct fz_profile *profile,
			  const struct fz_plan *plan, enum fz_preempt model,
			  struct fz_histogram *stretches)
{
	double total = profile->fault_ns, open = 0, drain = 0;
	struct fz_step step, before = { .nr = 0 };
	struct fz_walker walker;
	bool cleared = false;

	fz_walker_begin(&walker, plan);
	while (fz_walker_next(&walker, &step)) {
		double ns = 0;

		if (step.op == FZ_OP_CLEAR) {
			ns = naive_call_ns(&profile->clears[step.hint], &step,
					   &before);
			before = step;
			drain = profile->clears[step.hint].drain_ns;
			cleared = true;
		} else if (fz_op_acts(step.op, model)) {
			ns = profile->point_ns;
		}
		total += ns;
		open += ns;
		if (!fz_op_acts(step.op, model))
			continue;
		if (cleared)
			fz_histogram_add(stretches, (uint64_t)(open + 0.5));
		open = 0;
		cleared = false;
	}
	if (cleared)
		fz_histogram_add(stretches, (uint64_t)(open + 0.5));
	return total + drain;
}

bool price_is_naive(const struct fz_profile *profile,
		    const struct fz_plan *plan, enum fz_preempt model)
{
	const struct fz_prices prices = fz_prices_of(profile);
	static struct fz_histogram by_runs, by_steps;

	fz_histogram_init(&by_runs);
	fz_histogram_init(&by_steps);
	return fz_profile_price(&prices, plan, model, &by_runs, 1) ==
		       naive_price(profile, plan, model, &by_steps) &&
	       memcmp(&by_runs, &by_steps, sizeof(by_runs)) == 0 &&
	       fz_profile_price(&prices, plan, model, NULL, 1) ==
		       fz_profile_price(&prices, plan, model, &by_runs, 7);
}
