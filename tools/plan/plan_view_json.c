// SPDX-License-Identifier: GPL-2.0-or-later
/* A plan as JSON: its runs, and the same steps as the CSV. */
#include "plan_view.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include <fz/folio.h>

#include "json_value.h"
#include "line_buffer.h"
#include "names.h"
#include "view.h"

/* An object being filled; a member that there is no memory for is an error. */
struct filling {
	json_t *object;
	bool failed;
};

static struct filling filling_begin(void)
{
	json_t *object = json_object();

	return (struct filling){ .object = object, .failed = !object };
}

/* The object; NULL if anything failed. */
static json_t *filling_end(struct filling *filling)
{
	if (!filling->failed)
		return filling->object;
	json_decref(filling->object);
	return NULL;
}

static void put(struct filling *filling, const char *key, json_t *value)
{
	if (json_object_set_new(filling->object, key, value))
		filling->failed = true;
}

static void put_text(struct filling *filling, const char *key, const char *text)
{
	put(filling, key, json_string(text));
}

static void put_u64(struct filling *filling, const char *key, uint64_t value)
{
	put(filling, key, fz_json_count(value));
}

static void put_bool(struct filling *filling, const char *key, bool value)
{
	put(filling, key, json_boolean(value));
}

static void put_u64_if(struct filling *filling, const char *key, bool known,
		       uint64_t value)
{
	if (known)
		put_u64(filling, key, value);
	else
		put(filling, key, json_null());
}

static json_t *run_json(const struct fz_run *run)
{
	struct filling f = filling_begin();

	put_text(&f, "op", fz_plan_op_word((enum fz_op)run->op));
	if (run->op != FZ_OP_CLEAR) {
		put_u64(&f, "nr_calls", run->nr);
		return filling_end(&f);
	}
	put_u64(&f, "first_page", run->first);
	put_u64(&f, "nr_pages", run->nr);
	put_u64(&f, "unit_pages", run->unit_pages);
	put_u64(&f, "call_pages", run->call_pages);
	put_text(&f, "direction",
		 fz_plan_direction_word((enum fz_direction)run->direction));
	put_text(&f, "hint", fz_plan_hint_word((enum fz_hint)run->hint));
	put_text(&f, "resched",
		 fz_plan_resched_word((enum fz_resched)run->resched));
	return filling_end(&f);
}

static json_t *runs_json(const struct fz_plan *plan)
{
	json_t *runs = json_array();

	for (size_t i = 0; i < plan->nr_runs; i++) {
		if (json_array_append_new(runs, run_json(&plan->runs[i]))) {
			json_decref(runs);
			return NULL;
		}
	}
	return runs;
}

static json_t *counts_json(const struct fz_plan *plan, enum fz_preempt model)
{
	const uint64_t calls = fz_plan_count(plan, FZ_OP_COND_RESCHED) +
			       fz_plan_count(plan, FZ_OP_MIGHT_SLEEP);
	const uint64_t acting = fz_plan_acting_points(plan, model);
	struct filling f = filling_begin();

	put_u64(&f, "clear_calls", fz_plan_count(plan, FZ_OP_CLEAR));
	put_u64(&f, "acting_points", acting);
	put_u64(&f, "calls_not_acting", calls - acting);
	return filling_end(&f);
}

static json_t *illegal_json(const struct fz_illegal_sleep *illegal)
{
	struct filling f = filling_begin();

	if (!illegal) {
		json_decref(f.object);
		return json_null();
	}
	put_u64(&f, "seq", illegal->seq);
	put_text(&f, "op", fz_plan_op_word(illegal->op));
	put_u64(&f, "preempt_count", illegal->preempt_count);
	put_bool(&f, "irqs_disabled", illegal->irqs_disabled);
	put_u64(&f, "rcu_depth", illegal->rcu_depth);
	put_u64(&f, "nr_calls", illegal->nr_calls);
	return filling_end(&f);
}

static void put_request(struct filling *f, const struct fz_plan_view *view)
{
	const struct fz_zero_request *request = view->request;
	const unsigned int uses = view->policy->uses;
	const uint64_t batch_pages =
		fz_policy_batch_pages(view->policy, request);

	put_text(f, "policy", view->policy->name);
	put_u64(f, "folio_bytes", request->nr_pages << FZ_PAGE_SHIFT);
	put_u64_if(f, "fault_page", uses & FZ_USES_FAULT, request->fault_page);
	put_text(f, "preempt", fz_preempt_name(request->preempt));
	put_bool(f, "hypothetical", fz_plan_is_hypothetical(view));
	put_u64_if(f, "batch_bytes", uses & FZ_USES_BATCH,
		   batch_pages << FZ_PAGE_SHIFT);
	put_u64_if(f, "radius_pages", uses & FZ_USES_RADIUS,
		   request->radius_pages);
	put_bool(f, "highmem", request->highmem);
	put_bool(f, "per_page_clear", request->per_page_clear);
	put_text(f, "context", view->context->name);
	put_bool(f, "conditional", view->plan->conditional);
	put_text(f, "page_kind",
		 fz_owner_name_at(view->hugetlb ? FZ_OWNER_HUGETLB
						: FZ_OWNER_THP));
	put_text(f, "init_on_alloc", fz_init_on_alloc_name(view->init));
	put_u64(f, "allocator_runs", view->nr_allocator_runs);
	put_u64(f, "allocator_steps", fz_plan_allocator_steps(view));
}

/* Everything but the steps, which may be too many to hold. */
static json_t *head_json(const struct fz_plan_view *view)
{
	const enum fz_preempt model = view->request->preempt;
	const uint64_t stretch_pages =
		fz_plan_longest_stretch_pages(view->plan, model);
	struct filling f = filling_begin();

	put_text(&f, "schema", "foliosim.plan/1");
	put_request(&f, view);
	put(&f, "illegal_sleep", illegal_json(view->illegal));
	put(&f, "counts", counts_json(view->plan, model));
	put_u64_if(&f, "longest_stretch_bytes",
		   !fz_preempt_is_preemptible(model),
		   stretch_pages << FZ_PAGE_SHIFT);
	if (view->cache)
		put(&f, "cache", fz_plan_cache_json(view->cache));
	put(&f, "runs", runs_json(view->plan));
	return filling_end(&f);
}

static void put_step(struct fz_lines *lines, uint64_t seq,
		     const struct fz_step *step, enum fz_preempt model)
{
	fz_lines_text(lines, seq ? ",\n    {\"seq\": " : "\n    {\"seq\": ");
	fz_lines_u64(lines, seq);
	fz_lines_text(lines, ", \"op\": \"");
	fz_lines_text(lines, fz_plan_step_word(step, model));
	fz_lines_text(lines, "\", \"first_page\": ");
	fz_lines_u64(lines, step->first);
	fz_lines_text(lines, ", \"nr_pages\": ");
	fz_lines_u64(lines, step->nr);
	if (step->op == FZ_OP_CLEAR) {
		fz_lines_text(lines, ", \"hint\": \"");
		fz_lines_text(lines, fz_plan_hint_word(step->hint));
		fz_lines_text(lines, "\"}");
	} else {
		fz_lines_text(lines, ", \"hint\": null}");
	}
}

static int write_steps(FILE *out, const struct fz_plan_view *view)
{
	struct fz_walker walker;
	struct fz_lines lines;
	struct fz_step step;
	uint64_t seq = 0;

	fz_lines_init(&lines, out);
	fz_lines_text(&lines, ",\n  \"steps\": [");
	fz_walker_begin(&walker, view->plan);
	while (!lines.error && fz_walker_next(&walker, &step))
		put_step(&lines, seq++, &step, view->request->preempt);
	fz_lines_text(&lines, "\n  ]\n}\n");
	return fz_lines_finish(&lines);
}

int fz_plan_json(FILE *out, const struct fz_plan_view *view)
{
	json_t *head = head_json(view);
	char *text;
	int code;

	if (!head)
		return -ENOMEM;
	/* The head's closing "\n}" is left out: the steps come before it. */
	text = json_dumps(head, JSON_INDENT(2));
	json_decref(head);
	if (!text)
		return -ENOMEM;
	code = fz_write_all(out, text, strlen(text) - strlen("\n}"));
	free(text);
	return code ? code : write_steps(out, view);
}
