// SPDX-License-Identifier: GPL-2.0-or-later
/* The text view of a comparison: a table for each kind of fault. */
#include "compare.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include <fz/units.h>

#include "compare_words.h"
#include "table.h"
#include "text_parts.h"
#include "view.h"

static const struct fz_margins margins = { FZ_TEXT_WIDTH, 0, 2 };

enum column {
	COLUMN_BASE_ID,
	COLUMN_ID,
	COLUMN_NAME,
	COLUMN_RUNS,
	COLUMN_BASE_GIB,
	COLUMN_GIB,
	COLUMN_RATIO,
	COLUMN_OTHERS,
	COLUMN_VERDICT,
	COLUMN_FINDS,
	NR_COLUMNS,
};

/* Wider labels are cut: what stands beside them fits then. */
#define MAX_LABEL_COLUMNS 50

/* Headings that name the sides. */
struct heads {
	struct fz_column columns[NR_COLUMNS];
	char base[8];
	char other[8];
	char ratio[8];
};

static void heads_init(struct heads *h, const struct fz_pair *pair)
{
	const char a = fz_side_letter(pair->indices[0]);
	const char b = fz_side_letter(pair->indices[1]);
	const struct fz_column columns[NR_COLUMNS] = {
		[COLUMN_BASE_ID] = { .head = { "", h->base } },
		[COLUMN_ID] = { .head = { "", h->other }, .tight = true },
		[COLUMN_NAME] = { .head = { "", "policy" },
				  .left = true,
				  .tight = true },
		[COLUMN_RUNS] = { .head = { "", "runs" }, .expendable = 4 },
		[COLUMN_BASE_GIB] = { .head = { "GiB/s", h->base },
				      .expendable = 3 },
		[COLUMN_GIB] = { .head = { "GiB/s", h->other },
				 .tight = true,
				 .expendable = 2 },
		[COLUMN_RATIO] = { .head = { "ratio and", h->ratio },
				   .left = true },
		[COLUMN_OTHERS] = { .head = { "other", "rows" },
				    .expendable = 5 },
		[COLUMN_VERDICT] = { .head = { "", "verdict" }, .left = true },
		[COLUMN_FINDS] = { .head = { "", "finds" }, .expendable = 1 },
	};

	snprintf(h->base, sizeof(h->base), "%c", a);
	snprintf(h->other, sizeof(h->other), "%c", b);
	snprintf(h->ratio, sizeof(h->ratio), "%c / %c", b, a);
	memcpy(h->columns, columns, sizeof(columns));
}

static void gib_text(char *cell, double bps)
{
	snprintf(cell, FZ_CELL_BYTES, "%.2f", fz_gib_per_s(bps));
}

/* Two runs a side may leave everything open. */
static void interval_text(char *buf, size_t cap, struct fz_interval ci)
{
	if (ci.lo >= 0.001 && ci.hi < 1000)
		snprintf(buf, cap, "(%.3f-%.3f)", ci.lo, ci.hi);
	else if (ci.lo >= 0.001)
		snprintf(buf, cap, "(above %.3f)", ci.lo);
	else if (ci.hi < 1000)
		snprintf(buf, cap, "(below %.3f)", ci.hi);
	else
		snprintf(buf, cap, "(anything)");
}

static void ratio_text(char *cell, const struct fz_compared *row)
{
	const double ratio = exp(row->change.log_ratio);
	char interval[40] = "";

	if (fz_compared_is_tested(row))
		interval_text(interval, sizeof(interval),
			      fz_change_interval(&row->change, row->level));
	snprintf(cell, FZ_CELL_BYTES, ratio < 1000 ? "%.3f%s%s" : "%.3g%s%s",
		 ratio, interval[0] ? " " : "", interval);
}

static void verdict_text(char *cell, const struct fz_compared *row)
{
	const double pct = fabs(fz_ratio_pct(exp(row->change.log_ratio)));
	const char *verb =
		row->verdict == FZ_COMPARE_FASTER ? "faster" : "slower";

	switch (row->verdict) {
	case FZ_COMPARE_FASTER:
	case FZ_COMPARE_SLOWER:
		snprintf(cell, FZ_CELL_BYTES, "%s by %.*f %%", verb,
			 pct < 9.95 ? 1 : 0, pct);
		break;
	case FZ_COMPARE_NO_DIFFERENCE:
		snprintf(cell, FZ_CELL_BYTES, "no difference");
		break;
	case FZ_COMPARE_TOO_FEW_ROUNDS:
		snprintf(cell, FZ_CELL_BYTES, "too few rounds");
		break;
	case FZ_COMPARE_DISTURBED:
		snprintf(cell, FZ_CELL_BYTES, "disturbed");
		break;
	}
}

static void finds_text(char *cell, const struct fz_compared *row)
{
	const double pct =
		fz_ratio_pct(fz_change_detectable(&row->change, row->level));

	if (!fz_compared_is_tested(row))
		return;
	if (pct < 1000)
		snprintf(cell, FZ_CELL_BYTES, "%.1f %%", pct);
	else
		snprintf(cell, FZ_CELL_BYTES, ">1000 %%");
}

static void fill_row(struct fz_table *table, const struct fz_pair *pair,
		     const struct fz_compared *row)
{
	const size_t line = table->nr_rows++;
	char label[FZ_WORDS_BYTES];

	snprintf(fz_table_cell(table, line, COLUMN_BASE_ID), FZ_CELL_BYTES,
		 "%s", row->base.row->id);
	snprintf(fz_table_cell(table, line, COLUMN_ID), FZ_CELL_BYTES, "%s",
		 row->other.row->id);
	fz_compared_label(label, sizeof(label), pair, row);
	snprintf(fz_table_cell(table, line, COLUMN_NAME), FZ_CELL_BYTES,
		 strlen(label) > MAX_LABEL_COLUMNS ? "%.*s.." : "%.*s",
		 MAX_LABEL_COLUMNS, label);
	if (row->of_runs)
		snprintf(fz_table_cell(table, line, COLUMN_RUNS), FZ_CELL_BYTES,
			 "%zu/%zu", row->base.runs, row->other.runs);
	gib_text(fz_table_cell(table, line, COLUMN_BASE_GIB), row->base.bps);
	gib_text(fz_table_cell(table, line, COLUMN_GIB), row->other.bps);
	ratio_text(fz_table_cell(table, line, COLUMN_RATIO), row);
	if (isfinite(row->others_ratio))
		snprintf(fz_table_cell(table, line, COLUMN_OTHERS),
			 FZ_CELL_BYTES, "%.3f", row->others_ratio);
	verdict_text(fz_table_cell(table, line, COLUMN_VERDICT), row);
	finds_text(fz_table_cell(table, line, COLUMN_FINDS), row);
}

static int print_table(FILE *out, const struct fz_pair *pair, size_t lead)
{
	struct heads heads;
	struct fz_table table;
	int code;

	heads_init(&heads, pair);
	code = fz_table_init(&table, heads.columns, NR_COLUMNS, pair->nr_rows);
	if (code)
		return code;
	for (size_t i = lead; i < pair->nr_rows; i++)
		if (fz_pair_rows_share(pair, lead, i))
			fill_row(&table, pair, &pair->rows[i]);
	fz_table_fit(&table, FZ_TEXT_WIDTH);
	/* One without the other is no use. */
	table.shown[COLUMN_GIB] =
		table.shown[COLUMN_GIB] && table.shown[COLUMN_BASE_GIB];
	fz_table_print(out, &table);
	fz_table_fini(&table);
	return 0;
}

static int print_group(FILE *out, const struct fz_pair *pair, size_t lead)
{
	struct fz_note note = { .used = 0 };

	fz_note_add(&note,
		    "== %c against %c: ", fz_side_letter(pair->indices[1]),
		    fz_side_letter(pair->indices[0]));
	fz_note_add_heading(&note, pair, lead);
	fputc('\n', out);
	fz_note_print(out, &note, margins);
	return print_table(out, pair, lead);
}

static void print_facts(FILE *out, const struct fz_pair *pair)
{
	for (size_t i = 0; i < pair->facts.nr; i++) {
		struct fz_note note = { .used = 0 };

		fz_note_add(&note, "differs: ");
		fz_note_add_fact(&note, pair, i);
		fz_note_print(out, &note, margins);
	}
	if (pair->facts.more)
		fprintf(out, "differs: %zu more\n", pair->facts.more);
}

static void print_outcomes(FILE *out, const struct fz_pair *pair)
{
	for (size_t i = 0; i < pair->nr_rows; i++) {
		struct fz_note note = { .used = 0 };

		fz_note_add_outcome(&note, pair, i);
		fz_note_print(out, &note, margins);
	}
}

static void print_left(FILE *out, const struct fz_pair *pair)
{
	for (size_t i = 0; i < pair->nr_left; i++) {
		struct fz_note note = { .used = 0 };

		fz_note_add_left(&note, pair, i);
		fz_note_print(out, &note, margins);
	}
}

static int print_pair(FILE *out, const struct fz_pair *pair)
{
	int code = 0;

	for (size_t i = 0; i < pair->nr_rows && !code; i++)
		if (fz_pair_row_leads(pair, i))
			code = print_group(out, pair, i);
	print_outcomes(out, pair);
	print_left(out, pair);
	return code;
}

static void print_document(FILE *out, const struct fz_compare *compare,
			   size_t side, size_t run)
{
	const struct fz_document *document =
		&compare->sides[side].documents[run];
	struct fz_note note = { .used = 0 };
	char name[8];

	fz_run_name(name, sizeof(name), &compare->sides[side], side, run);
	fz_note_add(&note, "%s: %s", name,
		    strcmp(document->path, "-") == 0 ? "standard input"
						     : document->path);
	if (document->partial)
		fz_note_add(&note, ", partial: stopped by a signal");
	if (document->command) {
		fz_note_add(&note, ": ");
		fz_note_add_printable(&note, document->command);
	}
	fz_note_print(out, &note, margins);
}

static void print_notes(FILE *out, const struct fz_compare *compare)
{
	struct fz_note twins = { .used = 0 }, rounds = { .used = 0 };
	struct fz_note runs = { .used = 0 }, legend = { .used = 0 };
	struct fz_note disturbed = { .used = 0 };

	fz_note_add_twins(&twins, compare);
	fz_note_print(out, &twins, margins);
	fz_note_add_disturbed(&disturbed, compare);
	fz_note_print(out, &disturbed, margins);
	if (fz_nr_with(compare, FZ_COMPARE_TOO_FEW_ROUNDS))
		fprintf(out, "too few rounds: a run counts from %d on\n",
			FZ_CHANGE_MIN_ROUNDS);
	if (fz_nr_tested(compare, true)) {
		fz_note_add_runs_method(&runs, compare);
		fz_note_print(out, &runs, margins);
	}
	if (fz_nr_tested(compare, false)) {
		fz_note_add_rounds_method(&rounds, compare);
		fz_note_add(&rounds, "; several runs a side measure it, see "
				     "--help");
		fz_note_print(out, &rounds, margins);
	}
	fz_note_add(&legend,
		    "ratio of bandwidths, above 1 is faster, with its 95 %% "
		    "interval for all rows of the pair together (Holm); other "
		    "rows: their median ratio, what they share may be the "
		    "machine's; no difference: none was found, one of the size "
		    "under 'finds' is found %.0f times in 100",
		    100 * FZ_CHANGE_POWER);
	fz_note_print(out, &legend, margins);
}

static int print_all(FILE *out, const struct fz_compare *compare)
{
	int code = 0;

	for (size_t i = 0; i < compare->nr_sides; i++)
		for (size_t j = 0; j < compare->sides[i].nr; j++)
			print_document(out, compare, i, j);
	for (size_t i = 0; i + 1 < compare->nr_sides; i++)
		print_facts(out, &compare->pairs[i]);
	for (size_t i = 0; i + 1 < compare->nr_sides && !code; i++)
		code = print_pair(out, &compare->pairs[i]);
	fputc('\n', out);
	print_notes(out, compare);
	return code;
}

int fz_compare_text(FILE *out, const struct fz_compare *compare)
{
	struct fz_view view;
	int code = fz_view_begin(&view);

	if (code)
		return code;
	code = print_all(view.stream, compare);
	if (!code)
		return fz_view_end(&view, out);
	fz_view_drop(&view);
	return code;
}
