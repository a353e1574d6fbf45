// SPDX-License-Identifier: GPL-2.0-or-later
/* Prices of plans as samples. */
#include <fz/price.h>

#include <math.h>

double fz_price_plan(const struct fz_plan *plan, enum fz_preempt model,
		     const struct fz_prices *prices, uint64_t nr,
		     struct fz_samples *samples)
{
	const double ns = round(fz_profile_price(prices, plan, model, NULL, 1));

	if (isnan(ns))
		return ns;
	fz_profile_price(prices, plan, model, &samples->stretch_ns, nr);
	fz_histogram_add_many(&samples->fault_ns, (uint64_t)ns, nr);
	return ns;
}
