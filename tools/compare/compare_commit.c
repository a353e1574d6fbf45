// SPDX-License-Identifier: GPL-2.0-or-later
/* Before and after, for a commit message: ASCII, at most 72 columns. */
#include "compare.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <fz/units.h>

#include "command_wrap.h"
#include "compare_words.h"
#include "printable.h"
#include "view.h"

#define COMMIT_WIDTH 72
#define INDENT       2
/* Figures take 39 columns, and 3 are left for wider ones. */
#define MAX_LABEL_COLUMNS 28

static const struct fz_margins margins = { COMMIT_WIDTH, INDENT, INDENT };

static const char *or_unknown(const json_t *value)
{
	return json_is_string(value) ? json_string_value(value) : "unknown";
}

static void print_machine(FILE *out, const struct fz_pair *pair)
{
	const json_t *machine = pair->sides[0].documents[0].machine;
	struct fz_note note = { .used = 0 };

	fz_note_add(&note, "%s%s, Linux %s, preempt=%s",
		    or_unknown(fz_json_at(machine, "cpu")),
		    json_is_true(fz_json_at(machine, "virtualised"))
			    ? " (virtual)"
			    : "",
		    or_unknown(fz_json_at(machine, "kernel")),
		    or_unknown(fz_json_at(machine, "preempt_mode.value")));
	fz_make_printable(note.text);
	fz_note_print(out, &note, margins);
}

static void print_facts(FILE *out, const struct fz_pair *pair)
{
	if (pair->facts.nr)
		fprintf(out, "\n%*sDiffers between %c and %c:\n", INDENT, "",
			fz_side_letter(pair->indices[0]),
			fz_side_letter(pair->indices[1]));
	for (size_t i = 0; i < pair->facts.nr; i++) {
		struct fz_note note = { .used = 0 };

		fz_note_add_fact(&note, pair, i);
		fz_note_print(out, &note, margins);
	}
	if (pair->facts.more)
		fprintf(out, "%*sand %zu more\n", INDENT, "", pair->facts.more);
}

static int label_columns(const struct fz_pair *pair, size_t lead)
{
	size_t columns = 0;

	for (size_t i = lead; i < pair->nr_rows; i++) {
		char label[FZ_WORDS_BYTES];

		if (!fz_pair_rows_share(pair, lead, i))
			continue;
		fz_compared_label(label, sizeof(label), pair, &pair->rows[i]);
		if (strlen(label) <= MAX_LABEL_COLUMNS &&
		    strlen(label) > columns)
			columns = strlen(label);
	}
	return (int)columns;
}

static void pct_text(char *buf, size_t cap, double ratio)
{
	const double pct = fz_ratio_pct(ratio);

	if (pct < 1000)
		snprintf(buf, cap, "%+.1f%%", pct);
	else
		snprintf(buf, cap, ">+1000%%");
}

/* "-4.8%" and "[-7.1%, -2.4%]". */
static void change_texts(char *change, char *interval, size_t cap,
			 const struct fz_compared *row)
{
	char lo[24], hi[24];
	struct fz_interval ci;

	pct_text(change, cap, exp(row->change.log_ratio));
	snprintf(interval, cap,
		 row->verdict == FZ_COMPARE_DISTURBED ? "disturbed"
						      : "too few rounds");
	if (!fz_compared_is_tested(row))
		return;
	ci = fz_change_interval(&row->change, row->level);
	pct_text(lo, sizeof(lo), ci.lo);
	pct_text(hi, sizeof(hi), ci.hi);
	snprintf(interval, cap, "[%s, %s]", lo, hi);
}

static void print_row(FILE *out, const struct fz_pair *pair,
		      const struct fz_compared *row, int columns)
{
	char label[FZ_WORDS_BYTES], change[64], interval[64];

	fz_compared_label(label, sizeof(label), pair, row);
	if ((int)strlen(label) > columns) {
		struct fz_note note = { .used = 0 };

		fz_note_add(&note, "%s", label);
		fz_note_print(out, &note, margins);
		label[0] = '\0';
	}
	change_texts(change, interval, sizeof(change), row);
	fprintf(out, "%*s%-*s %6.2f %6.2f %c%7s %s\n", INDENT, "", columns,
		label, fz_gib_per_s(row->base.bps),
		fz_gib_per_s(row->other.bps),
		fz_compared_differs(row) ? '*' : ' ', change, interval);
}

static void print_group(FILE *out, const struct fz_pair *pair, size_t lead)
{
	const int columns = label_columns(pair, lead);
	const char base[] = { fz_side_letter(pair->indices[0]), '\0' };
	const char other[] = { fz_side_letter(pair->indices[1]), '\0' };
	struct fz_note note = { .used = 0 };

	fputc('\n', out);
	fz_note_add_heading(&note, pair, lead);
	fz_note_print(out, &note, margins);
	fprintf(out, "\n%*s%-*s %6s %6s  %7s\n", INDENT, "", columns, "GiB/s",
		base, other, "change");
	for (size_t i = lead; i < pair->nr_rows; i++)
		if (fz_pair_rows_share(pair, lead, i))
			print_row(out, pair, &pair->rows[i], columns);
}

static void print_remarks(FILE *out, const struct fz_pair *pair)
{
	fputc('\n', out);
	for (size_t i = 0; i < pair->nr_rows; i++) {
		struct fz_note note = { .used = 0 };

		fz_note_add_outcome(&note, pair, i);
		fz_note_print(out, &note, margins);
	}
	for (size_t i = 0; i < pair->nr_left; i++) {
		struct fz_note note = { .used = 0 };

		fz_note_add_left(&note, pair, i);
		fz_note_print(out, &note, margins);
	}
}

static void print_pair(FILE *out, const struct fz_pair *pair)
{
	print_facts(out, pair);
	for (size_t i = 0; i < pair->nr_rows; i++)
		if (fz_pair_row_leads(pair, i))
			print_group(out, pair, i);
	if (pair->nr_left || fz_pair_has_outcomes(pair))
		print_remarks(out, pair);
}

static void print_note(FILE *out, const struct fz_note *note)
{
	if (note->used)
		fputc('\n', out);
	fz_note_print(out, note, margins);
}

static void print_method(FILE *out, const struct fz_compare *compare)
{
	struct fz_note twins = { .used = 0 }, method = { .used = 0 };
	struct fz_note disturbed = { .used = 0 };

	fz_note_add_twins(&twins, compare);
	print_note(out, &twins);
	fz_note_add_disturbed(&disturbed, compare);
	print_note(out, &disturbed);
	fz_note_add(&method,
		    "* differs (Holm-corrected over the rows, 5%%); intervals "
		    "are 95%% for all rows together");
	if (fz_nr_tested(compare, true)) {
		fz_note_add(&method, "; ");
		fz_note_add_runs_method(&method, compare);
	}
	if (fz_nr_tested(compare, false)) {
		fz_note_add(&method, "; ");
		fz_note_add_rounds_method(&method, compare);
	}
	fz_note_add(&method, ".");
	print_note(out, &method);
}

static int print_command(FILE *out, const char *command)
{
	char *text = strdup(command);

	if (!text)
		return -ENOMEM;
	fz_make_printable(text);
	fz_command_wrap(out, text, COMMIT_WIDTH, INDENT);
	free(text);
	return 0;
}

static int print_commands(FILE *out, const struct fz_compare *compare)
{
	int code = 0;

	for (size_t i = 0; i < compare->nr_sides; i++) {
		const struct fz_document *document =
			&compare->sides[i].documents[0];

		fprintf(out, "\n%*s%c%s:\n", INDENT, "", fz_side_letter(i),
			document->partial ? ", partial" : "");
		if (document->command && !code)
			code = print_command(out, document->command);
	}
	return code;
}

int fz_compare_commit(FILE *out, const struct fz_compare *compare)
{
	struct fz_view view;
	int code = fz_view_begin(&view);

	if (code)
		return code;
	print_machine(view.stream, &compare->pairs[0]);
	for (size_t i = 0; i + 1 < compare->nr_sides; i++)
		print_pair(view.stream, &compare->pairs[i]);
	print_method(view.stream, compare);
	code = print_commands(view.stream, compare);
	if (!code)
		return fz_view_end(&view, out);
	fz_view_drop(&view);
	return code;
}
