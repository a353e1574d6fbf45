// SPDX-License-Identifier: GPL-2.0-or-later
/* Counts faults by size and page, and prices each plan once. */
#include <fz/replay_model.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <fz/folio.h>

struct fz_replay_model {
	/* [1 << order], how many folios faulted at each page; or NULL */
	uint64_t *counts[FZ_MAX_FOLIO_CHOICES][FZ_MAX_FOLIO_ORDER + 1];
};

int fz_replay_model_open(struct fz_replay_model **out)
{
	struct fz_replay_model *model = calloc(1, sizeof(*model));

	if (!model)
		return -ENOMEM;
	*out = model;
	return 0;
}

void fz_replay_model_close(struct fz_replay_model *model)
{
	if (!model)
		return;
	for (size_t c = 0; c < FZ_MAX_FOLIO_CHOICES; c++)
		for (unsigned int o = 0; o <= FZ_MAX_FOLIO_ORDER; o++)
			free(model->counts[c][o]);
	free(model);
}

static int count_fault(void *state, const struct fz_folio_fault *fault,
		       struct fz_err *err)
{
	struct fz_replay_model *model = state;
	uint64_t **counts = &model->counts[fault->choice][fault->order];

	if (!*counts)
		*counts = calloc((size_t)1 << fault->order, sizeof(**counts));
	if (!*counts)
		return fz_err_set(err, -ENOMEM, "no memory to count faults");
	(*counts)[fault->page]++;
	return 0;
}

struct fz_folio_sink fz_replay_model_sink(struct fz_replay_model *model)
{
	return (struct fz_folio_sink){ .state = model, .fault = count_fault };
}

/* A row on its way through the counts. */
struct pricing {
	struct fz_plan_cache *plans;
	const struct fz_prices *prices;
	struct fz_row *row;
	uint64_t total_ns;
	bool unknown; /* some plan, or what it costs */
};

static void set_unknown(struct pricing *pricing, const struct fz_plan *plan)
{
	const struct fz_prices *prices = pricing->prices;
	const char *what =
		!prices->streaming && fz_plan_uses_hint(plan, FZ_HINT_STREAMING)
			? "has no streaming primitive"
			: "does not tell what all of its steps cost";
	char reason[FZ_ERR_MSG_BYTES];

	snprintf(reason, sizeof(reason), "profile '%s' %s",
		 prices->profile->name, what);
	fz_row_set_reason(pricing->row, reason);
	pricing->unknown = true;
}

/* So many folios of that order fault at that page; 0, or -EINTR: a stop while
 * the plan was made. */
static int price_page(struct pricing *pricing, unsigned int order,
		      uint64_t page, uint64_t nr)
{
	struct fz_row *row = pricing->row;
	struct fz_zero_request request = fz_row_request(&row->config, page);
	const struct fz_cached_plan *cached;
	struct fz_err why = { "" };
	double ns;
	int code;

	request.nr_pages = 1ull << order;
	code = fz_plan_cache_get(pricing->plans, row->config.policy, &request,
				 &cached, &why);
	if (code) {
		fz_row_set_reason(row, why.msg);
		pricing->unknown = true;
		return code == -EINTR ? code : 0;
	}
	ns = fz_price_plan(&cached->plan, row->config.preempt, pricing->prices,
			   nr, row->samples);
	if (isnan(ns)) {
		set_unknown(pricing, &cached->plan);
		return 0;
	}
	pricing->total_ns += nr * (uint64_t)ns;
	row->zeroed_bytes += nr * (FZ_PAGE_BYTES << order);
	row->points += nr * cached->acting_points;
	row->conditional |= cached->plan.conditional;
	row->folios += nr;
	return 0;
}

/* A policy that is told no page has one plan for all of them. */
static int price_order(struct pricing *pricing, unsigned int order,
		       const uint64_t *counts)
{
	const bool told = pricing->row->config.policy->uses & FZ_USES_FAULT;
	uint64_t nr = 0;
	int code = 0;

	for (uint64_t page = 0; page < 1ull << order && !pricing->unknown;
	     page++) {
		if (told && counts[page])
			code = price_page(pricing, order, page, counts[page]);
		nr += counts[page];
	}
	return told ? code : price_page(pricing, order, 0, nr);
}

/* A sum of some of its folios would be none. */
static void forget_priced(struct fz_row *row)
{
	fz_samples_init(row->samples);
	row->zeroed_bytes = row->points = row->folios = 0;
	row->conditional = false;
}

int fz_replay_model_price(const struct fz_replay_model *model,
			  struct fz_plan_cache *plans,
			  const struct fz_prices *prices, struct fz_row *row,
			  struct fz_err *err)
{
	struct pricing pricing = {
		.plans = plans,
		.prices = prices,
		.row = row,
	};
	int code = 0;

	if (fz_row_begin(row, 1))
		return fz_err_set(err, -ENOMEM, "no memory for the rows");
	for (unsigned int o = 0; o <= FZ_MAX_FOLIO_ORDER && !pricing.unknown;
	     o++)
		if (model->counts[row->choice][o])
			code = price_order(&pricing, o,
					   model->counts[row->choice][o]);
	if (pricing.unknown) {
		forget_priced(row);
		return code;
	}
	row->seconds[0] = (double)pricing.total_ns / 1e9;
	row->rounds = 1;
	row->config.bytes = row->zeroed_bytes;
	row->status = FZ_ROW_MODELLED;
	return 0;
}
