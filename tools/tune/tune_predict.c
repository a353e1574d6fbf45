// SPDX-License-Identifier: GPL-2.0-or-later
/* Curves from the prices of a machine's profile. */
#include "tune_predict.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include <fz/folio.h>
#include <fz/policies.h>
#include <fz/profile_price.h>
#include <fz/units.h>

static void add_curve(struct fz_tune *tune, const char *clear)
{
	struct fz_tune_curve *curve = &tune->curves[tune->nr_curves++];

	curve->clear = clear;
	if (!fz_profile_clear_find(tune->profile, clear))
		snprintf(curve->reason, sizeof(curve->reason),
			 "profile '%s' has no price of '%s'",
			 tune->profile->name, clear);
}

void fz_tune_predict_curves(struct fz_tune *tune)
{
	const struct fz_bench_options *o = &tune->options->bench;

	for (size_t i = 0; i < o->nr_clears; i++)
		add_curve(tune, o->clears[i]->name);
	for (size_t i = 0; i < tune->profile->nr_clears && !o->nr_clears; i++)
		add_curve(tune, tune->profile->clears[i].name);
}

/* ns of the folio, without the entry of a fault; NAN: not known. */
static int price(const struct fz_tune *tune, const char *clear,
		 uint64_t batch_bytes, struct fz_histogram *stretches,
		 double *ns)
{
	struct fz_profile clears_only = *tune->profile;
	const struct fz_prices prices = {
		.profile = &clears_only,
		.cached = fz_profile_clear_find(&clears_only, clear),
	};
	const struct fz_zero_request request = {
		.nr_pages = tune->folio_bytes >> FZ_PAGE_SHIFT,
		.preempt = tune->options->preempt,
		.batch_pages = batch_bytes >> FZ_PAGE_SHIFT,
	};
	struct fz_plan plan;
	const int code = fz_policy_plan(fz_policy_find("batched-pages"),
					&request, &plan, NULL);

	if (code)
		return code;
	clears_only.fault_ns = 0;
	fz_histogram_init(stretches);
	*ns = fz_profile_price(&prices, &plan, request.preempt, stretches, 1);
	fz_plan_fini(&plan);
	return 0;
}

static double bps_of_whole(const struct fz_tune_curve *curve)
{
	return curve->nr ? curve->samples[curve->nr - 1].bps : NAN;
}

static void set_unknown(struct fz_tune *tune, struct fz_tune_curve *curve,
			uint64_t batch_bytes)
{
	char text[FZ_FORMAT_BYTES];

	fz_format_bytes(text, sizeof(text), batch_bytes);
	snprintf(curve->reason, sizeof(curve->reason),
		 "profile '%s' does not tell what batches of %s cost%s",
		 tune->profile->name, text,
		 batch_bytes == tune->folio_bytes
			 ? ": try a smaller --folio-size"
			 : "");
	curve->nr = 0;
}

static int sample(struct fz_tune *tune, const struct fz_tune_ask *ask,
		  struct fz_histogram *stretches)
{
	struct fz_tune_curve *curve = ask->curve;
	struct fz_tune_sample found = {
		.batch_bytes = ask->batch_bytes,
		.bps_ci95 = { NAN, NAN },
		.share_ci95 = { NAN, NAN },
	};
	double ns;
	const int code =
		price(tune, curve->clear, ask->batch_bytes, stretches, &ns);

	if (code)
		return code;
	if (!(ns > 0)) {
		set_unknown(tune, curve, ask->batch_bytes);
		return 0;
	}
	found.bps = (double)tune->folio_bytes * 1e9 / ns;
	found.share = curve->nr ? found.bps / bps_of_whole(curve) : 1.0;
	found.stretch_ns = found.longest_ns = (double)stretches->max;
	fz_tune_add(curve, &found);
	return 0;
}

/* The first ask of a curve is the whole folio. */
static int predict(void *state, struct fz_tune *tune,
		   const struct fz_tune_ask *asks, size_t nr_asks,
		   struct fz_err *err)
{
	struct fz_histogram *stretches = malloc(sizeof(*stretches));
	int code = stretches ? 0 : -ENOMEM;

	(void)state;
	for (size_t i = 0; i < nr_asks && !code; i++)
		if (!asks[i].curve->reason[0])
			code = sample(tune, &asks[i], stretches);
	free(stretches);
	return code ? fz_err_set(err, code, "no memory for a plan") : 0;
}

struct fz_tune_source fz_tune_predict_source(void)
{
	return (struct fz_tune_source){ .sample = predict };
}
