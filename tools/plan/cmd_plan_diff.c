// SPDX-License-Identifier: GPL-2.0-or-later
/* Compares two policies and prints where they part. */
#include "cmd_plan_diff.h"

#include "command.h"
#include "diff_view.h"

static int write_view(enum fz_plan_format format,
		      const struct fz_diff_view *view)
{
	switch (format) {
	case FZ_PLAN_CSV:
		return fz_diff_csv(stdout, view);
	case FZ_PLAN_JSON:
		return fz_diff_json(stdout, view);
	case FZ_PLAN_TEXT:
		break;
	}
	return fz_diff_text(stdout, view);
}

static int print_diff(const struct fz_plan_options *o,
		      const struct fz_diff_view *view)
{
	const int error = write_view(o->format, view);

	if (error)
		return fz_output_failed(error);
	return fz_policy_diff_first(view->diff) ? FZ_EXIT_FAILED : FZ_EXIT_DONE;
}

/* Where neither is told the faulting page, one plan stands for all. */
static size_t choose_pages(const struct fz_plan_options *o, bool told,
			   uint64_t *pages)
{
	for (size_t i = 0; i < o->nr_fault_pages; i++)
		pages[i] = o->fault_pages[i];
	if (o->nr_fault_pages)
		return o->nr_fault_pages;
	pages[0] = 0;
	return told ? fz_policy_diff_pages(o->request.nr_pages,
					   o->request.radius_pages, pages)
		    : 1;
}

int fz_plan_diff_run(const struct fz_plan_options *o)
{
	const struct fz_policy *p = o->diff.policy[0], *q = o->diff.policy[1];
	const bool told = (p->uses | q->uses) & FZ_USES_FAULT;
	uint64_t pages[FZ_DIFF_ALL_PAGES];
	const struct fz_policy_diff_question question = {
		.policy = { p, q },
		.request = o->request,
		.pages = pages,
		.nr_pages = choose_pages(o, told, pages),
		.models = o->models,
		.context = o->context,
	};
	struct fz_policy_diff diff;
	const struct fz_diff_view view = {
		.question = &question,
		.diff = &diff,
		.told = told,
		.chosen = o->nr_fault_pages,
	};
	struct fz_err err;
	int status;

	if (fz_policy_diff_make(&question, &diff, &err)) {
		fz_complain("%s", err.msg);
		return FZ_EXIT_FAILED;
	}
	status = print_diff(o, &view);
	fz_policy_diff_fini(&diff);
	return status;
}
