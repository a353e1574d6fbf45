// SPDX-License-Identifier: GPL-2.0-or-later
/* The examples of docs/adding-a-policy.md: they work, and are shown. */
#include "doc_shows.h"
#include "fz_test.h"

#include <fz/policy.h>

#include "plan_steps.h"
#include "policy_contract.h"

extern const struct fz_policy fz_policy_far_descending;
extern const struct fz_policy fz_policy; /* of towards_fault.c */

static const struct {
	const struct fz_policy *policy;
	const char *file;
	uint64_t batch_pages;
	const char *steps; /* of 8 pages, page 3 and one on each side last */
} examples[] = {
	{ &fz_policy_far_descending, "examples/far_descending.c", 0,
	  "M P 7 P 6 P 5 P 1 P 0 P 2 P 3 P 4" },
	{ &fz_policy, "examples/towards_fault.c", 2,
	  "M P 7 P 5+2 P 0+2 P 2+2 P 4" },
};

#define NR_EXAMPLES ((int)(sizeof(examples) / sizeof(examples[0])))

START_TEST(doc_shows_it)
{
	ck_assert_doc_shows("adding-a-policy.md", examples[_i].file);
}
END_TEST

START_TEST(keeps_the_contract)
{
	const struct fz_policy *policy = examples[_i].policy;
	const char *wrong = policy_contract_entry(policy);
	char first[256];
	unsigned int bad;

	ck_assert_msg(!wrong, "%s", wrong);
	bad = policy_contract_run(policy, first, sizeof(first));
	ck_assert_msg(bad == 0, "%u folios, the first: %s", bad, first);
}
END_TEST

START_TEST(does_what_it_says)
{
	const struct fz_zero_request request = {
		.nr_pages = 8,
		.fault_page = 3,
		.batch_pages = examples[_i].batch_pages,
		.radius_pages = 1,
	};
	struct steps expected = { .at = NULL }, walked = { .at = NULL };
	struct fz_plan plan;
	size_t at;

	ck_assert_int_eq(
		fz_policy_plan(examples[_i].policy, &request, &plan, NULL), 0);
	steps_parse(&expected, examples[_i].steps);
	steps_walk(&walked, &plan);
	ck_assert_msg(steps_match(&expected, &walked, &at), "step %zu", at);
	steps_fini(&expected);
	steps_fini(&walked);
	fz_plan_fini(&plan);
}
END_TEST

START_TEST(is_an_object)
{
	ck_assert_uint_eq(fz_policy.abi, FZ_POLICY_ABI);
	ck_assert_uint_eq(fz_policy.bytes, sizeof(fz_policy));
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("policies.example_policy");
	TCase *tcase = tcase_create("examples");

	tcase_set_timeout(tcase, 30);
	tcase_add_loop_test(tcase, doc_shows_it, 0, NR_EXAMPLES);
	tcase_add_loop_test(tcase, keeps_the_contract, 0, NR_EXAMPLES);
	tcase_add_loop_test(tcase, does_what_it_says, 0, NR_EXAMPLES);
	tcase_add_test(tcase, is_an_object);
	suite_add_tcase(suite, tcase);
	return suite;
}
