// SPDX-License-Identifier: GPL-2.0-or-later
/* The what-if table for a commit message: ASCII, at most 72 columns. */
#include "replay_report.h"

#include <math.h>
#include <string.h>

#include "command_wrap.h"
#include "policy_objects.h"
#include "replay_words.h"
#include "row_facts.h"
#include "row_groups.h"
#include "row_label.h"
#include "text_parts.h"
#include "view.h"

#define COMMIT_WIDTH  72
#define INDENT        2
#define LABEL_COLUMNS 36

static const struct fz_margins margins = { COMMIT_WIDTH, INDENT, INDENT };

static void print_row(FILE *out, const struct fz_labels *labels, size_t index)
{
	const struct fz_row *row = &labels->result->rows[index];
	const struct fz_figures *figures = &labels->result->figures[index];
	char label[FZ_LABEL_BYTES], p50[FZ_LABEL_BYTES], p99[FZ_LABEL_BYTES];
	char all[FZ_LABEL_BYTES];

	fz_row_label(label, sizeof(label), labels, row);
	if (strlen(label) > LABEL_COLUMNS) {
		struct fz_note note = { .used = 0 };

		fz_note_add(&note, "%s", label);
		fz_note_print(out, &note, margins);
		label[0] = '\0';
	}
	fz_text_ns(p50, sizeof(p50), (double)figures->fault_ns.p50);
	fz_text_ns(p99, sizeof(p99), (double)figures->fault_ns.p99);
	fz_text_ns(all, sizeof(all), 1e9 * row->seconds[0]);
	fprintf(out, "%*s%-*s %9s %9s %9s\n", INDENT, "", LABEL_COLUMNS, label,
		p50, p99, all);
}

static void print_group(FILE *out, const struct fz_result *result, size_t lead)
{
	const struct fz_labels labels = fz_labels_of(result, lead);
	struct fz_note note = { .used = 0 };

	fputc('\n', out);
	fz_note_add_size(&note, result->replay, &result->rows[lead]);
	fz_note_add_settings(&note, &labels);
	fz_note_print(out, &note, margins);
	fprintf(out, "\n%*s%-*s %9s %9s %9s\n", INDENT, "", LABEL_COLUMNS, "",
		"stall p50", "p99", "all");
	for (size_t i = 0; i < result->nr_rows; i++)
		if (fz_row_in_group(result, lead, i))
			print_row(out, &labels, i);
}

static void print_all(FILE *out, const struct fz_result *result)
{
	fz_replay_print_trace(out, result->replay, margins);
	fz_policy_objects_text(out, result->policies, margins);
	for (size_t i = 0; i < result->nr_rows; i++)
		if (fz_row_leads_group(result, i))
			print_group(out, result, i);
	fz_note_print_conditional(out, result, margins);
	if (result->partial)
		fprintf(out, "\n%*sPartial: stopped by a signal.\n", INDENT,
			"");
	fputc('\n', out);
	fz_command_wrap(out, result->command, COMMIT_WIDTH, INDENT);
}

int fz_replay_commit(FILE *out, const struct fz_result *result)
{
	struct fz_view view;
	int code = fz_view_begin(&view);

	if (code)
		return code;
	print_all(view.stream, result);
	return fz_view_end(&view, out);
}
