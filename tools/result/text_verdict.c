// SPDX-License-Identifier: GPL-2.0-or-later
/* Who is fastest, if anybody, and what that costs. */
#include "text_parts.h"

#include <math.h>
#include <string.h>

#include <fz/significance.h>
#include <fz/units.h>

#include "row_facts.h"

static const struct fz_margins margins = { FZ_TEXT_WIDTH, 0, 2 };

static void add_row(struct fz_note *note, const struct fz_labels *labels,
		    const struct fz_row *row)
{
	char label[FZ_LABEL_BYTES];

	fz_row_label(label, sizeof(label), labels, row);
	fz_note_add(note, "%s (r%zu)", label,
		    fz_row_index(labels->result, row) + 1);
}

/* Is the row what the running kernel does, primitive and all? */
static bool is_kernels(const struct fz_result *result, const struct fz_row *row)
{
	const struct fz_finding *policy =
		row->config.page.kind == FZ_PAGES_BASE
			? &result->machine->base_policy
			: &result->machine->kernel_policy;

	return policy->value[0] && row->config.policy &&
	       row->config.clear == result->machine->kernel_clear &&
	       strcmp(policy->value, row->config.policy->name) == 0;
}

static void add_lead(struct fz_note *note, const struct fz_labels *labels,
		     const struct fz_row *row)
{
	const struct fz_figures *figures = fz_row_figures(labels->result, row);
	char ratio[FZ_LABEL_BYTES];

	if (figures->baseline == row) {
		fz_note_add(note, ", the baseline");
	} else if (figures->baseline) {
		fz_ratio_text(ratio, sizeof(ratio), &figures->ratio);
		fz_note_add(note, ", %s times as fast as ", ratio);
		add_row(note, labels, figures->baseline);
	} else if (isfinite(figures->bandwidth.median_bps)) {
		fz_note_add(note, ", %.2f GiB/s",
			    fz_gib_per_s(figures->bandwidth.median_bps));
	}
	if (is_kernels(labels->result,
		       figures->baseline ? figures->baseline : row))
		fz_note_add(note, ", which this kernel uses");
}

static void add_why_not(struct fz_note *note, const struct fz_labels *labels,
			const struct fz_verdict *verdict)
{
	if (verdict->rounds < FZ_WINNER_MIN_ROUNDS) {
		fz_note_add(note,
			    "; %zu round%s cannot have a winner, %d or more "
			    "can",
			    verdict->rounds, verdict->rounds == 1 ? "" : "s",
			    FZ_WINNER_MIN_ROUNDS);
		return;
	}
	if (!verdict->rival) {
		fz_note_add(note,
			    "; not clearly enough for %zu rows compared at "
			    "once in %zu rounds",
			    verdict->nr_rows, verdict->rounds);
		return;
	}
	fz_note_add(note, "; ");
	add_row(note, labels, verdict->rival);
	if (verdict->nr_rivals > 1)
		fz_note_add(note, " and %zu more", verdict->nr_rivals - 1);
	fz_note_add(note, " cannot be told from it in %zu rounds",
		    verdict->rounds);
}

/* Medians and paired ratios can disagree where rounds are bimodal. */
static bool leads_its_baseline(const struct fz_labels *labels,
			       const struct fz_row *row)
{
	const struct fz_figures *figures = fz_row_figures(labels->result, row);

	return !figures->baseline || figures->baseline == row ||
	       figures->ratio.median > 1.0;
}

static void print_fastest(FILE *out, const struct fz_labels *labels,
			  const struct fz_verdict *verdict)
{
	struct fz_note note = { .used = 0 };

	fz_note_add(&note, verdict->winner ? "fastest: " : "no winner: ");
	add_row(&note, labels, verdict->best);
	if (!verdict->winner)
		fz_note_add(&note, " has the lowest median time");
	if (verdict->winner || leads_its_baseline(labels, verdict->best))
		add_lead(&note, labels, verdict->best);
	if (!verdict->winner)
		add_why_not(&note, labels, verdict);
	fz_note_print(out, &note, margins);
}

/* "what 131us against 0.9us", or what is known of it; nothing of nothing. */
static void add_cost(struct fz_note *note, const char *what, double ns,
		     double baseline_ns)
{
	char text[FZ_FORMAT_BYTES];

	if (!isfinite(ns))
		return;
	fz_text_ns(text, sizeof(text), ns);
	fz_note_add(note, "%s%s %s", note->used ? "; " : "costs: ", what, text);
	if (!isfinite(baseline_ns))
		return;
	fz_text_ns(text, sizeof(text), baseline_ns);
	fz_note_add(note, " against the baseline's %s", text);
}

/* Not the longest one, which may be an interrupt's or the host's. */
static double stretch_of(const struct fz_figures *figures)
{
	return figures && figures->has_stretches
		       ? (double)figures->interval_ns.p99
		       : NAN;
}

static double wakeup_of(const struct fz_figures *figures)
{
	return figures && figures->has_stretches ? figures->wakeup_ns.p99_ns
						 : NAN;
}

static double near_of(const struct fz_figures *figures)
{
	return figures ? figures->near_ns : NAN;
}

/* Without acting points the model decides who waits. */
static void add_preemption(struct fz_note *note, const struct fz_row *row)
{
	const enum fz_preempt model = row->config.preempt;
	const bool lazy =
		model == FZ_PREEMPT_LAZY || model == FZ_PREEMPT_RT_LAZY;

	if (!row->config.engine->runs_plans ||
	    !fz_preempt_is_preemptible(model))
		return;
	fz_note_add(note, "%s%s preempts clearing anywhere%s",
		    note->used ? "; " : "costs: ", fz_preempt_name(model),
		    lazy ? ", but a fair wake-up waits for the end of the "
			   "fault or the next tick"
			 : "");
}

static void print_costs(FILE *out, const struct fz_result *result,
			const struct fz_row *row)
{
	const struct fz_figures *own = fz_row_figures(result, row);
	const struct fz_figures *other = NULL;
	struct fz_note note = { .used = 0 };

	if (own->baseline && own->baseline != row)
		other = fz_row_figures(result, own->baseline);
	add_cost(&note, "stretch p99", stretch_of(own), stretch_of(other));
	add_cost(&note, "wake-up p99 (a model)", wakeup_of(own),
		 wakeup_of(other));
	add_preemption(&note, row);
	add_cost(&note, "use of the near pages", near_of(own), near_of(other));
	fz_note_print(out, &note, margins);
}

void fz_text_verdict(FILE *out, const struct fz_labels *labels,
		     const struct fz_verdict *verdict)
{
	print_fastest(out, labels, verdict);
	print_costs(out, labels->result, verdict->best);
}
