// SPDX-License-Identifier: GPL-2.0-or-later
/* What every view must say alike about a row. */
#include "row_facts.h"

#include <string.h>

#include <assert.h>

#include <fz/folio.h>

static const char *known(const struct fz_finding *finding)
{
	return finding->value[0] ? finding->value : NULL;
}

/*
 * With init_on_alloc the allocator zeroes THP too. 7.x leaves it at that; older
 * kernels clear a second time in their own order, and no one policy does both.
 */
static const char *thp_policy_on_alloc(const struct fz_machine *machine)
{
	const char *base = known(&machine->base_policy);

	return base && strcmp(base, "init-pages-extent") == 0 ? base : NULL;
}

const char *fz_row_policy_name(const struct fz_machine *machine,
			       const struct fz_row *row)
{
	if (row->config.engine->runs_plans)
		return row->config.policy ? row->config.policy->name : NULL;
	if (row->config.page.kind == FZ_PAGES_BASE)
		return known(&machine->base_policy);
	if (row->config.page.kind != FZ_PAGES_HUGETLB &&
	    strcmp(machine->init_on_alloc.value, "on") == 0)
		return thp_policy_on_alloc(machine);
	return known(&machine->kernel_policy);
}

const char *fz_row_preempt_name(const struct fz_machine *machine,
				const struct fz_row *row)
{
	if (row->config.engine->runs_plans)
		return fz_preempt_name(row->config.preempt);
	return known(&machine->preempt_mode);
}

bool fz_row_is_hypothetical(const struct fz_row *row)
{
	const struct fz_row_config *config = &row->config;

	return config->engine->runs_plans && config->policy &&
	       !(config->policy->models & FZ_PREEMPT_BIT(config->preempt));
}

bool fz_row_is_conditional(const struct fz_row *row)
{
	return fz_row_data(row)->conditional;
}

const char *fz_row_mark(const struct fz_row *row)
{
	return fz_row_is_conditional(row) ? FZ_CONDITIONAL_MARK : "";
}

static bool uses(const struct fz_row *row, enum fz_policy_uses what)
{
	return row->config.policy && (row->config.policy->uses & what);
}

bool fz_row_batch_bytes(const struct fz_row *row, uint64_t *bytes)
{
	const struct fz_zero_request request =
		fz_row_request(&row->config, row->config.fault_page);

	if (!uses(row, FZ_USES_BATCH))
		return false;
	*bytes = fz_policy_batch_pages(row->config.policy, &request) *
		 FZ_PAGE_BYTES;
	return true;
}

bool fz_row_radius_pages(const struct fz_row *row, uint64_t *pages)
{
	if (!uses(row, FZ_USES_RADIUS))
		return false;
	*pages = row->config.radius_pages;
	return true;
}

bool fz_row_is_measured(const struct fz_result *result, size_t row)
{
	return result->figures[row].has_bandwidth;
}

bool fz_rows_are_twins(const struct fz_row *a, const struct fz_row *b)
{
	return a != b && fz_row_data(a) == fz_row_data(b) &&
	       fz_row_data(a)->rounds;
}

size_t fz_row_index(const struct fz_result *result, const struct fz_row *row)
{
	assert(row >= result->rows && row < result->rows + result->nr_rows);
	return (size_t)(row - result->rows);
}

const struct fz_figures *fz_row_figures(const struct fz_result *result,
					const struct fz_row *row)
{
	return &result->figures[fz_row_index(result, row)];
}
