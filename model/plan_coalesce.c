// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the runs in a sequence of single steps. */
#include "plan_coalesce.h"

#include "run.h"

static uint64_t run_end(const struct fz_run *run)
{
	return run->first + run->nr;
}

static bool run_is_one_unit(const struct fz_run *run)
{
	return run->op == FZ_OP_CLEAR && run->nr == run->unit_pages;
}

/* Same kind of step, same place of the resched call. */
static bool runs_alike(const struct fz_run *a, const struct fz_run *b)
{
	return a->op == FZ_OP_CLEAR && b->op == FZ_OP_CLEAR &&
	       a->hint == b->hint && a->resched == b->resched;
}

/* Would a unit be cut into the same calls if call_pages were this? */
static bool unit_fits_call(const struct fz_run *unit, uint64_t call_pages)
{
	return unit->call_pages == call_pages ||
	       (unit->call_pages == unit->nr && unit->nr <= call_pages);
}

/*
 * One more clear call in the last unit, with no resched call before it. The
 * first unit of a run may grow at will: it says how long the others are.
 */
static bool run_extend_unit(struct fz_run *run, const struct fz_step *step)
{
	uint64_t unit_nr;

	if (run->op != FZ_OP_CLEAR || run->direction != FZ_DIRECTION_UP ||
	    run->resched == FZ_RESCHED_AFTER || run->hint != step->hint ||
	    step->first != run_end(run) || step->nr > run->call_pages)
		return false;
	unit_nr = run_is_one_unit(run) ? run->nr : run->nr % run->unit_pages;
	if (unit_nr == 0 || unit_nr % run->call_pages != 0)
		return false; /* the unit is full, or its short call was made */
	if (run_is_one_unit(run))
		run->unit_pages += step->nr;
	else if (unit_nr + step->nr > run->unit_pages)
		return false;
	run->nr += step->nr;
	return true;
}

/* One more unit above: a full one or the short last one. */
static bool run_join_up(struct fz_run *run, const struct fz_run *unit)
{
	if (run->direction != FZ_DIRECTION_UP || unit->first != run_end(run) ||
	    run->nr % run->unit_pages != 0 || unit->nr > run->unit_pages ||
	    !unit_fits_call(unit, run->call_pages))
		return false;
	run->nr += unit->nr;
	return true;
}

/* One more unit below: a full one, or the one after a short first one. */
static bool run_join_down(struct fz_run *run, const struct fz_run *unit)
{
	if (run_end(unit) != run->first)
		return false;
	if (run_is_one_unit(run) && unit->nr >= run->nr &&
	    unit_fits_call(run, unit->call_pages)) {
		run->unit_pages = unit->unit_pages;
		run->call_pages = unit->call_pages;
	} else if (run->direction != FZ_DIRECTION_DOWN ||
		   unit->nr != run->unit_pages ||
		   !unit_fits_call(unit, run->call_pages)) {
		return false;
	}
	run->direction = FZ_DIRECTION_DOWN;
	run->first = unit->first;
	run->nr += unit->nr;
	return true;
}

/* One more page between the two ends of a converging run. */
static bool draft_join_page(struct fz_draft *draft, const struct fz_run *page)
{
	const struct fz_run *run = &draft->run;

	if (draft->missing == 0 || page->nr != 1 ||
	    page->first !=
		    fz_run_converging_page(run, run->nr - draft->missing))
		return false;
	draft->missing--;
	return true;
}

static bool draft_join(struct fz_draft *draft, const struct fz_run *unit)
{
	if (!runs_alike(&draft->run, unit) || !run_is_one_unit(unit))
		return false;
	if (draft->run.direction == FZ_DIRECTION_CONVERGE)
		return draft_join_page(draft, unit);
	return run_join_up(&draft->run, unit) ||
	       run_join_down(&draft->run, unit);
}

/* May the last step of the run be a single page, taken off again? */
static bool run_ends_in_page(const struct fz_run *run)
{
	return run->direction == FZ_DIRECTION_UP && run->call_pages == 1 &&
	       (run->unit_pages == 1 ||
		(run_is_one_unit(run) && run->resched == FZ_RESCHED_NONE));
}

/*
 * Four drafts that end in the pages low, high, low + 1, high - 1 begin a
 * converging run. The first low page may have been taken for the end of an
 * ascending run. Returns the new number of drafts.
 */
static size_t drafts_converge(struct fz_draft *drafts, size_t nr)
{
	struct fz_draft *tail = &drafts[nr - 4];
	struct fz_run *run = &tail[0].run;
	const uint64_t low = run_end(run) - 1, high = tail[1].run.first;

	for (size_t i = 1; i < 4; i++)
		if (!runs_alike(run, &tail[i].run) || tail[i].run.nr != 1)
			return nr;
	if (!run_ends_in_page(run) || high < low + 4 ||
	    tail[2].run.first != low + 1 || tail[3].run.first != high - 1)
		return nr;
	if (run->nr > 1) {
		run->nr--;
		if (run->unit_pages > run->nr)
			run->unit_pages = run->nr;
		tail++;
		nr++;
	}
	tail[0].run = tail[1].run;
	tail[0].run.direction = FZ_DIRECTION_CONVERGE;
	tail[0].run.first = low;
	tail[0].run.nr = high + 1 - low;
	tail[0].missing = tail[0].run.nr - 4;
	return nr - 3;
}

static size_t drafts_reduce(struct fz_draft *drafts, size_t nr)
{
	if (nr >= 2 && draft_join(&drafts[nr - 2], &drafts[nr - 1].run))
		return nr - 1;
	return nr >= 4 ? drafts_converge(drafts, nr) : nr;
}

static size_t drafts_add_clear(struct fz_draft *drafts, size_t nr,
			       const struct fz_step *step)
{
	struct fz_run *last = nr ? &drafts[nr - 1].run : NULL;
	enum fz_resched resched = FZ_RESCHED_NONE;

	if (last && last->op == FZ_OP_COND_RESCHED) {
		resched = FZ_RESCHED_BEFORE;
		if (--last->nr == 0)
			nr--;
	} else if (last && run_extend_unit(last, step)) {
		return drafts_reduce(drafts, nr);
	}
	drafts[nr] = (struct fz_draft){ .run = {
						.op = FZ_OP_CLEAR,
						.first = step->first,
						.nr = step->nr,
						.unit_pages = step->nr,
						.call_pages = step->nr,
						.hint = (uint8_t)step->hint,
						.resched = (uint8_t)resched,
					} };
	return drafts_reduce(drafts, nr + 1);
}

static size_t drafts_add_call(struct fz_draft *drafts, size_t nr, enum fz_op op)
{
	struct fz_run *last = nr ? &drafts[nr - 1].run : NULL;

	if (last && last->op == op) {
		last->nr++;
		return nr;
	}
	if (last && op == FZ_OP_COND_RESCHED && run_is_one_unit(last) &&
	    last->resched == FZ_RESCHED_NONE) {
		last->resched = FZ_RESCHED_AFTER;
		return drafts_reduce(drafts, nr);
	}
	drafts[nr] = (struct fz_draft){ .run = { .op = (uint8_t)op, .nr = 1 } };
	return nr + 1;
}

size_t fz_drafts_add_step(struct fz_draft *drafts, size_t nr,
			  const struct fz_step *step)
{
	if (step->op == FZ_OP_CLEAR)
		return drafts_add_clear(drafts, nr, step);
	return drafts_add_call(drafts, nr, step->op);
}

size_t fz_draft_nr_runs(const struct fz_draft *draft)
{
	return draft->missing ? draft->run.nr - draft->missing : 1;
}

void fz_draft_write(const struct fz_draft *draft, struct fz_run *runs)
{
	const size_t nr = fz_draft_nr_runs(draft);

	for (size_t i = 0; i < nr; i++) {
		runs[i] = draft->run;
		if (draft->missing == 0)
			continue;
		runs[i].direction = FZ_DIRECTION_UP;
		runs[i].first = fz_run_converging_page(&draft->run, i);
		runs[i].nr = 1;
	}
}
