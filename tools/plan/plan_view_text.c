// SPDX-License-Identifier: GPL-2.0-or-later
/* A plan for people: its runs, a map of the folio, and the totals. */
#include "plan_view.h"

#include <inttypes.h>
#include <string.h>

#include <fz/folio.h>
#include <fz/units.h>

#include "note.h"
#include "plan_map.h"
#include "row_facts.h"
#include "view.h"

struct size_text {
	char text[FZ_FORMAT_BYTES];
};

static struct size_text size_of(uint64_t nr_pages)
{
	struct size_text size;

	fz_format_bytes(size.text, sizeof(size.text),
			nr_pages << FZ_PAGE_SHIFT);
	return size;
}

static const char *plural(uint64_t nr)
{
	return nr == 1 ? "" : "s";
}

static void print_fault(FILE *out, const struct fz_plan_view *view)
{
	if (!(view->policy->uses & FZ_USES_FAULT)) {
		fputs(", faulting page not told\n", out);
		return;
	}
	fprintf(out, ", fault page %" PRIu64 "\n", view->request->fault_page);
	if (view->has_addr)
		fprintf(out,
			"address   0x%" PRIx64 " in the folio at 0x%" PRIx64
			"\n",
			view->addr_hint,
			fz_folio_base(view->addr_hint,
				      view->request->nr_pages
					      << FZ_PAGE_SHIFT));
}

/* Which calls act, said once instead of at every run. */
static const char *acting_calls(enum fz_preempt model)
{
	if (fz_op_acts(FZ_OP_MIGHT_SLEEP, model))
		return "cond_resched() and might_sleep() reschedule";
	if (fz_op_acts(FZ_OP_COND_RESCHED, model))
		return "cond_resched() reschedules, might_sleep() does not";
	return "neither cond_resched() nor might_sleep() reschedules";
}

static void print_model(FILE *out, const struct fz_plan_view *view)
{
	const enum fz_preempt model = view->request->preempt;

	fprintf(out, "preempt   %s: %s\n", fz_preempt_name(model),
		acting_calls(model));
	if (fz_plan_is_hypothetical(view))
		fprintf(out,
			"          hypothetical: no x86-64 kernel of this policy runs "
			"preempt=%s\n",
			fz_preempt_name(model));
	fprintf(out, "context   %s\n", view->context->name);
}

static void print_parameters(FILE *out, const struct fz_plan_view *view)
{
	const struct fz_zero_request *request = view->request;
	const uint64_t batch = fz_policy_batch_pages(view->policy, request);
	const bool uses_batch = view->policy->uses & FZ_USES_BATCH;
	const bool uses_radius = view->policy->uses & FZ_USES_RADIUS;

	if (uses_batch)
		fprintf(out, "batch     %s%s\n", size_of(batch).text,
			fz_preempt_is_preemptible(request->preempt)
				? ", not used by a preemptible model"
				: "");
	if (uses_radius)
		fprintf(out, "radius    %" PRIu64 " page%s\n",
			request->radius_pages, plural(request->radius_pages));
	if (request->highmem)
		fputs("highmem   one clear call a page\n", out);
	if (request->per_page_clear)
		fputs("per-page  one clear call a page\n", out);
}

/* Whose runs are below, where some are the allocator's. */
static void print_init(FILE *out, const struct fz_plan_view *view)
{
	const size_t nr = view->nr_allocator_runs;

	if (view->init == FZ_INIT_OFF)
		return;
	fprintf(out, "init      init_on_alloc of %s",
		fz_init_on_alloc_name(view->init));
	if (view->hugetlb)
		fputs(", which hugetlb folios do not know\n", out);
	else if (nr == view->plan->nr_runs)
		fputs(": the allocator alone\n", out);
	else
		fprintf(out, ": the allocator in %zu run%s, then the policy\n",
			nr, plural(nr));
}

static void print_conditional(FILE *out, const struct fz_plan_view *view)
{
	static const struct fz_margins margins = { 80, 10, 10 };
	struct fz_note note = { .used = 0 };

	if (!view->plan->conditional)
		return;
	fz_note_add(&note, FZ_CONDITIONAL_WORDS);
	fz_note_print_label(out, "plan", &note, margins);
}

static void print_header(FILE *out, const struct fz_plan_view *view)
{
	const uint64_t nr_pages = view->request->nr_pages;

	fprintf(out, "policy    %s\n", view->policy->name);
	fprintf(out, "kernels   %s\n", view->policy->kernels);
	fprintf(out, "folio     %s, %" PRIu64 " page%s", size_of(nr_pages).text,
		nr_pages, plural(nr_pages));
	print_fault(out, view);
	print_model(out, view);
	print_parameters(out, view);
	print_conditional(out, view);
	print_init(out, view);
}

static void print_clears(FILE *out, char mark, const struct fz_run *run)
{
	char pages[64];

	snprintf(pages, sizeof(pages), "%" PRIu64 "-%" PRIu64, run->first,
		 run->first + run->nr - 1);
	fprintf(out, "%c  %-15s %8s %8s %8s  %-8s  %-9s  %s\n", mark, pages,
		size_of(run->nr).text, size_of(run->unit_pages).text,
		size_of(run->call_pages).text,
		fz_plan_direction_word((enum fz_direction)run->direction),
		fz_plan_hint_word((enum fz_hint)run->hint),
		fz_plan_resched_word((enum fz_resched)run->resched));
}

static void print_calls(FILE *out, const struct fz_run *run)
{
	fprintf(out, "   %s()", fz_plan_op_word((enum fz_op)run->op));
	if (run->nr > 1)
		fprintf(out, " x %" PRIu64, run->nr);
	fputc('\n', out);
}

static void print_runs(FILE *out, const struct fz_plan *plan)
{
	size_t nr_clears = 0;

	fprintf(out, "\n#  %-15s %8s %8s %8s  %-8s  %-9s  %s\n", "pages",
		"bytes", "unit", "call", "order", "hint", "cond_resched");
	for (size_t i = 0; i < plan->nr_runs; i++) {
		const struct fz_run *run = &plan->runs[i];

		if (run->op == FZ_OP_CLEAR)
			print_clears(out, fz_plan_map_mark(nr_clears++), run);
		else
			print_calls(out, run);
	}
}

static void print_map(FILE *out, const struct fz_plan_view *view)
{
	struct fz_plan_map map;
	unsigned int column;

	fz_plan_map_draw(&map, view->plan);
	fprintf(out, "\nmap  %s\n", map.marks);
	if (!(view->policy->uses & FZ_USES_FAULT))
		return;
	column = fz_plan_map_column(&map, view->request->fault_page);
	/* The words stand where there is room for them. */
	if (column < FZ_PLAN_MAP_COLUMNS / 2)
		fprintf(out, "     %*s fault page\n", (int)column + 1, "^");
	else
		fprintf(out, "     %*s ^\n", (int)column - 1, "fault page");
}

static void print_stretch(FILE *out, const struct fz_plan_view *view)
{
	const enum fz_preempt model = view->request->preempt;
	const uint64_t nr_pages =
		fz_plan_longest_stretch_pages(view->plan, model);

	if (!fz_preempt_is_preemptible(model))
		fprintf(out, "longest stretch without a resched point: %s\n",
			size_of(nr_pages).text);
	else if (model == FZ_PREEMPT_LAZY || model == FZ_PREEMPT_RT_LAZY)
		fputs("a real-time wake-up preempts inside a clear call, a "
		      "fair one at the next tick\n",
		      out);
	else
		fputs("a wake-up preempts inside a clear call\n", out);
}

static void print_totals(FILE *out, const struct fz_plan_view *view)
{
	const enum fz_preempt model = view->request->preempt;
	const uint64_t clears = fz_plan_count(view->plan, FZ_OP_CLEAR);
	const uint64_t calls = fz_plan_count(view->plan, FZ_OP_COND_RESCHED) +
			       fz_plan_count(view->plan, FZ_OP_MIGHT_SLEEP);
	const uint64_t acting = fz_plan_acting_points(view->plan, model);

	fprintf(out,
		"\n%" PRIu64 " clear call%s, %" PRIu64 " resched point%s that "
		"act%s, %" PRIu64 " call%s that do%s not\n",
		clears, plural(clears), acting, plural(acting),
		acting == 1 ? "s" : "", calls - acting, plural(calls - acting),
		calls - acting == 1 ? "es" : "");
	print_stretch(out, view);
}

int fz_plan_text(FILE *out, const struct fz_plan_view *plan_view)
{
	struct fz_view view;
	int code = fz_view_begin(&view);

	if (code)
		return code;
	print_header(view.stream, plan_view);
	print_runs(view.stream, plan_view->plan);
	print_map(view.stream, plan_view);
	print_totals(view.stream, plan_view);
	if (plan_view->cache)
		fz_plan_cache_text(view.stream, plan_view->cache);
	return fz_view_end(&view, out);
}
