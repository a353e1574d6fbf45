// SPDX-License-Identifier: GPL-2.0-or-later
/* Engines that run plans take exactly the steps that the walker tells. */
#include <string.h>

#include <fz/engine.h>
#include <fz/folio.h>
#include <fz/policies.h>

#include "fake_world.h"
#include "fz_test.h"

#define MAX_CALLS 4096u

static struct {
	char *base;
	size_t nr;
	struct fz_step calls[MAX_CALLS];
	enum fz_hint hint;
} log_of;

static void log_call(void *dst, size_t bytes, enum fz_hint hint)
{
	if (log_of.nr < MAX_CALLS)
		log_of.calls[log_of.nr] = (struct fz_step){
			.op = FZ_OP_CLEAR,
			.hint = hint,
			.first = (uint64_t)((char *)dst - log_of.base) /
				 FZ_PAGE_BYTES,
			.nr = bytes / FZ_PAGE_BYTES,
		};
	log_of.nr++;
}

static void log_clear(void *dst, size_t bytes)
{
	log_call(dst, bytes, FZ_HINT_CACHED);
}

static void log_stream(void *dst, size_t bytes)
{
	log_call(dst, bytes, FZ_HINT_STREAMING);
}

static const struct fz_clear logging_clear = { .name = "log",
					       .unit_bytes = 1,
					       .clear = log_clear };
static const struct fz_clear logging_stream = { .name = "log-stream",
						.unit_bytes = 1,
						.streaming = true,
						.clear = log_stream };

static bool step_equal(const struct fz_step *a, const struct fz_step *b)
{
	return a->hint == b->hint && a->first == b->first && a->nr == b->nr;
}

/* Compare the log with the plan's clears. Return: first difference, or nr. */
static size_t first_difference(const struct fz_plan *plan)
{
	struct fz_walker walker;
	struct fz_step step;
	size_t i = 0;

	fz_walker_begin(&walker, plan);
	while (fz_walker_next(&walker, &step)) {
		if (step.op != FZ_OP_CLEAR)
			continue;
		if (i >= log_of.nr || !step_equal(&step, &log_of.calls[i]))
			return i;
		i++;
	}
	return i == log_of.nr ? SIZE_MAX : i;
}

static void run(const struct fz_engine *engine, const struct fz_plan *plan,
		enum fz_preempt model)
{
	static uint64_t marks[2 * MAX_CALLS];
	struct fake_world world;
	struct fz_recorder recorder = { .marks = marks,
					.max_marks = 2 * MAX_CALLS };
	static char base[1];
	struct fz_zero_job job = {
		.base = base,
		.plan = plan,
		.preempt = model,
		.clear = &logging_clear,
		.stream = &logging_stream,
		.recorder = &recorder,
	};

	fake_world_init(&world, 1);
	job.hooks = &world.hooks;
	log_of.base = base;
	log_of.nr = 0;
	engine->zero(&job);
}

static const struct fz_zero_request requests[] = {
	{ .nr_pages = 512, .fault_page = 0, .radius_pages = 2 },
	{ .nr_pages = 512, .fault_page = 511, .radius_pages = 2 },
	{ .nr_pages = 512, .fault_page = 200, .radius_pages = 2 },
	{ .nr_pages = 512,
	  .fault_page = 300,
	  .radius_pages = 3,
	  .batch_pages = 7 },
	{ .nr_pages = 17,
	  .fault_page = 8,
	  .radius_pages = 2,
	  .batch_pages = 4,
	  .per_page_clear = true },
	{ .nr_pages = 2048, .fault_page = 1500, .radius_pages = 2 },
	{ .nr_pages = 1, .fault_page = 0, .radius_pages = 2 },
	{ .nr_pages = 33,
	  .fault_page = 20,
	  .radius_pages = 2,
	  .highmem = true },
};

#define NR_REQUESTS (sizeof(requests) / sizeof(requests[0]))

START_TEST(engines_take_the_plan_s_steps)
{
	unsigned int wrong = 0;
	const char *first = "";

	for (size_t p = 0; fz_policies[p]; p++) {
		for (unsigned int m = 0; m < FZ_NR_PREEMPT; m++) {
			struct fz_zero_request request = requests[_i];
			struct fz_plan plan;

			request.preempt = (enum fz_preempt)m;
			ck_assert_int_eq(fz_policy_plan(fz_policies[p],
							&request, &plan, NULL),
					 0);
			run(&fz_engine_buffers, &plan, request.preempt);
			if (first_difference(&plan) != SIZE_MAX && !wrong++)
				first = fz_policies[p]->name;
			run(&fz_engine_bare, &plan, request.preempt);
			if (first_difference(&plan) != SIZE_MAX && !wrong++)
				first = fz_policies[p]->name;
			fz_plan_fini(&plan);
		}
	}
	ck_assert_msg(!wrong, "%u wrong, first %s", wrong, first);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("sim.engine");
	TCase *tcase = tcase_create("engine");

	tcase_add_loop_test(tcase, engines_take_the_plan_s_steps, 0,
			    NR_REQUESTS);
	suite_add_tcase(suite, tcase);
	return suite;
}
