// SPDX-License-Identifier: GPL-2.0-or-later
/* A comparison for people: where plans part, and the steps around. */
#include "diff_view.h"

#include <inttypes.h>

#include <fz/folio.h>
#include <fz/units.h>

#include "note.h"
#include "plan_view.h"
#include "row_facts.h"
#include "view.h"

#define WIDTH      80
#define STEP_WIDTH 34

static const struct fz_margins margins = { WIDTH, 0, 2 };
/* Whoever asks whether plans are equal gets one line. */
static const struct fz_margins one_line = { FZ_NOTE_BYTES, 0, 0 };

static void add_size(struct fz_note *note, const char *before,
		     uint64_t nr_pages)
{
	char size[FZ_FORMAT_BYTES];

	fz_format_bytes(size, sizeof(size), nr_pages << FZ_PAGE_SHIFT);
	fz_note_add(note, "%s%s", before, size);
}

static void add_pages(struct fz_note *note, const struct fz_diff_view *view)
{
	const struct fz_policy_diff_question *question = view->question;
	const uint64_t nr_pages = question->request.nr_pages;

	if (!view->told) {
		fz_note_add(note, ", faulting page not told");
	} else if (view->chosen) {
		fz_note_add(note, ", fault page%s",
			    question->nr_pages == 1 ? "" : "s");
		for (size_t i = 0; i < question->nr_pages; i++)
			fz_note_add(note, " %" PRIu64, question->pages[i]);
	} else if (question->nr_pages == nr_pages) {
		fz_note_add(note, ", all %" PRIu64 " fault pages", nr_pages);
	} else {
		fz_note_add(note,
			    ", %zu of %" PRIu64
			    " fault pages (at both ends, in the middle, at the "
			    "radius, others drawn at random)",
			    question->nr_pages, nr_pages);
	}
}

static void add_models(struct fz_note *note, unsigned int models)
{
	fz_note_add(note, ", preempt");
	for (enum fz_preempt m = 0; m < FZ_NR_PREEMPT; m++)
		if (models & FZ_PREEMPT_BIT(m))
			fz_note_add(note, " %s", fz_preempt_name(m));
}

/* What was compared, and over what. */
static void add_scope(struct fz_note *note, const struct fz_diff_view *view)
{
	const struct fz_policy_diff_question *question = view->question;
	const struct fz_zero_request *request = &question->request;
	const unsigned int uses =
		question->policy[0]->uses | question->policy[1]->uses;

	fz_note_add(note, "%s and %s", question->policy[0]->name,
		    question->policy[1]->name);
	add_size(note, ", folio of ", request->nr_pages);
	add_pages(note, view);
	add_models(note, question->models);
	if (request->batch_pages && (uses & FZ_USES_BATCH))
		add_size(note, ", batch ", request->batch_pages);
	if (request->radius_pages != FZ_RADIUS_PAGES && (uses & FZ_USES_RADIUS))
		fz_note_add(note, ", radius %" PRIu64, request->radius_pages);
	if (request->highmem)
		fz_note_add(note, ", highmem");
	if (request->per_page_clear)
		fz_note_add(note, ", per-page clear");
	fz_note_add(note, ": %zu plans of each", view->diff->nr_pairs);
}

static void print_equal(FILE *out, const struct fz_diff_view *view)
{
	struct fz_note note = { .used = 0 };

	fz_note_add(&note, "equal: ");
	add_scope(&note, view);
	fz_note_print(out, &note, one_line);
}

/* By model, where models differ in it. */
static void add_counts(struct fz_note *note, const struct fz_diff_view *view)
{
	const size_t nr = fz_policy_diff_count(view->diff, FZ_PREEMPT_ANY);
	const unsigned int models = view->question->models;
	bool same = true;

	for (enum fz_preempt m = 0; m < FZ_NR_PREEMPT; m++)
		if (models & FZ_PREEMPT_BIT(m))
			same &= fz_policy_diff_count(view->diff,
						     FZ_PREEMPT_BIT(m)) == nr;
	for (enum fz_preempt m = 0; m < FZ_NR_PREEMPT && !same; m++)
		if (models & FZ_PREEMPT_BIT(m))
			fz_note_add(note, "%s%zu under %s",
				    models & (FZ_PREEMPT_BIT(m) - 1) ? ", "
								     : ": ",
				    fz_policy_diff_count(view->diff,
							 FZ_PREEMPT_BIT(m)),
				    fz_preempt_name(m));
}

static void print_summary(FILE *out, const struct fz_diff_view *view)
{
	struct fz_note scope = { .used = 0 }, counts = { .used = 0 };

	fz_note_add(&scope, "different: ");
	add_scope(&scope, view);
	fz_note_print(out, &scope, margins);
	if (view->told)
		fz_note_add(&counts, "at %zu of %zu fault pages",
			    fz_policy_diff_count(view->diff, FZ_PREEMPT_ANY),
			    view->question->nr_pages);
	else
		fz_note_add(&counts, "at any fault page");
	add_counts(&counts, view);
	fz_note_print(out, &counts, margins);
}

struct step_text {
	char text[64];
};

static struct step_text text_of(bool has, const struct fz_step *step)
{
	struct step_text text = { "(end)" };
	const char *hint = fz_plan_hint_word(step->hint);

	if (!has)
		return text;
	if (step->op != FZ_OP_CLEAR)
		snprintf(text.text, sizeof(text.text), "%s()",
			 fz_plan_op_word(step->op));
	else if (step->nr == 1)
		snprintf(text.text, sizeof(text.text), "clear %" PRIu64 " %s",
			 step->first, hint);
	else
		snprintf(text.text, sizeof(text.text),
			 "clear %" PRIu64 "-%" PRIu64 " %s", step->first,
			 step->first + step->nr - 1, hint);
	return text;
}

static void print_window(FILE *out, const struct fz_diff_view *view,
			 const struct fz_diff_window *window)
{
	const struct fz_policy_diff_question *question = view->question;

	fprintf(out, "\n  %7s  %-*s %s\n", "seq", STEP_WIDTH,
		question->policy[0]->name, question->policy[1]->name);
	for (size_t i = 0; i < window->nr; i++) {
		const struct fz_plan_diff *at = &window->at[i];

		fprintf(out, "%c %7" PRIu64 "  %-*s %s\n",
			fz_diff_is_shared(at) ? ' ' : '*', at->seq, STEP_WIDTH,
			text_of(at->has[0], &at->step[0]).text,
			text_of(at->has[1], &at->step[1]).text);
	}
}

static int print_first(FILE *out, const struct fz_diff_view *view,
		       const struct fz_plan_pair *first)
{
	struct fz_diff_window window;
	const int code = fz_diff_window_find(view, first, &window);

	if (code)
		return code;
	fputs("first ", out);
	if (view->told)
		fprintf(out, "at fault page %" PRIu64 " ", first->fault_page);
	fprintf(out, "under %s, at seq %" PRIu64 "\n",
		fz_preempt_name(first->preempt), first->diff.seq);
	print_window(out, view, &window);
	return 0;
}

/* "label: A in 3 of 6 plans, B in 6 of 6 plans"; nothing if in none. */
static void
print_plans(FILE *out, const struct fz_diff_view *view, const char *label,
	    size_t (*count)(const struct fz_diff_view *view, int policy))
{
	struct fz_note note = { .used = 0 };

	for (int i = 0; i < 2; i++) {
		const size_t nr = count(view, i);

		if (nr)
			fz_note_add(&note, "%s%s in %zu of %zu plans",
				    note.used ? ", " : label,
				    view->question->policy[i]->name, nr,
				    view->diff->nr_pairs);
	}
	fz_note_print(out, &note, margins);
}

static void print_marks(FILE *out, const struct fz_diff_view *view)
{
	char label[128];

	print_plans(out, view, FZ_CONDITIONAL_WORDS ": ",
		    fz_diff_count_conditional);
	snprintf(label, sizeof(label),
		 "sleeps where %s forbids it: ", view->question->context->name);
	print_plans(out, view, label, fz_diff_count_illegal);
}

int fz_diff_text(FILE *out, const struct fz_diff_view *diff_view)
{
	const struct fz_plan_pair *first =
		fz_policy_diff_first(diff_view->diff);
	struct fz_view view;
	int code = fz_view_begin(&view);

	if (code)
		return code;
	if (first)
		print_summary(view.stream, diff_view);
	else
		print_equal(view.stream, diff_view);
	print_marks(view.stream, diff_view);
	if (first)
		code = print_first(view.stream, diff_view, first);
	if (!code)
		return fz_view_end(&view, out);
	fz_view_drop(&view);
	return code;
}
