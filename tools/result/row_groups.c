// SPDX-License-Identifier: GPL-2.0-or-later
/* Which rows of a result stand together, as the verdicts group them. */
#include "row_groups.h"

#include "row_facts.h"

bool fz_row_in_group(const struct fz_result *result, size_t lead, size_t row)
{
	const struct fz_row_config *a = &result->rows[lead].config;
	const struct fz_row_config *b = &result->rows[row].config;

	return fz_row_is_measured(result, row) && fz_row_meets_fault(a, b);
}

/* A row that is told no page leads only where no other row is told one. */
bool fz_row_leads_group(const struct fz_result *result, size_t row)
{
	const struct fz_row_config *config = &result->rows[row].config;

	if (!fz_row_is_measured(result, row))
		return false;
	for (size_t i = 0; i < result->nr_rows; i++) {
		const struct fz_row_config *other = &result->rows[i].config;

		if (i == row || !fz_row_is_measured(result, i) ||
		    !fz_row_same_memory(config, other))
			continue;
		if (i < row && fz_row_same_fault(config, other))
			return false;
		if (config->fault == FZ_FAULT_NONE &&
		    other->fault != FZ_FAULT_NONE)
			return false;
	}
	return true;
}

/* Is row i of the group the first one with its baseline? */
static bool baseline_is_new(const struct fz_result *result, size_t lead,
			    size_t row)
{
	for (size_t i = 0; i < row; i++)
		if (fz_row_in_group(result, lead, i) &&
		    result->figures[i].baseline ==
			    result->figures[row].baseline)
			return false;
	return true;
}

struct fz_baselines fz_group_baselines(const struct fz_result *result,
				       size_t lead)
{
	struct fz_baselines baselines = { 0, false };

	for (size_t i = 0; i < result->nr_rows; i++) {
		const struct fz_row *baseline = result->figures[i].baseline;

		if (!baseline || !fz_row_in_group(result, lead, i))
			continue;
		baselines.nr += baseline_is_new(result, lead, i);
		baselines.outside |= !fz_row_in_group(
			result, lead, fz_row_index(result, baseline));
	}
	return baselines;
}

struct fz_rounds fz_group_rounds(const struct fz_result *result, size_t lead)
{
	const size_t first = fz_row_data(&result->rows[lead])->rounds;
	struct fz_rounds rounds = { first, first };

	for (size_t i = 0; i < result->nr_rows; i++) {
		const size_t nr = fz_row_data(&result->rows[i])->rounds;

		if (!fz_row_in_group(result, lead, i))
			continue;
		rounds.min = nr < rounds.min ? nr : rounds.min;
		rounds.max = nr > rounds.max ? nr : rounds.max;
	}
	return rounds;
}

const struct fz_verdict *fz_group_verdict(const struct fz_result *result,
					  size_t lead)
{
	const struct fz_row_config *config = &result->rows[lead].config;

	for (size_t i = 0; i < result->nr_verdicts; i++) {
		const struct fz_verdict *v = &result->verdicts[i];

		if (v->threads == config->threads &&
		    v->page.kind == config->page.kind &&
		    v->page.bytes == config->page.bytes &&
		    v->folio_bytes == config->folio_bytes &&
		    v->fault == config->fault &&
		    (v->fault != FZ_FAULT_AT ||
		     v->fault_page == config->fault_page))
			return v;
	}
	return NULL;
}
