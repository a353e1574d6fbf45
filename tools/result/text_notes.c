// SPDX-License-Identifier: GPL-2.0-or-later
/* Everything that a reader must know before believing a row. */
#include "text_parts.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "row_facts.h"

static const struct fz_margins margins = { FZ_TEXT_WIDTH, 0, 2 };

static bool is_measured(const struct fz_result *result, size_t row,
			const void *arg)
{
	(void)arg;
	return fz_row_is_measured(result, row);
}

/* " (all rows)" where that is so, else " (r1 r3)". */
static void add_which(struct fz_note *note, const struct fz_result *result,
		      fz_row_test test, const void *arg)
{
	const size_t nr = fz_count_rows(result, test, arg);

	if (nr > 1 && nr == fz_count_rows(result, is_measured, NULL)) {
		fz_note_add(note, " (all rows)");
		return;
	}
	fz_note_add(note, " (");
	fz_note_add_ids(note, result, test, arg);
	fz_note_add(note, ")");
}

static bool is_twin_of(const struct fz_result *result, size_t row,
		       const void *arg)
{
	const struct fz_row *other = arg;

	return &result->rows[row] == other ||
	       fz_rows_are_twins(&result->rows[row], other);
}

static bool has_twin(const struct fz_result *result, size_t row,
		     const void *arg)
{
	(void)arg;
	for (size_t i = 0; i < result->nr_rows; i++)
		if (result->rows[i].twin == &result->rows[row] &&
		    fz_row_is_measured(result, i))
			return true;
	return false;
}

static void print_twins(FILE *out, const struct fz_result *result)
{
	struct fz_note note = { .used = 0 };
	const char *separator = "same steps, measured once: ";

	for (size_t i = 0; i < result->nr_rows; i++) {
		if (!has_twin(result, i, NULL))
			continue;
		fz_note_add(&note, "%s", separator);
		fz_note_add_ids(&note, result, is_twin_of, &result->rows[i]);
		separator = "; ";
	}
	fz_note_print(out, &note, margins);
}

/* Rows that no kernel could run, by model. */
static bool is_hypothetical(const struct fz_result *result, size_t row,
			    const void *arg)
{
	const enum fz_preempt *model = arg;

	return fz_row_is_measured(result, row) &&
	       fz_row_is_hypothetical(&result->rows[row]) &&
	       result->rows[row].config.preempt == *model;
}

static void print_hypothetical(FILE *out, const struct fz_result *result)
{
	for (enum fz_preempt m = 0; m < FZ_NR_PREEMPT; m++) {
		struct fz_note note = { .used = 0 };

		if (!fz_count_rows(result, is_hypothetical, &m))
			continue;
		fz_note_add(
			&note,
			"hypothetical: no x86-64 kernel runs preempt=%s with "
			"these policies",
			fz_preempt_name(m));
		add_which(&note, result, is_hypothetical, &m);
		fz_note_print(out, &note, margins);
	}
}

static bool is_conditional(const struct fz_result *result, size_t row,
			   const void *arg)
{
	(void)arg;
	return fz_row_is_measured(result, row) &&
	       fz_row_is_conditional(&result->rows[row]);
}

static void print_conditional(FILE *out, const struct fz_result *result)
{
	struct fz_note note = { .used = 0 };

	fz_note_add_conditional(&note, result);
	if (note.used)
		add_which(&note, result, is_conditional, NULL);
	fz_note_print(out, &note, margins);
}

/* Length of the word before the colon. */
static size_t kind_length(const char *warning)
{
	return strcspn(warning, ":");
}

static bool same_warning_kind(const char *a, const char *b)
{
	return kind_length(a) == kind_length(b) &&
	       strncmp(a, b, kind_length(a)) == 0;
}

/* Rows with exactly this warning, and rows with another one of its kind. */
static bool has_warning(const struct fz_result *result, size_t row,
			const void *arg)
{
	const struct fz_figures *figures = &result->figures[row];

	for (size_t i = 0; i < figures->nr_warnings; i++)
		if (strcmp(figures->warnings[i], arg) == 0)
			return true;
	return false;
}

static bool has_like_warning(const struct fz_result *result, size_t row,
			     const void *arg)
{
	const struct fz_figures *figures = &result->figures[row];

	for (size_t i = 0; i < figures->nr_warnings; i++)
		if (same_warning_kind(figures->warnings[i], arg) &&
		    strcmp(figures->warnings[i], arg) != 0)
			return true;
	return false;
}

static bool told_before(const struct fz_result *result, size_t row,
			size_t warning)
{
	const char *text = result->figures[row].warnings[warning];

	for (size_t i = 0; i < row; i++)
		if (has_warning(result, i, text) ||
		    has_like_warning(result, i, text))
			return true;
	for (size_t w = 0; w < warning; w++)
		if (same_warning_kind(result->figures[row].warnings[w], text))
			return true;
	return false;
}

static void print_warning(FILE *out, const struct fz_result *result,
			  const char *warning)
{
	struct fz_note note = { .used = 0 };

	fz_note_add(&note, "%s", warning);
	add_which(&note, result, has_warning, warning);
	if (fz_count_rows(result, has_like_warning, warning)) {
		fz_note_add(&note, ", with other figures");
		add_which(&note, result, has_like_warning, warning);
	}
	fz_note_print(out, &note, margins);
}

static void print_warnings(FILE *out, const struct fz_result *result)
{
	for (size_t i = 0; i < result->nr_rows; i++)
		for (size_t w = 0; w < result->figures[i].nr_warnings; w++)
			if (!told_before(result, i, w))
				print_warning(out, result,
					      result->figures[i].warnings[w]);
}

/* Rows that share a reason; arg is the first of them. */
static bool has_reason(const struct fz_result *result, size_t row,
		       const void *arg)
{
	const struct fz_row *other = arg;
	const struct fz_row *self = &result->rows[row];

	return (self == other || self->status == other->status) &&
	       (self->status == FZ_ROW_UNSUPPORTED ||
		self->status == FZ_ROW_PARTIAL ||
		self->status == FZ_ROW_PENDING) &&
	       strcmp(self->reason, other->reason) == 0;
}

static bool reason_is_new(const struct fz_result *result, size_t row)
{
	if (!has_reason(result, row, &result->rows[row]))
		return false;
	for (size_t i = 0; i < row; i++)
		if (has_reason(result, i, &result->rows[row]))
			return false;
	return true;
}

/* The rows are not in the table, so a few of them are named here. */
static void add_names(struct fz_note *note, const struct fz_labels *labels,
		      const struct fz_row *first)
{
	const struct fz_result *result = labels->result;
	char page[FZ_LABEL_BYTES], label[FZ_LABEL_BYTES];
	const size_t nr = fz_count_rows(result, has_reason, first);

	fz_page_text(page, sizeof(page), first->config.page);
	fz_row_label(label, sizeof(label), labels, first);
	/* What is worked out is so without any memory. */
	fz_note_add(note, " (%s%s%s%s)", label, nr > 1 ? " and others" : "",
		    first->config.engine->zero ? ", " : "",
		    first->config.engine->zero ? page : "");
}

static void print_reasons(FILE *out, const struct fz_result *result)
{
	const struct fz_labels labels = fz_labels_of(result, FZ_NO_GROUP);

	for (size_t i = 0; i < result->nr_rows; i++) {
		const struct fz_row *row = &result->rows[i];
		struct fz_note note = { .used = 0 };

		if (!reason_is_new(result, i))
			continue;
		fz_note_add(&note, row->status == FZ_ROW_PARTIAL
					   ? "stopped early: "
					   : "not measured: ");
		fz_note_add_ids(&note, result, has_reason, row);
		if (row->status != FZ_ROW_PARTIAL)
			add_names(&note, &labels, row);
		fz_note_add(&note, ": %s",
			    row->reason[0] ? row->reason : "no reason known");
		fz_note_print(out, &note, margins);
	}
}

static bool has_stretches(const struct fz_result *result, size_t row,
			  const void *arg)
{
	(void)arg;
	return result->figures[row].has_stretches;
}

static void print_legend(FILE *out, const struct fz_result *result)
{
	struct fz_note note = { .used = 0 };

	if (!fz_count_rows(result, is_measured, NULL))
		return;
	fz_note_add(&note,
		    "GiB/s: 2^30 bytes per second, median of the rounds; "
		    "ratio: paired by round; +-: to the farther end of "
		    "the 95 %% interval; ");
	if (fz_count_rows(result, has_stretches, NULL))
		fz_note_add(&note, "wake-up: modelled from the stretches; ");
	fz_note_add(&note, "seed %" PRIu64, result->seed);
	fz_note_print(out, &note, margins);
}

static bool is_predicted(const struct fz_result *result, size_t row,
			 const void *arg)
{
	(void)arg;
	return result->figures[row].measured != NULL;
}

static bool is_modelled(const struct fz_result *result, size_t row,
			const void *arg)
{
	(void)arg;
	return result->rows[row].status == FZ_ROW_MODELLED;
}

static bool is_modelled_use(const struct fz_result *result, size_t row,
			    const void *arg)
{
	const struct fz_figures *figures = &result->figures[row];

	return is_modelled(result, row, arg) &&
	       (!isnan(figures->line_ns) || !isnan(figures->folio_ns));
}

static void print_modelled(FILE *out, const struct fz_result *result)
{
	struct fz_note note = { .used = 0 };

	if (!fz_count_rows(result, is_modelled, NULL))
		return;
	fz_note_add(&note,
		    "model: priced by the profile '%s' (%s), not measured; "
		    "clear calls and resched points, without the entry of a "
		    "fault, which buffers has not either",
		    result->profile->name, result->profile->cpu);
	if (fz_count_rows(result, is_predicted, NULL))
		fz_note_add(&note, "; model / measured: GiB/s over those of "
				   "the same row of buffers, paired by round");
	if (fz_count_rows(result, is_modelled_use, NULL))
		fz_note_add(&note,
			    "; use: of one folio on the profile's caches "
			    "(source: model), with the middle page where "
			    "random ones fault");
	fz_note_print(out, &note, margins);
}

void fz_text_doubts(FILE *out, const struct fz_result *result)
{
	if (result->partial)
		fputs("partial: the run was stopped by a signal\n", out);
	print_reasons(out, result);
	print_hypothetical(out, result);
	print_conditional(out, result);
	print_warnings(out, result);
	print_twins(out, result);
}

void fz_text_notes(FILE *out, const struct fz_result *result)
{
	fz_text_doubts(out, result);
	print_modelled(out, result);
	fz_text_counter_notes(out, result);
	fz_text_probe_notes(out, result);
	print_legend(out, result);
}
