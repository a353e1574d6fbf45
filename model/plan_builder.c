// SPDX-License-Identifier: GPL-2.0-or-later
/* Collects runs and single steps into a plan. */
#include <fz/plan.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "plan_coalesce.h"
#include "run.h"

/* Enough for every shipped policy, so that most plans need no second block. */
#define BUILDER_INLINE_DRAFTS 16

struct fz_plan_builder {
	uint64_t nr_pages;
	int error; /* the first one, 0 or negative errno */
	bool conditional;
	size_t nr;       /* drafts so far */
	size_t capacity; /* room in drafts */
	size_t open; /* drafts from here on came from steps: may be joined */
	struct fz_draft *drafts; /* [capacity]; inline_drafts until it grows */
	struct fz_draft inline_drafts[BUILDER_INLINE_DRAFTS];
};

struct fz_plan_builder *fz_plan_builder_new(uint64_t nr_pages)
{
	struct fz_plan_builder *builder = malloc(sizeof(*builder));

	if (!builder)
		return NULL;
	builder->nr_pages = nr_pages;
	builder->error = 0;
	builder->conditional = false;
	builder->nr = 0;
	builder->open = 0;
	builder->capacity = BUILDER_INLINE_DRAFTS;
	builder->drafts = builder->inline_drafts;
	return builder;
}

static void builder_free(struct fz_plan_builder *builder)
{
	if (builder->drafts != builder->inline_drafts)
		free(builder->drafts);
	free(builder);
}

static bool builder_fail(struct fz_plan_builder *builder, int error)
{
	if (builder->error == 0)
		builder->error = error;
	return false;
}

/* Room for one more draft. */
static bool builder_reserve(struct fz_plan_builder *builder)
{
	const size_t capacity = builder->capacity * 2;
	struct fz_draft *old = builder->drafts, *drafts;

	if (builder->nr < builder->capacity)
		return true;
	if (old == builder->inline_drafts)
		old = NULL;
	drafts = realloc(old, capacity * sizeof(*drafts));
	if (!drafts)
		return builder_fail(builder, -ENOMEM);
	if (!old)
		memcpy(drafts, builder->inline_drafts,
		       sizeof(builder->inline_drafts));
	builder->drafts = drafts;
	builder->capacity = capacity;
	return true;
}

static bool builder_holds(const struct fz_plan_builder *builder, uint64_t first,
			  uint64_t nr)
{
	return first < builder->nr_pages && nr <= builder->nr_pages - first;
}

void fz_plan_add_run(struct fz_plan_builder *builder, struct fz_run run)
{
	if (!builder || builder->error || run.nr == 0)
		return;
	if (!fz_run_is_valid(&run, builder->nr_pages)) {
		builder_fail(builder, -EINVAL);
		return;
	}
	if (!builder_reserve(builder))
		return;
	if (run.op != FZ_OP_CLEAR)
		run = (struct fz_run){ .op = run.op, .nr = run.nr };
	builder->drafts[builder->nr++] = (struct fz_draft){ .run = run };
	builder->open = builder->nr;
}

void fz_plan_add_step(struct fz_plan_builder *builder, struct fz_step step)
{
	if (!builder || builder->error)
		return;
	if (step.op == FZ_OP_CLEAR) {
		if (step.nr == 0)
			return;
		if (!builder_holds(builder, step.first, step.nr) ||
		    (unsigned int)step.hint > FZ_HINT_STREAMING) {
			builder_fail(builder, -EINVAL);
			return;
		}
	} else if ((unsigned int)step.op > FZ_OP_MIGHT_SLEEP) {
		builder_fail(builder, -EINVAL);
		return;
	}
	if (!builder_reserve(builder))
		return;
	builder->nr = builder->open +
		      fz_drafts_add_step(builder->drafts + builder->open,
					 builder->nr - builder->open, &step);
}

void fz_plan_might_sleep(struct fz_plan_builder *builder)
{
	fz_plan_add_step(builder, (struct fz_step){ .op = FZ_OP_MIGHT_SLEEP });
}

void fz_plan_conditional(struct fz_plan_builder *builder)
{
	if (builder)
		builder->conditional = true;
}

static int builder_write(const struct fz_plan_builder *builder,
			 struct fz_plan *plan)
{
	struct fz_run *runs;
	size_t nr_runs = 0;

	for (size_t i = 0; i < builder->nr; i++)
		nr_runs += fz_draft_nr_runs(&builder->drafts[i]);
	runs = malloc((nr_runs ? nr_runs : 1) * sizeof(*runs));
	if (!runs)
		return -ENOMEM;
	*plan = (struct fz_plan){
		.runs = runs,
		.nr_runs = nr_runs,
		.nr_pages = builder->nr_pages,
		.conditional = builder->conditional,
	};
	for (size_t i = 0; i < builder->nr; i++) {
		fz_draft_write(&builder->drafts[i], runs);
		runs += fz_draft_nr_runs(&builder->drafts[i]);
	}
	return 0;
}

int fz_plan_finish(struct fz_plan_builder *builder, struct fz_plan *plan)
{
	int error;

	if (!builder)
		return -ENOMEM;
	error = builder->error;
	if (error == 0)
		error = builder_write(builder, plan);
	builder_free(builder);
	return error;
}
