// SPDX-License-Identifier: GPL-2.0-or-later
/* Prices the use of one folio in the place of all. */
#include "row_use_price.h"

#include <math.h>
#include <stdio.h>

#include <fz/use_price.h>

#include "row_study.h"

/* Nothing is used near a page that nobody is told of. */
static bool is_used(const struct fz_row_config *config)
{
	switch (config->use) {
	case FZ_USE_LINE:
	case FZ_USE_NEAR:
		return config->fault != FZ_FAULT_NONE;
	case FZ_USE_FOLIO:
		return true;
	default:
		return false;
	}
}

static void keep(struct fz_row *row, struct fz_histogram *h, double ns)
{
	const uint64_t folios =
		row->rounds * (row->config.bytes / row->config.folio_bytes);

	if (!isnan(ns))
		fz_histogram_add_many(h, (uint64_t)llround(ns), folios);
}

/* Return: the last of them, on which the others depend. */
static double keep_price(struct fz_row *row, const struct fz_use_price *price)
{
	struct fz_samples *samples = row->samples;
	const enum fz_use use = row->config.use;

	if (row->config.fault != FZ_FAULT_NONE) {
		keep(row, &samples->line_ns, price->line_ns);
		if (use == FZ_USE_LINE)
			return price->line_ns;
		keep(row, &samples->near_ns, price->near_ns);
		if (use == FZ_USE_NEAR)
			return price->near_ns;
	}
	keep(row, &samples->folio_ns, price->folio_ns);
	return price->folio_ns;
}

static void say_unknown(struct fz_row *row, const struct fz_profile *profile)
{
	snprintf(row->no_use, sizeof(row->no_use),
		 "profile '%s' does not tell what all of its loads cost; "
		 "'foliosim calibrate' measures that of this machine",
		 profile->name);
}

void row_use_price(struct fz_row *row, const struct fz_profile *profile)
{
	const struct fz_cache_spec spec = fz_use_caches(
		profile,
		fz_profile_clear_find(profile, row->config.clear->name));
	const struct fz_cache_question question = { .spec = &spec,
						    .no_victims = true };
	struct fz_cache_study study;
	struct fz_use_price price;
	struct fz_err why = { "" };

	if (!is_used(&row->config))
		return;
	if (!fz_use_has_price(profile)) {
		say_unknown(row, profile);
		return;
	}
	if (row_study(&row->config, question, &study, &why)) {
		snprintf(row->no_use, sizeof(row->no_use), "%s", why.msg);
		return;
	}
	price = fz_use_price(profile, &study);
	if (isnan(keep_price(row, &price)))
		say_unknown(row, profile);
}
