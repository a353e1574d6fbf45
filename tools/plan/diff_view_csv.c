// SPDX-License-Identifier: GPL-2.0-or-later
/* A comparison as CSV: one row for each two plans that differ. */
#include "diff_view.h"

#include "line_buffer.h"
#include "plan_view.h"

/* Empty where a plan ends before the step. */
static void put_step(struct fz_lines *lines, bool has,
		     const struct fz_step *step)
{
	if (!has) {
		fz_lines_text(lines, ",,,,");
		return;
	}
	fz_lines_text(lines, ",");
	fz_lines_text(lines, fz_plan_op_word(step->op));
	fz_lines_text(lines, ",");
	fz_lines_u64(lines, step->first);
	fz_lines_text(lines, ",");
	fz_lines_u64(lines, step->nr);
	fz_lines_text(lines, ",");
	if (step->op == FZ_OP_CLEAR)
		fz_lines_text(lines, fz_plan_hint_word(step->hint));
}

static void put_row(struct fz_lines *lines, const struct fz_diff_view *view,
		    const struct fz_plan_pair *pair)
{
	if (view->told)
		fz_lines_u64(lines, pair->fault_page);
	fz_lines_text(lines, ",");
	fz_lines_text(lines, fz_preempt_name(pair->preempt));
	fz_lines_text(lines, ",");
	fz_lines_u64(lines, pair->diff.seq);
	for (int i = 0; i < 2; i++)
		put_step(lines, pair->diff.has[i], &pair->diff.step[i]);
	fz_lines_text(lines, "\n");
}

int fz_diff_csv(FILE *out, const struct fz_diff_view *view)
{
	struct fz_lines lines;

	fz_lines_init(&lines, out);
	fz_lines_text(&lines, "fault_page,preempt,seq,"
			      "op_1,first_page_1,nr_pages_1,hint_1,"
			      "op_2,first_page_2,nr_pages_2,hint_2\n");
	for (size_t i = 0; i < view->diff->nr_pairs; i++)
		if (view->diff->pairs[i].differ)
			put_row(&lines, view, &view->diff->pairs[i]);
	return fz_lines_finish(&lines);
}
