// SPDX-License-Identifier: GPL-2.0-or-later
/* Plans of which a kernel might take another course, in every view. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "conditional_policy.h"
#include "diff_view.h"
#include "fz_test.h"
#include "plan_view.h"
#include "replay_report.h"
#include "sample_result.h"
#include "simulation.h"

static char *text;
static size_t bytes;

static FILE *begin(void)
{
	FILE *out = open_memstream(&text, &bytes);

	ck_assert_ptr_nonnull(out);
	return out;
}

/* Does what was written hold it? If not, that is shown. */
static void expect(FILE *out, bool expected, const char *part)
{
	fclose(out);
	ck_assert_msg((strstr(text, part) != NULL) == expected,
		      "'%s' is %s in: %s", part, expected ? "missing" : "there",
		      text);
	free(text);
}

static void expect_plan(int (*write)(FILE *out,
				     const struct fz_plan_view *view),
			uint64_t fault_page, bool expected, const char *part)
{
	const struct fz_zero_request request = { .nr_pages = 4,
						 .fault_page = fault_page };
	struct fz_plan plan;
	const struct fz_plan_view view = {
		.policy = &conditional_policy,
		.request = &request,
		.context = &fz_contexts[0],
		.plan = &plan,
	};
	FILE *out = begin();

	ck_assert_int_eq(
		fz_policy_plan(&conditional_policy, &request, &plan, NULL), 0);
	ck_assert_int_eq(write(out, &view), 0);
	fz_plan_fini(&plan);
	expect(out, expected, part);
}

START_TEST(plans)
{
	const uint64_t page = CONDITIONAL_PAGE;

	expect_plan(fz_plan_text, page, true, "\nplan      conditional: ");
	expect_plan(fz_plan_text, page + 1, false, "conditional:");
	expect_plan(fz_plan_json, page, true, "\"conditional\": true");
	expect_plan(fz_plan_json, page + 1, true, "\"conditional\": false");
	expect_plan(fz_plan_csv, page, true,
		    "seq,op,first_page,nr_pages,hint\n");
	expect_plan(fz_plan_csv, page, false, "true");
}
END_TEST

static void expect_diff(int (*write)(FILE *out,
				     const struct fz_diff_view *view),
			const char *part)
{
	const uint64_t pages[] = { 0, CONDITIONAL_PAGE };
	const struct fz_policy_diff_question question = {
		.policy = { &conditional_policy, &conditional_policy },
		.request.nr_pages = 4,
		.pages = pages,
		.nr_pages = 2,
		.models = FZ_PREEMPT_BIT(FZ_PREEMPT_FULL),
		.context = &fz_contexts[0],
	};
	struct fz_policy_diff diff;
	const struct fz_diff_view view = {
		.question = &question,
		.diff = &diff,
		.told = true,
	};
	FILE *out = begin();

	ck_assert_int_eq(fz_policy_diff_make(&question, &diff, NULL), 0);
	ck_assert_int_eq(write(out, &view), 0);
	fz_policy_diff_fini(&diff);
	expect(out, true, part);
}

START_TEST(comparisons)
{
	expect_diff(fz_diff_text, "\nconditional: ");
	expect_diff(fz_diff_json, "\"conditional_plans\": 1");
}
END_TEST

static void expect_simulation(int (*write)(FILE *out,
					   const struct fz_simulation *s),
			      bool conditional, bool expected, const char *part)
{
	struct fz_simulation *s = calloc(1, sizeof(*s));
	struct fz_simulated_row *row = calloc(1, sizeof(*row));
	FILE *out = begin();

	ck_assert(s && row);
	row->policy = &conditional_policy;
	row->carried = fz_policy_init_on_alloc(row->policy, FZ_INIT_OFF);
	row->status = FZ_SIMULATED;
	row->result.conditional = conditional;
	s->options.context = &fz_contexts[0];
	s->options.workload = "made";
	s->command = "foliosim";
	s->rows = row;
	s->nr_rows = 1;
	ck_assert_int_eq(write(out, s), 0);
	free(row);
	free(s);
	expect(out, expected, part);
}

START_TEST(simulations)
{
	expect_simulation(fz_simulation_text, true, true, "made-conditional?");
	expect_simulation(fz_simulation_text, true, true, "\n? conditional: ");
	expect_simulation(fz_simulation_text, false, false, "?");
	expect_simulation(fz_simulation_json, true, true,
			  "\"conditional\": true");
	expect_simulation(fz_simulation_json, false, true,
			  "\"conditional\": false");
	expect_simulation(fz_simulation_csv, true, true,
			  ",hypothetical,conditional,");
}
END_TEST

static void expect_replay(int (*write)(FILE *out,
				       const struct fz_result *result),
			  const char *part)
{
	static const struct fz_replay_options options;
	static const struct fz_replay_traces traces;
	static const struct fz_replay_tally tally;
	const struct fz_replay_report report = {
		.options = &options,
		.traces = &traces,
		.tally = &tally,
	};
	struct sample *sample = sample_find("full");
	struct fz_result result = sample->result;
	FILE *out = begin();

	result.replay = &report;
	result.nr_rows = 3; /* a replay has no twins */
	ck_assert_int_eq(write(out, &result), 0);
	sample_free(sample);
	expect(out, true, part);
}

START_TEST(replays)
{
	expect_replay(fz_replay_text, "neighbourhood-last?");
	expect_replay(fz_replay_text, "\n? conditional: ");
	expect_replay(fz_replay_commit, "neighbourhood-last?");
	expect_replay(fz_replay_commit, "\n  ? conditional: ");
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("conditional");
	TCase *tcase = tcase_create("conditional");

	tcase_add_test(tcase, plans);
	tcase_add_test(tcase, comparisons);
	tcase_add_test(tcase, simulations);
	tcase_add_test(tcase, replays);
	suite_add_tcase(suite, tcase);
	return suite;
}
