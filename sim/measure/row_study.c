// SPDX-License-Identifier: GPL-2.0-or-later
/* Studies one plan in the place of all that a row has. */
#include "row_study.h"

#include <fz/folio.h>

uint64_t row_study_page(const struct fz_row_config *config)
{
	switch (config->fault) {
	case FZ_FAULT_AT:
		return config->fault_page;
	case FZ_FAULT_RANDOM:
		return (config->folio_bytes >> FZ_PAGE_SHIFT) / 2;
	default:
		return 0;
	}
}

int row_study(const struct fz_row_config *config,
	      struct fz_cache_question question, struct fz_cache_study *study,
	      struct fz_err *err)
{
	const uint64_t fault_page = row_study_page(config);
	const struct fz_zero_request request =
		fz_row_request(config, fault_page);
	/* Any primitive can be told to carry out any step. */
	const bool streams[] = {
		[FZ_HINT_CACHED] = config->clear && config->clear->streaming,
		[FZ_HINT_STREAMING] =
			config->stream && config->stream->streaming,
	};
	struct fz_plan plan;
	int code = fz_policy_plan(config->policy, &request, &plan, err);

	if (code)
		return code;
	question.plan = &plan;
	question.fault_page = fault_page;
	code = fz_row_check_plan(config, fault_page, &plan, err);
	if (!code) {
		fz_plan_set_hints(&plan, streams);
		code = fz_cache_study_plan(&question, study, err);
	}
	fz_plan_fini(&plan);
	return code;
}
