// SPDX-License-Identifier: GPL-2.0-or-later
/* The table that belongs in a commit message: ASCII, at most 72 columns. */
#include "result.h"

#include <math.h>
#include <string.h>

#include <fz/significance.h>
#include <fz/units.h>

#include "command_wrap.h"
#include "policy_objects.h"
#include "row_facts.h"
#include "row_groups.h"
#include "row_label.h"
#include "view.h"

#define COMMIT_WIDTH 72
#define INDENT       2
/* Leaves 2 columns for figures that are wider than their columns. */
#define MAX_LABEL_COLUMNS 38

static const struct fz_margins margins = { COMMIT_WIDTH, INDENT, INDENT };

static const char *or_unknown(const char *text)
{
	return text[0] ? text : "unknown";
}

static void print_machine(FILE *out, const struct fz_machine *machine)
{
	struct fz_note note = { .used = 0 };

	fz_note_add(&note, "%s%s, Linux %s, preempt=%s",
		    or_unknown(machine->cpu),
		    machine->virtualised ? " (virtual)" : "",
		    or_unknown(machine->kernel),
		    or_unknown(machine->preempt_mode.value));
	fz_note_print(out, &note, margins);
}

static void print_setting(FILE *out, const struct fz_labels *labels)
{
	struct fz_note note = { .used = 0 };

	fz_note_add_memory(&note, labels);
	fz_note_add_faults(&note, labels);
	fz_note_add_settings(&note, labels);
	fz_note_print(out, &note, margins);
}

/* Width of the labels that fit beside their figures. */
static int label_columns(const struct fz_labels *labels)
{
	const struct fz_result *result = labels->result;
	int columns = 0;

	for (size_t i = 0; i < result->nr_rows; i++) {
		char label[FZ_LABEL_BYTES];
		int len;

		if (!fz_row_in_group(result, labels->lead, i))
			continue;
		fz_row_label(label, sizeof(label), labels, &result->rows[i]);
		len = (int)strlen(label);
		if (len <= MAX_LABEL_COLUMNS && len > columns)
			columns = len;
	}
	return columns;
}

/* "+39.4%": the median of the ratios paired by round, less 1. */
static void change_text(char *buf, size_t cap, const struct fz_labels *labels,
			const struct fz_row *row)
{
	const struct fz_result *result = labels->result;
	const struct fz_figures *figures = fz_row_figures(result, row);
	const double pct = 100.0 * (figures->ratio.median - 1.0);

	/* A baseline that the reader does not see is none. */
	if (!figures->baseline || !isfinite(pct) ||
	    !fz_row_in_group(result, labels->lead,
			     fz_row_index(result, figures->baseline)))
		snprintf(buf, cap, "-");
	else if (figures->baseline == row)
		snprintf(buf, cap, "base");
	else
		snprintf(buf, cap, fabs(pct) < 1000.0 ? "%+.1f%%" : "%+.0f%%",
			 pct);
}

/* "14.91 +-  0.30%"; one round has no spread. */
static void mean_text(char *buf, size_t cap, const struct fz_figures *figures,
		      size_t rounds)
{
	const struct fz_bandwidth *bandwidth = &figures->bandwidth;
	const double gib = fz_gib_per_s(bandwidth->mean_bps);

	if (!isfinite(gib))
		snprintf(buf, cap, "-          ");
	else if (rounds > 1 && isfinite(bandwidth->stdev_pct))
		snprintf(buf, cap, "%.2f +- %5.2f%%", gib,
			 bandwidth->stdev_pct);
	else
		snprintf(buf, cap, "%.2f          ", gib);
}

static void print_row(FILE *out, const struct fz_labels *labels, size_t index,
		      int columns)
{
	const struct fz_row *row = &labels->result->rows[index];
	const struct fz_figures *figures = &labels->result->figures[index];
	char label[FZ_LABEL_BYTES], mean[FZ_LABEL_BYTES];
	char change[FZ_LABEL_BYTES];

	fz_row_label(label, sizeof(label), labels, row);
	if ((int)strlen(label) > columns) {
		struct fz_note note = { .used = 0 };

		fz_note_add(&note, "%s", label);
		fz_note_print(out, &note, margins);
		label[0] = '\0';
	}
	mean_text(mean, sizeof(mean), figures, fz_row_data(row)->rounds);
	change_text(change, sizeof(change), labels, row);
	fprintf(out, "%*s%-*s  %18s  %8s\n", INDENT, "", columns, label, mean,
		change);
}

static void print_verdict(FILE *out, const struct fz_labels *labels,
			  const struct fz_verdict *verdict)
{
	struct fz_note note = { .used = 0 };
	char label[FZ_LABEL_BYTES];

	if (!verdict)
		return;
	fz_row_label(label, sizeof(label), labels, verdict->best);
	if (verdict->winner)
		fz_note_add(&note,
			    "%s is faster than every other row (%zu paired "
			    "rounds, signed-rank, Holm-corrected, 5%%).",
			    label, verdict->rounds);
	else if (verdict->rounds < FZ_WINNER_MIN_ROUNDS)
		fz_note_add(&note, "Too few rounds to call a row fastest.");
	else
		fz_note_add(&note,
			    "No row is faster than every other row (%zu paired "
			    "rounds, signed-rank, Holm-corrected, 5%%).",
			    verdict->rounds);
	fputc('\n', out);
	fz_note_print(out, &note, margins);
}

static void print_baselines(FILE *out, const struct fz_result *result,
			    size_t lead)
{
	if (fz_group_baselines(result, lead).nr > 1)
		fprintf(out,
			"\n%*sChange: against the base with the closest "
			"settings.\n",
			INDENT, "");
}

static void print_group(FILE *out, const struct fz_result *result, size_t lead)
{
	const struct fz_labels labels = fz_labels_of(result, lead);
	const int columns = label_columns(&labels);

	fputc('\n', out);
	print_setting(out, &labels);
	fprintf(out, "\n%*s%-*s  %18s  %8s\n", INDENT, "", columns, "",
		"GiB/s mean+-stdev%", "change");
	for (size_t i = 0; i < result->nr_rows; i++)
		if (fz_row_in_group(result, lead, i))
			print_row(out, &labels, i, columns);
	print_baselines(out, result, lead);
	print_verdict(out, &labels, fz_group_verdict(result, lead));
}

/* The first measured row of its policy that no kernel runs in a model? */
static bool is_hypothetical(const struct fz_result *result, size_t row,
			    enum fz_preempt model)
{
	return fz_row_is_measured(result, row) &&
	       fz_row_is_hypothetical(&result->rows[row]) &&
	       result->rows[row].config.preempt == model;
}

static bool policy_was_named(const struct fz_result *result, size_t row,
			     enum fz_preempt model)
{
	for (size_t i = 0; i < row; i++)
		if (is_hypothetical(result, i, model) &&
		    result->rows[i].config.policy ==
			    result->rows[row].config.policy)
			return true;
	return false;
}

static void print_hypothetical(FILE *out, const struct fz_result *result,
			       enum fz_preempt model)
{
	struct fz_note note = { .used = 0 };

	for (size_t i = 0; i < result->nr_rows; i++) {
		if (!is_hypothetical(result, i, model) ||
		    policy_was_named(result, i, model))
			continue;
		if (!note.used)
			fz_note_add(
				&note,
				"Hypothetical: no x86-64 kernel runs preempt=%s "
				"with",
				fz_preempt_name(model));
		else
			fz_note_add(&note, ",");
		fz_note_add(&note, " %s", result->rows[i].config.policy->name);
	}
	if (!note.used)
		return;
	fz_note_add(&note, ".");
	fputc('\n', out);
	fz_note_print(out, &note, margins);
}

/* Was a warning of this kind, the word before its colon, named before? */
static bool kind_was_named(const struct fz_note *note, const char *warning,
			   int len)
{
	char word[FZ_WARNING_BYTES + 2];

	snprintf(word, sizeof(word), " %.*s,", len, warning);
	return strstr(note->text, word) != NULL;
}

static void print_warnings(FILE *out, const struct fz_result *result)
{
	struct fz_note note = { .used = 0 };

	for (size_t i = 0; i < result->nr_rows; i++)
		for (size_t w = 0; w < result->figures[i].nr_warnings; w++) {
			const char *warning = result->figures[i].warnings[w];
			const int len = (int)strcspn(warning, ":");

			if (!note.used)
				fz_note_add(&note, "Warnings:");
			if (!kind_was_named(&note, warning, len))
				fz_note_add(&note, " %.*s,", len, warning);
		}
	if (!note.used)
		return;
	note.used--; /* the last comma */
	fz_note_add(&note, ".");
	fputc('\n', out);
	fz_note_print(out, &note, margins);
}

static void print_modelled(FILE *out, const struct fz_result *result)
{
	struct fz_note note = { .used = 0 };

	if (!result->profile)
		return;
	fz_note_add(&note,
		    "model: priced by the profile '%s' (%s), not "
		    "measured.",
		    result->profile->name, result->profile->cpu);
	fputc('\n', out);
	fz_note_print(out, &note, margins);
}

static void print_missing(FILE *out, const struct fz_result *result)
{
	size_t nr = 0;

	for (size_t i = 0; i < result->nr_rows; i++)
		nr += !fz_row_is_measured(result, i);
	if (nr)
		fprintf(out, "\n%*s%zu of %zu rows could not be measured.\n",
			INDENT, "", nr, result->nr_rows);
}

static void print_all(FILE *out, const struct fz_result *result)
{
	print_machine(out, result->machine);
	fz_policy_objects_text(out, result->policies, margins);
	for (size_t i = 0; i < result->nr_rows; i++)
		if (fz_row_leads_group(result, i))
			print_group(out, result, i);
	for (enum fz_preempt m = 0; m < FZ_NR_PREEMPT; m++)
		print_hypothetical(out, result, m);
	fz_note_print_conditional(out, result, margins);
	print_modelled(out, result);
	print_warnings(out, result);
	print_missing(out, result);
	if (result->partial)
		fprintf(out, "\n%*sPartial: stopped by a signal.\n", INDENT,
			"");
	fputc('\n', out);
	fz_command_wrap(out, result->command, COMMIT_WIDTH, INDENT);
}

int fz_result_commit(FILE *out, const struct fz_result *result)
{
	struct fz_view view;
	int code = fz_view_begin(&view);

	if (code)
		return code;
	print_all(view.stream, result);
	return fz_view_end(&view, out);
}
