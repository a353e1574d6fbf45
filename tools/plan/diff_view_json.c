// SPDX-License-Identifier: GPL-2.0-or-later
/* A comparison as JSON: docs/foliosim.plan-diff-1.schema.json. */
#include "diff_view.h"

#include <errno.h>

#include <jansson.h>

#include <fz/folio.h>

#include "json_value.h"
#include "plan_view.h"
#include "row_json_parts.h"

static json_t *step_json(bool has, const struct fz_step *step)
{
	const bool clears = has && step->op == FZ_OP_CLEAR;

	if (!has)
		return json_null();
	return json_pack(
		"{s:s, s:o, s:o, s:o}", "op", fz_plan_op_word(step->op),
		"first_page", fz_json_count(step->first), "nr_pages",
		fz_json_count(step->nr), "hint",
		fz_json_text(clears ? fz_plan_hint_word(step->hint) : NULL));
}

static json_t *steps_json(const struct fz_diff_window *window)
{
	json_t *array = json_array();

	for (size_t i = 0; i < window->nr; i++) {
		const struct fz_plan_diff *at = &window->at[i];

		json_array_append_new(
			array, json_pack("{s:o, s:b, s:[o, o]}", "seq",
					 fz_json_count(at->seq), "differ",
					 !fz_diff_is_shared(at), "steps",
					 step_json(at->has[0], &at->step[0]),
					 step_json(at->has[1], &at->step[1])));
	}
	return array;
}

static json_t *page_json(const struct fz_diff_view *view, uint64_t page)
{
	return view->told ? fz_json_count(page) : json_null();
}

static int first_json(const struct fz_diff_view *view, json_t **object)
{
	const struct fz_plan_pair *first = fz_policy_diff_first(view->diff);
	struct fz_diff_window window;
	int code;

	*object = first ? NULL : json_null();
	if (!first)
		return 0;
	code = fz_diff_window_find(view, first, &window);
	if (!code)
		*object = json_pack("{s:o, s:s, s:o, s:o}", "fault_page",
				    page_json(view, first->fault_page),
				    "preempt", fz_preempt_name(first->preempt),
				    "seq", fz_json_count(first->diff.seq),
				    "around", steps_json(&window));
	return code;
}

static json_t *pages_json(const struct fz_diff_view *view)
{
	json_t *array = json_array();

	for (size_t i = 0; i < view->question->nr_pages && view->told; i++)
		json_array_append_new(array,
				      fz_json_count(view->question->pages[i]));
	return array;
}

static json_t *models_json(const struct fz_diff_view *view)
{
	json_t *array = json_array();

	for (enum fz_preempt m = 0; m < FZ_NR_PREEMPT; m++) {
		const unsigned int model = FZ_PREEMPT_BIT(m);

		if (view->question->models & model)
			json_array_append_new(
				array,
				json_pack("{s:s, s:o}", "preempt",
					  fz_preempt_name(m), "differing_pages",
					  fz_json_count(fz_policy_diff_count(
						  view->diff, model))));
	}
	return array;
}

static json_t *policy_json(const struct fz_diff_view *view, int i)
{
	return json_pack("{s:s, s:o, s:o}", "name",
			 view->question->policy[i]->name, "conditional_plans",
			 fz_json_count(fz_diff_count_conditional(view, i)),
			 "illegal_plans",
			 fz_json_count(fz_diff_count_illegal(view, i)));
}

static json_t *document_json(const struct fz_diff_view *view, json_t *first)
{
	const struct fz_zero_request *request = &view->question->request;

	return json_pack(
		"{s:s, s:[o, o], s:o, s:o, s:o, s:b, s:b, s:s, s:o, s:o, s:b, "
		"s:o, s:o, s:o}",
		"schema", "foliosim.plan-diff/1", "policies",
		policy_json(view, 0), policy_json(view, 1), "folio_bytes",
		fz_json_count(request->nr_pages << FZ_PAGE_SHIFT),
		"batch_bytes",
		fz_json_known_count(request->batch_pages << FZ_PAGE_SHIFT),
		"radius_pages", fz_json_count(request->radius_pages), "highmem",
		request->highmem, "per_page_clear", request->per_page_clear,
		"context", view->question->context->name, "fault_pages",
		pages_json(view), "plans", fz_json_count(view->diff->nr_pairs),
		"equal", fz_policy_diff_first(view->diff) == NULL,
		"differing_pages",
		fz_json_count(fz_policy_diff_count(view->diff, FZ_PREEMPT_ANY)),
		"models", models_json(view), "first", first);
}

int fz_diff_json(FILE *out, const struct fz_diff_view *view)
{
	json_t *first, *document;
	int code = first_json(view, &first);

	if (code)
		return code;
	document = document_json(view, first);
	code = fz_json_print(out, document);
	json_decref(document);
	return code;
}
