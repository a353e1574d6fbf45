// SPDX-License-Identifier: GPL-2.0-or-later
/* A plan as CSV: one row a primitive call or resched call. */
#include "plan_view.h"

#include "line_buffer.h"

/* "by" of a step; NULL where the column is not asked for. */
static const char *by_word(const struct fz_plan_view *view, uint64_t seq,
			   uint64_t allocator_steps)
{
	if (view->init == FZ_INIT_OFF)
		return NULL;
	return seq < allocator_steps ? "allocator" : "policy";
}

static void put_row(struct fz_lines *lines, uint64_t seq,
		    const struct fz_step *step, enum fz_preempt model,
		    const char *by)
{
	fz_lines_u64(lines, seq);
	fz_lines_text(lines, ",");
	fz_lines_text(lines, fz_plan_step_word(step, model));
	fz_lines_text(lines, ",");
	fz_lines_u64(lines, step->first);
	fz_lines_text(lines, ",");
	fz_lines_u64(lines, step->nr);
	fz_lines_text(lines, ",");
	if (step->op == FZ_OP_CLEAR)
		fz_lines_text(lines, fz_plan_hint_word(step->hint));
	if (by) {
		fz_lines_text(lines, ",");
		fz_lines_text(lines, by);
	}
	fz_lines_text(lines, "\n");
}

int fz_plan_csv(FILE *out, const struct fz_plan_view *view)
{
	const uint64_t allocator_steps = fz_plan_allocator_steps(view);
	struct fz_walker walker;
	struct fz_lines lines;
	struct fz_step step;
	uint64_t seq = 0;

	fz_lines_init(&lines, out);
	fz_lines_text(&lines, "seq,op,first_page,nr_pages,hint");
	fz_lines_text(&lines, view->init == FZ_INIT_OFF ? "\n" : ",by\n");
	fz_walker_begin(&walker, view->plan);
	while (!lines.error && fz_walker_next(&walker, &step)) {
		put_row(&lines, seq, &step, view->request->preempt,
			by_word(view, seq, allocator_steps));
		seq++;
	}
	return fz_lines_finish(&lines);
}
