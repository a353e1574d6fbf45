// SPDX-License-Identifier: GPL-2.0-or-later
/* The example of docs/adding-a-policy.md: it works, and is shown. */
#include "doc_shows.h"
#include "fz_test.h"

#include <fz/policy.h>

#include "plan_steps.h"
#include "policy_contract.h"

extern const struct fz_policy fz_policy_far_descending;

START_TEST(doc_shows_it)
{
	ck_assert_doc_shows("adding-a-policy.md", "examples/far_descending.c");
}
END_TEST

START_TEST(keeps_the_contract)
{
	const struct fz_policy *policy = &fz_policy_far_descending;
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
		.radius_pages = 1,
	};
	struct steps expected = { .at = NULL }, walked = { .at = NULL };
	struct fz_plan plan;
	size_t at;

	ck_assert_int_eq(fz_policy_plan(&fz_policy_far_descending, &request,
					&plan, NULL),
			 0);
	steps_parse(&expected, "M P 7 P 6 P 5 P 1 P 0 P 2 P 3 P 4");
	steps_walk(&walked, &plan);
	ck_assert_msg(steps_match(&expected, &walked, &at), "step %zu", at);
	steps_fini(&expected);
	steps_fini(&walked);
	fz_plan_fini(&plan);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("policies.example_policy");
	TCase *tcase = tcase_create("far-descending");

	tcase_set_timeout(tcase, 30);
	tcase_add_test(tcase, doc_shows_it);
	tcase_add_test(tcase, keeps_the_contract);
	tcase_add_test(tcase, does_what_it_says);
	suite_add_tcase(suite, tcase);
	return suite;
}
