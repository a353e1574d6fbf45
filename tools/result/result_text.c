// SPDX-License-Identifier: GPL-2.0-or-later
/* The text view: one table and one verdict for each kind of fault. */
#include "result.h"

#include "histogram_text.h"
#include "policy_objects.h"
#include "row_facts.h"
#include "row_groups.h"
#include "text_parts.h"
#include "view.h"

static const struct fz_margins margins = { FZ_TEXT_WIDTH, 0, 2 };

static void add_backing(struct fz_note *note, const struct fz_row *row)
{
	struct fz_backing backing;

	if (!row->memory.bytes)
		return;
	backing = row->memory.backing;
	if (backing.verified_by[0])
		fz_note_add(note, " (verified: %s)", backing.verified_by);
	else
		fz_note_add(note, " (not verified)");
}

static void print_heading(FILE *out, const struct fz_labels *labels)
{
	struct fz_note note = { .used = 0 };

	fz_note_add(&note, "== ");
	fz_note_add_memory(&note, labels);
	add_backing(&note, &labels->result->rows[labels->lead]);
	fz_note_add_faults(&note, labels);
	fz_note_add_settings(&note, labels);
	fz_note_print(out, &note, margins);
}

static int print_group(FILE *out, const struct fz_result *result, size_t lead)
{
	const struct fz_labels labels = fz_labels_of(result, lead);
	const struct fz_verdict *verdict = fz_group_verdict(result, lead);
	int code;

	fputc('\n', out);
	print_heading(out, &labels);
	code = fz_text_table(out, &labels);
	if (verdict)
		fz_text_verdict(out, &labels, verdict);
	if (!code)
		code = fz_text_wakeups(out, &labels);
	if (!code)
		code = fz_text_counters(out, &labels);
	return code ? code : fz_text_probes(out, &labels);
}

/* Rows with the same steps have one histogram between them. */
static bool drawn_before(const struct fz_result *result, size_t row)
{
	for (size_t i = 0; i < row; i++)
		if (result->figures[i].has_stretches &&
		    fz_rows_are_twins(&result->rows[i], &result->rows[row]))
			return true;
	return false;
}

static void print_histograms(FILE *out, const struct fz_result *result)
{
	const struct fz_labels labels = fz_labels_of(result, FZ_NO_GROUP);

	for (size_t i = 0; i < result->nr_rows; i++) {
		const struct fz_row *row = &result->rows[i];
		struct fz_note note = { .used = 0 };
		char label[FZ_LABEL_BYTES];

		if (!result->figures[i].has_stretches ||
		    drawn_before(result, i))
			continue;
		fz_row_label(label, sizeof(label), &labels, row);
		fz_note_add(&note, "stretches between resched points, r%zu %s",
			    i + 1, label);
		fputc('\n', out);
		fz_note_print(out, &note, margins);
		fz_histogram_text(out, &fz_row_data(row)->samples->stretch_ns);
	}
}

static int print_all(FILE *out, const struct fz_result *result)
{
	int code = 0;

	fz_text_header(out, result);
	fz_policy_objects_text(out, result->policies, margins);
	for (size_t i = 0; i < result->nr_rows && !code; i++)
		if (fz_row_leads_group(result, i))
			code = print_group(out, result, i);
	fputc('\n', out);
	fz_text_notes(out, result);
	if (result->histograms)
		print_histograms(out, result);
	return code;
}

int fz_result_text(FILE *out, const struct fz_result *result)
{
	struct fz_view view;
	int code = fz_view_begin(&view);

	if (code)
		return code;
	code = print_all(view.stream, result);
	if (!code)
		return fz_view_end(&view, out);
	fz_view_drop(&view);
	return code;
}
