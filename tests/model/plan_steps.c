// SPDX-License-Identifier: GPL-2.0-or-later
/* Plain arrays of steps, and an expansion of runs without the walker. */
#include "plan_steps.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

void steps_fini(struct steps *steps)
{
	free(steps->at);
	*steps = (struct steps){ .at = NULL };
}

static void steps_push(struct steps *steps, struct fz_step step)
{
	if (steps->nr == steps->capacity) {
		steps->capacity = steps->capacity ? 2 * steps->capacity : 64;
		steps->at = realloc(steps->at,
				    steps->capacity * sizeof(*steps->at));
		if (!steps->at)
			abort();
	}
	steps->at[steps->nr++] = step;
}

void steps_clear(struct steps *steps, uint64_t first, uint64_t nr,
		 enum fz_hint hint)
{
	steps_push(steps, (struct fz_step){ FZ_OP_CLEAR, hint, first, nr });
}

void steps_call(struct steps *steps, enum fz_op op)
{
	steps_push(steps, (struct fz_step){ .op = op });
}

static const char *parse_clear(struct steps *steps, const char *text)
{
	const bool streaming = *text == '~';
	char *end;
	const uint64_t first = strtoull(text + streaming, &end, 10);
	uint64_t nr = 1;

	if (end == text + streaming)
		abort();
	if (*end == '+')
		nr = strtoull(end + 1, &end, 10);
	steps_clear(steps, first, nr,
		    streaming ? FZ_HINT_STREAMING : FZ_HINT_CACHED);
	return end;
}

void steps_parse(struct steps *steps, const char *text)
{
	while (*text) {
		if (*text == 'P')
			steps_call(steps, FZ_OP_COND_RESCHED);
		else if (*text == 'M')
			steps_call(steps, FZ_OP_MIGHT_SLEEP);
		else if (!isspace((unsigned char)*text)) {
			text = parse_clear(steps, text);
			continue;
		}
		text++;
	}
}

void steps_walk(struct steps *steps, const struct fz_plan *plan)
{
	struct fz_walker walker;
	struct fz_step step;

	fz_walker_begin(&walker, plan);
	while (fz_walker_next(&walker, &step))
		steps_push(steps, step);
}

static void expand_unit(struct steps *steps, const struct fz_run *run,
			uint64_t unit)
{
	const uint64_t run_end = run->first + run->nr;
	uint64_t page = run->first + unit * run->unit_pages;
	uint64_t end = page + run->unit_pages;

	if (end > run_end)
		end = run_end;
	if (run->resched == FZ_RESCHED_BEFORE)
		steps_call(steps, FZ_OP_COND_RESCHED);
	for (; page < end; page += run->call_pages)
		steps_clear(steps, page,
			    page + run->call_pages <= end ? run->call_pages
							  : end - page,
			    (enum fz_hint)run->hint);
	if (run->resched == FZ_RESCHED_AFTER)
		steps_call(steps, FZ_OP_COND_RESCHED);
}

static void expand_run(struct steps *steps, const struct fz_run *run)
{
	uint64_t nr_units = 0;

	if (run->op != FZ_OP_CLEAR) {
		for (uint64_t i = 0; i < run->nr; i++)
			steps_call(steps, (enum fz_op)run->op);
		return;
	}
	while (nr_units * run->unit_pages < run->nr)
		nr_units++;
	for (uint64_t i = 0; i < nr_units; i++) {
		uint64_t unit = i;

		if (run->direction == FZ_DIRECTION_DOWN)
			unit = nr_units - 1 - i;
		else if (run->direction == FZ_DIRECTION_CONVERGE)
			unit = i % 2 ? nr_units - 1 - i / 2 : i / 2;
		expand_unit(steps, run, unit);
	}
}

void steps_expand(struct steps *steps, const struct fz_plan *plan)
{
	for (size_t i = 0; i < plan->nr_runs; i++)
		expand_run(steps, &plan->runs[i]);
}

bool steps_match(const struct steps *a, const struct steps *b,
		 size_t *first_bad)
{
	size_t i;

	for (i = 0; i < a->nr && i < b->nr; i++) {
		const struct fz_step *x = &a->at[i], *y = &b->at[i];

		if (x->op != y->op || x->hint != y->hint ||
		    x->first != y->first || x->nr != y->nr)
			break;
	}
	*first_bad = i;
	return i == a->nr && i == b->nr;
}

int steps_build(const struct steps *steps, uint64_t nr_pages,
		struct fz_plan *plan)
{
	struct fz_plan_builder *builder = fz_plan_builder_new(nr_pages);

	for (size_t i = 0; i < steps->nr; i++)
		fz_plan_add_step(builder, steps->at[i]);
	return fz_plan_finish(builder, plan);
}

struct fz_run random_run(struct fz_random *random, uint64_t nr_pages)
{
	struct fz_run run = { .nr = 1 + fz_random_below(random, nr_pages) };

	run.op = (uint8_t)(fz_random_below(random, 4)
				   ? FZ_OP_CLEAR
				   : 1 + fz_random_below(random, 2));
	if (run.op != FZ_OP_CLEAR)
		return run;
	run.first = fz_random_below(random, nr_pages - run.nr + 1);
	run.direction = (uint8_t)fz_random_below(random, 3);
	run.hint = (uint8_t)fz_random_below(random, 2);
	run.resched = (uint8_t)fz_random_below(random, 3);
	run.unit_pages = 1;
	if (run.direction != FZ_DIRECTION_CONVERGE)
		run.unit_pages += fz_random_below(random, run.nr);
	run.call_pages = 1 + fz_random_below(random, run.unit_pages);
	return run;
}

int random_plan(struct fz_random *random, uint64_t nr_pages,
		struct fz_plan *plan)
{
	struct fz_plan_builder *builder = fz_plan_builder_new(nr_pages);
	const uint64_t nr_runs = fz_random_below(random, 6);

	for (uint64_t i = 0; i < nr_runs; i++)
		fz_plan_add_run(builder, random_run(random, nr_pages));
	return fz_plan_finish(builder, plan);
}
