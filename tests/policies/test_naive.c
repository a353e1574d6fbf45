// SPDX-License-Identifier: GPL-2.0-or-later
/* A policy's plan equals the same policy written step by step. */
#include "fz_test.h"

#include <fz/folio.h>
#include <fz/policies.h>

#include "naive_policies.h"
#include "random_request.h"

#define NR_RANDOM_REQUESTS (8000 / SLOW_STRIDE)

static int nr_naive(void)
{
	int nr = 0;

	while (naive_policy((size_t)nr))
		nr++;
	return nr;
}

static bool plan_is_naive(const struct fz_policy *policy,
			  const struct fz_zero_request *request, size_t *at)
{
	struct steps expected = { .at = NULL }, walked = { .at = NULL };
	struct fz_plan plan;
	bool same;

	if (fz_policy_plan(policy, request, &plan, NULL) != 0 ||
	    !naive_steps(&expected, policy->name, request))
		return false;
	steps_walk(&walked, &plan);
	same = steps_match(&expected, &walked, at);
	steps_fini(&expected);
	steps_fini(&walked);
	fz_plan_fini(&plan);
	return same;
}

START_TEST(plan_equals_naive)
{
	const struct fz_policy *policy =
		fz_policy_find(naive_policy((size_t)_i));
	struct fz_random random = fz_random_begin(12, 0);
	char first[160] = "";
	unsigned int bad = 0;
	size_t at = 0;

	ck_assert_ptr_nonnull(policy);
	for (unsigned int i = 0; i < NR_RANDOM_REQUESTS; i++) {
		const struct fz_zero_request request = random_request(&random);

		if (!plan_is_naive(policy, &request, &at) && bad++ == 0)
			request_describe(&request, first, sizeof(first));
	}
	ck_assert_msg(bad == 0, "%s: %u folios, the first: %s", policy->name,
		      bad, first);
}
END_TEST

/* Some written by hand, so that the naive ones are not all there is. */
static const struct {
	const char *policy;
	struct fz_zero_request request;
	const char *steps;
} cases[] = {
	{ "discontiguous-page",
	  { .nr_pages = 8, .fault_page = 2 },
	  "M P 7 P 6 P 5 P 4 P 0 P 3 P 1 P 2" },
	{ "discontiguous-page",
	  { .nr_pages = 8, .fault_page = 5 },
	  "M P 0 P 1 P 2 P 7 P 3 P 6 P 4 P 5" },
	{ "discontiguous-page",
	  { .nr_pages = 4, .fault_page = 0, .preempt = FZ_PREEMPT_FULL },
	  "M P 3 P 2 P 1 P 0" },
	{ "discontiguous-page",
	  { .nr_pages = 5, .fault_page = 4 },
	  "M P 0 P 1 P 2 P 3 P 4" },
	{ "contiguous-page",
	  { .nr_pages = 3, .fault_page = 1 },
	  "M P 0 P 1 P 2" },
	{ "batched-pages",
	  { .nr_pages = 8, .batch_pages = 3 },
	  "M P 0+3 P 3+3 P 6+2" },
	{ "batched-pages",
	  { .nr_pages = 8, .batch_pages = 3, .preempt = FZ_PREEMPT_LAZY },
	  "M P 0+8" },
	{ "batched-pages",
	  { .nr_pages = 5, .batch_pages = 3, .per_page_clear = true },
	  "M P 0 1 2 P 3 4" },
	{ "batched-pages",
	  { .nr_pages = 3, .highmem = true },
	  "M P 0 P 1 P 2" },
	{ "neighbourhood-last",
	  { .nr_pages = 16, .fault_page = 5, .radius_pages = 2 },
	  "M P 8+8 M P 0+3 M P 3+5" },
	{ "neighbourhood-last",
	  { .nr_pages = 16,
	    .fault_page = 15,
	    .radius_pages = 2,
	    .batch_pages = 5 },
	  "M P 0+5 P 5+5 P 10+3 M P 13+3" },
	{ "neighbourhood-last",
	  { .nr_pages = 4,
	    .fault_page = 1,
	    .radius_pages = 2,
	    .preempt = FZ_PREEMPT_FULL },
	  "M P 0+4" },
	{ "neighbourhood-last-v6",
	  { .nr_pages = 16,
	    .fault_page = 5,
	    .radius_pages = 2,
	    .batch_pages = 5 },
	  "8+5 P 13+3 P 0+3 P 3+5 P" },
	{ "streaming-neighbourhood-last",
	  { .nr_pages = 16, .fault_page = 5, .radius_pages = 2 },
	  "M P ~8+8 M P ~0+3 M P 3+5" },
	{ "init-pages", { .nr_pages = 4, .batch_pages = 2 }, "0 1 2 3" },
	{ "init-pages-extent", { .nr_pages = 4, .batch_pages = 2 }, "0+4" },
	{ "init-pages-extent", { .nr_pages = 3, .highmem = true }, "0 1 2" },
	{ "init-pages-batched",
	  { .nr_pages = 4, .batch_pages = 3 },
	  "P 0+3 P 3" },
	{ "init-pages-batched",
	  { .nr_pages = 4, .batch_pages = 3, .preempt = FZ_PREEMPT_RT_FULL },
	  "P 0+4" },
};

START_TEST(plan_is)
{
	const struct fz_policy *policy = fz_policy_find(cases[_i].policy);
	struct steps expected = { .at = NULL }, walked = { .at = NULL };
	struct fz_plan plan;
	size_t at;

	ck_assert_int_eq(
		fz_policy_plan(policy, &cases[_i].request, &plan, NULL), 0);
	steps_parse(&expected, cases[_i].steps);
	steps_walk(&walked, &plan);
	ck_assert_msg(steps_match(&expected, &walked, &at),
		      "%s differs from '%s' at step %zu", policy->name,
		      cases[_i].steps, at);
	steps_fini(&expected);
	steps_fini(&walked);
	fz_plan_fini(&plan);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("policies.naive");
	TCase *tcase = tcase_create("naive");

	tcase_set_timeout(tcase, 30);
	tcase_add_loop_test(tcase, plan_equals_naive, 0, nr_naive());
	tcase_add_loop_test(tcase, plan_is, 0,
			    sizeof(cases) / sizeof(cases[0]));
	suite_add_tcase(suite, tcase);
	return suite;
}
