// SPDX-License-Identifier: GPL-2.0-or-later
/* Plans of every policy cost by runs what they cost step by step. */
#include <fz/policies.h>
#include <fz/policy.h>

#include "fz_test.h"
#include "naive_price.h"
#include "random_request.h"

START_TEST(price_is_that_of_the_steps)
{
	const struct fz_profile profile = exact_profile();
	struct fz_random random = fz_random_begin(5, (uint64_t)_i);
	unsigned int wrong = 0;

	for (unsigned int i = 0; i < 2000; i += SLOW_STRIDE) {
		const struct fz_zero_request request = random_request(&random);
		struct fz_plan plan;

		if (fz_policy_plan(fz_policies[_i], &request, &plan, NULL)) {
			wrong++;
			continue;
		}
		wrong += !price_is_naive(&profile, &plan, request.preempt);
		fz_plan_fini(&plan);
	}
	ck_assert_uint_eq(wrong, 0);
}
END_TEST

static int nr_policies(void)
{
	int nr = 0;

	while (fz_policies[nr])
		nr++;
	return nr;
}

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("plan_prices");
	TCase *tcase = tcase_create("plan_prices");

	tcase_add_loop_test(tcase, price_is_that_of_the_steps, 0,
			    nr_policies());
	suite_add_tcase(suite, tcase);
	return suite;
}
