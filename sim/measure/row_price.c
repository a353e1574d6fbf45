// SPDX-License-Identifier: GPL-2.0-or-later
/* Prices the rounds of a row, each plan once. */
#include <fz/row_price.h>

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <fz/folio.h>
#include <fz/price.h>

#include "row_use_price.h"
#include "stop_flag.h"

/* A signal is looked for after so many folios. */
#define FOLIOS_A_LOOK 65536u

/* A row on its way through its rounds. */
struct pricing {
	struct fz_row *row;
	struct fz_prices prices;
	struct fz_bench *bench;
	size_t rounds;
	uint64_t nr_pages;  /* of a folio */
	uint64_t nr_folios; /* of a round */
	uint64_t *faults;   /* [nr_pages], at each page in all rounds */
	uint64_t *ns;       /* [nr_pages], of a folio that faults there */
};

/* false: the row is unsupported, and says why. */
__attribute__((format(printf, 2, 3))) static bool
cannot(struct pricing *pricing, const char *format, ...)
{
	char reason[FZ_ERR_MSG_BYTES];
	va_list args;

	va_start(args, format);
	vsnprintf(reason, sizeof(reason), format, args);
	va_end(args);
	fz_row_set_reason(pricing->row, reason);
	return false;
}

static bool find_clear(struct pricing *pricing, const struct fz_clear *clear,
		       const struct fz_profile_clear **found)
{
	const struct fz_profile *profile = pricing->prices.profile;

	if (!clear)
		return true;
	*found = fz_profile_clear_find(profile, clear->name);
	return *found || cannot(pricing, "profile '%s' has no price of '%s'",
				profile->name, clear->name);
}

static bool find_prices(struct pricing *pricing)
{
	const struct fz_row_config *config = &pricing->row->config;

	if (config->threads)
		return cannot(pricing, "engine model prices one thread that "
				       "has the memory for itself");
	return find_clear(pricing, config->clear, &pricing->prices.cached) &&
	       find_clear(pricing, config->stream, &pricing->prices.streaming);
}

static uint64_t fault_page(const struct pricing *pricing, size_t round,
			   uint64_t folio)
{
	return fz_round_fault_page(&pricing->row->config, pricing->bench->seed,
				   round, 0, folio);
}

/* Is each folio of each round the same? */
static bool is_uniform(const struct pricing *pricing)
{
	const enum fz_fault_choice fault = pricing->row->config.fault;

	return fault == FZ_FAULT_NONE || fault == FZ_FAULT_AT ||
	       pricing->nr_pages == 1;
}

static int stopped(const struct pricing *pricing, uint64_t folio)
{
	if (folio % FOLIOS_A_LOOK || !stop_flag_is_set(pricing->bench->stop))
		return 0;
	fz_row_set_reason(pricing->row, FZ_STOPPED);
	return -EINTR;
}

/* Rounds are numbered as an experiment numbers them: 0 is the warm-up. */
static int count_round(struct pricing *pricing, size_t round)
{
	int code = stopped(pricing, 0);

	if (is_uniform(pricing)) {
		pricing->faults[fault_page(pricing, round, 0)] +=
			pricing->nr_folios;
		return code;
	}
	for (uint64_t i = 0; i < pricing->nr_folios && !code; i++) {
		pricing->faults[fault_page(pricing, round, i)]++;
		code = stopped(pricing, i);
	}
	return code;
}

static int sum_round(struct pricing *pricing, size_t round, uint64_t *total_ns)
{
	int code = 0;

	*total_ns = 0;
	if (is_uniform(pricing)) {
		*total_ns = pricing->nr_folios *
			    pricing->ns[fault_page(pricing, round, 0)];
		return 0;
	}
	for (uint64_t i = 0; i < pricing->nr_folios && !code; i++) {
		*total_ns += pricing->ns[fault_page(pricing, round, i)];
		code = stopped(pricing, i);
	}
	return code;
}

/* 1: there is no plan, or no price of it. -EINTR: a stop while it was made. */
static int price_page(struct pricing *pricing, uint64_t page)
{
	struct fz_row *row = pricing->row;
	const struct fz_zero_request request =
		fz_row_request(&row->config, page);
	const struct fz_cached_plan *cached;
	struct fz_err why = { "" };
	double ns;
	const int code =
		fz_plan_cache_get(pricing->bench->plans, row->config.policy,
				  &request, &cached, &why);

	if (code) {
		cannot(pricing, "%s", why.msg);
		return code == -EINTR ? code : 1;
	}
	ns = fz_price_plan(&cached->plan, row->config.preempt, &pricing->prices,
			   pricing->faults[page], row->samples);
	if (isnan(ns)) {
		cannot(pricing,
		       "profile '%s' does not tell what all of its steps cost",
		       pricing->prices.profile->name);
		return 1;
	}
	pricing->ns[page] = (uint64_t)ns;
	row->points += pricing->faults[page] * cached->acting_points;
	row->conditional |= cached->plan.conditional;
	return 0;
}

static int price_pages(struct pricing *pricing)
{
	int code = 0;

	for (uint64_t page = 0; page < pricing->nr_pages && !code; page++) {
		if (pricing->faults[page])
			code = price_page(pricing, page);
		if (!code)
			code = stopped(pricing, page);
	}
	return code;
}

/* Of one call for all rounds: figures come of whole rows only. */
static int price_rounds(struct pricing *pricing)
{
	struct fz_row *row = pricing->row;
	uint64_t total_ns;
	int code = 0;

	for (size_t r = 0; r < pricing->rounds && !code; r++)
		code = count_round(pricing, r + 1);
	if (!code)
		code = price_pages(pricing);
	for (size_t r = 0; r < pricing->rounds && !code; r++) {
		code = sum_round(pricing, r + 1, &total_ns);
		row->seconds[r] = (double)total_ns / 1e9;
	}
	if (!code) {
		row->rounds = pricing->rounds;
		row->status = FZ_ROW_MODELLED;
		row_use_price(row, pricing->prices.profile);
		return 0;
	}
	fz_samples_init(row->samples);
	row->points = 0;
	row->conditional = false;
	return code == 1 ? 0 : code;
}

int fz_row_price(struct fz_row *row, const struct fz_profile *profile,
		 struct fz_bench *bench, size_t rounds, struct fz_err *err)
{
	struct fz_profile clears_only = *profile;
	struct pricing pricing = {
		.row = row,
		.prices.profile = &clears_only,
		.bench = bench,
		.rounds = rounds,
		.nr_pages = row->config.folio_bytes >> FZ_PAGE_SHIFT,
		.nr_folios = row->config.bytes / row->config.folio_bytes,
	};
	int code = -ENOMEM;

	if (!find_prices(&pricing))
		return 0;
	clears_only.fault_ns = 0;
	pricing.faults = calloc(pricing.nr_pages, sizeof(*pricing.faults));
	pricing.ns = calloc(pricing.nr_pages, sizeof(*pricing.ns));
	if (pricing.faults && pricing.ns && !fz_row_begin(row, rounds))
		code = price_rounds(&pricing);
	else
		fz_err_set(err, code, "no memory for the rows");
	free(pricing.faults);
	free(pricing.ns);
	return code;
}
