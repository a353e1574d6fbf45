// SPDX-License-Identifier: GPL-2.0-or-later
/* Rows as words: names, settings and lists of ids. */
#include "row_label.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <fz/folio.h>
#include <fz/units.h>

#include "row_facts.h"
#include "row_groups.h"

void fz_row_name(char *buf, size_t cap, const struct fz_result *result,
		 const struct fz_row *row)
{
	const struct fz_engine *engine = row->config.engine;
	const char *policy = fz_row_policy_name(result->machine, row);
	const char *mark = fz_row_mark(row);

	if (engine == &fz_engine_buffers)
		snprintf(buf, cap, "%s%s", policy ? policy : engine->name,
			 mark);
	else
		snprintf(buf, cap, "%s%s%s%s", engine->name, policy ? ": " : "",
			 policy ? policy : "", mark);
}

static void batch_text(char *buf, size_t cap, const struct fz_row *row)
{
	uint64_t bytes;

	if (fz_row_batch_bytes(row, &bytes))
		fz_format_bytes(buf, cap, bytes);
}

static void radius_text(char *buf, size_t cap, const struct fz_row *row)
{
	uint64_t pages;

	if (fz_row_radius_pages(row, &pages))
		snprintf(buf, cap, "%" PRIu64, pages);
}

static const char *clear_name(const struct fz_clear *clear)
{
	return clear ? clear->name : "";
}

void fz_row_param(char *buf, size_t cap, const struct fz_row *row,
		  enum fz_row_param param)
{
	const struct fz_row_config *config = &row->config;

	buf[0] = '\0';
	switch (param) {
	case FZ_PARAM_CLEAR:
		snprintf(buf, cap, "%s", clear_name(config->clear));
		break;
	case FZ_PARAM_STREAM:
		snprintf(buf, cap, "%s", clear_name(config->stream));
		break;
	case FZ_PARAM_PREEMPT:
		if (config->engine->runs_plans)
			snprintf(buf, cap, "%s",
				 fz_preempt_name(config->preempt));
		break;
	case FZ_PARAM_BATCH:
		batch_text(buf, cap, row);
		break;
	case FZ_PARAM_RADIUS:
		radius_text(buf, cap, row);
		break;
	case FZ_NR_PARAMS:
		break;
	}
}

static bool same_kind(const struct fz_row_config *a,
		      const struct fz_row_config *b)
{
	return a->engine == b->engine && a->policy == b->policy;
}

static bool param_differs(const struct fz_row *a, const struct fz_row *b,
			  enum fz_row_param param)
{
	char text_a[FZ_LABEL_BYTES], text_b[FZ_LABEL_BYTES];

	fz_row_param(text_a, sizeof(text_a), a, param);
	fz_row_param(text_b, sizeof(text_b), b, param);
	return strcmp(text_a, text_b) != 0;
}

static bool in_group(const struct fz_labels *labels, size_t row)
{
	return labels->lead == FZ_NO_GROUP
		       ? fz_row_is_measured(labels->result, row)
		       : fz_row_in_group(labels->result, labels->lead, row);
}

static bool counts(const struct fz_labels *labels, size_t row, bool any)
{
	return any || in_group(labels, row);
}

/* Against the first row of its kind: differing from that one is enough. */
static bool differs_from_first(const struct fz_labels *labels, size_t row,
			       enum fz_row_param param, bool any)
{
	const struct fz_row *rows = labels->result->rows;

	for (size_t i = 0; i < row; i++)
		if (counts(labels, i, any) &&
		    same_kind(&rows[i].config, &rows[row].config))
			return param_differs(&rows[i], &rows[row], param);
	return false;
}

static bool param_varies(const struct fz_labels *labels,
			 enum fz_row_param param, bool any)
{
	for (size_t i = 1; i < labels->result->nr_rows; i++)
		if (counts(labels, i, any) &&
		    differs_from_first(labels, i, param, any))
			return true;
	return false;
}

/* Are all rows of the group of one engine and policy? */
static bool is_one_kind(const struct fz_labels *labels)
{
	const struct fz_result *result = labels->result;
	const struct fz_row *first = NULL;

	for (size_t i = 0; i < result->nr_rows; i++) {
		const struct fz_row *row = &result->rows[i];

		if (!in_group(labels, i))
			continue;
		if (first && !same_kind(&first->config, &row->config))
			return false;
		first = row;
	}
	return first != NULL;
}

struct fz_labels fz_labels_of(const struct fz_result *result, size_t lead)
{
	struct fz_labels labels = { .result = result, .lead = lead };

	for (enum fz_row_param p = 0; p < FZ_NR_PARAMS; p++) {
		labels.varies[p] = param_varies(&labels, p, false);
		labels.varies_any[p] = param_varies(&labels, p, true);
		labels.has_common_name |= labels.varies[p];
	}
	labels.has_common_name &= is_one_kind(&labels);
	return labels;
}

void fz_row_label(char *buf, size_t cap, const struct fz_labels *labels,
		  const struct fz_row *row)
{
	static const char *const words[FZ_NR_PARAMS] = {
		[FZ_PARAM_CLEAR] = "",         [FZ_PARAM_STREAM] = "stream ",
		[FZ_PARAM_PREEMPT] = "",       [FZ_PARAM_BATCH] = "batch ",
		[FZ_PARAM_RADIUS] = "radius ",
	};
	const bool inside = in_group(labels, fz_row_index(labels->result, row));
	const bool *varies = inside ? labels->varies : labels->varies_any;

	buf[0] = '\0';
	if (!inside || !labels->has_common_name)
		fz_row_name(buf, cap, labels->result, row);
	for (enum fz_row_param p = 0; p < FZ_NR_PARAMS; p++) {
		const size_t used = strlen(buf);
		char text[FZ_LABEL_BYTES];

		fz_row_param(text, sizeof(text), row, p);
		if (text[0] && varies[p])
			snprintf(buf + used, cap - used, "%s%s%s",
				 used ? ", " : "", words[p], text);
	}
}

void fz_page_text(char *buf, size_t cap, struct fz_page_size page)
{
	static const char *const words[] = {
		[FZ_PAGES_BASE] = "base",
		[FZ_PAGES_THP] = "THP",
		[FZ_PAGES_MTHP] = "mTHP",
		[FZ_PAGES_HUGETLB] = "hugetlb",
	};
	char bytes[FZ_FORMAT_BYTES];

	fz_format_bytes(bytes, sizeof(bytes), page.bytes);
	snprintf(buf, cap, "%s %s pages", bytes, words[page.kind]);
}

void fz_ratio_text(char *buf, size_t cap, const struct fz_ratio *ratio)
{
	if (!isfinite(ratio->median))
		snprintf(buf, cap, "unknown");
	else if (ratio->rounds > 1 && isfinite(ratio->ci95.lo) &&
		 isfinite(ratio->ci95.hi))
		snprintf(buf, cap, "%.2f (%.2f-%.2f)", ratio->median,
			 ratio->ci95.lo, ratio->ci95.hi);
	else
		snprintf(buf, cap, "%.2f", ratio->median);
}

size_t fz_count_rows(const struct fz_result *result, fz_row_test test,
		     const void *arg)
{
	size_t nr = 0;

	for (size_t i = 0; i < result->nr_rows; i++)
		nr += test(result, i, arg);
	return nr;
}

void fz_note_add_ids(struct fz_note *note, const struct fz_result *result,
		     fz_row_test test, const void *arg)
{
	const char *blank = "";

	for (size_t i = 0; i < result->nr_rows; i++) {
		size_t last = i;

		if (!test(result, i, arg))
			continue;
		while (last + 1 < result->nr_rows &&
		       test(result, last + 1, arg))
			last++;
		if (last == i)
			fz_note_add(note, "%sr%zu", blank, i + 1);
		else
			fz_note_add(note, "%sr%zu-r%zu", blank, i + 1,
				    last + 1);
		blank = " ";
		i = last;
	}
}

void fz_note_add_conditional(struct fz_note *note,
			     const struct fz_result *result)
{
	for (size_t i = 0; i < result->nr_rows; i++) {
		if (!fz_row_is_measured(result, i) ||
		    !fz_row_is_conditional(&result->rows[i]))
			continue;
		fz_note_add(note, FZ_CONDITIONAL_MARK " " FZ_CONDITIONAL_WORDS);
		return;
	}
}

void fz_note_print_conditional(FILE *out, const struct fz_result *result,
			       struct fz_margins margins)
{
	struct fz_note note = { .used = 0 };

	fz_note_add_conditional(&note, result);
	if (!note.used)
		return;
	fz_note_add(&note, ".");
	fputc('\n', out);
	fz_note_print(out, &note, margins);
}
